package render_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/report"
)

func TestAnnotations(t *testing.T) {
	t.Parallel()
	failure, _ := failing()
	strange, _ := hostile("100%\r\n::add-mask::x,y: z\n##[set-output name=a]b\x1b[31m\u202e")
	for name, r := range map[string]report.Report{
		"failing": failure, "succeeding": succeeding(), "waiting": waiting(), "large": large(), "hostile": strange,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden(t, "annotations/"+name+".txt", render.Annotations(r))
		})
	}
}

func TestAnnotationsKeepGitHubsCount(t *testing.T) {
	t.Parallel()
	r := empty(report.Failure, "")
	for i := range 11 {
		for _, code := range []report.Code{report.CodeCheckUnsatisfied, report.CodeTaskFromKeyword, report.CodeOverrideActive} {
			r.Diagnostics = append(r.Diagnostics, report.New(code, fmt.Sprintf("number %d", i+1)))
		}
	}
	for _, c := range []struct{ kind, rest string }{{"error", "2 errors"}, {"warning", "2 warnings"}, {"notice", "3 notes"}} {
		var lines []string
		for line := range strings.Lines(render.Annotations(r, "a remark")) {
			if strings.HasPrefix(line, "::"+c.kind+" ") {
				lines = append(lines, line)
			}
		}
		require.Len(t, lines, 10, c.kind)
		require.Contains(t, lines[8], "number 9", c.kind)
		require.Contains(t, lines[9], "and "+c.rest+" more", c.kind)
	}
	r.Diagnostics = r.Diagnostics[:30]
	require.NotContains(t, render.Annotations(r), "more; the job summary", "ten of each kind have room")
}

func TestAnnotationsSayRemarks(t *testing.T) {
	t.Parallel()
	require.Equal(t, "::notice title=Evidence::one%25 two: three, four\n", render.Annotations(succeeding(), "one% two: three, four"))
}

// annotationLine is one command with a title and a message. Nothing in it ends the line, the
// properties or the command early.
var annotationLine = regexp.MustCompile(`^::(error|warning|notice) title=([^:,\r\n]*)::([^\r\n]*)$`)

var strayPercent = regexp.MustCompile(`%($|[^2034A-F]|2[^5C]|3[^A]|0[^AD])`)

// Whatever stands in a Report, an annotation is one line that holds one command.
func TestAnnotationsAreHarmless(t *testing.T) {
	t.Parallel()
	command := rapid.SampledFrom([]string{
		"::", ":", ",", "%", "%0A", "%0D%0A", "\r", "\n", "::set-output name=a::b", "::add-mask::", "::stop-commands::x",
		"##[add-mask]x", "##[endgroup]", "]", "\u2028", "\u0085", "\x00", "\xff", "é", "a",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(command, 1, 20).Draw(t, "text"), "")
		r, _ := hostile(text)
		out := render.Annotations(r, text)
		require.True(t, utf8.ValidString(out))
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		require.Len(t, lines, 4)
		for _, line := range lines {
			parts := annotationLine.FindStringSubmatch(line)
			require.NotNil(t, parts, "%q", line)
			require.NotRegexp(t, strayPercent, parts[2])
			require.NotRegexp(t, strayPercent, parts[3])
			for _, c := range unescapedData(parts[3]) {
				require.True(t, c == '\n' || c >= ' ' && c != 0x7f && c != 0x85 && c != 0x2028, "%q", line)
			}
		}
	})
}

func unescapedData(s string) string {
	return strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n").Replace(s)
}

func TestAnnotationsAreBounded(t *testing.T) {
	t.Parallel()
	r, _ := hostile(strings.Repeat("\u202e", 10_000))
	for line := range strings.Lines(render.Annotations(r)) {
		parts := annotationLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		require.NotNil(t, parts)
		require.LessOrEqual(t, utf8.RuneCountInString(parts[2]), 255, "GitHub's limit of a title")
		require.LessOrEqual(t, utf8.RuneCountInString(unescapedData(parts[3])), 4096, "the runner's limit of a message")
	}
}
