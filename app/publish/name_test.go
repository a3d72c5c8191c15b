package publish

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/report"
)

func TestThePolicyNamesTheCheckRun(t *testing.T) {
	t.Parallel()
	gh := &fake{}
	named := target()
	named.CheckName = "proof"
	made, err := newPublisher(gh).Publish(t.Context(), named, concluded(report.Failure))
	require.NoError(t, err)
	require.Equal(t, "proof", gh.run(made.Run.ID).Name)
	require.Equal(t, "proof", made.Run.Name)
	named.Known = &made.Run
	passed, err := newPublisher(gh).Publish(t.Context(), named, concluded(report.Success))
	require.NoError(t, err)
	require.Equal(t, made.Run.ID, passed.Run.ID)
	require.Len(t, gh.runs, 1)
}

// TestAChangedName: the new name gets its run, and the old one does not stay in progress.
func TestAChangedName(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		conclusion report.Conclusion
		fresh, old string
	}{
		"passed":                      {report.Success, "completed success", "completed success"},
		"failed":                      {report.Failure, "completed failure", "completed failure"},
		"waiting: the old one blocks": {report.Pending, "in_progress ", "completed action_required"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gh := &fake{}
			p := newPublisher(gh)
			before, err := p.Publish(t.Context(), target(), concluded(report.Pending))
			require.NoError(t, err)
			gh.asked()
			renamed := target()
			renamed.CheckName, renamed.Former, renamed.Known = "proof", "evidence-gate", &before.Run

			after, err := p.Publish(t.Context(), renamed, concluded(row.conclusion))
			require.NoError(t, err)
			require.Equal(t, Created, after.Did)
			require.Equal(t, []string{"list", "create", "list", "update 100"}, gh.asked())
			state := func(id int64) string { return gh.run(id).Status + " " + gh.run(id).Conclusion }
			require.Equal(t, row.fresh, state(after.Run.ID))
			require.Equal(t, row.old, state(before.Run.ID))
			require.Equal(t, "evidence-gate", gh.run(before.Run.ID).Name)
			require.Contains(t, gh.run(before.Run.ID).Summary, "`proof`")

			renamed.Known = &after.Run
			_, err = p.Publish(t.Context(), renamed, concluded(row.conclusion))
			require.NoError(t, err)
			require.Equal(t, []string{"list"}, gh.asked(), "done again after a kill, it sends nothing")
		})
	}
}

func TestTheOldNameThatCannotBeConcludedIsAFailure(t *testing.T) {
	t.Parallel()
	gh := &fake{
		runs: []github.CheckRun{{ID: 7, Name: "evidence-gate", HeadSHA: head}, {ID: 9, Name: "proof", HeadSHA: head}},
		gone: map[int64]github.Kind{7: github.Unavailable},
	}
	renamed := target()
	renamed.CheckName, renamed.Former = "proof", "evidence-gate"
	_, err := newPublisher(gh).Publish(t.Context(), renamed, concluded(report.Success))
	require.Equal(t, github.Unavailable, github.KindOf(err), "it is tried again")
}
