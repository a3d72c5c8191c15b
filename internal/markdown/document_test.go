package markdown

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func lines(t *testing.T, body string) []Line {
	t.Helper()
	d, err := Parse(body)
	require.NoError(t, err)
	var out []Line
	for _, b := range d.Blocks() {
		out = append(out, b.Lines()...)
	}
	return out
}

func TestLinesAreWhatAReaderSees(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ about, body, want string }{
		{"plain", "Verdict: passed", "Verdict: passed"},
		{"emphasis and code", "**Verdict:** `passed`", "Verdict: passed"},
		{"escapes (M8)", `\*not bold\*`, "*not bold*"},
		{"entities (M8)", "a &amp; b&nbsp;c &bogus; &", "a & b c &bogus; &"},
		{"struck through (M8)", "~~Verdict~~: passed", "Verdict: passed"},
		{"tags vanish (M8)", "<b>Verdict</b>: passed", "Verdict: passed"},
		{"a line break tag parts words", "a<br>b", "a b"},
		{"no-break spaces (M5)", "a\u00a0b\u3000c", "a b c"},
		{"inline comment", "a <!-- b --> c", "a  c"},
		{"links and autolinks", "[text](http://x) <http://y> www.z.org", "text http://y www.z.org"},
		{"code keeps what it holds", "`a \\* &amp; b`", "a \\* &amp; b"},
		{"VT is no indentation", "\v```x", "```x"},
	} {
		got := lines(t, row.body)
		require.Len(t, got, 1, row.about)
		require.Equal(t, row.want, got[0].Trim().Text, row.about)
	}
}

func TestPositionsPointIntoTheSource(t *testing.T) {
	t.Parallel()
	got := lines(t, "\ufeffx\r\n\r\n**ä** &amp; `b\u00a0c` \\*d\nnext")
	l := got[1]
	require.Equal(t, "ä & b c *d", l.Text)
	for _, row := range []struct {
		word string
		want Position
	}{
		{"ä", Position{3, 3}}, {"&", Position{3, 7}}, {"b", Position{3, 14}}, {"c", Position{3, 16}}, {"*", Position{3, 20}}, {"d", Position{3, 21}},
	} {
		i := indexOf(l.Text, row.word)
		require.Equal(t, row.want, l.Position(i), row.word)
	}
	require.Equal(t, Position{4, 1}, got[2].Position(0))
	require.Equal(t, []Span{{5, 8}}, l.Code)
}

func indexOf(s, sub string) int {
	for i := range s {
		if len(s) >= i+len(sub) && s[i:i+len(sub)] == sub {
			return i
		}
	}
	return -1
}
