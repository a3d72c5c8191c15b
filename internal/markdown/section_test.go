package markdown

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTitles is M2: what a heading's text may have besides the section's name.
func TestTitles(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		about, body string
		sections    int
		level       int
	}{
		{"plain", "## Evidence", 1, 2},
		{"closing number signs", "## Evidence ##", 1, 2},
		{"case", "## EVIDENCE", 1, 2},
		{"setext", "Evidence\n---", 1, 2},
		{"setext, level 1", "Evidence\n===", 1, 1},
		{"emphasis", "## **Evidence**", 1, 2},
		{"code", "## `Evidence`", 1, 2},
		{"a link", "## [Evidence](https://x.org)", 1, 2},
		{"entities", "## &#69;vidence", 1, 2},
		{"a colon at the end", "## Evidence:", 1, 2},
		{"a full-width colon at the end", "## Evidence\uff1a", 1, 2},
		{"brackets around it", "## (Evidence)", 1, 2},
		{"dashes around it", "## -- Evidence --", 1, 2},
		{"an emoji before it", "## \u2705 Evidence", 1, 2},
		{"an emoji with a selector", "## \u2714\ufe0f Evidence", 1, 2},
		{"a joined emoji", "## \U0001F469\u200d\U0001F52C Evidence", 1, 2},
		{"an emoji after it", "## Evidence \U0001F50D", 1, 2},
		{"a shortcode before it", "## :white_check_mark: Evidence", 1, 2},
		{"a shortcode after it", "## Evidence :+1:", 1, 2},
		{"shortcodes and emoji", "## :mag: \U0001F50D Evidence! :tada:", 1, 2},
		{"a flag and a keycap", "## \U0001F1E9\U0001F1EA 1\ufe0f\u20e3 Evidence", 0, 0}, // the digit is neither emoji nor punctuation
		{"spaces collapsed", "##   Evidence  ", 1, 2},
		{"no-break spaces", "##\u00a0Evidence", 0, 0}, // no heading: the space after the signs is a plain one
		{"indented by three", "   ## Evidence", 1, 2},
		{"indented by four is code", "    ## Evidence", 0, 0},
		{"no space", "##Evidence", 0, 0},
		{"more words", "## Evidence of the fix", 0, 0},
		{"another word", "## Evidences", 0, 0},
		{"level 3 when there is no other", "### Evidence", 1, 3},
		{"level 2 wins", "# Evidence\n\n## Evidence\n\n### Evidence", 1, 2},
		{"two at level 2", "## Evidence\n\n## Evidence", 2, 2},
		{"two at other levels", "### Evidence\n\n# Evidence", 2, 3},
		{"in a quote", "> ## Evidence", 0, 0},
		{"in a list", "- ## Evidence", 0, 0},
		{"in a fence", "```\n## Evidence\n```", 0, 0},
		{"in a comment", "<!--\n## Evidence\n-->", 0, 0},
		{"in HTML", "<div>\n## Evidence\n</div>", 0, 0},
		{"after HTML and a blank line", "<div>\n\n## Evidence\n\n</div>", 1, 2},
		{"right after a comment", "<!-- a -->\n## Evidence", 1, 2},
		{"on the line that ends a comment", "<!--\n--> ## Evidence", 0, 0},
		{"right after an unknown lone tag", "<x-y>\n## Evidence", 0, 0},
		{"right after text", "text\n## Evidence", 1, 2},
	} {
		d, err := Parse(row.body)
		require.NoError(t, err, row.about)
		sections := d.Sections("Evidence")
		require.Len(t, sections, row.sections, row.about)
		if row.sections > 0 {
			require.Equal(t, row.level, sections[0].Level, row.about)
		}
	}
}

// TestSectionEnds is M2: a section ends at the next heading of its level or a higher one.
func TestSectionEnds(t *testing.T) {
	t.Parallel()
	d, err := Parse("before\n\n## Evidence\n\na\n\n### Deeper\n\nb\n\n> ## Quoted\n\nc\n\n# Next\n\nd\n")
	require.NoError(t, err)
	s := d.Sections("Evidence")[0]
	var inside, outside []string
	for _, b := range s.Blocks {
		for _, l := range b.Lines() {
			inside = append(inside, l.Text)
		}
	}
	for _, b := range s.Outside() {
		for _, l := range b.Lines() {
			outside = append(outside, l.Text)
		}
	}
	require.Equal(t, []string{"a", "Deeper", "b", "c"}, inside)
	require.Equal(t, []string{"before", "Evidence", "Next", "d"}, outside)
}

// TestInstead is M3: what is found in place of a missing section.
func TestInstead(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		about, body string
		want        Instead
	}{
		{"nothing like it", "text", Instead{}},
		{"an empty body", " \n\n", Instead{What: FoundEmpty}},
		{"escaped line ends", `text\n\n## Evidence\nCurrent PR head: x`, Instead{What: FoundEscapedNewlines, Line: 1}},
		{"in a fence", "a\n\n```md\nx\n## Evidence\n```\n", Instead{What: FoundInFence, Line: 5, Open: 3, Title: "## Evidence"}},
		{"in a fence that nothing closes", "a\n~~~\n\n\n## Evidence\n", Instead{What: FoundInFence, Line: 5, Open: 2, Title: "## Evidence"}},
		{"in a fence in a list", "- ```\n  ## Evidence\n", Instead{What: FoundInFence, Line: 2, Open: 1, Title: "## Evidence"}},
		{"indented", "a\n\n    ## Evidence\n", Instead{What: FoundIndented, Line: 3, Open: 3, Title: "## Evidence"}},
		{"quoted", "a\n\n> b\n> ## Evidence\n", Instead{What: FoundInQuote, Line: 4, Open: 3, Title: "## Evidence"}},
		{"commented out", "<!-- a\n\n## Evidence\n-->\n", Instead{What: FoundInComment, Line: 3, Open: 1, Title: "## Evidence"}},
		{"in a comment that nothing ends", "a\n\n<!--\n\n\n## Evidence\n", Instead{What: FoundInComment, Line: 6, Open: 3, Title: "## Evidence"}},
		{"in HTML", "<details>\n<summary>x</summary>\n## Evidence\n</details>\n", Instead{What: FoundInHTML, Line: 3, Open: 1, Title: "## Evidence"}},
		{"in a list", "- a\n\n  ## Evidence\n", Instead{What: FoundInList, Line: 3, Open: 1, Title: "## Evidence"}},
		{"no space", "a\n\n##Evidence\n", Instead{What: FoundNoSpace, Line: 3, Title: "##Evidence"}},
		{"bold text", "a\n\n**Evidence**\n", Instead{What: FoundBold, Line: 3, Title: "**Evidence**"}},
		{"bold text with a colon", "__Evidence:__\n\nx", Instead{What: FoundBold, Line: 1, Title: "__Evidence:__"}},
		{"a near miss", "a\n\n## Evidense\n", Instead{What: FoundNearMiss, Line: 3, Title: "## Evidense"}},
		{"the word among others", "## Test evidence and notes\n", Instead{What: FoundNearMiss, Line: 1, Title: "## Test evidence and notes"}},
	} {
		d, err := Parse(row.body)
		require.NoError(t, err, row.about)
		require.Empty(t, d.Sections("Evidence"), row.about)
		require.Equal(t, row.want, d.Instead("Evidence"), row.about)
	}
}

// TestInvisibleCharacters holds both ends of every range of M5, and their neighbours.
func TestInvisibleCharacters(t *testing.T) {
	t.Parallel()
	for _, r := range [][2]rune{
		{0x00AD, 0x00AD}, {0x034F, 0x034F}, {0x061C, 0x061C}, {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180E, 0x180E}, {0x200B, 0x200F}, {0x202A, 0x202E}, {0x2060, 0x206F}, {0x3164, 0x3164},
		{0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xE0000, 0xE007F},
	} {
		for c := r[0]; c <= r[1]; c++ {
			require.True(t, IsInvisible(c), "U+%04X", c)
			require.Empty(t, StripInvisible(string(c)), "U+%04X", c)
		}
		require.False(t, IsInvisible(r[0]-1), "before U+%04X", r[0])
		require.False(t, IsInvisible(r[1]+1), "after U+%04X", r[1])
	}
	for c, want := range map[rune]bool{0x2029: false, 0x202A: true, 0x202E: true, 0x202F: false, 0x2065: false, 0x2066: true, 0x2069: true, 0x206A: false, 0x200B: false} {
		require.Equal(t, want, IsBidi(c), "U+%04X", c)
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"evidence", "evidence", 0}, {"evidense", "evidence", 1}, {"evidnece", "evidence", 2}, {"", "abc", 3}, {"über", "uber", 1}, {"kitten", "sitting", 3},
	} {
		require.Equal(t, row.want, Distance(row.a, row.b), "%s %s", row.a, row.b)
		require.Equal(t, row.want, Distance(row.b, row.a), "%s %s", row.b, row.a)
	}
}

// TestCodeSpansStay holds what a code span with white space at its ends leaves of itself.
func TestCodeSpansStay(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"`a`": "a", "` a`": "a", "`a `": "a", "`  a  `": "a", "x ` a `": "a", "x `a  `": "a", "`a` ": "a", "**`  a  `**": "a", "` `": "", "x\n`a  \n b`": "a b",
	} {
		var joined Line
		for _, l := range lines(t, body) {
			if len(l.Code) > 0 {
				joined = l.Trim()
			}
		}
		require.Len(t, joined.Code, 1, body)
		require.LessOrEqual(t, joined.Code[0].End, len(joined.Text), body)
		require.Equal(t, want, joined.CodeText(joined.Code[0]), body)
	}
}
