package github

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strings"

	keywords "github.com/evidence-gate/evidence-gate/internal/closing"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// keyword is the source of a link that was read from the body.
const keyword = "keyword"

// unlinked reports whether GitHub links no issue, so that the body's own words are looked at.
func unlinked(s *snapshot.Snapshot) bool { return len(s.Linked) == 0 }

// byKeyword, beside whatever else is read, looks at the issues that the body closes by keyword (section 14, Loading). On a base that
// is not the default branch GitHub links none, and the body's word counts. On the default branch
// GitHub's own word counts; what the body names is looked up only to tell a task that moved, is gone
// or is hidden from one that was never named. An issue of another repository, or one that is not
// shown, stays in the list as unreadable, never silence.
func (l *loading) byKeyword(ctx context.Context, s *snapshot.Snapshot, o LoadOptions) error {
	byDefault := s.PullRequest.BaseRef == s.Repository.DefaultBranch
	if byDefault && l.holes.has(factIssue) {
		return nil
	}
	references, more, err := keywords.References(*s.PullRequest.Body)
	if err != nil || len(references) == 0 {
		return nil // the engine refuses a body that cannot be read, and says why
	}
	if more {
		l.holes.add(factIssue, fmt.Sprintf("the body closes more than %d issues: close only those that are its tasks", keywords.Most))
	}
	own := Repo{Owner: s.Repository.Owner, Name: s.Repository.Name}
	names := named{own: own, web: l.client.to.web()}
	read, err := l.named(ctx, &names, references, byDefault)
	if err != nil {
		return err
	}
	if byDefault {
		s.Linked, err = l.lost(ctx, own, names.links(references))
		return err
	}
	var readable, counting []*issueNode
	for _, link := range names.links(references) {
		n := read.issues[link.Number]
		switch {
		case link.Repository != own.String():
		case n == nil && read.pulls[link.Number]:
			continue // a pull request is nobody's task
		case n == nil:
		case n.Repository == nil:
		case !strings.EqualFold(n.Repository.NameWithOwner, read.own):
			link.Repository, link.Number = n.Repository.NameWithOwner, n.Number
		default:
			link.Readable = true
			link.HasChecks = o.HasChecks == nil || o.HasChecks(n.Body)
			readable = append(readable, n)
			if link.HasChecks {
				counting = append(counting, n)
			}
		}
		s.Linked = append(s.Linked, link)
	}
	counts := chosen(readable, counting)
	if counts != nil {
		l.taskHoles(read.holes[counts.Number])
	}
	s.Issue, err = l.issue(ctx, counts)
	return err
}

// named reads the tasks that count by the body's word, all at once, and learns from the same answer
// which host this GitHub's pages have, where the address does not tell. On the default branch only
// the latter is asked for.
func (l *loading) named(ctx context.Context, n *named, references []keywords.Reference, byDefault bool) (tasks, error) {
	var numbers []int
	if !byDefault {
		numbers = n.numbers(references)
	}
	pages := slices.ContainsFunc(references, func(r keywords.Reference) bool { return r.Host != "" })
	if len(numbers) == 0 && (n.web != "" || !pages) {
		return tasks{}, nil
	}
	read, err := l.tasks(ctx, n.own, numbers)
	if n.web == "" {
		n.web = hostOf(read.web)
	}
	return read, err
}

// named are the references of a body as issues of this GitHub.
type named struct {
	own Repo
	web string // host of this GitHub's pages; empty while it is not known
}

// numbers are the issues of this repository that are named, those included that a page of a host not
// known yet names. One that is no GraphQL Int is none.
func (n named) numbers(references []keywords.Reference) []int {
	var numbers []int
	for _, link := range n.links(references) {
		if link.Repository == n.own.String() && link.Number <= math.MaxInt32 {
			numbers = append(numbers, link.Number)
		}
	}
	return numbers
}

// links are the references as links, each issue once. A page of another host is no link: GitHub
// closes nothing there.
func (n named) links(references []keywords.Reference) []snapshot.Linked {
	var links []snapshot.Linked
	seen := map[string]bool{}
	for _, r := range references {
		if r.Host != "" && n.web != "" && !strings.EqualFold(r.Host, n.web) {
			continue
		}
		link := snapshot.Linked{Repository: r.Repository, Number: r.Number, Source: keyword}
		if r.Repository == "" || strings.EqualFold(r.Repository, n.own.String()) {
			link.Repository = n.own.String()
		}
		if key := strings.ToLower(fmt.Sprintf("%s#%d", link.Repository, link.Number)); !seen[key] {
			seen[key] = true
			links = append(links, link)
		}
	}
	return links
}

// web is the host of the pages that belong to a REST address, empty when it cannot be told from it.
func (e endpoint) web() string {
	host := strings.ToLower(e.rest.Host)
	if strings.HasSuffix(e.rest.Path, "/api/v3") {
		return host
	}
	if web, is := strings.CutPrefix(host, "api."); is && (web == "github.com" || strings.HasSuffix(web, ".ghe.com")) {
		return web
	}
	return ""
}

func hostOf(page string) string {
	u, err := url.Parse(page)
	if err != nil {
		return ""
	}
	return u.Host
}
