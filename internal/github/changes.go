package github

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// filesListed is how many changed files of a pull request GitHub lists ("Responses include a maximum
// of 3000 files").
const filesListed = 3000

// changes are the changed paths of a pull request, old and new names.
type changes struct {
	client *Client
	repo   Repo
	pr     snapshot.PullRequest
	key    string
	paths  []string
	reason string // why they cannot be read
	pages  []changesPage
}

// changesPage is one page of the list.
type changesPage struct {
	files  []changedFile
	more   bool   // there is a further page
	reason string // why it cannot be read
}

type changedFile struct {
	Name     string `json:"filename"`
	Previous string `json:"previous_filename"`
	Status   string `json:"status"`
	Contents string `json:"contents_url"`
}

func (c *Client) changes(repo Repo, pr snapshot.PullRequest) *changes {
	return &changes{client: c, repo: repo, pr: pr,
		key: strings.Join([]string{"changes", strings.ToLower(repo.String()), fmt.Sprint(pr.Number), pr.BaseSHA, pr.HeadSHA}, "\n")}
}

// read is the work of reading them: all pages at once, since the number of files is known. Between
// two commits nothing changes, so they are read once.
func (c *changes) read() []work {
	if known, ok := recall[[]string](c.client.cache, c.key); ok {
		c.paths = known
		return nil
	}
	switch count := c.pr.ChangedFiles; {
	case count == nil:
		c.reason = "GitHub left the number of changed files out"
	case *count > filesListed:
		c.reason = fmt.Sprintf("GitHub lists %d of the %d changed files: split the pull request", filesListed, *count)
	case *count > 0:
		c.pages = make([]changesPage, (*count+pageSize-1)/pageSize)
	}
	all := make([]work, len(c.pages))
	for i := range c.pages {
		all[i] = func(ctx context.Context) error { return c.page(ctx, i) }
	}
	return all
}

func (c *changes) page(ctx context.Context, i int) error {
	doing := fmt.Sprintf("read the changed files of %s#%d", c.repo, c.pr.Number)
	address := fmt.Sprintf("repos/%s/%s/pulls/%d/files?per_page=%d&page=%d", c.repo.Owner, c.repo.Name, c.pr.Number, pageSize, i+1)
	page := &c.pages[i]
	next, _, err := c.client.get(ctx, doing, "pull requests: read", address, &page.files)
	page.more = next != 0
	if reason, missing := refusedFor(err); missing {
		page.reason = reason
		return nil
	}
	for _, f := range page.files {
		if at := f.commit(); at != "" && at != c.pr.HeadSHA {
			return &Error{Kind: Incomplete, Operation: doing, Message: fmt.Sprintf("the head was %s and is %s by now: try again", c.pr.HeadSHA, quote(at))}
		}
	}
	return err
}

// commit is the commit that a listed file is of; the links of a removed one lead elsewhere.
func (f changedFile) commit() string {
	u, err := url.Parse(f.Contents)
	if err != nil || f.Status == "removed" {
		return ""
	}
	return u.Query().Get("ref")
}

// fill puts them into the Snapshot. A list that does not match GitHub's own count is no fact.
func (c *changes) fill(s *snapshot.Snapshot, h *holes) {
	if c.pages != nil {
		c.collect()
	}
	if c.reason != "" {
		h.add(factChangedPaths, c.reason)
		return
	}
	s.PullRequest.ChangedPaths = slices.Clone(c.paths)
}

func (c *changes) collect() {
	listed, bytes := 0, 0
	for _, page := range c.pages {
		if c.reason = page.reason; c.reason != "" {
			return
		}
		listed += len(page.files)
		for _, f := range page.files {
			for _, name := range []string{f.Name, f.Previous} {
				if name != "" {
					c.paths, bytes = append(c.paths, name), bytes+len(name)+16
				}
			}
		}
	}
	if last := c.pages[len(c.pages)-1]; listed != *c.pr.ChangedFiles || last.more {
		c.reason = fmt.Sprintf("GitHub counts %d changed files and lists others", *c.pr.ChangedFiles)
		return
	}
	slices.Sort(c.paths)
	c.paths = slices.Compact(c.paths)
	c.client.cache.keep(c.key, c.paths, bytes, forEver)
}
