package prbody_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/prbody"
)

const head = "b7d41e9f02c36a58d1f4e07b9c8a25630fe1d794"

func read(t *testing.T, body string) prbody.Evidence {
	t.Helper()
	ev, err := prbody.Read(body)
	require.NoError(t, err)
	return ev
}

// codesOf are the codes of the diagnostics, sorted, in one string.
func codesOf(ev prbody.Evidence) string {
	var codes []string
	for _, d := range ev.Diagnostics {
		codes = append(codes, string(d.Code))
	}
	slices.Sort(codes)
	return strings.Join(codes, " ")
}

// TestWhatIsAnEntry is E1.
func TestWhatIsAnEntry(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		about, item string
		entries     int
		codes       string
	}{
		{"a dash", "- Required check: x", 1, ""},
		{"an asterisk", "* Required check: x", 1, ""},
		{"a plus", "+ Required check: x", 1, ""},
		{"numbered", "1. Required check: x", 1, ""},
		{"numbered with a bracket", "7) Required check: x", 1, ""},
		{"ticked", "- [x] Required check: x", 1, ""},
		{"ticked with a capital", "- [X] Required check: x", 1, ""},
		{"not ticked", "- [ ] Required check: x", 1, "entry.unchecked"},
		{"lower case", "- required check: x", 1, ""},
		{"upper case", "- REQUIRED CHECK: x", 1, ""},
		{"bold, colon inside", "- **Required check:** x", 1, ""},
		{"bold, colon outside", "- **Required check**: x", 1, ""},
		{"emphasised", "- _Required check_: x", 1, ""},
		{"code", "- `Required check:` x", 1, ""},
		{"a full-width colon (M5)", "- Required check：x", 1, ""},
		{"no-break spaces (M5)", "- Required\u00a0check:\u00a0x", 1, ""},
		{"an emoji before it (M8)", "- \u2705 Required check: x", 1, ""},
		{"a shortcode before it (M8)", "- :white_check_mark: Required check: x", 1, ""},
		{"struck through is text (M8)", "- ~~Required check~~: x", 1, ""},
		{"entities (M8)", "- Required&nbsp;check&#58; x", 1, ""},
		{"no space after the dash is no item", "-Required check: x", 0, ""},
		{"not on the first line", "- text\n  Required check: x", 0, ""},
		{"a nested item", "- text\n  - Required check: x", 0, ""},
		{"an item of an item without text", "-\n  - Required check: x", 0, ""},
		{"a paragraph", "Required check: x", 0, ""},
		{"another label", "- Required checks: x", 0, ""},
		{"a label later in the line", "- the Required check: x", 0, ""},
		{"quoted (M4)", "> - Required check: x", 0, ""},
		{"fenced (M4)", "```\n- Required check: x\n```", 0, ""},
		{"commented out (M4)", "<!--\n\n- Required check: x\n\n-->", 0, ""},
		{"an unterminated comment (M4)", "<!--\n\n- Required check: x", 0, ""},
		{"in an HTML block (M4)", "<div>\n- Required check: x\n</div>", 0, ""},
		{"live inside details (M4)", "<details>\n\n- Required check: x\n\n</details>", 1, ""},
		{"indented code (M4)", "text\n\n    - Required check: x", 0, ""},
		{"a zero-width character in the label (M5)", "- Required\u200b check: x", 1, "text.invisible_character"},
		{"a zero-width character in the check (M5)", "- Required check: x\u200by", 1, "text.invisible_character"},
		{"a character that reorders prose (M5)", "- Required check: x\n  Evidence: a\u202eb", 1, "text.invisible_character"},
		{"a zero-width character in prose", "- Required check: x\n  Evidence: a\u200bb", 1, ""},
	} {
		ev := read(t, "## Evidence\n\n"+row.item+"\n")
		require.Len(t, ev.Entries, row.entries, row.about)
		require.Equal(t, row.codes, codesOf(ev), row.about)
	}
}

// TestFields is E2: where a field may stand and what its text is.
func TestFields(t *testing.T) {
	t.Parallel()
	text := func(v *prbody.Value) string {
		if v == nil {
			return "(none)"
		}
		return v.Text
	}
	for _, row := range []struct {
		about, fields string
		of            func(prbody.Entry) string
		want          string
	}{
		{"a line of the paragraph", "\n  Verdict: passed", func(e prbody.Entry) string { return text(e.Verdict) }, "passed"},
		{"without indentation, by lazy continuation", "\nVerdict: passed", func(e prbody.Entry) string { return text(e.Verdict) }, "passed"},
		{"a further paragraph", "\n\n  Verdict: passed", func(e prbody.Entry) string { return text(e.Verdict) }, "passed"},
		{"a nested item", "\n  - Verdict: passed", func(e prbody.Entry) string { return text(e.Verdict) }, "passed"},
		{"a numbered nested item", "\n  1. Verdict: passed", func(e prbody.Entry) string { return text(e.Verdict) }, "passed"},
		{"only the first line of a nested item", "\n  - text\n    Verdict: passed", func(e prbody.Entry) string { return text(e.Verdict) }, "(none)"},
		{"text runs on", "\n  Evidence: one\n  two\n  Verdict: passed", func(e prbody.Entry) string { return text(e.Evidence) }, "one\ntwo"},
		{"up to the end of its paragraph", "\n  Evidence: one\n\n  two", func(e prbody.Entry) string { return text(e.Evidence) }, "one"},
		{"a fence under it belongs to it", "\n  Evidence:\n\n  ```\n  one\n  ```", func(e prbody.Entry) string { return text(e.Evidence) }, "one"},
		{"nested items under it belong to it", "\n  Evidence: runs\n  - one\n  - two", func(e prbody.Entry) string { return text(e.Evidence) }, "runs\none\ntwo"},
		{"a fence under the verdict does not", "\n  Evidence: one\n  Verdict: passed\n\n  ```\n  two\n  ```", func(e prbody.Entry) string { return text(e.Evidence) }, "one"},
		{"verdict after an observation belongs to the entry", "\n  Observation: a\n  Verdict: passed", func(e prbody.Entry) string { return text(e.Verdict) }, "passed"},
		{"kind after an observation too", "\n  Observation: a\n  Kind: manual", func(e prbody.Entry) string { return text(e.Kind) }, "manual"},
		{"implementation head after an observation too", "\n  Observation: a\n  Implementation head: b", func(e prbody.Entry) string { return text(e.Implementation) }, "b"},
		{"source before an observation is the entry's", "\n  Source: pr_body\n  Observation: a", func(e prbody.Entry) string { return text(e.Source) }, "pr_body"},
		{"source after an observation is the record's", "\n  Observation: a\n  Source: pr_body", func(e prbody.Entry) string { return text(e.Source) + text(e.Observations[0].Source) }, "(none)pr_body"},
		{"artifact before an observation is the implementation head", "\n  Artifact: b", func(e prbody.Entry) string { return text(e.Implementation) }, "b"},
		{"artifact after an observation is the record's", "\n  Observation: a\n  Artifact: b", func(e prbody.Entry) string { return text(e.Implementation) + text(e.Observations[0].Artifact) }, "(none)b"},
		{"level and result of a record", "\n  Observation: a\n  Level: unit\n  Result: seen\n  it", func(e prbody.Entry) string {
			return text(e.Observations[0].Level) + " " + text(e.Observations[0].Result)
		}, "unit seen\nit"},
		{"a bare list of names", "\n  Observations: a, b", func(e prbody.Entry) string { return text(e.Names) }, "a, b"},
		{"emphasis and code around a value", "\n  Verdict: **`passed`**", func(e prbody.Entry) string { return text(e.Verdict) }, "passed"},
		{"further fields", "\n  Topology: lane-final\n  URL: https://x.org\n  Pattern: a.b\n  Output sha256: 00", func(e prbody.Entry) string {
			return text(e.Topology) + text(e.URL) + text(e.Pattern) + text(e.OutputSHA256)
		}, "lane-finalhttps://x.orga.b00"},
	} {
		ev := read(t, "## Evidence\n\n- Required check: x"+row.fields+"\n")
		require.Len(t, ev.Entries, 1, row.about)
		require.Equal(t, row.want, row.of(ev.Entries[0]), row.about)
		require.Empty(t, codesOf(ev), row.about)
	}
}

// TestFormErrors is E3 and E5.
func TestFormErrors(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ about, entry, codes string }{
		{"a verdict twice", "- Required check: x\n  Verdict: passed\n  Verdict: passed", "entry.field_repeated"},
		{"evidence twice, once nested", "- Required check: x\n  Evidence: a\n  - Evidence: b", "entry.field_repeated"},
		{"a level twice in one record", "- Required check: x\n  Observation: a\n  Level: unit\n  Level: unit", "entry.field_repeated"},
		{"a level in each of two records", "- Required check: x\n  Observation: a\n  Level: unit\n  Observation: b\n  Level: unit", ""},
		{"artifact and implementation head are one field", "- Required check: x\n  Artifact: a\n  Implementation head: a", "entry.field_repeated"},
		{"the check twice in one item", "- Required check: x\n  Required check: y", "entry.field_repeated"},
		{"two labels on one line", "- Required check: x\n  Verdict: passed Evidence: a", "entry.field_inline"},
		{"two labels on the first line", "- Required check: x Verdict: passed", "entry.field_inline"},
		{"a word of prose with a colon", "- Required check: x\n  Evidence: the source: a log, its level: high", ""},
		{"a label in code", "- Required check: x\n  Evidence: wrote `Verdict: passed`", ""},
		{"one id twice", "- Required check: [RC-1] x\n- Required check: [RC-1] y", "entry.duplicate"},
		{"one id three times", "- Required check: [RC-1] x\n- Required check: [RC-1] x\n- Required check: [RC-1] x", "entry.duplicate entry.duplicate"},
		{"one match key twice", "- Required check: run `x`\n- Required check: Run  x", "entry.duplicate"},
		{"one text with two ids", "- Required check: [RC-1] x\n- Required check: [RC-2] x", ""},
		{"one text with and without id", "- Required check: [RC-1] x\n- Required check: x", ""},
	} {
		require.Equal(t, row.codes, codesOf(read(t, "## Evidence\n\n"+row.entry+"\n")), row.about)
	}
}

// TestHeadMarkers is E6: where a marker may stand and what its value is.
func TestHeadMarkers(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ about, section, want string }{
		{"a line", "Current PR head: " + head, head},
		{"a list item", "- Current PR head: " + head, head},
		{"PR head", "PR head: " + head, head},
		{"Head commit", "**Head commit:** " + head, head},
		{"headRefOid", "headRefOid: " + head, head},
		{"Head ref oid", "Head ref oid: " + head, head},
		{"code", "Current PR head: `" + head + "`", head},
		{"a link", "Current PR head: [" + head + "](https://x.org/commit/1)", head},
		{"its first word", "Current PR head: " + head + " (pushed today)", head},
		{"punctuation after it", "Current PR head: " + head + ".", head},
		{"a second line of a paragraph", "Some text\nCurrent PR head: " + head, head},
		{"a line of an entry", "- Required check: x\n  Current PR head: " + head, head},
		{"a placeholder that is a tag (M8)", "Current PR head: <sha>", ""},
		{"a placeholder", "Current PR head: TBD", "TBD"},
		{"nothing", "Current PR head:", ""},
		{"twice", "Current PR head: " + head + "\n\nPR head: " + head, head + " " + head},
		{"later in a sentence", "The Current PR head: " + head, "(none)"},
		{"quoted", "> Current PR head: " + head, "(none)"},
		{"fenced", "```\nCurrent PR head: " + head + "\n```", "(none)"},
		{"commented out", "<!-- Current PR head: " + head + " -->", "(none)"},
	} {
		var values []string
		for _, m := range read(t, "## Evidence\n\n"+row.section+"\n").Markers {
			values = append(values, m.Value.Text)
		}
		if values == nil {
			values = []string{"(none)"}
		}
		require.Equal(t, row.want, strings.Join(values, " "), row.about)
	}
	outside := read(t, "PR head: "+head+"\n\n## Evidence\n\n## Notes\n\nPR head: b\n")
	require.Empty(t, outside.Markers)
	require.Len(t, outside.Outside, 2, "seen only outside the section")
}

// TestCommits is the order in which E6 looks for faults.
func TestCommits(t *testing.T) {
	t.Parallel()
	other := "9b0e4d2c7a61f35880cc1e2d49ab73f6105e8d24"
	for written, want := range map[string]prbody.Fault{
		head: prbody.NoFault, head[:7]: prbody.Abbreviated, head[:39]: prbody.Abbreviated, strings.ToUpper(head): prbody.NotCanonical, head[:12] + "…": prbody.NotCanonical,
		"HEAD": prbody.NotCanonical, "<sha>": prbody.NotCanonical, "": prbody.NotCanonical, head + head[:24]: prbody.Fabricated, head[:7] + other[7:]: prbody.Fabricated,
		head[:6] + "0" + other[7:]: prbody.Stale, other: prbody.Stale, other[:10]: prbody.NotCanonical, "g" + other[1:]: prbody.NotCanonical,
	} {
		require.Equal(t, want, prbody.CompareSHA(written, head), written)
	}
	require.Equal(t, prbody.NoFault, prbody.CompareSHA(other, ""), "without a head only the form is judged")
	require.Equal(t, prbody.NotCanonical, prbody.CompareSHA("abc", ""))
}
