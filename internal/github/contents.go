package github

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	contentsRead = "contents: read"
	// fileLimit is the most bytes of a file that are read: the most that a document may have (M1),
	// and the most that GitHub hands out this way ("Get repository content").
	fileLimit = 1 << 20
	// folderLimit is how many entries of a folder GitHub lists ("This API has an upper limit of 1,000
	// files for a directory").
	folderLimit = 1000
	// unknownCommit begins GitHub's word for a commit that it does not show yet, a 404 like that of a
	// file that is not there.
	unknownCommit = "No commit found"
)

// content is a file or a folder as it was found. It is there, absent, or unreadable with a reason.
type content struct {
	found  bool
	text   string   // of a file
	names  []string // of the files in a folder, sorted
	reason string   // why it is there and cannot be read
}

func (c content) bytes() int {
	bytes := len(c.text)
	for _, name := range c.names {
		bytes += len(name) + 16
	}
	return bytes
}

// fileAt reads a file of a commit.
func (c *Client) fileAt(ctx context.Context, repo Repo, file, sha string) (content, error) {
	return c.contentAt(ctx, repo, file, sha, asFile)
}

// folderAt reads the names of the files in a folder of a commit.
func (c *Client) folderAt(ctx context.Context, repo Repo, folder, sha string) (content, error) {
	return c.contentAt(ctx, repo, folder, sha, asFolder)
}

// contentAt reads what hangs on a commit, once. A refusal is not kept: it may end.
func (c *Client) contentAt(ctx context.Context, repo Repo, name, sha string, as func(json.RawMessage) content) (content, error) {
	key := strings.Join([]string{"content", strings.ToLower(repo.String()), sha, name}, "\n")
	if known, ok := recall[content](c.cache, key); ok {
		return known, nil
	}
	read, err := c.content(ctx, repo, name, sha, as)
	if err == nil && read.reason == "" {
		c.cache.keep(key, read, read.bytes(), forEver)
	}
	return read, err
}

// escaped is a path of a repository as it stands in an address.
func escaped(name string) string {
	steps := strings.Split(name, "/")
	for i, step := range steps {
		steps[i] = url.PathEscape(step)
	}
	return strings.Join(steps, "/")
}

// content reads from a commit, or from the default branch when none is named.
func (c *Client) content(ctx context.Context, repo Repo, name, sha string, as func(json.RawMessage) content) (content, error) {
	doing := fmt.Sprintf("read %s of %s", name, repo)
	address := fmt.Sprintf("repos/%s/%s/contents/%s", repo.Owner, repo.Name, escaped(name))
	if sha != "" {
		address += "?ref=" + url.QueryEscape(sha)
	}
	var answer json.RawMessage
	_, message, err := c.get(ctx, doing, contentsRead, address, &answer)
	if KindOf(err) == NotFound {
		if sha != "" && strings.HasPrefix(message, unknownCommit) {
			return content{}, &Error{Kind: Incomplete, Operation: doing, Message: fmt.Sprintf("GitHub does not show the commit %s yet: try again", sha)}
		}
		return content{}, nil
	}
	if reason, missing := refusedFor(err); missing {
		return content{reason: reason}, nil
	}
	if err != nil {
		return content{}, err
	}
	return as(answer), nil
}

type contentNode struct {
	Type     string `json:"type"`
	Name     string `json:"name"`
	Size     int64  `json:"size"`
	Encoding string `json:"encoding"`
	Content  string `json:"content"`
}

func asFile(answer json.RawMessage) content {
	var n contentNode
	if len(answer) > 0 && answer[0] == '[' {
		return content{reason: "it is a folder: expected a file"}
	}
	if json.Unmarshal(answer, &n) != nil {
		return content{reason: "GitHub's answer is not of the expected shape"}
	}
	switch {
	case n.Type != "file":
		return content{reason: fmt.Sprintf("it is a %s: expected a file", quote(n.Type))}
	case n.Size > fileLimit || n.Encoding == "none":
		return content{reason: fmt.Sprintf("it has %d bytes: expected at most %d", n.Size, fileLimit)}
	case n.Encoding != "base64":
		return content{reason: fmt.Sprintf("GitHub sent it in the encoding %q: expected base64", quote(n.Encoding))}
	}
	text, err := base64.StdEncoding.DecodeString(n.Content) // line breaks are ignored
	switch {
	case err != nil || int64(len(text)) != n.Size:
		return content{reason: "GitHub's answer does not hold the whole file"}
	case !utf8.Valid(text) || strings.ContainsRune(string(text), 0):
		return content{reason: "it is no text: expected UTF-8"}
	}
	return content{found: true, text: string(text)}
}

// asFolder takes a file in the place of a folder for a folder that is not there.
func asFolder(answer json.RawMessage) content {
	if len(answer) > 0 && answer[0] == '{' {
		return content{}
	}
	var nodes []contentNode
	if json.Unmarshal(answer, &nodes) != nil {
		return content{reason: "GitHub's answer is not of the expected shape"}
	}
	if len(nodes) >= folderLimit {
		return content{reason: fmt.Sprintf("GitHub lists no more than %d files of a folder", folderLimit)}
	}
	read := content{found: true}
	for _, n := range nodes {
		if n.Type == "file" {
			read.names = append(read.names, n.Name)
		}
	}
	slices.Sort(read.names)
	return read
}

// documents are the names of the Markdown files of a folder, without their extension.
func (c content) documents() []string {
	var names []string
	for _, name := range c.names {
		if base, ok := strings.CutSuffix(name, ".md"); ok && base != "" {
			names = append(names, base)
		}
	}
	return names
}
