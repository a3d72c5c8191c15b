package approval_test

import (
	"slices"
	"testing"

	"github.com/evidence-gate/evidence-gate/approval"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const (
	head  = "3f9c1a7be2d84065c1b7a9e0d3f4628517ab90cd"
	older = "9b0e4d2c7a61f35880cc1e2d49ab73f6105e8d24"
)

// The people of every test: eng opened the pull request and wrote its commit, lead posted the task.
// rev, lee and helper[bot] had no part in the work.
var (
	eng    = user("eng", "write")
	lead   = user("lead", "maintain")
	rev    = user("rev", "write")
	lee    = user("lee", "maintain")
	chief  = user("chief", "admin")
	guest  = user("guest", "read")
	helper = &snapshot.Actor{Login: "helper[bot]", Type: "Bot", Permission: "write"}
)

func user(login, permission string) *snapshot.Actor {
	return &snapshot.Actor{Login: login, Type: "User", Permission: permission}
}

// at is a time of the day that the tests take place on.
func at(clock string) string { return "2026-11-29T" + clock + ":00Z" }

// facts are those of a pull request that lacks nothing but approvals.
func facts(level policy.Level, changes ...change) approval.Facts {
	login := "eng"
	f := approval.Facts{
		Policy: policy.Effective{Policy: policy.Default()}, Level: level, Stage: report.Merge, SelfReported: true,
		Snapshot: snapshot.Snapshot{
			Schema: snapshot.Schema, App: "evidence-gate",
			Repository:  snapshot.Repository{Owner: "acme", Name: "widgets", Maintainers: 2},
			PullRequest: snapshot.PullRequest{Number: 42, Author: eng, HeadSHA: head, Commits: []snapshot.Commit{{SHA: head, Authors: []*string{&login}}}},
			Issue:       &snapshot.Issue{Number: 7, Author: lead},
		},
	}
	for _, c := range changes {
		c(&f)
	}
	return f
}

type change func(*approval.Facts)

// review is a review of the head at 11:00.
func review(a *snapshot.Actor, state string) change { return reviewOf(a, state, head, at("11:00")) }

func reviewOf(a *snapshot.Actor, state, sha, when string) change {
	return func(f *approval.Facts) {
		f.Snapshot.Reviews = append(f.Snapshot.Reviews, snapshot.Review{Author: a, State: state, CommitSHA: sha, SubmittedAt: when})
	}
}

func approves(a *snapshot.Actor) change { return review(a, "approved") }

// rejections are requests for changes on the older commit.
func rejections(a *snapshot.Actor, n int) change {
	return func(f *approval.Facts) {
		for range n {
			reviewOf(a, "changes_requested", older, at("08:00"))(f)
		}
	}
}

func action(kind string, a *snapshot.Actor, more ...func(*snapshot.Action)) change {
	return func(f *approval.Facts) {
		act := snapshot.Action{Kind: kind, Actor: a, At: at("12:00"), HeadSHA: head}
		for _, m := range more {
			m(&act)
		}
		f.Snapshot.Actions = append(f.Snapshot.Actions, act)
	}
}

func via(how string) func(*snapshot.Action) { return func(a *snapshot.Action) { a.Via = how } }

func because(reason string) func(*snapshot.Action) {
	return func(a *snapshot.Action) { a.Reason = reason }
}

func forCommit(sha string) func(*snapshot.Action) {
	return func(a *snapshot.Action) { a.HeadSHA = sha }
}

func when(clock string) func(*snapshot.Action) { return func(a *snapshot.Action) { a.At = at(clock) } }

func unavailable(facts ...string) change {
	return func(f *approval.Facts) {
		for _, fact := range facts {
			f.Snapshot.Unavailable = append(f.Snapshot.Unavailable, snapshot.Unavailable{Fact: fact, Reason: "no permission"})
		}
	}
}

func maintainers(n int) change {
	return func(f *approval.Facts) { f.Snapshot.Repository.Maintainers = n }
}

func agents(of map[string]policy.Agent) change {
	return func(f *approval.Facts) { f.Policy.Roles.Agents = of }
}

func commitBy(sha string, logins ...string) change {
	return func(f *approval.Facts) {
		c := snapshot.Commit{SHA: sha}
		for _, l := range logins {
			if l == "" {
				c.Authors = append(c.Authors, nil)
			} else {
				c.Authors = append(c.Authors, &l)
			}
		}
		f.Snapshot.PullRequest.Commits = append(f.Snapshot.PullRequest.Commits, c)
	}
}

func author(a *snapshot.Actor) change {
	return func(f *approval.Facts) {
		f.Snapshot.PullRequest.Author = a
		f.Snapshot.PullRequest.Commits = nil
		commitBy(head, a.Login)(f)
	}
}

func revisions(of ...snapshot.Revision) change {
	return func(f *approval.Facts) { f.Snapshot.PullRequest.Revisions = of }
}

func revision(a *snapshot.Actor, body string) snapshot.Revision {
	return snapshot.Revision{Editor: a, EditedAt: at("09:00"), Body: &body}
}

func recorded(a *snapshot.Actor) change {
	return func(f *approval.Facts) {
		f.Recorders = append(f.Recorders, approval.Recorder{Actor: a, Check: "RC-1", Comment: 101})
	}
}

func ranBy(a *snapshot.Actor) change {
	return func(f *approval.Facts) {
		f.Snapshot.Runs = append(f.Snapshot.Runs, snapshot.Run{Check: "RC-1", By: a})
	}
}

func changedPaths(paths ...string) change {
	return func(f *approval.Facts) { f.Snapshot.PullRequest.ChangedPaths = paths }
}

// codes are those of the diagnostics, each once.
func codes(r approval.Result) []string {
	out := []string{}
	for _, d := range r.Diagnostics {
		if !slices.Contains(out, string(d.Code)) {
			out = append(out, string(d.Code))
		}
	}
	return out
}

// message is that of the only diagnostic with a code.
func message(t *testing.T, r approval.Result, code string) report.Diagnostic {
	t.Helper()
	var found []report.Diagnostic
	for _, d := range r.Diagnostics {
		if string(d.Code) == code {
			found = append(found, d)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d diagnostics %s among %v", len(found), code, r.Diagnostics)
	}
	return found[0]
}

// row is one rule: the facts at a level, and the codes that come of them.
type row struct {
	level   policy.Level
	changes []change
	codes   []string // none: nothing is missing
}

func with(changes ...change) []change { return changes }
