package approval_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/approval"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Section 10: who recorded attempts or runs neither reviews nor approves its own evidence; nobody knows
// who did, so it may be anybody.
func TestWhoRecordedIsNotIndependent(t *testing.T) {
	t.Parallel()
	unknown := (*snapshot.Actor)(nil)
	run(t, map[string]row{
		"attempts by another":                       {withReview, with(approves(rev), recorded(lee)), nil},
		"attempts by the reviewer":                  {withReview, with(approves(rev), recorded(rev)), []string{"approval.not_independent"}},
		"attempts by nobody knows whom":             {withReview, with(approves(rev), recorded(unknown)), []string{"approval.not_independent"}},
		"a run by another":                          {withReview, with(approves(rev), ranBy(lee)), nil},
		"a run by the reviewer":                     {withReview, with(approves(rev), ranBy(rev)), []string{"approval.not_independent"}},
		"a run by nobody knows whom":                {withReview, with(approves(rev), ranBy(unknown)), []string{"approval.not_independent"}},
		"a person's, attempts by another":           {withHuman, with(approves(lee), recorded(rev)), nil},
		"a person's, attempts by that person":       {withHuman, with(approves(lee), recorded(lee)), []string{"approval.own_work"}},
		"a person's, attempts by nobody knows whom": {withHuman, with(approves(lee), recorded(unknown)), []string{"approval.own_work"}},
		"a person's, a run by nobody knows whom":    {withHuman, with(approves(lee), ranBy(unknown)), []string{"approval.own_work"}},
		"a person's who is alone":                   {withHuman, with(approves(lee), recorded(unknown), maintainers(1)), nil},
	})
	d := message(t, approval.Judge(facts(withReview, approves(rev), recorded(unknown))), "approval.not_independent")
	require.Contains(t, d.Message, "nobody knows who recorded attempts of RC-1 in comment 101")
	require.Contains(t, d.Help, "nobody can tell who recorded all attempts")
}
