package github

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/published"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// mostOwnNames bounds for how many names of the App's check runs the memory is looked for.
const mostOwnNames = 3

// recalled is what the App published of a pull request on its check runs.
type recalled struct {
	state  published.State
	found  bool
	reason string // why it could not be read; empty when it was, or when there is none
}

// recall is the work of reading it, for callers without the App's store (section 11). The head's own
// check runs are known by name already.
func (r *recalled) recall(l *loading, s *snapshot.Snapshot, o LoadOptions) []work {
	var names []string
	for _, run := range s.StatusChecks {
		if own := o.App != "" && strings.EqualFold(run.App, o.App); own && run.Name != "" && !slices.Contains(names, run.Name) {
			names = append(names, run.Name)
		}
	}
	if !o.Published || len(names) == 0 {
		return nil
	}
	return []work{func(ctx context.Context) error {
		for _, name := range names[:min(len(names), mostOwnNames)] {
			if err := r.read(ctx, l, s, o.App, name); err != nil || r.found {
				return err
			}
		}
		return nil
	}}
}

// read looks at the check runs of one name, the newest first.
func (r *recalled) read(ctx context.Context, l *loading, s *snapshot.Snapshot, own, name string) error {
	var answer struct {
		CheckRuns []struct {
			ID  int64 `json:"id"`
			App struct {
				Slug string `json:"slug"`
			} `json:"app"`
			Output struct {
				Text string `json:"text"`
			} `json:"output"`
		} `json:"check_runs"`
	}
	doing := fmt.Sprintf("read what the App remembers of %s#%d", s.Repository.FullName(), s.PullRequest.Number)
	address := fmt.Sprintf("repos/%s/commits/%s/check-runs?filter=latest&per_page=%d&check_name=%s", s.Repository.FullName(), s.PullRequest.HeadSHA, pageSize, url.QueryEscape(name))
	_, _, err := l.client.get(ctx, doing, "checks: read", address, &answer)
	if reason, missing := refusedFor(err); missing {
		r.reason = reason
		return nil
	}
	if err != nil {
		return err
	}
	newest := int64(-1)
	for _, run := range answer.CheckRuns {
		state, err := published.From(run.App.Slug, own, run.Output.Text)
		about := state.RepositoryID == s.Repository.ID && state.PullRequest == s.PullRequest.Number
		switch {
		case run.ID < newest || !strings.EqualFold(run.App.Slug, own):
		case err == nil && about:
			newest, r.state, r.found, r.reason = run.ID, state, true, ""
		case errors.Is(err, published.ErrDamaged):
			newest, r.found, r.reason = run.ID, false, err.Error()
		}
	}
	return nil
}

// fill puts the memory into the Snapshot. Roles are read anew, not taken from what was published.
func (r *recalled) fill(s *snapshot.Snapshot, h *holes) {
	switch {
	case r.reason != "":
		h.add(factMemory, r.reason)
	case r.found && r.state.Left:
		h.add(factMemory, "the App's check run does not hold what it remembers: several pull requests share this head, or it was too much")
	case r.found:
		if r.state.Contract != nil {
			s.Memory = &snapshot.Memory{Contract: r.state.Contract}
		}
		for _, a := range r.state.Actions {
			if a.Actor != nil {
				a.Actor.Permission, a.Actor.Teams = "", nil
			}
			s.Actions = append(s.Actions, a)
		}
	}
}
