package githubtest

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
)

// "Get repository content" of "REST API endpoints for repository contents". Links and submodules
// are not modelled.
var contentsEndpoints = []endpoint{{
	pattern: "GET /repos/{owner}/{repo}/contents/{path...}", query: []string{"ref"}, accepts: "contents=read",
	handle: (*call).getContents,
}}

const (
	maxListed  = 1000        // "This API has an upper limit of 1,000 files for a directory"
	maxContent = 1 << 20     // past it the content is left out and its encoding is "none"
	maxBlob    = 100_000_000 // "Greater than 100 MB: This endpoint is not supported"
)

func (c *call) getContents() response {
	path := strings.Trim(c.request.PathValue("path"), "/")
	ref := c.request.URL.Query().Get("ref")
	if ref == "" {
		ref = c.repository.defaultBranch
	}
	sha := ref
	if tip := c.repository.branches[ref]; tip != "" {
		sha = tip
	}
	commit := c.repository.commits[sha]
	if commit == nil {
		return failure(http.StatusNotFound, "No commit found for the ref "+ref)
	}
	if text, isFile := commit.tree[path]; isFile {
		return c.file(treeEntry{path: path, text: text}, ref)
	}
	entries := commit.tree.folder(path)
	if len(entries) == 0 {
		return notFound()
	}
	list := []object{}
	for _, e := range entries[:min(len(entries), maxListed)] {
		list = append(list, c.world.entryJSON(c.repository, e, ref))
	}
	return ok(list)
}

func (c *call) file(e treeEntry, ref string) response {
	if len(e.text) > maxBlob {
		answer := failure(http.StatusForbidden, "This API returns blobs up to 100 MB in size. The requested blob is too large to fetch via the API, but you can always clone the repository via Git in order to obtain it.")
		answer.body.(object)["errors"] = []problem{{Resource: "Blob", Field: "data", Code: "too_large"}}
		return answer
	}
	json := c.world.entryJSON(c.repository, e, ref)
	json["encoding"], json["content"] = "base64", wrapped60(base64.StdEncoding.EncodeToString([]byte(e.text)))
	if len(e.text) > maxContent {
		json["encoding"], json["content"] = "none", ""
	}
	return ok(json)
}

// wrapped60 breaks base64 into lines of 60 characters, as GitHub does.
func wrapped60(text string) string {
	var lines strings.Builder
	for ; len(text) > 60; text = text[60:] {
		lines.WriteString(text[:60] + "\n")
	}
	if text != "" {
		lines.WriteString(text + "\n")
	}
	return lines.String()
}

// entryJSON is a file or folder as a folder's listing names it.
func (w *World) entryJSON(r *Repository, e treeEntry, ref string) object {
	kind, git, page := "file", "blobs", "blob"
	if e.folder {
		kind, git, page = "dir", "trees", "tree"
	}
	u := fmt.Sprintf("%s/contents/%s?ref=%s", w.repositoryURL(r), e.path, ref)
	html := fmt.Sprintf("%s/%s/%s/%s/%s", webURL, r.fullName(), page, ref, e.path)
	gitURL := fmt.Sprintf("%s/git/%s/%s", w.repositoryURL(r), git, e.sha())
	json := object{
		"type": kind, "size": len(e.text), "name": e.name(), "path": e.path, "sha": e.sha(), "url": u,
		"git_url": gitURL, "html_url": html, "download_url": nil,
		"_links": object{"self": u, "git": gitURL, "html": html},
	}
	if !e.folder {
		json["download_url"] = fmt.Sprintf("https://raw.githubusercontent.com/%s/%s/%s", r.fullName(), ref, e.path)
	}
	return json
}
