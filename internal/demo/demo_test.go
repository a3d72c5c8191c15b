package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	htmlrenderer "github.com/yuin/goldmark/renderer/html"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const patient = 30 * time.Second // bounds every wait of a test

// conclusionLine is the line of a step; nothing else starts at the margin with such a word.
var conclusionLine = regexp.MustCompile(`(?m)^(success|failure|action_required|pending|neutral|in_progress|none)\b.*$`)

func honest(t *testing.T) director {
	return director{evaluate: checks.Evaluate, patience: patient, temp: t.TempDir()}
}

func leavesNothing(t *testing.T, d director) {
	t.Helper()
	left, err := os.ReadDir(d.temp)
	require.NoError(t, err)
	require.Empty(t, left, "the demo removes its files")
}

func TestStory(t *testing.T) {
	t.Parallel()
	d := honest(t)
	var out bytes.Buffer
	require.NoError(t, d.run(t.Context(), Options{Out: &out}))
	leavesNothing(t, d)

	text := out.String()
	lines := conclusionLine.FindAllString(text, -1)
	require.Len(t, lines, 4, text)
	for i, line := range lines {
		require.Regexp(t, fmt.Sprintf(`^%s +step %d: eng .*#2`, []string{"failure", "success", "failure", "success"}[i], i+1), line)
	}
	require.NotContains(t, text, "\x1b", "no colour unless asked for")
	for _, line := range strings.Split(text, "\n") {
		require.LessOrEqual(t, columns(line), defaultWidth, line)
		require.Equal(t, strings.TrimRight(line, " "), line)
	}
	for _, says := range []string{"section.missing", "head.stale", "May not merge.", "May merge.", "11  signed webhooks", "2   check runs"} {
		require.Contains(t, text, says)
	}
}

// TestWhatIsShownIsWhatWasPublished compares the words on the terminal with those of the published
// Markdown as goldmark's own HTML has them.
func TestWhatIsShownIsWhatWasPublished(t *testing.T) {
	t.Parallel()
	for _, color := range []bool{false, true} {
		t.Run(fmt.Sprintf("colour %v", color), func(t *testing.T) {
			t.Parallel()
			d := honest(t)
			st, err := d.build(t.Context(), slog.New(slog.DiscardHandler))
			require.NoError(t, err)
			var out bytes.Buffer
			s := newStory(st, newPage(Options{Out: &out, Full: true, Color: color}), d.patience)
			for i, each := range steps {
				out.Reset()
				require.NoError(t, s.play(st.ctx, i+1, each))
				run := s.checkRuns()[0]
				require.Equal(t, color, strings.Contains(out.String(), "\x1b["))
				shown := barred(t, plainText(out.String()))
				published := strings.Join([]string{run.Name, "on", run.HeadSHA[:7] + ":", run.Title, browserText(t, run.Summary), browserText(t, run.Text)}, " ")
				require.Equal(t, sortedWords(published), sortedWords(shown), out.String())
			}
			require.NoError(t, s.settle(st.ctx))

			require.Len(t, s.heads, 2)
			for _, h := range s.heads {
				runs := s.repository.CheckRuns(h.sha)
				require.Len(t, runs, 1, "one check run for each head")
				require.Equal(t, "completed", runs[0].Status, "nothing stays in progress")
				require.Equal(t, 1, runs[0].Updates, "created once, updated in place")
				require.Equal(t, []string{"failure", "success"}, h.conclusions)
			}
			counted := s.tally()
			require.Equal(t, 11, counted.webhooks)
			sum := 0
			for _, kind := range counted.kinds {
				sum += kind.n
			}
			require.Equal(t, counted.requests, sum)
			require.NoError(t, st.strike())
			leavesNothing(t, d)
		})
	}
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

func plainText(s string) string { return escapes.ReplaceAllString(s, "") }

// barred takes the check run out of a step, which is all that stands behind the bar.
func barred(t *testing.T, text string) string {
	t.Helper()
	var lines []string
	for _, line := range strings.Split(text, "\n") {
		if rest, ok := strings.CutPrefix(line, indent+"│"); ok {
			lines = append(lines, rest)
		}
	}
	require.NotEmpty(t, lines)
	return strings.Join(lines, "\n")
}

var tags = regexp.MustCompile(`(?s)<!--.*?-->|</?(code|em|strong)[^>]*>|<[^>]*>`)

func browserText(t *testing.T, markdown string) string {
	t.Helper()
	var b bytes.Buffer
	browser := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(htmlrenderer.WithUnsafe()))
	require.NoError(t, browser.Convert([]byte(markdown), &b))
	text := tags.ReplaceAllStringFunc(b.String(), func(tag string) string {
		if strings.HasPrefix(tag, "<!--") || regexp.MustCompile(`^</?(code|em|strong)`).MatchString(tag) {
			return ""
		}
		return " "
	})
	return html.UnescapeString(text)
}

// sortedWords leaves out what a list item and plain code have on a terminal only.
func sortedWords(text string) []string {
	var list []string
	for _, w := range strings.Fields(strings.ReplaceAll(text, "`", "")) {
		if w != "-" {
			list = append(list, w)
		}
	}
	slices.Sort(list)
	return list
}

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
		}, []string{"failure", "action_required"}, []string{"step 2 ", "expected the check run to conclude success, found action_required: Somebody must look"}},
		{"stale evidence passes", func(context.CancelFunc) func(snapshot.Snapshot, report.Stage) report.Report {
			return func(s snapshot.Snapshot, stage report.Stage) report.Report {
				r := checks.Evaluate(s, stage)
				if s.PullRequest.Body != nil && strings.Contains(*s.PullRequest.Body, "## Evidence") {
					r.Conclusion = report.Success
				}
				return r
			}
		}, []string{"failure", "success", "success"}, []string{"step 3 ", "expected the check run to conclude failure, found success"}},
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
	}
	for _, row := range rows {
		t.Run(row.when, func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			d := honest(t)
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

// closedPipe takes so many writes and then is closed.
type closedPipe struct{ left int }

func (c *closedPipe) Write(b []byte) (int, error) {
	if c.left--; c.left < 0 {
		return 0, syscall.EPIPE
	}
	return len(b), nil
}

func TestNobodyReads(t *testing.T) {
	t.Parallel()
	d := honest(t)
	err := d.run(t.Context(), Options{Out: &closedPipe{left: 3}, Keep: true})
	require.ErrorIs(t, err, syscall.EPIPE)
	leavesNothing(t, d)
}

func TestTheReadmeHasTheSectionsThatAreNamed(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	for _, section := range readmeSections {
		require.Contains(t, string(readme), "\n## "+section+"\n")
	}
}
