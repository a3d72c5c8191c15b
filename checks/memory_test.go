package checks_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

func remembering(s snapshot.Snapshot, texts ...string) snapshot.Snapshot {
	contract := &snapshot.RememberedContract{Issue: s.Issue.Number, RecordedAt: "2026-11-20T08:00:00Z"}
	for _, text := range texts {
		contract.Checks = append(contract.Checks, snapshot.RememberedCheck{Text: text})
	}
	s.Memory = &snapshot.Memory{Contract: contract}
	return s
}

// Section 10: additions are taken; a check that is changed or gone is contract.changed.
func TestRememberedContract(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		about, was, is string
		change         string
		codes          []report.Code
	}{
		{"the same", "[RC-1] `npm test`", npmTest, "", nil},
		{"spelled with other spaces and case", "[rc-1]   `npm test`", npmTest, "", nil},
		{"an addition", "[RC-1] `npm test`", npmTest + "- [RC-2] `make` [source: status_check]\n", "added", []report.Code{report.CodeCheckUnsatisfied}},
		{"another command", "[RC-1] `npm test`", "- [RC-1] `true`\n", "edited", []report.Code{report.CodeContractChanged}},
		{"another source", "[RC-1] `npm test` [source: pr_body]", "- [RC-1] `npm test` [source: pr_body, status_check]\n", "edited", []report.Code{report.CodeContractChanged}},
		{"an observation less", "[RC-1] theme (kind: manual) [observations: a, b]", "- [RC-1] theme (kind: manual) [observations: a]\n", "edited", []report.Code{report.CodeContractChanged}},
		{"another id", "[RC-1] `npm test`", "- [RC-2] `npm test`\n", "removed", []report.Code{report.CodeContractChanged}},
		{"a check without id, reworded", "the theme is kept", "- the theme is mostly kept\n", "removed", []report.Code{report.CodeContractChanged}},
		{"a check that nobody can read any more", "", npmTest, "removed", []report.Code{report.CodeContractChanged}},
	} {
		s := proved()
		setTask(&s, row.is)
		s = remembering(s, row.was)
		want(t, s, row.about, row.codes...)
		changed := checks.Evaluate(s, report.Merge).Contract.Changed
		if row.change == "" {
			require.Empty(t, changed, row.about)
			continue
		}
		require.NotEmpty(t, changed, row.about)
		require.Equal(t, row.change, changed[0].Change, row.about)
	}
}

// A source that the policy implies is nobody's change of the task.
func TestRememberedContractWithImpliedStatus(t *testing.T) {
	t.Parallel()
	s := withPolicy(proved(), "status_checks: implied")
	s.Memory = &snapshot.Memory{Contract: checks.Remember(s)}
	want(t, s, "the same task")
	require.Empty(t, checks.Evaluate(s, report.Merge).Contract.Changed)
	setTask(&s, "- [RC-1] `true`\n")
	want(t, s, "another command", report.CodeContractChanged)
}

// A maintainer's person accepts the contract at hand, and nobody else does.
func TestAcceptedContract(t *testing.T) {
	t.Parallel()
	weakened := func(actions ...snapshot.Action) snapshot.Snapshot {
		s := remembering(proved(), "[RC-1] `npm test`", "[RC-2] `npm run lint`")
		s.Actions = actions
		return s
	}
	accept := func(by *snapshot.Actor) snapshot.Action {
		return snapshot.Action{Kind: "accept_contract", Actor: by, At: "2026-11-29T12:00:00Z"}
	}
	lead := user("lead", "maintain")
	want(t, weakened(accept(lead)), "a maintainer accepts")
	want(t, weakened(accept(user("eng2", "write"))), "an engineer does not", report.CodeContractChanged)
	want(t, weakened(accept(nil)), "nor a deleted account", report.CodeContractChanged)
	want(t, weakened(accept(&snapshot.Actor{Login: "helper[bot]", Type: "Bot", Permission: "admin"})), "nor a bot", report.CodeContractChanged)
	want(t, withPolicy(weakened(accept(lead)), `roles: { agents: { lead: { provider: a, connector: b } } }`), "nor a listed agent", report.CodeContractChanged)
	want(t, withPolicy(weakened(accept(lead)), "contract_changes: admin"), "nor a maintainer where an admin is asked for", append([]report.Code{}, report.CodeContractChanged)...)
	confirm := accept(lead)
	confirm.Kind = "confirm_contract"
	want(t, weakened(confirm), "a confirmation is no acceptance of a change", report.CodeContractChanged)

	s := weakened(accept(lead))
	s.Actions[0].Digest = checks.Evaluate(s, report.Merge).Contract.Digest
	want(t, s, "its digest is the contract's")
	s.Actions[0].Digest = "sha256:0"
	want(t, s, "its digest is another's", report.CodeContractChanged)

	s = weakened(accept(lead))
	before := "## Required Checks\n\n" + npmTest + "- [RC-2] `npm run lint -- --quiet`\n"
	s.Issue.Revisions = []snapshot.Revision{
		{Editor: lead, EditedAt: "2026-11-29T11:00:00Z", Body: &before},
		{Editor: lead, EditedAt: "2026-11-29T13:00:00Z", Body: s.Issue.Body},
	}
	want(t, s, "the task was changed after the acceptance", report.CodeContractChanged)
	s.Actions[0].At = "2026-11-29T14:00:00Z"
	want(t, s, "accepted after the change")
}

// Another task linked after first sight is task.changed, until a maintainer accepts.
func TestChangedTask(t *testing.T) {
	t.Parallel()
	s := remembering(proved(), "[RC-1] `npm test`")
	s.Memory.Contract.Issue = 6
	want(t, s, "another task", report.CodeTaskChanged)
	s.Actions = []snapshot.Action{{Kind: "accept_contract", Actor: user("lead", "maintain")}}
	want(t, s, "accepted")
}

// C8: a contract counts as written by people with write permission and listed agents, or confirmed.
func TestHandOfTheContract(t *testing.T) {
	t.Parallel()
	by := func(author *snapshot.Actor) snapshot.Snapshot {
		s := proved()
		s.Issue.Author = author
		return s
	}
	bot := &snapshot.Actor{Login: "planner[bot]", Type: "Bot", Permission: "write"}
	want(t, by(user("eng2", "write")), "write permission")
	want(t, by(user("helper", "triage")), "triage permission", report.CodeContractUntrustedAuthor)
	want(t, by(user("passer-by", "read")), "read permission", report.CodeContractUntrustedAuthor)
	want(t, by(user("somebody", "")), "nobody knows which permission", report.CodeContractUntrustedAuthor)
	want(t, by(bot), "a bot", report.CodeContractUntrustedAuthor)
	want(t, withPolicy(by(bot), `roles: { agents: { "planner[bot]": { provider: a, connector: b } } }`), "a listed agent")

	s := by(user("somebody", ""))
	s.Unavailable = []snapshot.Unavailable{{Fact: "permissions", Reason: "403"}}
	want(t, s, "permissions that could not be read", report.CodeSnapshotFactUnavailable)
	s = by(user("lead", "maintain"))
	s.Unavailable = []snapshot.Unavailable{{Fact: "permissions", Reason: "403"}}
	want(t, s, "permissions that nobody needed")

	s = by(user("passer-by", "read"))
	s.Actions = []snapshot.Action{{Kind: "confirm_contract", Actor: user("lead", "maintain")}}
	want(t, s, "a maintainer confirmed it")
	require.Contains(t, checks.Evaluate(s, report.Merge).Notes, "contract_confirmed")
	s.Actions[0].Actor = user("eng2", "write")
	want(t, s, "an engineer confirmed it", report.CodeContractUntrustedAuthor)
}

func TestNotesOnTheAuthorsHand(t *testing.T) {
	t.Parallel()
	s := proved()
	s.PullRequest.Author = user("eng", "write")
	require.Empty(t, checks.Evaluate(s, report.Merge).Notes)
	s.Issue.Revisions = []snapshot.Revision{{Editor: user("lead", "maintain"), Body: s.Issue.Body}, {Editor: user("Eng", "write"), Body: s.Issue.Body}}
	require.Equal(t, []string{"contract_changed_by_author"}, checks.Evaluate(s, report.Merge).Notes)
	s.Issue.Author = user("eng", "write")
	require.Contains(t, checks.Evaluate(s, report.Merge).Notes, "contract_by_author")
}

// What is remembered is the task's text as it stood when the pull request was created (section 10).
func TestRemember(t *testing.T) {
	t.Parallel()
	s := proved()
	s.PullRequest.CreatedAt = "2026-11-28T07:00:00Z"
	first, then := "## Required Checks\n\n- [RC-1] `make`\n", "## Required Checks\n\n- [RC-1] `npm test` [source: pr_body, status_check]\n- the theme is kept\n"
	s.Issue.Revisions = []snapshot.Revision{
		{EditedAt: "2026-11-27T07:00:00Z", Body: &first},
		{EditedAt: "2026-11-28T06:59:00Z", Body: &then},
		{EditedAt: "2026-11-28T07:01:00Z", Body: s.Issue.Body},
	}
	remembered := checks.Remember(s)
	require.Equal(t, 7, remembered.Issue)
	require.Len(t, remembered.Checks, 2)
	require.Equal(t, "RC-1", *remembered.Checks[0].ID)
	require.Equal(t, "[RC-1] `npm test` [source: pr_body, status_check]", remembered.Checks[0].Text)
	require.Nil(t, remembered.Checks[1].ID)
	require.Equal(t, "the theme is kept", remembered.Checks[1].Text)

	s.Issue.Revisions = nil
	s.Memory = &snapshot.Memory{Contract: checks.Remember(s)}
	want(t, s, "what is remembered equals itself")
	none := "no checks"
	s.Issue.Body = &none
	require.Nil(t, checks.Remember(s))
}

// Criteria belong to the contract (C7): one that is changed or gone needs a maintainer's acceptance.
func TestRememberedCriteria(t *testing.T) {
	t.Parallel()
	with := func(criteria string) snapshot.Snapshot {
		s := opened()
		task := "## Required Checks\n\n" + npmTest + "\n## Acceptance Criteria\n\n" + criteria
		if criteria == "" {
			task = "## Required Checks\n\n" + npmTest
		}
		s.Issue.Body = &task
		setEvidence(&s, npmTestEntry+"- Criterion: [AC-1]\n  Evidence: check:RC-1\n- Criterion: [AC-2]\n  Evidence: check:RC-1\n")
		return s
	}
	const first = "- [AC-1] (kind: security) no token in the log\n"
	whole := checks.Remember(with(first))
	require.Equal(t, "AC-1", *whole.Checks[1].ID)
	digest := *whole
	digest.Checks = whole.Checks[:1]
	none := checks.Remember(with(""))
	for _, remembered := range []*snapshot.RememberedContract{whole, &digest} {
		for criteria, codes := range map[string][]report.Code{
			first: nil,
			"":    {report.CodeContractChanged},
			"- [AC-1] (kind: unit) no token in the log\n":      {report.CodeContractChanged},
			"- [AC-1] (kind: security) no token in the page\n": {report.CodeContractChanged},
		} {
			s := with(criteria)
			s.Memory = &snapshot.Memory{Contract: remembered}
			want(t, s, criteria, codes...)
			want(t, withPolicy(s, "criteria: off"), "criteria that nobody reads")
		}
	}
	s := with(first + "- [AC-2] (kind: unit) the cache is emptied\n")
	s.Memory = &snapshot.Memory{Contract: whole}
	want(t, s, "an addition is taken")
	s = with(first)
	s.Memory = &snapshot.Memory{Contract: none}
	want(t, s, "the first criterion is an addition")
}

// What the history does not tell is nobody's trusted word.
func TestContractOfAnUnknownHand(t *testing.T) {
	t.Parallel()
	lead, eng := user("lead", "maintain"), user("passer-by", "read")
	by := func(a *snapshot.Actor, at, text string) snapshot.Revision {
		return snapshot.Revision{Editor: a, EditedAt: at, Body: &text}
	}
	now, before := "## Required Checks\n\n"+npmTest, "## Required Checks\n\n"+npmTest+"- [RC-2] `npm run lint`\n"
	for about, row := range map[string]struct {
		author    *snapshot.Actor
		revisions []snapshot.Revision
		trusted   bool
	}{
		"a deleted account wrote it": {nil, nil, false},
		"a stranger's erased text, then a maintainer's": {lead, []snapshot.Revision{
			by(lead, "2026-11-20T08:00:00Z", before), {Editor: eng, EditedAt: "2026-11-20T09:00:00Z", Erased: true}, by(lead, "2026-11-20T10:00:00Z", now)}, false},
		"a maintainer's erased text, then a maintainer's": {lead, []snapshot.Revision{
			by(lead, "2026-11-20T08:00:00Z", before), {Editor: lead, EditedAt: "2026-11-20T09:00:00Z", Erased: true}, by(lead, "2026-11-20T10:00:00Z", now)}, true},
		"a text that is none of the history's": {lead, []snapshot.Revision{by(lead, "2026-11-20T08:00:00Z", before)}, false},
		"another text outside the section":     {lead, []snapshot.Revision{by(lead, "2026-11-20T08:00:00Z", "A word.\n\n"+now)}, true},
	} {
		s := proved()
		s.Issue.Body, s.Issue.Author, s.Issue.Revisions = &now, row.author, row.revisions
		if row.trusted {
			want(t, s, about)
		} else {
			want(t, s, about, report.CodeContractUntrustedAuthor)
		}
	}

	s := remembering(proved(), "[RC-1] `npm test`", "[RC-2] `npm run lint`")
	s.Issue.Revisions = []snapshot.Revision{
		by(lead, "2026-11-20T08:00:00Z", before), {Editor: lead, EditedAt: "2026-11-20T09:00:00Z", Erased: true}, by(lead, "2026-11-29T13:00:00Z", now)}
	s.Actions = []snapshot.Action{{Kind: "accept_contract", Actor: lead, At: "2026-11-29T12:00:00Z"}}
	want(t, s, "an acceptance of a text that is erased", report.CodeContractChanged)
}

// The diagnostic says who changed the check, from the task's edit history.
func TestWhoChangedTheContract(t *testing.T) {
	t.Parallel()
	first := "## Required Checks\n\n" + npmTest + "- [RC-2] `npm run lint`\n"
	second := "## Required Checks\n\n" + npmTest + "- [RC-2] `true`\n"
	third := "A word.\n\n" + second
	s := remembering(proved(), "[RC-1] `npm test`", "[RC-2] `npm run lint`")
	s.Issue.Body = &third
	for i, text := range []*string{&first, &second, &third} {
		s.Issue.Revisions = append(s.Issue.Revisions, snapshot.Revision{
			Editor: user([]string{"lead", "eng2", "lead"}[i], "maintain"), EditedAt: fmt.Sprintf("2026-11-2%dT09:00:00Z", i), Body: text})
	}
	got := checks.Evaluate(s, report.Merge)
	require.Equal(t, report.CodeContractChanged, got.Diagnostics[0].Code)
	require.Contains(t, got.Diagnostics[0].Message, "RC-2 was changed in the task by eng2 at 2026-11-21T09:00:00Z")
	s.Issue.Revisions = nil
	require.NotContains(t, checks.Evaluate(s, report.Merge).Diagnostics[0].Message, " by ")
}
