package approval_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/approval"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const unread = "snapshot.fact_unavailable"

// What could not be read never passes where it is needed, and bothers nobody where it is not.
func TestFactsThatCouldNotBeRead(t *testing.T) {
	t.Parallel()
	who := user("who", "")
	teams := func(f *approval.Facts) { f.Policy.Roles.Maintainers.Teams = []string{"core"} }
	noCommits := func(f *approval.Facts) { f.Snapshot.PullRequest.Commits = nil }
	proven := func(f *approval.Facts) { f.SelfReported = false }
	noIssue := func(f *approval.Facts) { f.Snapshot.Issue = nil }
	run(t, map[string]row{
		"reviews":                                   {checks, with(unavailable("reviews")), []string{unread}},
		"actions":                                   {checks, with(unavailable("actions")), []string{unread}},
		"commits, and a review":                     {withReview, with(unavailable("commits"), approves(rev)), []string{unread, "approval.missing"}},
		"commits, and none":                         {withReview, with(unavailable("commits")), []string{unread, "approval.missing"}},
		"commits, at level checks":                  {checks, with(unavailable("commits"), approves(rev)), nil},
		"no commit is known":                        {withReview, with(noCommits, approves(rev)), []string{unread, "approval.missing"}},
		"the head is not among them":                {withReview, with(noCommits, commitBy(older, "eng"), approves(rev)), []string{unread, "approval.missing"}},
		"who is known to have had a part":           {withReview, with(unavailable("commits"), approves(eng)), []string{unread, "approval.not_independent"}},
		"who edited the body":                       {withReview, with(unavailable("pull_request.revisions"), approves(rev)), []string{unread, "approval.missing"}},
		"who recorded runs":                         {withReview, with(unavailable("runs"), approves(rev)), []string{unread, "approval.missing"}},
		"who posted the task":                       {withReview, with(noIssue, unavailable("issue"), approves(rev)), []string{unread, "approval.missing"}},
		"there is no task":                          {withReview, with(noIssue, approves(rev)), nil},
		"commits, and a maintainer":                 {withHuman, with(unavailable("commits"), approves(lee)), []string{unread, "approval.person_missing"}},
		"body edits, and a maintainer":              {withHuman, with(unavailable("pull_request.revisions"), approves(lee)), []string{unread, "approval.person_missing"}},
		"commits, and the only maintainer":          {withHuman, with(unavailable("commits"), approves(lee), maintainers(1)), nil},
		"commits, and nothing is anybody's word":    {withHuman, with(unavailable("commits"), approves(lee), proven), nil},
		"commits, and a reviewer asks for a person": {checks, with(unavailable("commits"), approves(lee), action("needs_human", rev)), []string{unread, "approval.person_requested"}},
		"permissions, of the reviewer":              {withReview, with(unavailable("permissions"), approves(who)), []string{unread, "approval.missing"}},
		"permissions, of one who is not needed":     {withReview, with(unavailable("permissions"), approves(who), approves(rev)), nil},
		"permissions, of the maintainer":            {withHuman, with(unavailable("permissions"), approves(who)), []string{unread, "approval.person_missing"}},
		"permissions, of a bot":                     {withHuman, with(unavailable("permissions"), approves(&snapshot.Actor{Login: "x[bot]", Type: "Bot"})), []string{"approval.person_missing"}},
		"permissions, at a check for a person":      {checks, with(unavailable("permissions"), approves(who), func(f *approval.Facts) { f.PersonChecks = []string{"RC-1"} }), []string{unread, "check.person_required"}},
		"teams, of a person":                        {withHuman, with(unavailable("teams"), teams, approves(rev)), []string{unread, "approval.person_missing"}},
		"teams, of a maintainer by permission":      {withHuman, with(unavailable("teams"), teams, approves(lee)), nil},
		"teams that nothing asks about":             {withHuman, with(unavailable("teams"), approves(rev)), []string{"approval.person_missing"}},
	})
	got := approval.Judge(facts(withReview, unavailable("commits"), approves(rev)))
	require.Equal(t, "commits could not be read: no permission", message(t, got, unread).Message)
	require.Contains(t, message(t, got, "approval.missing").Message, "cannot be told without commits")
	require.False(t, got.Reviewed)
	alone := approval.Judge(facts(withHuman, unavailable("commits"), approves(lee), maintainers(1)))
	require.True(t, alone.SelfApproved, "what cannot be told apart counts as the weaker")
}
