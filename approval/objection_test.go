package approval_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/approval"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// A request for changes blocks on the commit it was made on, whatever the level.
func TestARequestForChangesBlocks(t *testing.T) {
	t.Parallel()
	request := func(a *snapshot.Actor) change { return review(a, "changes_requested") }
	unread := user("who", "")
	run(t, map[string]row{
		"at level checks":                      {checks, with(request(rev)), []string{"approval.changes_requested"}},
		"beside an approval":                   {withReview, with(request(rev), approves(helper)), []string{"approval.changes_requested"}},
		"beside a maintainer's approval":       {withHuman, with(request(rev), approves(lead)), []string{"approval.changes_requested"}},
		"of a listed agent":                    {checks, with(request(user("agent", "read")), agents(map[string]policy.Agent{"agent": {}})), []string{"approval.changes_requested"}},
		"of a maintainer by name":              {checks, with(request(guest), func(f *approval.Facts) { f.Policy.Roles.Maintainers.Users = []string{"guest"} }), []string{"approval.changes_requested"}},
		"of an account with a part in it":      {checks, with(request(lead)), []string{"approval.changes_requested"}},
		"of an account whose role is not read": {checks, with(request(unread)), []string{"approval.changes_requested"}},
		"of a deleted account":                 {checks, with(request(nil)), []string{"approval.changes_requested"}},
		"which nobody else takes back":         {withReview, with(request(nil), approves(rev)), []string{"approval.changes_requested"}},
		"not on another commit":                {checks, with(reviewOf(rev, "changes_requested", older, at("11:00"))), nil},
		"not of a reader":                      {checks, with(request(guest)), nil},
		"of a reader who may be in a team":     {checks, with(request(guest), unavailable("teams"), func(f *approval.Facts) { f.Policy.Roles.Maintainers.Teams = []string{"core"} }), []string{"approval.changes_requested"}},
		"not dismissed":                        {checks, with(review(rev, "dismissed")), nil},
		"not at level off":                     {policy.LevelOff, with(request(rev)), nil},
	})
}

// It is quoted, and what is quoted is bounded and printable.
func TestARequestForChangesIsQuoted(t *testing.T) {
	t.Parallel()
	f := facts(checks, reviewOf(rev, "changes_requested", head, at("10:00")), review(rev, "changes_requested"))
	f.Snapshot.Reviews[0].Body = "the first"
	f.Snapshot.Reviews[1].Body = "The cache\r\nis never\u202E emptied. " + strings.Repeat("x", 100_000)
	got := approval.Judge(f)
	d := message(t, got, "approval.changes_requested")
	require.True(t, strings.HasPrefix(d.Message, "rev asks for changes on commit 3f9c1a7be2d8: The cache is never\uFFFD emptied. xxx"), d.Message)
	require.Less(t, len(d.Message), 500)
	require.Less(t, len(d.Details["review"].(string)), 5000)
	require.Contains(t, d.Help, "rev approves commit 3f9c1a7be2d8")
	require.Contains(t, message(t, approval.Judge(facts(checks, review(nil, "changes_requested"))), "approval.changes_requested").Help, "dismisses")
}

// Requests for changes count as rejections once they no longer block; after max_rejections only a
// person can approve, at level checks too.
func TestRejectionsCallForAPerson(t *testing.T) {
	t.Parallel()
	limit := func(n int) change { return func(f *approval.Facts) { f.Policy.MaxRejections = n } }
	requestOn := func(when string) change { return reviewOf(rev, "changes_requested", head, when) }
	run(t, map[string]row{
		"two of three":                           {checks, with(rejections(rev, 2)), nil},
		"three":                                  {checks, with(rejections(rev, 3)), []string{"approval.person_missing", "approval.escalated"}},
		"of several reviewers":                   {checks, with(rejections(rev, 2), rejections(helper, 1)), []string{"approval.person_missing", "approval.escalated"}},
		"of readers do not count":                {checks, with(rejections(guest, 9)), nil},
		"of deleted accounts do":                 {checks, with(rejections(nil, 3)), []string{"approval.person_missing", "approval.escalated"}},
		"the policy's number":                    {checks, with(rejections(rev, 1), limit(1)), []string{"approval.person_missing", "approval.escalated"}},
		"fewer than it":                          {checks, with(rejections(rev, 4), limit(5)), nil},
		"no number is the default":               {checks, with(rejections(rev, 3), limit(0)), []string{"approval.person_missing", "approval.escalated"}},
		"a maintainer approves":                  {checks, with(rejections(rev, 3), approves(lead)), nil},
		"a person without the role does":         {checks, with(rejections(rev, 3), approves(rev)), []string{"approval.person_missing", "approval.escalated"}},
		"a bot does":                             {withReview, with(rejections(rev, 3), approves(helper)), []string{"approval.person_missing", "approval.escalated"}},
		"who wrote the evidence does":            {checks, with(rejections(rev, 3), author(lee), approves(lee)), []string{"approval.own_work", "approval.escalated"}},
		"a maintainer with no part in it does":   {withReview, with(rejections(rev, 3), approves(lee)), nil},
		"the level still asks for its review":    {withReview, with(rejections(rev, 3), approves(lead)), []string{"approval.not_independent", "approval.escalated"}},
		"and gets it":                            {withReview, with(rejections(rev, 3), approves(lead), approves(helper)), nil},
		"nobody does":                            {withBoth, with(rejections(rev, 3)), []string{"approval.missing", "approval.person_missing", "approval.escalated"}},
		"dismissed ones do not count":            {checks, with(reviewOf(rev, "dismissed", older, at("08:00")), rejections(rev, 2)), nil},
		"one that blocks does not count yet":     {checks, with(rejections(rev, 2), review(rev, "changes_requested")), []string{"approval.changes_requested"}},
		"one that was answered by an approval":   {checks, with(rejections(rev, 2), requestOn(at("10:00")), approves(rev)), []string{"approval.person_missing", "approval.escalated"}},
		"one that blocks, and enough without it": {checks, with(rejections(rev, 3), review(rev, "changes_requested"), approves(lead)), []string{"approval.changes_requested"}},
		"at level off":                           {policy.LevelOff, with(rejections(rev, 3)), nil},
	})
	got := approval.Judge(facts(checks, rejections(rev, 3)))
	require.Equal(t, 3, got.Rejections)
	require.True(t, got.Escalated)
	require.Contains(t, message(t, got, "approval.escalated").Message, "3 times (max_rejections: 3)")
}

// /needs-human of a reviewer asks for a person, until one approved the head.
func TestAReviewerAsksForAPerson(t *testing.T) {
	t.Parallel()
	asks := func(a *snapshot.Actor) change { return action("needs_human", a, because("a licence question")) }
	older := action("needs_human", rev, forCommit(older))
	run(t, map[string]row{
		"a reviewer":                          {checks, with(asks(rev)), []string{"approval.person_requested"}},
		"an agent":                            {checks, with(asks(helper)), []string{"approval.person_requested"}},
		"a deleted account":                   {checks, with(asks(nil)), []string{"approval.person_requested"}},
		"on an older commit":                  {checks, with(older), []string{"approval.person_requested"}},
		"a reader does not":                   {checks, with(asks(guest)), nil},
		"and a maintainer approved":           {checks, with(asks(rev), approves(lead)), nil},
		"and a maintainer approved before":    {checks, with(action("needs_human", rev, when("13:00")), approves(lead)), nil},
		"and an older commit was approved":    {checks, with(asks(rev), reviewOf(lead, "approved", "4444444444444444444444444444444444444444", at("13:00"))), []string{"approval.person_requested"}},
		"and a person without the role did":   {withReview, with(asks(rev), reviewOf(rev, "approved", head, at("13:00"))), []string{"approval.person_requested"}},
		"beside the level":                    {withHuman, with(asks(rev)), []string{"approval.person_missing", "approval.person_requested"}},
		"and who wrote the evidence approved": {checks, with(asks(rev), author(lee), approves(lee)), []string{"approval.person_requested"}},
	})
	d := message(t, approval.Judge(facts(withReview, asks(helper), reviewOf(helper, "approved", head, at("13:00")))), "approval.person_requested")
	require.Equal(t, "helper[bot] asks for a person to look at this pull request: a licence question; helper[bot] approved, but is no person", d.Message)
}
