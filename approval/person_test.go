package approval_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/approval"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

func byHand(f *approval.Facts) { f.Policy.PersonVia = policy.UI }

// Section 10, checks+human: a person, no bot and no listed agent, with the maintainer's role.
func TestThePersonRule(t *testing.T) {
	t.Parallel()
	listed := agents(map[string]policy.Agent{"lee": {Connector: "x"}})
	byName := func(f *approval.Facts) { f.Policy.Roles.Maintainers.Users = []string{"rev"} }
	byTeam := func(f *approval.Facts) { f.Policy.Roles.Maintainers.Teams = []string{"acme/core"} }
	bot := &snapshot.Actor{Login: "boss[bot]", Type: "Bot", Permission: "admin"}
	run(t, map[string]row{
		"nobody":                                {withHuman, nil, []string{"approval.person_missing"}},
		"a maintainer":                          {withHuman, with(approves(lee)), nil},
		"who posted the task":                   {withHuman, with(approves(lead)), nil},
		"an admin":                              {withHuman, with(approves(chief)), nil},
		"by the button":                         {withHuman, with(action("approve", lee)), nil},
		"a person without the role":             {withHuman, with(approves(rev)), []string{"approval.person_missing"}},
		"whom the policy names":                 {withHuman, with(approves(rev), byName), nil},
		"a member of a team that it names":      {withHuman, with(approves(&snapshot.Actor{Login: "mem", Type: "User", Permission: "read", Teams: []string{"acme/core"}}), byTeam), nil},
		"an agent":                              {withHuman, with(approves(lee), listed), []string{"approval.person_missing"}},
		"a bot, whatever its permission":        {withHuman, with(approves(bot)), []string{"approval.person_missing"}},
		"a bot that the policy names":           {withHuman, with(approves(bot), func(f *approval.Facts) { f.Policy.Roles.Maintainers.Users = []string{"boss[bot]"} }), []string{"approval.person_missing"}},
		"a placeholder of an import":            {withHuman, with(approves(&snapshot.Actor{Login: "old", Type: "Mannequin", Permission: "admin"})), []string{"approval.person_missing"}},
		"a deleted account":                     {withHuman, with(approves(nil)), []string{"approval.person_missing"}},
		"on an older commit":                    {withHuman, with(reviewOf(lee, "approved", older, at("11:00"))), []string{"approval.stale"}},
		"on an older one, without the role":     {withHuman, with(reviewOf(rev, "approved", older, at("11:00"))), []string{"approval.person_missing"}},
		"with ui, by the button":                {withHuman, with(action("approve", lee, via("button")), byHand), nil},
		"with ui, on the page":                  {withHuman, with(action("approve", lee, via("page")), byHand), nil},
		"with ui, by a review":                  {withHuman, with(approves(lee), byHand), []string{"approval.person_missing"}},
		"with ui, by a comment":                 {withHuman, with(action("approve", lee, via("comment")), byHand), []string{"approval.person_missing"}},
		"with ui, nobody knows how":             {withHuman, with(action("approve", lee), byHand), []string{"approval.person_missing"}},
		"with ui, by a review and the button":   {withHuman, with(approves(lee), action("approve", lee, via("button")), byHand), nil},
		"ui asks nothing of a review":           {withReview, with(approves(rev), byHand), nil},
		"a level that is none asks for all":     {"checks+nothing", nil, []string{"approval.missing", "approval.person_missing"}},
		"at level off nothing is asked for":     {policy.LevelOff, nil, nil},
		"the role that the policy asks for":     {withHuman, with(approves(lee), func(f *approval.Facts) { f.Policy.Roles.Maintainers.Permission = "admin" }), []string{"approval.person_missing"}},
		"the role that it asks for, and has it": {withHuman, with(approves(chief), func(f *approval.Facts) { f.Policy.Roles.Maintainers.Permission = "admin" }), nil},
	})
}

// Whoever wrote self-reported evidence cannot approve while the repository has another maintainer.
func TestOwnWork(t *testing.T) {
	t.Parallel()
	own := author(lee)
	proven := func(f *approval.Facts) { f.SelfReported = false }
	evidence := revisions(revision(eng, ""), revision(lee, "## Evidence\nx\n"))
	recorded := func(f *approval.Facts) { f.Recorders = []approval.Recorder{{Actor: lee}} }
	ran := func(f *approval.Facts) { f.Snapshot.Runs = []snapshot.Run{{By: lee}} }
	stackedOn := func(f *approval.Facts) {
		f.Snapshot.PullRequest.StackedOn = []snapshot.StackedOn{{Number: 41, Author: lee}}
	}
	run(t, map[string]row{
		"the author":                       {withHuman, with(own, approves(lee)), []string{"approval.own_work"}},
		"by the button too":                {withHuman, with(own, action("approve", lee, via("button"))), []string{"approval.own_work"}},
		"a commit author":                  {withHuman, with(commitBy(older, "lee"), approves(lee)), []string{"approval.own_work"}},
		"who edited the evidence":          {withHuman, with(evidence, approves(lee)), []string{"approval.own_work"}},
		"who recorded attempts":            {withHuman, with(recorded, approves(lee)), []string{"approval.own_work"}},
		"who recorded a run":               {withHuman, with(ran, approves(lee)), []string{"approval.own_work"}},
		"of the one it is stacked on":      {withHuman, with(stackedOn, approves(lee)), nil},
		"how many there are is not known":  {withHuman, with(own, approves(lee), maintainers(0)), []string{"approval.own_work"}},
		"the only maintainer":              {withHuman, with(own, approves(lee), maintainers(1)), nil},
		"the other one approves":           {withHuman, with(own, approves(lee), approves(lead)), nil},
		"nothing rests on anybody's word":  {withHuman, with(own, approves(lee), proven), nil},
		"but a check waits for the person": {withHuman, with(own, approves(lee), proven, func(f *approval.Facts) { f.PersonChecks = []string{"RC-1"} }), []string{"approval.own_work", "check.person_required"}},
		"but a sign-off does":              {withHuman, with(own, approves(lee), proven, func(f *approval.Facts) { f.SignOff = []string{"AC-1"} }), []string{"approval.own_work"}},
	})
	alone := approval.Judge(facts(withHuman, own, approves(lee), maintainers(1)))
	require.True(t, alone.Person && alone.SelfApproved)
	require.Equal(t, []report.Approval{{Actor: "lee", Counts: true, As: "self"}}, alone.Approvals)
	other := approval.Judge(facts(withHuman, own, approves(lee), approves(lead), maintainers(1)))
	require.True(t, other.Person && !other.SelfApproved)
	d := message(t, approval.Judge(facts(withHuman, own, approves(lee))), "approval.own_work")
	require.Contains(t, d.Message, "lee approved, but opened this pull request")
	require.Contains(t, d.Help, "a maintainer other than lee approves commit 3f9c1a7be2d8")
}

// checks+review+human: both, review first.
func TestBothReviewFirst(t *testing.T) {
	t.Parallel()
	early, late := at("10:00"), at("12:00")
	run(t, map[string]row{
		"nobody":         {withBoth, nil, []string{"approval.missing", "approval.person_missing"}},
		"a review alone": {withBoth, with(approves(rev)), []string{"approval.person_missing"}},
		"a maintainer alone, who posted the task":  {withBoth, with(approves(lead)), []string{"approval.not_independent"}},
		"a maintainer alone, with no part in it":   {withBoth, with(approves(lee)), []string{"approval.missing"}},
		"a review, then a person":                  {withBoth, with(reviewOf(helper, "approved", head, early), approves(lead)), nil},
		"at the same moment":                       {withBoth, with(approves(helper), approves(lead)), nil},
		"a person, then a review":                  {withBoth, with(approves(helper), reviewOf(lead, "approved", head, early)), []string{"approval.person_missing"}},
		"and the person again":                     {withBoth, with(approves(helper), reviewOf(lead, "approved", head, early), reviewOf(lead, "approved", head, late)), nil},
		"a review given twice counts as the first": {withBoth, with(reviewOf(helper, "approved", head, early), approves(lead), reviewOf(helper, "approved", head, late)), nil},
		"a review that was taken back between":     {withBoth, with(reviewOf(helper, "approved", head, early), review(helper, "changes_requested"), approves(lead), reviewOf(helper, "approved", head, late)), []string{"approval.person_missing"}},
		"a maintainer, then a review":              {withBoth, with(reviewOf(lee, "approved", head, early), approves(helper)), []string{"approval.person_missing"}},
		"and that maintainer again":                {withBoth, with(reviewOf(lee, "approved", head, early), approves(helper), reviewOf(lee, "approved", head, late)), nil},
		"two maintainers with no part in it":       {withBoth, with(reviewOf(lee, "approved", head, early), approves(chief)), nil},
		"times that are not known":                 {withBoth, with(reviewOf(helper, "approved", head, ""), approves(lead)), []string{"approval.person_missing"}},
		"a stale review and a person":              {withBoth, with(reviewOf(rev, "approved", older, early), approves(lead)), []string{"approval.not_independent"}},
		"a stale review":                           {withBoth, with(reviewOf(rev, "approved", older, early)), []string{"approval.stale", "approval.person_missing"}},
		"a review, and own work":                   {withBoth, with(author(lee), approves(rev), approves(lee)), []string{"approval.own_work"}},
	})
}

// A check with method person waits for the same person at every level but off; so does a sign-off.
func TestChecksAndSignOffsWaitForAPerson(t *testing.T) {
	t.Parallel()
	waiting := func(f *approval.Facts) { f.PersonChecks = []string{"RC-1", "RC-2"} }
	signOff := func(f *approval.Facts) { f.SignOff = []string{"AC-1"} }
	run(t, map[string]row{
		"a check":                           {checks, with(waiting), []string{"check.person_required"}},
		"a check, reviewed by no person":    {withReview, with(waiting, approves(rev)), []string{"check.person_required"}},
		"a check, and a maintainer":         {checks, with(waiting, approves(lead)), nil},
		"a check, and a stale approval":     {checks, with(waiting, reviewOf(lead, "approved", older, at("11:00"))), []string{"check.person_required"}},
		"a check at level checks+human":     {withHuman, with(waiting), []string{"approval.person_missing", "check.person_required"}},
		"a check, and who wrote its entry":  {checks, with(waiting, author(lee), approves(lee)), []string{"check.person_required"}},
		"a check at level off":              {policy.LevelOff, with(waiting), nil},
		"a sign-off":                        {checks, with(signOff), []string{"approval.person_missing"}},
		"a sign-off, and a maintainer":      {checks, with(signOff, approves(lead)), nil},
		"a sign-off by who wrote the claim": {checks, with(signOff, author(lee), approves(lee)), []string{"approval.own_work"}},
	})
	got := approval.Judge(facts(checks, waiting, approves(rev)))
	require.Len(t, got.Diagnostics, 2)
	require.Equal(t, "RC-1", *got.Diagnostics[0].Check)
	require.Equal(t, "RC-2", *got.Diagnostics[1].Check)
	require.Contains(t, got.Diagnostics[0].Message, "rev approved, but is no maintainer")
}

// With person_via any a bot that uses a person's token cannot be told from that person.
func TestATokenCannotBeToldFromItsPerson(t *testing.T) {
	t.Parallel()
	for rule, r := range map[string]struct {
		changes []change
		noted   bool
	}{
		"a review":                    {with(approves(lead)), true},
		"a comment":                   {with(action("approve", lead, via("comment"))), true},
		"nobody knows how":            {with(action("approve", lead)), true},
		"the button":                  {with(action("approve", lead, via("button"))), false},
		"a review, and the page":      {with(approves(lead), action("approve", lead, via("page"))), false},
		"another person's button":     {with(approves(lead), action("approve", lee, via("button"))), false},
		"in whatever order":           {with(action("approve", lee, via("button")), approves(lead)), false},
		"with ui":                     {with(action("approve", lead, via("button")), byHand), false},
		"no approval of a person":     {with(approves(rev)), false},
		"of a maintainer's own work":  {with(author(lee), approves(lee), maintainers(1)), true},
		"refused, as it is own work":  {with(author(lee), approves(lee)), false},
		"a review that was dismissed": {with(review(lead, "dismissed")), false},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			got := approval.Judge(facts(withHuman, r.changes...))
			require.Equal(t, r.noted, len(got.Notes) == 1 && got.Notes[0] == "approved_by_token_possible", "%v", got.Notes)
		})
	}
}

// Stage review asks for no approval, and says who gave one all the same.
func TestStageReviewAsksForNoApproval(t *testing.T) {
	t.Parallel()
	f := facts(withBoth, review(rev, "changes_requested"), rejections(rev, 3), approves(helper), action("needs_human", rev), unavailable("reviews", "commits"))
	f.Stage, f.PersonChecks, f.SignOff = report.Review, []string{"RC-1"}, []string{"AC-1"}
	got := approval.Judge(f)
	require.Empty(t, got.Diagnostics)
	require.Len(t, got.Approvals, 1)
	require.Equal(t, 3, got.Rejections)
}
