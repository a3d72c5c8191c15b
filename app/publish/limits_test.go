package publish

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/report"
)

const link = "https://gate.example.com/acme/widgets/pull/42"

func TestDocumentsAreCutByBytesAtARune(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"one byte":            strings.Repeat("a", 200_000),
		"two bytes":           strings.Repeat("é", 70_000),
		"three bytes":         strings.Repeat("語", 70_000),
		"four bytes":          strings.Repeat("🙂", 70_000),
		"four, out of step":   "a" + strings.Repeat("🙂", 70_000),
		"lines":               strings.Repeat("語語語\n", 30_000),
		"an open fence":       "```\n" + strings.Repeat("語 code\n", 30_000),
		"a long open fence":   strings.Repeat("`", 60) + "\n" + strings.Repeat("code\n", 30_000),
		"a fence without end": strings.Repeat("`", 100_000),
		"one byte over":       strings.Repeat("a", documentLimit+1),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			verdict := "**Failure**: what is missing\n\n"
			got := document(verdict+text, link)
			require.LessOrEqual(t, len(got), documentLimit)
			require.Greater(t, len(got), documentLimit-4096, "no more is cut than must be")
			require.True(t, utf8.ValidString(got))
			require.True(t, strings.HasPrefix(got, verdict), "the verdict stands first")
			require.True(t, strings.HasSuffix(got, "[The full report](<"+link+">)*"))
		})
	}
}

func TestADocumentWithinTheLimitIsLeftAlone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "short", strings.Repeat("a", documentLimit), strings.Repeat("語", documentLimit/3)} {
		require.Equal(t, text, document(text, link))
	}
	require.NotContains(t, document(strings.Repeat("a", documentLimit+1), ""), "](")
}

func TestTheMarkIsNeverInsideCode(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"no fence":             {"a\nb", ""},
		"closed":               {"```\na\n```\n", ""},
		"open":                 {"```go\na\n", "\n```"},
		"longer":               {"````\na\n```\n", "\n````"},
		"tildes":               {"~~~\n```\n", "\n~~~"},
		"indented":             {"  ```\na", "\n```"},
		"opened a second time": {"```\na\n```\n```\nb", "\n```"},
		"text after no end":    {"```\n``` x\n", "\n```"},
	} {
		require.Equal(t, c.want, closing(c.text), name)
	}
}

func TestTextIsMadeFitForGitHub(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a\uFFFDb\tc\nd\uFFFDe", document("a\x00b\tc\nd\xff\xfee", ""))
	require.Equal(t, "one line \uFFFD", line("one\n  line \x00\n"))
	title := line(strings.Repeat("語", 300))
	require.Equal(t, titleLimit, utf8.RuneCountInString(title))
	require.True(t, strings.HasSuffix(title, "…"))
	require.Equal(t, strings.Repeat("x", titleLimit), line(strings.Repeat("x", titleLimit)))
}

func TestEveryPartOfARunIsWithinTheLimits(t *testing.T) {
	t.Parallel()
	p := newPublisher(nil)
	p.DetailsURL = func(Target) string { return link }
	p.Render = func(report.Report) (string, string, string) {
		long := strings.Repeat("語🙂\x00", 50_000)
		return long, long, long
	}
	run, err := p.run(target(), concluded(report.Failure))
	require.NoError(t, err)
	require.Less(t, utf8.RuneCountInString(run.Title), 255)
	require.LessOrEqual(t, len(run.Summary), documentLimit)
	require.LessOrEqual(t, len(run.Text), documentLimit)
	require.Equal(t, link, run.DetailsURL)
	require.NotContains(t, run.Title+run.Summary+run.Text, "\x00")
}

func TestAnEmptyReportStillHasATitle(t *testing.T) {
	t.Parallel()
	p := newPublisher(nil)
	p.Render = func(report.Report) (string, string, string) { return " ", "", "" }
	run, err := p.run(target(), concluded(report.Failure))
	require.NoError(t, err)
	require.Equal(t, []string{"failure", "failure", ""}, []string{run.Title, run.Summary, run.Text})
}

// Section 10: the memory behind the text is whole, whatever is cut before it.
func TestTheMemoryIsNeverCut(t *testing.T) {
	t.Parallel()
	memory := "<!-- evidence-gate:memory:" + strings.Repeat("x", 20<<10) + " -->"
	for _, text := range []string{"", "short", strings.Repeat("ä", 20_000), strings.Repeat("a line\n", 20_000), "```\n" + strings.Repeat("code\n", 20_000)} {
		got := ending(text, "https://gate.example/1", memory)
		require.LessOrEqual(t, len(got), documentLimit)
		require.True(t, strings.HasSuffix(got, "\n\n"+memory))
		require.True(t, utf8.ValidString(got))
	}
	require.Equal(t, "short", ending("short", "", ""))
}
