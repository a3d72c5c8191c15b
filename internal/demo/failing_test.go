package demo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// TestTheStoryFails has the parts do something else than the story says.
func TestTheStoryFails(t *testing.T) {
	t.Parallel()
	rows := []struct {
		when     string
		evaluate func(stop context.CancelFunc) func(snapshot.Snapshot, report.Stage) report.Report
		steps    []string // first words of the lines that are shown
		says     []string
	}{
		{"the conclusion of a step is another one", func(context.CancelFunc) func(snapshot.Snapshot, report.Stage) report.Report {
			return func(s snapshot.Snapshot, stage report.Stage) report.Report {
				r := checks.Evaluate(s, stage)
				if r.Conclusion == report.Success {
					r.Conclusion, r.Title = report.ActionRequired, "Somebody must look"
				}
				return r
			}
		}, []string{"failure"}, []string{"step 2 ", "expected a check run concluding success on ", "found action_required: Somebody must look"}},
		{"stale evidence passes", func(context.CancelFunc) func(snapshot.Snapshot, report.Stage) report.Report {
			return func(s snapshot.Snapshot, stage report.Stage) report.Report {
				r := checks.Evaluate(s, stage)
				if s.PullRequest.Body != nil && strings.Contains(*s.PullRequest.Body, "## Evidence") {
					r.Conclusion = report.Success
				}
				return r
			}
		}, []string{"failure", "success"}, []string{"step 3 ", "expected a check run concluding failure on ", "found success: "}},
		{"it is stopped", func(stop context.CancelFunc) func(snapshot.Snapshot, report.Stage) report.Report {
			return func(s snapshot.Snapshot, stage report.Stage) report.Report {
				r := checks.Evaluate(s, stage)
				if r.Conclusion == report.Success {
					stop()
					r.Conclusion = report.Pending // even if it is published, nobody waits any more
				}
				return r
			}
		}, []string{"failure"}, []string{"stopped before step 2 "}},
		{"it is refused for another reason", func(context.CancelFunc) func(snapshot.Snapshot, report.Stage) report.Report {
			return func(s snapshot.Snapshot, stage report.Stage) report.Report {
				r := checks.Evaluate(s, stage)
				for i := range r.Diagnostics {
					r.Diagnostics[i].Code = report.CodeHeadMissing
				}
				return r
			}
		}, nil, []string{"step 1 ", "expected the check run to name section.missing"}},
	}
	for _, row := range rows {
		t.Run(row.when, func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			d := honest(t)
			d.patience = 4 * time.Second // what is not as told is waited for to the end
			d.evaluate = row.evaluate(stop)
			var out bytes.Buffer
			err := d.run(ctx, Options{Out: &out})
			require.Error(t, err)
			for _, text := range row.says {
				require.ErrorContains(t, err, text)
			}
			var words []string
			for _, line := range conclusionLine.FindAllString(out.String(), -1) {
				words = append(words, strings.Fields(line)[0])
			}
			require.Equal(t, row.steps, words)
			require.NotContains(t, out.String(), "What happened", "a story that failed has no happy end")
			leavesNothing(t, d)
		})
	}
}

func TestAStepThatDoesNotHappen(t *testing.T) {
	t.Parallel()
	rows := []struct {
		when  string
		spoil func(*stage)
		says  []string
	}{
		{"no webhook arrives", func(st *stage) { st.github.Webhooks().Hold() },
			[]string{"step 1 ", "expected a check run concluding failure on ", "found none", "no webhook was delivered", "--verbose"}},
		{"the service refuses the webhook", func(st *stage) {
			st.github.Webhooks().SetTarget(st.service.AdminURL() + "/nowhere")
		}, []string{"step 1 ", "found none", "the last webhook, "}},
		{"the service ends", func(st *stage) { st.end(serviceEnded{errors.New("disk full")}) },
			[]string{"step 1 ", "the service ended by itself: disk full"}},
	}
	for _, row := range rows {
		t.Run(row.when, func(t *testing.T) {
			t.Parallel()
			d := honest(t)
			st, err := d.build(t.Context(), slog.New(slog.DiscardHandler))
			require.NoError(t, err)
			row.spoil(st)
			s := newStory(st, newPage(Options{Out: io.Discard}), 200*time.Millisecond)
			err = s.tell(st.ctx)
			for _, text := range row.says {
				require.ErrorContains(t, err, text)
			}
			require.NoError(t, st.strike())
			leavesNothing(t, d)
		})
	}
}

func TestACommandThatIsNotAnswered(t *testing.T) {
	t.Parallel()
	d := honest(t)
	st, err := d.build(t.Context(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	st.github.Fail(githubtest.Fault{
		Match: githubtest.Match{Path: "/repos/*/*/issues/comments/*/reactions"}, Times: -1,
		Status: http.StatusForbidden, Message: "Resource not accessible by integration",
	})
	s := newStory(st, newPage(Options{Out: io.Discard}), d.patience)
	s.begin(2, timeoutChapter)
	last := len(timeoutChapter.steps) - 1
	for i, each := range timeoutChapter.steps[:last] {
		require.NoError(t, s.play(st.ctx, i+1, each))
	}
	s.patience = time.Second
	require.ErrorContains(t, s.play(st.ctx, last+1, timeoutChapter.steps[last]), "answered, within 1s, found no complete answer")
	require.NoError(t, st.strike())
}

func TestAStoryThatOnlyLooksRightIsRefused(t *testing.T) {
	t.Parallel()
	rows := []struct {
		when  string
		spoil func(*story)
		says  string
	}{
		{"the simulator was asked what it does not know", func(s *story) { s.stage.unknown.Errorf("the field %q is not modelled", "x") }, `the field "x" is not modelled`},
		{"a webhook was refused", func(s *story) {
			_, err := s.stage.github.Webhooks().Send(context.Background(), "pull_request", []byte("{"))
			if err != nil {
				panic(err)
			}
		}, "answer every webhook with 202, found 400"},
		{"a repository without a policy got a check run", func(s *story) {
			s.outside.Repository().AddCheckRun(githubtest.CheckRunOptions{SHA: s.outside.HeadSHA(), Name: checkName, Title: "May merge"})
		}, `expected no check run in acme/gadgets, which has no policy, found "May merge"`},
	}
	for _, row := range rows {
		t.Run(row.when, func(t *testing.T) {
			t.Parallel()
			d := honest(t)
			st, err := d.build(t.Context(), slog.New(slog.DiscardHandler))
			require.NoError(t, err)
			s := newStory(st, newPage(Options{Out: io.Discard}), d.patience)
			require.NoError(t, s.settle(st.ctx))
			row.spoil(s)
			require.ErrorContains(t, s.settle(st.ctx), row.says)
			require.NoError(t, st.strike())
		})
	}
}
