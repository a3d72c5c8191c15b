package prbody_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/growth"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
)

const ordinaryBody = "## Evidence\nCurrent PR head: b7d41e9f02c36a58d1f4e07b9c8a25630fe1d794\n\n- Required check: [RC-1] `npm test`\n  Verdict: passed\n" +
	"  Evidence: final run: 128 passing, 0 failing (exit 0)\n- Required check: Settings page\n  Kind: manual\n  Observation: theme\n  Result: it stayed dark\n\n"

// bodies are the pull request bodies of testdata/cases.
func bodies(f *testing.F) []string {
	f.Helper()
	files, err := filepath.Glob("../testdata/cases/*.json")
	require.NoError(f, err)
	require.NotEmpty(f, files)
	var out []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(f, err)
		var c struct {
			Snapshot struct {
				PullRequest struct {
					Body *string `json:"body"`
				} `json:"pull_request"`
			} `json:"snapshot"`
		}
		require.NoError(f, json.Unmarshal(data, &c))
		if body := c.Snapshot.PullRequest.Body; body != nil {
			out = append(out, *body)
		}
	}
	return out
}

// within requires that a place lies inside the body as its author wrote it.
func within(t *testing.T, body string, w report.Where) {
	t.Helper()
	body = strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(body, "\ufeff"), "\r\n", "\n"), "\r", "\n")
	lines := strings.Split(body, "\n")
	require.Equal(t, prbody.Document, w.Document)
	require.True(t, w.Line <= len(lines) && w.EndLine <= len(lines), "line %d to %d of %d", w.Line, w.EndLine, len(lines))
	if w.Line > 0 {
		require.LessOrEqual(t, w.Column, utf8.RuneCountInString(lines[w.Line-1])+1, "%+v in %q", w, lines[w.Line-1])
	}
	if w.EndLine > 0 {
		require.True(t, w.EndLine > w.Line || w.EndLine == w.Line && w.EndColumn >= w.Column, "%+v ends before it starts", w)
		require.LessOrEqual(t, w.EndColumn, utf8.RuneCountInString(lines[w.EndLine-1])+2, "%+v in %q", w, lines[w.EndLine-1])
	}
}

// FuzzRead reads bodies made of a text, a unit that is repeated and another text: no panic, no cost
// that grows faster than the body, places inside the body.
func FuzzRead(f *testing.F) {
	for _, body := range bodies(f) {
		f.Add(body, "", "")
	}
	const entry = "## Evidence\n\n- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: "
	for _, unit := range []string{
		"Verdict: ", "Verdict：", "\n  Verdict: passed", "\n  Observation: a", "\n  - Verdict: passed", "\n  - a\n    - b", "\n- Required check: a", "\n- Required check: [RC-1] `a`", "\n  more",
		"\n\n  ```\n  a\n  ```", ":a:", "\u200b", "\u202e", "\n  \u202e", "Required check: ", "\nCurrent PR head: a", "\n- PR head: `a`", "a: ", "(Verdict: ", "[x] ", "\n- [ ] Required check: a", "\n\n|a|\n|-|\n", "\n\n```\na\n```\n",
		"\n## Evidence\n", "\n# Evidence\n", "\n### Evidence\n", "\n> ## Evidence\n", "\n<!-- ## Evidence -->\n", "\n**Evidence**\n", `\n## Evidence`, "\n##Evidence\n", "\n- ## Evidence\n", "\n    ## Evidence\n", "`a` ", "  `a  ` ",
	} {
		f.Add(entry, unit, "")
		f.Add("", unit, "\n")
	}
	meter := growth.NewMeter(func(body string) { _, _ = prbody.Read(body) }, ordinaryBody)
	f.Fuzz(func(t *testing.T, before, unit, after string) {
		body := growth.Repeat(before, unit, after, 400)
		if ev, err := prbody.Read(body); err == nil {
			places(t, body, ev)
		}
		meter.Check(t, before, unit, after)
	})
}

func places(t *testing.T, body string, ev prbody.Evidence) {
	t.Helper()
	for _, d := range ev.Diagnostics {
		require.NotNil(t, d.Where)
		within(t, body, *d.Where)
	}
	for _, m := range append(append([]prbody.Marker{}, ev.Markers...), ev.Outside...) {
		within(t, body, m.Value.Where)
	}
	for _, w := range append(append([]report.Where{}, ev.Tables...), ev.Fences...) {
		within(t, body, w)
	}
	for _, e := range ev.Entries {
		within(t, body, e.Where)
		for _, v := range []*prbody.Value{e.Verdict, e.Evidence, e.Kind, e.Source, e.Implementation, e.Topology, e.URL, e.Pattern, e.OutputSHA256, e.Names} {
			if v != nil {
				within(t, body, v.Where)
				_, _ = v.Verdict()
				_ = v.NearestVerdict()
				_ = v.SHA()
			}
		}
		for _, o := range e.Observations {
			within(t, body, o.Name.Where)
			for _, v := range []*prbody.Value{o.Level, o.Result, o.Artifact, o.Source} {
				if v != nil {
					within(t, body, v.Where)
				}
			}
		}
	}
}

// FuzzText judges evidence texts by themselves.
func FuzzText(f *testing.F) {
	for _, text := range []string{
		"128 passing, 0 failing (exit 0)", "before 3 failing, after it 0 failing", "Tests run: 128, Failures: 3", "all green", "REPLACE: x", "<excerpt>", "nothing was run", "pending hosted CI", "exit code: 2", "3/128 failed",
	} {
		f.Add(text, "", "")
	}
	for _, unit := range []string{
		"failed ", "3 failing ", "tests ", "is ", "no ", "exit ", "exit of ", "of ", "0 ", "1,", "1.", "a-", "a'", "’", "->", ": ", "were not been ", "no tests were ", "still ", "will be ", "waiting ", "pending ", "passed ", "0 passed ", "the suite ", "FAIL ",
		"\n", "é", "\u200b", "…", "<", "REPLACE", "ok ", "\U0001F44D", "99999999999999999999 ", "2 of 9 ", "before after ",
	} {
		f.Add("", unit, "failed")
		f.Add("128 passing ", unit, "")
	}
	judge := func(text string) {
		_, _ = prbody.Weigh(text, 0)
		_, _ = prbody.Placeholder(text), prbody.Observed(text)
	}
	meter := growth.NewMeter(judge, "final run: 128 passing, 0 failing (exit 0), chose Dark and reloaded. ")
	f.Fuzz(func(t *testing.T, before, unit, after string) {
		text := growth.Repeat(before, unit, after, 400)
		if how, _ := prbody.Weigh(text, 0); how != "" {
			require.Less(t, len(how), 500, "a message stays readable")
		}
		if prbody.Placeholder(text) {
			require.True(t, prbody.Placeholder(text+" "))
		}
		meter.Check(t, before, unit, after)
	})
}
