package demo

import (
	"bytes"
	"fmt"
	"html"
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
)

const patient = 30 * time.Second // bounds every wait of a test

// conclusionLine is the line of a step.
var conclusionLine = regexp.MustCompile(`(?m)^(success|failure|action_required|pending|neutral|in_progress|none) +step .*$`)

func honest(t *testing.T) director {
	return director{evaluate: checks.Evaluate, patience: patient, temp: t.TempDir()}
}

func leavesNothing(t *testing.T, d director) {
	t.Helper()
	left, err := os.ReadDir(d.temp)
	require.NoError(t, err)
	require.Empty(t, left, "the demo removes its files")
}

// told is the story as design sections 3, 6, 9 and 10 have it: who does what, to which pull request,
// and what the gate says to it.
var told = []struct {
	conclusion, who, pull string
	says                  []string
}{
	{"failure", "eng", "#2", []string{"`section.missing`", "❌ May not merge."}},
	{"success", "eng", "#2", []string{"✅ May merge. 2 checks are proved"}},
	{"failure", "eng", "#2", []string{"`head.stale`"}},
	{"success", "eng", "#2", []string{"✅ May merge. 2 checks are proved"}},
	{"action_required", "eng", "#4", []string{"`episode.active`", "attempt 1, timed out", "✋ May not merge yet."}},
	{"failure", "eng", "#4", []string{"`retry.prediction_missing`", "`retry.timeout_not_larger`", "The command line refuses to record that"}},
	{"action_required", "eng", "#4", []string{"`episode.active`", "attempt 3, was blocked", "`episode.exhausted`"}},
	{"success", "mia", "#4", []string{"✅ May merge.", "/triage RC-1 attempt 3 one_off because", "The service reacts with 👍 and appends to the carrier:",
		"#### Triage for attempt 3", "- Reason: the disk of the build host was full", "- Comment: "}},
	{"failure", "eng", "#6", []string{"`observation.missing`", `"shared-link"`, "level checks+human"}},
	{"action_required", "eng", "#6", []string{"`contract.changed`", "from: [RC-2] Old addresses lead to their widget (kind: manual) [observations: bookmark, shared-link]"}},
	{"action_required", "mia", "#6", []string{"/accept-contract", "The service reacts with 👍 and asks mia for a review.", "`approval.person_missing`", "nobody approved it"}},
	{"action_required", "eng", "#6", []string{"/approve", "The service reacts with 😕 and replies:", "`/approve` was not carried out", "eng is no maintainer"}},
	{"success", "mia", "#6", []string{"✅ May merge.", "person-approved"}},
}

// TestStory tells it once and looks at everything that a reader sees.
func TestStory(t *testing.T) {
	t.Parallel()
	d := honest(t)
	st, err := d.build(t.Context(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	var out bytes.Buffer
	s := newStory(st, newPage(Options{Out: &out}), d.patience)
	require.NoError(t, s.tell(st.ctx))
	require.NoError(t, st.strike())
	leavesNothing(t, d)
	text := out.String()
	t.Run("each step says what it has to say", func(t *testing.T) { requireTold(t, text) })
	t.Run("the repository is enrolled by its policy", func(t *testing.T) { requireEnrolled(t, s, text) })
	t.Run("the numbers in the end are true", func(t *testing.T) { requireTrueTally(t, st.github, text) })
	t.Run("it fits the terminal", func(t *testing.T) {
		require.NotContains(t, text, "\x1b", "no colour unless asked for")
		for _, line := range strings.Split(text, "\n") {
			if !strings.Contains(line, "[observations: bookmark, shared-link]") { // a task is shown as it was written
				require.LessOrEqual(t, columns(line), defaultWidth, line)
			}
			require.Equal(t, strings.TrimRight(line, " "), line)
		}
	})
}

func requireTold(t *testing.T, text string) {
	t.Helper()
	starts := conclusionLine.FindAllStringIndex(text, -1)
	require.Len(t, starts, len(told), text)
	for i, step := range told {
		line := text[starts[i][0]:starts[i][1]]
		require.Regexp(t, fmt.Sprintf(`^%s +step %d: %s\b.*%s\b`, step.conclusion, i+1, step.who, step.pull), line)
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		flowing := strings.Join(strings.Fields(strings.ReplaceAll(text[starts[i][1]:end], "│", "")), " ")
		for _, says := range step.says {
			require.Contains(t, flowing, says, line)
		}
	}
	for i, chapter := range []string{"Proof goes stale", "A check times out", "Who may say yes"} {
		require.Contains(t, text, fmt.Sprintf("\n%d. %s\n", i+1, chapter))
	}
}

// requireEnrolled: the demo asks the service for no favour.
func requireEnrolled(t *testing.T, s *story, text string) {
	t.Helper()
	lines := strings.SplitN(text, "\n", 4)
	require.Equal(t, "acme/widgets is enrolled by its policy, .github/evidence.yml. (acme/gadgets has", lines[2])
	require.Contains(t, text, "\n  version: 1\n")
	require.Equal(t, "acme/gadgets", s.outside.Repository().FullName())
	require.Empty(t, s.outside.Repository().CheckRuns(s.outside.HeadSHA()))
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
			number := 0
			for i, chapter := range chapters {
				s.begin(i+1, chapter)
				for _, each := range chapter.steps {
					number++
					out.Reset()
					require.NoError(t, s.play(st.ctx, number, each))
					require.Equal(t, color, strings.Contains(out.String(), "\x1b["))
					run := s.checkRuns()[0]
					published := strings.Join([]string{run.Name, "on", run.HeadSHA[:7] + ":", run.Title}, " ")
					if !each.stays {
						published += " " + browserText(t, run.Summary) + " " + browserText(t, run.Text)
					}
					require.Equal(t, sortedWords(published), sortedWords(barred(t, plainText(out.String()))))
				}
			}
			for _, h := range s.heads {
				runs := s.repository.CheckRuns(h.sha)
				require.Len(t, runs, 1, "one check run for each head")
				require.Equal(t, "completed", runs[0].Status, "nothing stays in progress")
				require.GreaterOrEqual(t, runs[0].Updates, len(h.conclusions)-1, "created once, updated in place")
				require.Equal(t, h.conclusions[len(h.conclusions)-1], runs[0].Conclusion)
			}
			require.NoError(t, st.strike())
			leavesNothing(t, d)
		})
	}
}

// TestAnswersAreThoseOnGitHub: the reaction and the appended text are read from the comments.
func TestAnswersAreThoseOnGitHub(t *testing.T) {
	t.Parallel()
	d := honest(t)
	st, err := d.build(t.Context(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	var out bytes.Buffer
	s := newStory(st, newPage(Options{Out: &out}), d.patience)
	s.begin(2, timeoutChapter)
	for i, each := range timeoutChapter.steps {
		out.Reset()
		require.NoError(t, s.play(st.ctx, i+1, each))
	}
	require.NoError(t, st.strike())
	require.Equal(t, []string{triageLine}, s.pull.Comments(), "the service says nothing beside its reaction")
	shown := regexp.MustCompile(`(?m)^    (.*)$`).FindAllStringSubmatch(out.String(), -1)
	require.Greater(t, len(shown), 5)
	for _, line := range shown {
		require.Contains(t, s.carrier.Body(), line[1]+"\n")
	}
	require.Contains(t, s.carrier.Body(), "\n[[agent: engineer]]", "what stood there stays")
}

// TestARefusalIsShownAsItWasWritten: the reply is read from the conversation.
func TestARefusalIsShownAsItWasWritten(t *testing.T) {
	t.Parallel()
	d := honest(t)
	st, err := d.build(t.Context(), slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	var out bytes.Buffer
	s := newStory(st, newPage(Options{Out: &out}), d.patience)
	s.begin(3, peopleChapter)
	refused := ""
	for i, each := range peopleChapter.steps {
		out.Reset()
		require.NoError(t, s.play(st.ctx, i+1, each))
		if each.stays {
			refused = out.String()
		}
	}
	require.NoError(t, st.strike())
	said := s.pull.Comments()
	require.Len(t, said, 3, "two commands and one reply")
	_, reply, _ := strings.Cut(said[2], "\n")
	_, shown, found := strings.Cut(refused, "and replies:\n")
	require.True(t, found)
	shown, _, _ = strings.Cut(shown, indent+"│")
	require.Equal(t, sortedWords(browserText(t, reply)), sortedWords(shown))
	require.Equal(t, []string{"/accept-contract", "/approve"}, said[:2])
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

// sortedWords leaves out what list items, quotes and plain code have on a terminal only.
func sortedWords(text string) []string {
	var list []string
	for _, w := range strings.Fields(strings.ReplaceAll(text, "`", "")) {
		if w != "-" && w != ">" {
			list = append(list, w)
		}
	}
	slices.Sort(list)
	return list
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
