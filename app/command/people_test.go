package command

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

var (
	headA = strings.Repeat("a1", 20)
	headB = strings.Repeat("b2", 20)
	dev   = &snapshot.Actor{Login: "dev", Type: "User", Permission: "write"}
	agent = &snapshot.Actor{Login: "helper[bot]", Type: "Bot", Permission: "none"}
	other = &snapshot.Actor{Login: "other[bot]", Type: "Bot", Permission: "none"}
)

const contract = "## Required Checks\n\n- [RC-1] `npm test`\n"

// people is a fixture with a head, a contract that was weakened since it was first seen, and an agent.
func people(t *testing.T) *fixture {
	t.Helper()
	f := newFixture(t)
	body := ""
	r := &f.request
	r.Facts.Schema, r.Facts.Now = snapshot.Schema, stamp(noon)
	r.Facts.PullRequest.HeadSHA, r.Facts.PullRequest.State, r.Facts.PullRequest.Body = headB, "open", &body
	r.Facts.PullRequest.Commits = []snapshot.Commit{{SHA: headB, Authors: []*string{&eng.Login}}}
	r.Facts.Linked = []snapshot.Linked{{Repository: "acme/widgets", Number: 7, Source: "closing", Readable: true, HasChecks: true}}
	f.task(contract+"- [RC-2] `npm run lint`\n", contract)
	r.Facts.Memory = &snapshot.Memory{Contract: &snapshot.RememberedContract{Issue: 7, Checks: []snapshot.RememberedCheck{{Text: "[RC-1] `npm test`"}, {Text: "[RC-2] `npm run lint`"}}}}
	r.Heads = []store.HeadAt{{SHA: headA, Since: noon.Add(-time.Hour)}, {SHA: headB, Since: noon.Add(-30 * time.Minute)}}
	r.PublishedTask = 7
	r.Policy.Roles.Agents = map[string]policy.Agent{"helper[bot]": {Provider: "a", Connector: "lead"}}
	f.policy("roles: { agents: { \"helper[bot]\": { provider: a, connector: lead } } }\n")
	f.github.carrier.ID = 0
	r.Facts.Issue.Comments = nil
	return f
}

// policy is what the repository's policy says beside its version.
func (f *fixture) policy(text string) {
	f.Helper()
	f.request.Facts.Policy = &snapshot.File{Path: policy.Path, Text: "version: 1\n" + text}
	p, faults := policy.Resolve(f.request.Facts.Policy, nil)
	require.Empty(f, faults)
	f.request.Policy = p.For(f.request.Facts)
}

// task gives the task these texts, an hour and ten minutes before noon.
func (f *fixture) task(texts ...string) {
	issue := f.request.Facts.Issue
	issue.Author, issue.Revisions = lead, nil
	for i := range texts {
		issue.Revisions = append(issue.Revisions, snapshot.Revision{Editor: lead, EditedAt: stamp(noon.Add(-time.Hour + time.Duration(i)*50*time.Minute)), Body: &texts[i]})
		issue.Body = &texts[i]
	}
}

func TestPeopleStandBehindAPullRequest(t *testing.T) {
	t.Parallel()
	const atOnce = 5 * time.Minute
	rows := []struct {
		rule    string
		by      *snapshot.Actor
		ago     time.Duration
		line    string
		outcome store.Outcome
		says    string
	}{
		{"a reviewer approves", dev, atOnce, "/approve", store.Done, ""},
		{"a listed agent reviews", agent, atOnce, "/approve", store.Done, ""},
		{"the author approves", eng, atOnce, "/approve", store.Refused, "opened this pull request"},
		{"a bot that is not listed", other, atOnce, "/approve", store.Ignored, "for the maintainers"},
		{"approved before the last push", dev, 40 * time.Minute, "/approve", store.Refused, "the head was `a1a1a1a1a1a1` when it was written and is `b2b2b2b2b2b2` now"},
		{"approved in the second of the push", dev, 30 * time.Minute, "/approve", store.Refused, "the head was `a1a1a1a1a1a1`"},
		{"approved nobody knows what", dev, 2 * time.Hour, "/approve", store.Refused, "is not known"},

		{"a reviewer asks for a person", dev, atOnce, "/needs-human this touches payments", store.Done, ""},
		{"a listed agent does", agent, atOnce, "/needs-human this touches payments", store.Done, ""},
		{"without a reason", dev, atOnce, "/needs-human", store.Refused, "found no reason"},

		{"an admin overrides", boss, atOnce, "/override the release is burning", store.Done, ""},
		{"a maintainer does not", lead, atOnce, "/override the release is burning", store.Refused, "it takes an admin"},
		{"nor does a listed agent", agent, atOnce, "/override the release is burning", store.Refused, "it takes a person"},
		{"nor anybody without a reason", boss, atOnce, "/override now", store.Refused, "found no reason"},
		{"nor an admin for another head", boss, 40 * time.Minute, "/override the release is burning", store.Refused, "the head was"},

		{"a maintainer accepts the contract", lead, atOnce, "/accept-contract", store.Done, ""},
		{"an engineer does not", dev, atOnce, "/accept-contract", store.Refused, "it takes the maintainer's role"},
		{"nor does a listed agent", agent, atOnce, "/accept-contract", store.Refused, "only a person"},
		{"nor anybody a text that was changed since", lead, 20 * time.Minute, "/accept-contract", store.Refused, "another text"},
		{"nor one that was changed within that second", lead, 10 * time.Minute, "/accept-contract", store.Refused, "another text"},

		{"a maintainer confirms the contract", lead, atOnce, "/confirm-contract", store.Done, ""},
		{"an engineer does not", dev, atOnce, "/confirm-contract", store.Refused, "it takes the maintainer's role"},
		{"nor does a listed agent", agent, atOnce, "/confirm-contract", store.Refused, "only a person"},
		{"nor anybody a text that was changed since", lead, 20 * time.Minute, "/confirm-contract", store.Refused, "as it stands now"},
	}
	for _, row := range rows {
		t.Run(row.rule+" "+row.line, func(t *testing.T) {
			t.Parallel()
			f := people(t)
			f.write(301, row.by, row.ago, row.line)
			require.Equal(t, row.outcome == store.Done, f.handle(), "what was done is judged")
			require.Equal(t, map[int64]store.Outcome{301: row.outcome}, f.outcomes())
			if row.says != "" {
				require.Len(t, f.github.replies, 1)
				require.Contains(t, f.github.replies[0].Body, row.says)
				require.Empty(t, f.store.actions)
				return
			}
			require.Empty(t, f.github.replies)
			require.Len(t, f.store.actions, 1)
			done := f.store.actions[0]
			require.Equal(t, row.by, done.Actor)
			require.Equal(t, "comment", done.Via)
			require.EqualValues(t, 301, done.CommentID)
			require.Equal(t, stamp(noon.Add(-row.ago)), done.At)
			require.Equal(t, headB, done.HeadSHA)
			require.Equal(t, []int{42}, f.store.threads)
			require.Equal(t, strings.HasSuffix(done.Kind, "_contract"), done.Digest != "")
		})
	}
}

// What is said of one commit is said on the pull request; what is said of the contract may be said on
// the task, where it counts for every pull request of the task.
func TestWhereItIsWritten(t *testing.T) {
	t.Parallel()
	f := people(t)
	f.task(contract)
	on := func(id int64, line string) {
		at := stamp(noon.Add(-5 * time.Minute))
		f.request.Facts.Issue.Comments = append(f.request.Facts.Issue.Comments, snapshot.Comment{ID: id, Author: boss, Body: line, CreatedAt: at, UpdatedAt: at})
	}
	on(401, "/approve")
	on(402, "/override the release is burning")
	on(403, "/needs-human please")
	on(404, "/confirm-contract")
	f.request.PublishedTask = 0
	require.True(t, f.handle())
	require.Equal(t, map[int64]store.Outcome{401: store.Refused, 402: store.Refused, 403: store.Refused, 404: store.Done}, f.outcomes())
	require.Len(t, f.store.actions, 1)
	require.Equal(t, []int{7}, f.store.threads)
	require.Equal(t, []string{"issue 7"}, f.store.queued)
}

// A task that was put in the place of another one after the comment was written is not what was
// accepted.
func TestATaskThatNoReportShowedIsNotAccepted(t *testing.T) {
	t.Parallel()
	for _, published := range []int{0, 6} {
		f := people(t)
		f.request.PublishedTask = published
		f.write(301, lead, time.Minute, "/accept-contract\n/confirm-contract")
		require.False(t, f.handle())
		require.Empty(t, f.store.actions)
		require.Equal(t, 2, strings.Count(f.github.replies[0].Body, "no report showed that yet"))
	}
}

func TestNothingIsAcceptedThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for rule, change := range map[string]func(s *snapshot.Snapshot){
		"the history":            func(s *snapshot.Snapshot) { s.Unavailable = []snapshot.Unavailable{{Fact: "issue.revisions"}} },
		"an erased text":         func(s *snapshot.Snapshot) { s.Issue.Revisions[1].Body = nil },
		"an edit at no time":     func(s *snapshot.Snapshot) { s.Issue.Revisions[0].EditedAt = "" },
		"no task that is linked": func(s *snapshot.Snapshot) { s.Issue = nil },
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			f := people(t)
			change(&f.request.Facts)
			f.write(301, lead, time.Minute, "/accept-contract")
			require.False(t, f.handle())
			require.Equal(t, map[int64]store.Outcome{301: store.Refused}, f.outcomes())
		})
	}
	f := people(t)
	f.task(contract)
	f.request.Facts.Memory = nil
	f.write(301, lead, time.Minute, "/accept-contract")
	require.False(t, f.handle())
	require.Contains(t, f.github.replies[0].Body, "nothing to accept")
}

// Commands of one comment are judged one after the other.
func TestAnAcceptanceAndAnApprovalInOneComment(t *testing.T) {
	t.Parallel()
	f := people(t)
	f.write(301, lead, time.Minute, "/accept-contract\n\n/approve")
	require.True(t, f.handle())
	require.Equal(t, map[int64]store.Outcome{301: store.Done}, f.outcomes())
	require.Len(t, f.store.actions, 2)
}

func TestALongReasonIsCut(t *testing.T) {
	t.Parallel()
	f := people(t)
	f.write(301, boss, time.Minute, "/override "+strings.Repeat("ä", 5000))
	require.True(t, f.handle())
	require.Len(t, []rune(f.store.actions[0].Reason), maxReason)
}

func digestOf(f *fixture) string {
	return checks.Evaluate(f.request.Facts, report.Merge).Contract.Digest
}

func TestPresses(t *testing.T) {
	t.Parallel()
	rows := []struct {
		rule, by, button string
		change           func(f *fixture, p *store.Press)
		outcome          store.Outcome
		says             string
	}{
		{"a maintainer approves", "lead", "approve", nil, store.Done, ""},
		{"the author approves", "eng", "approve", nil, store.Refused, "opened this pull request"},
		{"somebody without a role", "out", "approve", nil, store.Refused, "it does not count"},
		{"a role that cannot be read", "nobody", "approve", nil, store.Refused, "cannot be read"},
		{"on an older head", "lead", "approve", func(_ *fixture, p *store.Press) { p.HeadSHA = headA }, store.Refused, "that check run is of `a1a1a1a1a1a1`"},
		{"a maintainer accepts the contract", "lead", "accept-contract", nil, store.Done, ""},
		{"an engineer does not", "eng", "accept-contract", nil, store.Refused, "it takes the maintainer's role"},
		{"nor anybody another one than was shown", "lead", "accept-contract", func(_ *fixture, p *store.Press) { p.Digest = "sha256:" + strings.Repeat("0", 64) }, store.Refused, "another text"},
		{"nor one that was not shown", "lead", "accept-contract", func(_ *fixture, p *store.Press) { p.Digest = "" }, store.Refused, "/accept-contract"},
		{"a button there is not", "lead", "merge", nil, store.Refused, "no such button"},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			f := people(t)
			press := store.Press{GUID: "p-1", Number: 42, Button: row.button, Login: row.by, Type: "User", HeadSHA: headB, Digest: digestOf(f), At: noon.Add(-time.Second)}
			if row.change != nil {
				row.change(f, &press)
			}
			f.store.presses = []store.Press{press}
			require.Equal(t, row.outcome == store.Done, f.handle())
			require.Equal(t, row.outcome, f.store.presses[0].Outcome)
			f.store.presses[0].Outcome = "" // killed before it was recorded
			if row.says != "" {
				f.handle()
				require.Len(t, f.github.replies, 1, "answered once")
				require.Contains(t, f.github.replies[0].Body, row.says)
				require.True(t, strings.HasPrefix(f.github.replies[0].Body, "<!-- evidence-gate:press:p-1 -->"))
				require.Empty(t, f.store.actions)
				return
			}
			require.Empty(t, f.github.replies)
			require.Len(t, f.store.actions, 1)
			require.Equal(t, "button", f.store.actions[0].Via)
			require.Equal(t, "lead", f.store.actions[0].Actor.Login)
			require.Equal(t, "maintain", f.store.actions[0].Actor.Permission, "as read at that moment")
			require.Equal(t, headB, f.store.actions[0].HeadSHA)
		})
	}
}

func TestPressesDoNotMakeItWriteWithoutEnd(t *testing.T) {
	t.Parallel()
	f := people(t)
	for i := range 3 * maxReplies {
		f.store.presses = append(f.store.presses, store.Press{GUID: "p" + strings.Repeat("x", i), Number: 42, Button: "approve", Login: "eng", HeadSHA: headB, At: noon})
	}
	f.store.presses = append(f.store.presses, store.Press{GUID: "old", Number: 42, Button: "approve", Login: "eng", HeadSHA: headB, At: noon.Add(-answerWithin - time.Hour)})
	require.False(t, f.handle())
	require.Len(t, f.github.replies, maxReplies)
	for _, p := range f.store.presses {
		require.Equal(t, store.Refused, p.Outcome)
	}
}

// A policy that asks for more than a maintainer, and one that leaves it to everybody.
func TestWhoAcceptsByThePolicy(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		policy  string
		by      *snapshot.Actor
		outcome store.Outcome
	}{
		{"contract_changes: admin\n", lead, store.Refused},
		{"contract_changes: admin\n", boss, store.Done},
		{"contract_changes: anyone\n", dev, store.Done},
		{"contract_changes: anyone\n", out, store.Ignored},
	} {
		f := people(t)
		f.policy(row.policy)
		f.write(301, row.by, time.Minute, "/accept-contract")
		f.handle()
		require.Equal(t, map[int64]store.Outcome{301: row.outcome}, f.outcomes(), row.policy+row.by.Login)
	}
}
