package render_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gtext "github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/report"
)

var widgets42 = render.JobSummaryOptions{Subject: "acme/widgets#42", SubjectURL: "https://github.example.com/acme/widgets/pull/42"}

func TestJobSummary(t *testing.T) {
	t.Parallel()
	failure, _ := failing()
	strange, _ := hostile("@octocat [click](https://evil.example) <img src=x> | `a | b` #1\n# Heading\n\x1b[31m")
	unjudged := empty(report.ActionRequired, "Nothing could be judged")
	unjudged.HeadSHA, unjudged.Contract.Digest = "", ""
	unjudged.Diagnostics = []report.Diagnostic{report.New(report.CodeGateUnavailable, "could not read the pull request acme/widgets#42: the token has expired")}
	for name, r := range map[string]report.Report{"failing": failure, "succeeding": succeeding(), "waiting": waiting(), "unjudged": unjudged, "hostile": strange} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden(t, "jobsummary/"+name+".md", render.JobSummary(r, widgets42))
		})
	}
}

func TestJobSummarySaysWhatItIsOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		o    render.JobSummaryOptions
		want string
	}{
		{widgets42, "## Evidence of [acme/widgets\\#<!-- -->42](<https://github.example.com/acme/widgets/pull/42>)\n"},
		{render.JobSummaryOptions{Subject: "acme/widgets#42"}, "## Evidence of acme/widgets\\#<!-- -->42\n"},
		{render.JobSummaryOptions{Subject: "a/b#1", SubjectURL: "javascript:alert(1)"}, "## Evidence of a/b\\#<!-- -->1\n"},
		{render.JobSummaryOptions{}, "## Evidence\n"},
	} {
		require.Contains(t, render.JobSummary(succeeding(), c.o), c.want)
	}
}

// GitHub shows nothing of a summary over 1 MiB, and counts bytes.
func TestJobSummaryFits(t *testing.T) {
	t.Parallel()
	const mebibyte = 1 << 20
	for name, text := range map[string]string{
		"wide": strings.Repeat("漢\n", 1000), "code": strings.Repeat("```\n", 500), "escaped": strings.Repeat("\u202e\n", 1000), "markup": strings.Repeat("@", 1000),
	} {
		r := empty(report.Failure, text)
		for i := range 60 {
			r.Checks = append(r.Checks, openCheck(fmt.Sprintf("RC-%d", i), text))
			r.Checks[i].Evidence = text
			r.Checks[i].Observations = make([]report.Observation, 4)
			for j := range r.Checks[i].Observations {
				r.Checks[i].Observations[j] = report.Observation{Name: text, Level: text, Result: text}
			}
			d := about(report.New(report.CodeCheckUnsatisfied, text), text)
			d.Help = text
			r.Diagnostics = append(r.Diagnostics, d)
		}
		got := render.JobSummary(r, widgets42)
		require.Less(t, len(got), mebibyte, name)
		require.True(t, utf8.ValidString(got), name)
		require.True(t, strings.HasPrefix(got, "## Evidence of [acme/widgets"), name)
		require.Contains(t, got, "❌ May not merge.", name)
		if name == "escaped" {
			require.Greater(t, len(got), mebibyte*9/10, "there is more than GitHub takes")
			require.True(t, strings.HasSuffix(got, "\n*Cut here: GitHub takes no more. The report of the step holds the rest.*\n"))
			requireLastIsProse(t, got)
		}
	}
}

// requireLastIsProse says that the last line is read as text and not as code.
func requireLastIsProse(t *testing.T, source string) {
	t.Helper()
	document := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(gtext.NewReader([]byte(source)))
	last := document.LastChild()
	for last.LastChild() != nil && last.LastChild().Type() == ast.TypeBlock {
		last = last.LastChild()
	}
	require.NotEqual(t, ast.KindFencedCodeBlock, last.Kind())
	require.NotEqual(t, ast.KindCodeBlock, last.Kind())
}

func TestJobSummaryIsHarmless(t *testing.T) {
	t.Parallel()
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))
	rapid.Check(t, func(t *rapid.T) {
		text := hostileText().Draw(t, "text")
		r, _ := hostile(text)
		r.Checks[0].Link, r.Checks[1].Link = "", ""
		_, below, _ := strings.Cut(render.JobSummary(r, render.JobSummaryOptions{Subject: text, SubjectURL: text}), "\n\n")
		requireHarmless(t, markdown, below)
	})
}
