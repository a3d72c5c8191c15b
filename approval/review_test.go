package approval_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/approval"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const (
	checks     = policy.LevelChecks
	withReview = policy.LevelChecksReview
	withHuman  = policy.LevelChecksHuman
	withBoth   = policy.LevelChecksReviewHuman
)

func run(t *testing.T, rows map[string]row) {
	t.Helper()
	for rule, r := range rows {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			got := approval.Judge(facts(r.level, r.changes...))
			require.ElementsMatch(t, r.codes, codes(got), "%v", got.Diagnostics)
			for _, d := range got.Diagnostics {
				require.Equal(t, report.Error, d.Severity)
				require.NotEmpty(t, d.Help)
			}
		})
	}
}

// Section 10: an approval on the current head by a reviewer.
func TestAReview(t *testing.T) {
	t.Parallel()
	listed := agents(map[string]policy.Agent{"Agent-Account": {}})
	agent := user("agent-account", "read")
	actions := &snapshot.Actor{Login: "github-actions[bot]", Type: "Bot", Permission: "write"}
	listedActions := agents(map[string]policy.Agent{"github-actions[bot]": {}})
	run(t, map[string]row{
		"is missing":                               {withReview, nil, []string{"approval.missing"}},
		"is given by an account that may write":    {withReview, with(approves(rev)), nil},
		"is given by a bot that may write":         {withReview, with(approves(helper)), nil},
		"is none by every workflow's account":      {withReview, with(approves(actions), changedPaths("src/a.go")), []string{"approval.missing"}},
		"is given by it when listed":               {withReview, with(approves(actions), listedActions, changedPaths("src/a.go")), nil},
		"unless the change decides what it says":   {withReview, with(approves(actions), listedActions, changedPaths("src/a.go", ".github/workflows/ci.yml")), []string{"approval.missing"}},
		"or may do so":                             {withReview, with(approves(actions), listedActions), []string{"approval.missing"}},
		"is given by a listed agent":               {withReview, with(approves(agent), listed), nil},
		"is given by the button":                   {withReview, with(action("approve", rev, via("button"))), nil},
		"is given by a comment":                    {withReview, with(action("approve", rev, via("comment"))), nil},
		"of a reader does not count":               {withReview, with(approves(guest)), []string{"approval.missing"}},
		"of who triages does not count":            {withReview, with(approves(user("tri", "triage"))), []string{"approval.missing"}},
		"of an account without a role is none":     {withReview, with(approves(user("who", ""))), []string{"approval.missing"}},
		"of a deleted account is none":             {withReview, with(approves(nil)), []string{"approval.missing"}},
		"of the gate itself is none":               {withReview, with(approves(&snapshot.Actor{Login: "evidence-gate[bot]", Type: "Bot", Permission: "write"})), []string{"approval.missing"}},
		"is no comment":                            {withReview, with(review(rev, "commented")), []string{"approval.missing"}},
		"is no draft":                              {withReview, with(review(rev, "pending")), []string{"approval.missing"}},
		"does not count dismissed":                 {withReview, with(review(rev, "dismissed")), []string{"approval.missing"}},
		"is dismissed with the one before":         {withReview, with(approves(rev), reviewOf(rev, "dismissed", head, at("12:00"))), []string{"approval.missing"}},
		"is given again after one was dismissed":   {withReview, with(reviewOf(rev, "dismissed", head, at("10:00")), approves(rev)), nil},
		"of an older commit is stale":              {withReview, with(reviewOf(rev, "approved", older, at("11:00"))), []string{"approval.stale"}},
		"by the button on an older commit":         {withReview, with(action("approve", rev, forCommit(older))), []string{"approval.stale"}},
		"that names no commit is none of the head": {withReview, with(action("approve", rev, forCommit(""))), []string{"approval.stale"}},
		"of an older commit by a reader is none":   {withReview, with(reviewOf(guest, "approved", older, at("11:00"))), []string{"approval.missing"}},
		"renewed on the head":                      {withReview, with(reviewOf(rev, "approved", older, at("10:00")), approves(rev)), nil},
		"is not asked for":                         {checks, nil, nil},
	})
}

func TestNoHeadMatchesNoCommit(t *testing.T) {
	t.Parallel()
	f := facts(withReview, action("approve", rev, forCommit("")))
	f.Snapshot.PullRequest.HeadSHA = ""
	require.Contains(t, codes(approval.Judge(f)), "approval.stale")
	require.False(t, approval.Judge(f).Reviewed)
}

// An actor's latest word counts.
func TestTheLatestWordOfAnAccountCounts(t *testing.T) {
	t.Parallel()
	changes := func(sha, when string) change { return reviewOf(rev, "changes_requested", sha, when) }
	asks := func(a *snapshot.Actor) change { return action("needs_human", a, because("a licence question")) }
	run(t, map[string]row{
		"a later request takes the approval back":     {withReview, with(approves(rev), changes(head, at("12:00"))), []string{"approval.changes_requested", "approval.missing"}},
		"in whatever order they are listed":           {withReview, with(changes(head, at("12:00")), approves(rev)), []string{"approval.changes_requested", "approval.missing"}},
		"also of the button":                          {withReview, with(action("approve", rev), changes(head, at("12:30"))), []string{"approval.changes_requested", "approval.missing"}},
		"also on another commit":                      {withReview, with(approves(rev), changes(older, at("12:00"))), []string{"approval.missing"}},
		"a later approval takes the request back":     {withReview, with(changes(head, at("10:00")), approves(rev)), nil},
		"also by the button":                          {withReview, with(changes(head, at("10:00")), action("approve", rev)), nil},
		"of the same moment the request counts":       {withReview, with(changes(head, at("11:00")), approves(rev)), []string{"approval.changes_requested", "approval.missing"}},
		"a request without a time may be the latest":  {withReview, with(changes(head, ""), approves(rev)), []string{"approval.changes_requested", "approval.missing"}},
		"an approval without a time may be the first": {withReview, with(changes(head, at("10:00")), reviewOf(rev, "approved", head, "")), []string{"approval.changes_requested", "approval.missing"}},
		"an approval without a time and nothing else": {withReview, with(reviewOf(rev, "approved", head, "")), nil},
		"another's approval takes no request back":    {withReview, with(changes(head, at("10:00")), approves(helper)), []string{"approval.changes_requested"}},
		"logins ignore case":                          {withReview, with(approves(user("REV", "write")), changes(head, at("12:00"))), []string{"approval.changes_requested", "approval.missing"}},
		"a request for a person takes it back too":    {withHuman, with(approves(lead), asks(lead)), []string{"approval.person_missing", "approval.person_requested"}},
		"also of a reviewer":                          {withReview, with(approves(rev), asks(rev)), []string{"approval.missing", "approval.person_requested"}},
		"a later approval answers it":                 {withHuman, with(asks(lead), reviewOf(lead, "approved", head, at("13:00"))), nil},
		"another's request takes back nothing":        {withReview, with(approves(rev), asks(helper)), []string{"approval.person_requested"}},
		"an old approval takes no request back":       {withReview, with(changes(head, at("10:00")), reviewOf(rev, "approved", older, at("12:00"))), []string{"approval.changes_requested", "approval.stale"}},
	})
}

// Section 10: not by who had a part in the work. The report says by what.
func TestWhoHadAPartInTheWorkDoesNotReviewIt(t *testing.T) {
	t.Parallel()
	const before, after = "## Evidence\n- Required check: [RC-1] `npm test`\n  Verdict: failed\n", "## Evidence\n- Required check: [RC-1] `npm test`\n  Verdict: passed\n"
	for rule, r := range map[string]struct {
		changes []change
		says    string
	}{
		"the author":          {with(approves(eng)), "eng approved, but opened this pull request"},
		"a co-author":         {with(approves(rev), commitBy(older, "eng", "Rev")), "rev approved, but is among the authors of commit 9b0e4d2c7a61"},
		"of several commits":  {with(approves(rev), commitBy(older, "rev"), commitBy(older, "rev")), "(and 1 more commit)"},
		"the poster":          {with(approves(lead)), "lead approved, but posted the task (issue #7)"},
		"an editor":           {with(approves(rev), revisions(revision(eng, before), revision(rev, after))), "rev approved, but edited the evidence in the body at 2026-11-29T09:00:00Z"},
		"who edited it first": {with(approves(rev), revisions(revision(rev, before))), "rev approved, but edited the evidence"},
		"a recorder":          {with(approves(rev), func(f *approval.Facts) { f.Recorders = []approval.Recorder{{rev, "RC-1", 101}} }), "rev approved, but recorded attempts of RC-1 in comment 101"},
		"who recorded a run":  {with(approves(rev), func(f *approval.Facts) { f.Snapshot.Runs = []snapshot.Run{{Check: "RC-1", By: rev}} }), "rev approved, but recorded a run of RC-1"},
		"whom it is stacked on": {with(approves(rev), func(f *approval.Facts) {
			f.Snapshot.PullRequest.StackedOn = []snapshot.StackedOn{{Number: 41, Author: rev}}
		}), "rev approved, but opened pull request #41, on which this one is stacked"},
		"of two parts both are said": {with(approves(eng)), "opened this pull request and is among the authors of commit 3f9c1a7be2d8"},
		"nor by the button":          {with(action("approve", eng, via("button"))), "eng approved, but opened this pull request"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			got := approval.Judge(facts(withReview, r.changes...))
			require.Equal(t, []string{"approval.not_independent"}, codes(got))
			d := message(t, got, "approval.not_independent")
			require.Contains(t, d.Message, r.says)
			require.Contains(t, d.Help, "approves commit 3f9c1a7be2d8; not eng")
			require.False(t, got.Reviewed)
			if got.Person { // who posted the task may give the approval of a person, not a review
				require.Equal(t, report.Approval{Actor: "lead", Counts: true, As: "person"}, got.Approvals[0])
				return
			}
			require.False(t, got.Approvals[0].Counts)
			require.Contains(t, d.Message, got.Approvals[0].Because)
		})
	}
}

func TestOneIndependentReviewIsEnough(t *testing.T) {
	t.Parallel()
	got := approval.Judge(facts(withReview, approves(eng), approves(lead), approves(guest), approves(rev)))
	require.Empty(t, got.Diagnostics)
	require.True(t, got.Reviewed)
	require.Equal(t, []report.Approval{
		{Actor: "eng", Because: "opened this pull request and is among the authors of commit 3f9c1a7be2d8"},
		{Actor: "lead", Counts: true, As: "person"},
		{Actor: "guest", Because: "has the permission read, not write, and is no agent that the policy lists"},
		{Actor: "rev", Counts: true, As: "review"},
	}, got.Approvals)
}

// An author whose commits cannot be attributed to an account fails independence closed; so does a
// hand that edited the evidence and is not known.
func TestUnknownHandsFailIndependenceClosed(t *testing.T) {
	t.Parallel()
	for rule, r := range map[string]struct {
		changes []change
		says    string
	}{
		"an author without an account": {with(commitBy(older, "eng", "")), "commit 9b0e4d2c7a61 has an author without an account"},
		"a commit without an author":   {with(commitBy(older)), "commit 9b0e4d2c7a61 names no author with an account"},
		"an editor without an account": {with(revisions(revision(eng, ""), revision(nil, "## Evidence\nx\n"))), "nobody knows who edited the evidence"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			got := approval.Judge(facts(withReview, append(r.changes, approves(rev))...))
			require.Equal(t, []string{"approval.not_independent"}, codes(got))
			require.Contains(t, message(t, got, "approval.not_independent").Message, r.says)
			own := approval.Judge(facts(withHuman, append(r.changes, approves(lee))...))
			require.Equal(t, []string{"approval.own_work"}, codes(own))
			require.Contains(t, message(t, own, "approval.own_work").Message, r.says)
		})
	}
	deleted := facts(withReview, revisions(revision(nil, "## Evidence\nx\n")), approves(rev))
	deleted.Snapshot.PullRequest.Author = nil
	require.Empty(t, codes(approval.Judge(deleted)), "who opened the pull request and is there no more approves nothing")
}

// different_connector and different_provider compare the policy's agents; one that is not known passes
// no such rule.
func TestConnectorAndProvider(t *testing.T) {
	t.Parallel()
	connector := func(f *approval.Facts) { f.Policy.Policy.Review.DifferentConnector = true }
	provider := func(f *approval.Facts) { f.Policy.Policy.Review.DifferentProvider = true }
	ab := agents(map[string]policy.Agent{"eng": {Provider: "a", Connector: "x"}, "helper[bot]": {Provider: "b", Connector: "y"}})
	same := agents(map[string]policy.Agent{"eng": {Provider: "a", Connector: "x"}, "helper[bot]": {Provider: "A ", Connector: "X"}})
	half := agents(map[string]policy.Agent{"eng": {Provider: "a", Connector: "x"}, "helper[bot]": {}})
	only := agents(map[string]policy.Agent{"helper[bot]": {Provider: "b", Connector: "y"}})
	third := agents(map[string]policy.Agent{"eng": {Provider: "a", Connector: "x"}, "second": {Provider: "b", Connector: "y"}, "helper[bot]": {Provider: "b", Connector: "y"}})
	run(t, map[string]row{
		"both differ":                            {withReview, with(approves(helper), ab, connector, provider), nil},
		"not asked for":                          {withReview, with(approves(helper), same), nil},
		"one connector":                          {withReview, with(approves(helper), same, connector), []string{"approval.same_connector"}},
		"one provider":                           {withReview, with(approves(helper), same, provider), []string{"approval.same_provider"}},
		"one of both":                            {withReview, with(approves(helper), same, connector, provider), []string{"approval.same_connector", "approval.same_provider"}},
		"the reviewer's is not known":            {withReview, with(approves(helper), half, connector, provider), []string{"approval.same_connector", "approval.same_provider"}},
		"the reviewer is not listed":             {withReview, with(approves(rev), ab, provider), []string{"approval.same_provider"}},
		"the author's is not known":              {withReview, with(approves(helper), only, provider), []string{"approval.same_provider"}},
		"the author was deleted":                 {withReview, with(approves(helper), ab, provider, func(f *approval.Facts) { f.Snapshot.PullRequest.Author = nil }), []string{"approval.same_provider"}},
		"another agent wrote a commit":           {withReview, with(approves(helper), third, provider, commitBy(older, "second")), []string{"approval.same_provider"}},
		"another agent edited the evidence":      {withReview, with(approves(helper), third, provider, revisions(revision(eng, "x"), revision(user("second", "write"), "## Evidence\nx\n"))), []string{"approval.same_provider"}},
		"another agent recorded attempts":        {withReview, with(approves(helper), third, provider, recorded(user("second", "write"))), []string{"approval.same_provider"}},
		"another agent recorded a run":           {withReview, with(approves(helper), third, provider, ranBy(user("second", "write"))), []string{"approval.same_provider"}},
		"another agent posted the task":          {withReview, with(approves(helper), third, provider, func(f *approval.Facts) { f.Snapshot.Issue.Author = user("second", "write") }), nil},
		"a person recorded attempts":             {withReview, with(approves(helper), ab, provider, recorded(rev)), nil},
		"a person wrote a commit":                {withReview, with(approves(helper), ab, provider, commitBy(older, "ann")), nil},
		"another one is enough":                  {withReview, with(approves(rev), approves(helper), ab, provider), nil},
		"asked of a review, not of a maintainer": {withHuman, with(approves(lee), ab, provider, connector), nil},
	})
}

// Whoever asks for a review is told whom not to ask.
func TestWhoCannotReviewIsListed(t *testing.T) {
	t.Parallel()
	gate := &snapshot.Actor{Login: "evidence-gate[bot]", Type: "Bot"}
	got := approval.Judge(facts(withReview, commitBy(older, "rev"), revisions(revision(eng, ""), revision(gate, "## Evidence\nx\n"))))
	require.Equal(t, []approval.Involved{
		{"eng", "opened this pull request and is among the authors of commit 3f9c1a7be2d8"},
		{"rev", "is among the authors of commit 9b0e4d2c7a61"},
		{"lead", "posted the task (issue #7)"},
	}, got.Involved)
	require.Empty(t, approval.Judge(facts(withHuman)).Involved)
}
