package memory

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const section = "## Required Checks\n\n"

// tasked is a pull request whose task had these texts, one a minute, and was opened between the first
// and the second.
func tasked(texts ...string) snapshot.Snapshot {
	s := pull(42, "eng")
	s.PullRequest.CreatedAt = "2026-11-30T11:00:30Z"
	lead := actor("lead", "maintain")
	for i := range texts {
		texts[i] = section + texts[i]
		s.Issue.Revisions = append(s.Issue.Revisions, snapshot.Revision{Editor: lead, EditedAt: "2026-11-30T11:0" + string(rune('0'+i)) + ":00Z", Body: &texts[i]})
		s.Issue.Body = &texts[i]
	}
	return s
}

func texts(c *snapshot.RememberedContract) (list []string) {
	if c != nil {
		for _, check := range c.Checks {
			list = append(list, check.Text)
		}
	}
	return list
}

func contractOf(s snapshot.Snapshot) *snapshot.RememberedContract {
	if s.Memory == nil {
		return nil
	}
	return s.Memory.Contract
}

func changed(s snapshot.Snapshot) []string {
	var codes []string
	for _, d := range checks.Evaluate(s, report.Merge).Diagnostics {
		if d.Code == report.CodeContractChanged || d.Code == report.CodeTaskChanged {
			codes = append(codes, string(d.Code))
		}
	}
	return codes
}

func TestTheContractIsRememberedAsItStoodWhenThePullRequestWasCreated(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	weakened := f.recall(tasked("- [RC-1] `npm test`\n- [RC-2] `npm run lint`\n", "- [RC-1] `true`\n"))
	require.Equal(t, []string{"[RC-1] `npm test`", "[RC-2] `npm run lint`"}, texts(contractOf(weakened)))
	require.Equal(t, []string{"contract.changed", "contract.changed"}, changed(weakened), "weakened before it was first seen")
	again := f.recall(tasked("- [RC-1] `true`\n"))
	require.Equal(t, []string{"[RC-1] `npm test`", "[RC-2] `npm run lint`"}, texts(contractOf(again)), "what was remembered stays, whatever GitHub shows")
}

func TestAContractThatComesLaterIsRememberedThen(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	none := f.recall(tasked("none yet\n"))
	require.Nil(t, none.Memory)
	first := f.recall(tasked("none yet\n", "- [RC-1] `npm test`\n"))
	require.Equal(t, []string{"[RC-1] `npm test`"}, texts(contractOf(first)))
	require.Equal(t, []string{"contract.changed"}, changed(f.recall(tasked("none yet\n", "- [RC-1] `npm test`\n", "- [RC-1] `true`\n"))))
}

func TestNothingIsRememberedOfATaskThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"issue", "issue.revisions"} {
		f := newFixture(t)
		s := tasked("- [RC-1] `true`\n")
		s.Unavailable = []snapshot.Unavailable{{Fact: what, Reason: "403"}}
		require.Nil(t, f.recall(s).Memory)
		_, known, err := f.store.Contract(t.Context(), repository, 42)
		require.NoError(t, err)
		require.False(t, known)
	}
	f := newFixture(t)
	s := tasked("- [RC-1] `npm test`\n")
	s.Issue = nil
	require.Nil(t, f.recall(s).Memory)
}

func TestAdditionsAreTakenAndAcceptancesReplace(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	one, two, weak := "- [RC-1] `npm test`\n", "- [RC-1] `npm test`\n- [RC-2] `npm run lint`\n", "- [RC-2] `npm run lint`\n"
	learn := func(actions []snapshot.Action, history ...string) []string {
		s := tasked(history...)
		s = f.recall(s)
		s.Actions = actions
		now, err := f.Learn(t.Context(), repository, s, checks.Evaluate(s, report.Merge))
		require.NoError(t, err)
		return texts(now)
	}
	require.Equal(t, []string{"[RC-1] `npm test`"}, learn(nil, one))
	require.Equal(t, []string{"[RC-1] `npm test`", "[RC-2] `npm run lint`"}, learn(nil, one, two))
	require.Equal(t, []string{"[RC-1] `npm test`", "[RC-2] `npm run lint`"}, learn(nil, one, one), "an addition that is taken back is a change")
	by := func(login, permission, kind string) []snapshot.Action {
		return []snapshot.Action{{Kind: kind, Actor: actor(login, permission), At: "2026-11-30T11:30:00Z", HeadSHA: tasked(one).PullRequest.HeadSHA, Reason: "it is late"}}
	}
	require.Equal(t, []string{"[RC-1] `npm test`", "[RC-2] `npm run lint`"}, learn(by("eng2", "write", "accept_contract"), one, two, weak))
	require.Equal(t, []string{"[RC-1] `npm test`", "[RC-2] `npm run lint`"}, learn(by("boss", "admin", "override"), one, two, weak), "an override accepts no contract")
	require.Equal(t, []string{"[RC-2] `npm run lint`"}, learn(by("lead", "maintain", "accept_contract"), one, two, weak))
	require.Equal(t, []string{"[RC-2] `npm run lint`"}, texts(contractOf(f.recall(tasked(one, two, weak)))), "stored")
}

// What nobody compared is not learnt.
func TestWhatWasNotJudgedIsNotLearnt(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.recall(tasked("- [RC-1] `npm test`\n"))
	for rule, change := range map[string]func(*snapshot.Snapshot){
		"the policy is off":           func(s *snapshot.Snapshot) { s.Policy = &snapshot.File{Text: "version: 1\nlevel: \"off\"\n"} },
		"the policy is broken":        func(s *snapshot.Snapshot) { s.Policy = &snapshot.File{Text: "version: 9\n"} },
		"a stranger wrote the task":   func(s *snapshot.Snapshot) { s.Issue.Revisions[1].Editor = actor("passer", "read") },
		"the contract cannot be read": func(s *snapshot.Snapshot) { *s.Issue.Body += "\n[RC-9] outside\n" },
		"the task cannot be told from": func(s *snapshot.Snapshot) {
			s.Linked = append(s.Linked, snapshot.Linked{Repository: "acme/widgets", Number: 8, Readable: true, HasChecks: true, Source: "closing"})
		},
	} {
		s := f.recall(tasked("- [RC-1] `npm test`\n", "- [RC-1] `npm test`\n- [RC-2] `make`\n"))
		change(&s)
		now, err := f.Learn(t.Context(), repository, s, checks.Evaluate(s, report.Merge))
		require.NoError(t, err)
		require.Equal(t, []string{"[RC-1] `npm test`"}, texts(now), rule)
	}
}

func TestWhatWasPublishedStandsInForALostStore(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	accepted := &snapshot.RememberedContract{Issue: 7, Checks: []snapshot.RememberedCheck{{Text: "[RC-1] `true`"}}}
	asked := 0
	recall := func(answer *snapshot.RememberedContract, failing error) (snapshot.Snapshot, error) {
		got, err := f.Recall(t.Context(), Pull{RepositoryID: repository, Trusted: trusted, Published: func(context.Context, snapshot.Snapshot) (*snapshot.RememberedContract, error) {
			asked++
			return answer, failing
		}}, tasked("- [RC-1] `npm test`\n", "- [RC-1] `true`\n"))
		return got.Snapshot, err
	}
	_, err := recall(nil, errors.New("GitHub is down"))
	require.Error(t, err, "not known is not none")
	got, err := recall(accepted, nil)
	require.NoError(t, err)
	require.Equal(t, accepted, contractOf(got))
	require.Empty(t, changed(got))
	got, err = recall(nil, nil)
	require.NoError(t, err)
	require.Equal(t, accepted, contractOf(got))
	require.Equal(t, 2, asked, "only at first sight")
}

// A lost record must not lead to success.
func TestADamagedRecordNeverPasses(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "gate.db")
	open := func() *store.Store {
		s, err := store.Open(t.Context(), path, func() time.Time { return noon })
		require.NoError(t, err)
		return s
	}
	s := open()
	require.NoError(t, s.RememberContract(t.Context(), repository, 42, &snapshot.RememberedContract{Issue: 7, Checks: []snapshot.RememberedCheck{{Text: "[RC-1] `npm test`"}}}))
	require.NoError(t, s.Close())
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.Exec(`UPDATE contracts SET contract = ''`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	s = open()
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	f := newFixture(t)
	f.Store = s
	got := f.recall(tasked("- [RC-1] `true`\n"))
	require.Nil(t, got.Memory)
	require.Equal(t, "memory", got.Unavailable[0].Fact)
	r := checks.Evaluate(got, report.Merge)
	require.NotEqual(t, report.Success, r.Conclusion)
	now, err := f.Learn(t.Context(), repository, got, r)
	require.NoError(t, err)
	require.Nil(t, now)
	_, _, err = s.Contract(t.Context(), repository, 42)
	require.ErrorIs(t, err, store.ErrUnreadable, "it is not written over")
}
