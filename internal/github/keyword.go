package github

import (
	"context"
	"errors"
	"strings"

	keywords "github.com/evidence-gate/evidence-gate/internal/closing"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// keyword is the source of a link that was read from the body.
const keyword = "keyword"

// unlinked reports whether GitHub links no issue because the base is not the default branch
// (section 14, Loading).
func unlinked(s *snapshot.Snapshot) bool {
	return len(s.Linked) == 0 && s.PullRequest.BaseRef != s.Repository.DefaultBranch
}

// byKeyword reads the tasks that the body closes by keyword. An issue of another repository, or one
// that is not shown, stays in the list as unreadable, never silence.
func (l *loading) byKeyword(ctx context.Context, s *snapshot.Snapshot, o LoadOptions) error {
	references, err := keywords.References(*s.PullRequest.Body)
	if err != nil {
		return nil // the engine refuses the same body, and says why
	}
	own := Repo{Owner: s.Repository.Owner, Name: s.Repository.Name}
	var readable, counting []*issueNode
	seen := map[int]bool{} // issues of this repository
	for _, r := range references {
		link := snapshot.Linked{Repository: r.Repository, Number: r.Number, Source: keyword}
		if r.Repository == "" || strings.EqualFold(r.Repository, own.String()) {
			if seen[r.Number] {
				continue // the same issue, written in full
			}
			seen[r.Number] = true
			link.Repository = own.String()
			n, err := l.task(ctx, own, r.Number)
			var failure *Error
			switch {
			case err == nil:
				link.Readable = true
				link.HasChecks = o.HasChecks == nil || o.HasChecks(n.Body)
				readable = append(readable, n)
				if link.HasChecks {
					counting = append(counting, n)
				}
			case !errors.As(err, &failure) || failure.Kind != NotFound && failure.Kind != Forbidden:
				return err
			}
		}
		s.Linked = append(s.Linked, link)
	}
	s.Issue, err = l.issue(ctx, chosen(readable, counting))
	return err
}
