package publish

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/report"
)

func TestCreatedOnceFoundAgainUpdatedInPlace(t *testing.T) {
	t.Parallel()
	gh := &fake{}
	p := newPublisher(gh)

	made, err := p.Publish(t.Context(), target(), concluded(report.Failure))
	require.NoError(t, err)
	require.Equal(t, Created, made.Did)
	require.Equal(t, []string{"list", "create"}, gh.asked())
	require.Equal(t, "failure", gh.run(made.Run.ID).Conclusion)

	same, err := p.Publish(t.Context(), target(), concluded(report.Failure))
	require.NoError(t, err)
	require.Equal(t, Outcome{Did: Unchanged, Run: made.Run}, same)
	require.Equal(t, []string{"list"}, gh.asked(), "an unchanged report sends nothing")

	passed, err := p.Publish(t.Context(), target(), concluded(report.Success))
	require.NoError(t, err)
	require.Equal(t, Updated, passed.Did)
	require.Equal(t, made.Run.ID, passed.Run.ID)
	require.Equal(t, []string{"list", "update 100"}, gh.asked())
	require.Equal(t, "success", gh.run(100).Conclusion)
	require.Len(t, gh.runs, 1)
}

func TestAKnownRunSavesTheSearch(t *testing.T) {
	t.Parallel()
	gh := &fake{}
	p := newPublisher(gh)
	made, err := p.Publish(t.Context(), target(), concluded(report.Failure))
	require.NoError(t, err)
	gh.asked()
	known := target()
	known.Known = &made.Run

	same, err := p.Publish(t.Context(), known, concluded(report.Failure))
	require.NoError(t, err)
	require.Equal(t, Unchanged, same.Did)
	require.Empty(t, gh.asked())

	passed, err := p.Publish(t.Context(), known, concluded(report.Success))
	require.NoError(t, err)
	require.Equal(t, Updated, passed.Did)
	require.Equal(t, []string{"update 100"}, gh.asked())
}

func TestAKnownRunOfAnotherHeadOrNameIsIgnored(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Published){
		"head": func(p *Published) { p.HeadSHA = strings.Repeat("b2", 20) },
		"name": func(p *Published) { p.Name = "another" },
		"none": func(p *Published) { *p = Published{} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gh := &fake{}
			known := target()
			known.Known = &Published{ID: 7, Name: "evidence-gate", HeadSHA: head}
			change(known.Known)
			outcome, err := newPublisher(gh).Publish(t.Context(), known, concluded(report.Success))
			require.NoError(t, err)
			require.Equal(t, Created, outcome.Did)
			require.Equal(t, []string{"list", "create"}, gh.asked())
		})
	}
}

func TestARerequestedRunIsAnsweredEvenUnchanged(t *testing.T) {
	t.Parallel()
	gh := &fake{}
	p := newPublisher(gh)
	made, err := p.Publish(t.Context(), target(), concluded(report.Success))
	require.NoError(t, err)
	gh.asked()
	again := target()
	again.Known, again.Rerequested = &made.Run, true
	outcome, err := p.Publish(t.Context(), again, concluded(report.Success))
	require.NoError(t, err)
	require.Equal(t, Updated, outcome.Did, "GitHub reset the suite and waits for an answer")
	require.Equal(t, []string{"update 100"}, gh.asked())
}

func TestARunThatVanishedIsMadeAnew(t *testing.T) {
	t.Parallel()
	for _, kind := range []github.Kind{github.NotFound, github.Invalid} {
		for _, remembered := range []bool{true, false} {
			gh := &fake{runs: []github.CheckRun{{ID: 7, Name: "evidence-gate", HeadSHA: head}}, gone: map[int64]github.Kind{7: kind}}
			to := target()
			if remembered {
				to.Known = &Published{ID: 7, Name: "evidence-gate", HeadSHA: head}
			}
			outcome, err := newPublisher(gh).Publish(t.Context(), to, concluded(report.Success))
			require.NoError(t, err)
			require.Equal(t, Created, outcome.Did)
			require.NotEqual(t, int64(7), outcome.Run.ID)
		}
	}
}

func TestDuplicatesAreAllConcluded(t *testing.T) {
	t.Parallel()
	duplicate := func(id int64, status, conclusion string) github.CheckRun {
		return github.CheckRun{ID: id, Name: "evidence-gate", HeadSHA: head, Status: status, Conclusion: conclusion}
	}
	for name, c := range map[string]struct {
		conclusion  report.Conclusion
		newest, old string
	}{
		"failure":                     {report.Failure, "completed failure", "completed failure"},
		"success":                     {report.Success, "completed success", "completed success"},
		"waiting: the old ones block": {report.Pending, "in_progress ", "completed action_required"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gh := &fake{runs: []github.CheckRun{duplicate(8, "in_progress", ""), duplicate(9, "completed", "success"), duplicate(7, "completed", "success")}}
			p := newPublisher(gh)
			outcome, err := p.Publish(t.Context(), target(), concluded(c.conclusion))
			require.NoError(t, err)
			require.EqualValues(t, 9, outcome.Run.ID)
			require.Equal(t, []string{"list", "update 9", "update 8", "update 7"}, gh.asked())
			state := func(id int64) string { return gh.run(id).Status + " " + gh.run(id).Conclusion }
			require.Equal(t, c.newest, state(9))
			require.Equal(t, c.old, state(8))
			require.Equal(t, c.old, state(7))
			require.Equal(t, "Superseded by a newer run", gh.run(7).Title)
			require.Contains(t, gh.run(7).Summary, "9")

			_, err = p.Publish(t.Context(), target(), concluded(c.conclusion))
			require.NoError(t, err)
			require.Equal(t, []string{"list"}, gh.asked(), "once all say the same nothing is sent")
		})
	}
}

func TestADuplicateThatVanishedIsNoFailure(t *testing.T) {
	t.Parallel()
	gh := &fake{
		runs: []github.CheckRun{{ID: 7, Name: "evidence-gate", HeadSHA: head}, {ID: 9, Name: "evidence-gate", HeadSHA: head}},
		gone: map[int64]github.Kind{7: github.NotFound},
	}
	outcome, err := newPublisher(gh).Publish(t.Context(), target(), concluded(report.Success))
	require.NoError(t, err)
	require.EqualValues(t, 9, outcome.Run.ID)
}

func TestFailuresAreTheCallers(t *testing.T) {
	t.Parallel()
	down := &github.Error{Kind: github.Unavailable, Message: "down"}
	for _, runs := range [][]github.CheckRun{nil, {{ID: 7, Name: "evidence-gate", HeadSHA: head}}} {
		gh := &fake{runs: runs, failing: down}
		_, err := newPublisher(gh).Publish(t.Context(), target(), concluded(report.Success))
		require.ErrorIs(t, err, down)
	}
	gh := &fake{failing: &github.Error{Kind: github.Invalid, Message: "refused"}}
	_, err := newPublisher(gh).Publish(t.Context(), target(), concluded(report.Success))
	require.Equal(t, github.Invalid, github.KindOf(err), "a refused creation is not tried for ever")
	require.Equal(t, []string{"list", "create"}, gh.asked())
}

func TestNothingIsPublishedForAnotherHeadOrWithoutAConclusion(t *testing.T) {
	t.Parallel()
	gh := &fake{}
	elsewhere := concluded(report.Success)
	elsewhere.HeadSHA = strings.Repeat("b2", 20)
	_, err := newPublisher(gh).Publish(t.Context(), target(), elsewhere)
	require.ErrorContains(t, err, "expected a report on "+head)
	for _, c := range []report.Conclusion{"", "skipped", "cancelled"} {
		_, err = newPublisher(gh).Publish(t.Context(), target(), concluded(c))
		require.ErrorContains(t, err, "expected a report with a conclusion")
	}
	require.Empty(t, gh.asked())
}
