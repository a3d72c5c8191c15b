package github

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/evidence-gate/evidence-gate/criteria"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// ruleFile is the file of business rules that the policy names (sections 9 and 10), at the tip of the
// base branch.
type ruleFile struct {
	client *Client
	repo   Repo
	name   string // empty: the policy names none
	sha    string
	text   content
}

func (l *loading) rules(s *snapshot.Snapshot, name string) *ruleFile {
	f := &ruleFile{client: l.client, repo: Repo{Owner: s.Repository.Owner, Name: s.Repository.Name}, name: name, sha: s.PullRequest.BaseSHA}
	switch {
	case f.sha == "":
		f.text = gone(s.PullRequest.BaseRef).policy
	case !insideRepository(name):
		f.text = content{reason: "it is no path inside the repository"}
	}
	return f
}

// insideRepository reports whether a path leads to a file of the repository: it ends up in the path of
// a request.
func insideRepository(name string) bool {
	return !slices.ContainsFunc(strings.Split(name, "/"), func(step string) bool {
		return step == "" || step == "." || step == ".." || strings.ContainsFunc(step, unicode.IsControl)
	})
}

func (f *ruleFile) read() []work {
	if f.name == "" || f.text.reason != "" {
		return nil
	}
	return []work{func(ctx context.Context) (err error) {
		f.text, err = f.client.fileAt(ctx, f.repo, f.name, f.sha)
		return err
	}}
}

// fill puts the ids of the rules into the Snapshot. A file that the policy names and that is not there
// is a missing fact: no rules and all of them uncovered would look the same.
func (f *ruleFile) fill(s *snapshot.Snapshot, h *holes) {
	if f.name == "" {
		return
	}
	ids, reason := []string(nil), f.text.reason
	switch {
	case reason != "":
	case !f.text.found:
		reason = "the policy names it as business_rules, and there is no such file on the base branch"
	default:
		var err error
		if ids, err = criteria.RuleIDs(f.text.text); err != nil {
			reason = err.Error()
		}
	}
	if reason != "" {
		h.add(factReferences, fmt.Sprintf("%s: %s", quote(f.name), reason))
		return
	}
	if len(ids) == 0 {
		return
	}
	if s.References == nil {
		s.References = &snapshot.References{}
	}
	s.References.Rules = ids
}
