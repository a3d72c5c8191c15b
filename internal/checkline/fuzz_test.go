package checkline_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/growth"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// parse reads the first item of a list.
func parse(text string) (checkline.Check, bool) {
	d, err := markdown.Parse(text)
	if err != nil || len(d.Blocks()) == 0 || d.Blocks()[0].Kind() != markdown.List {
		return checkline.Check{}, false
	}
	item := d.Blocks()[0].Children()[0].Children()
	if len(item) == 0 || item[0].Kind() != markdown.Paragraph {
		return checkline.Check{}, false
	}
	return checkline.Parse(markdown.Join(item[0].Lines())), true
}

// FuzzCheck reads a check made of a text, a unit that is repeated and another text: no panic, no cost
// that grows faster than the text, spans inside the text, and what is written back reads the same.
func FuzzCheck(f *testing.F) {
	for _, text := range []string{
		"[RC-1] `npm test` [source: pr_body, status_check]", "[RC-2] Settings page (kind: manual) [observations: a, b@unit]", "[rc-3] contract_proof: public API",
		"command: `x` (sorce: pr_body)", "`` a ` b ``", "`  a  `", "` a`", "[RC-1]`a`", "manual：x", "a (b (kind: manual) c)", "(kind: manual; source: pr_body; x)", "\\[RC-1] x", "[RC-1][x]",
		"**[RC-1]** _x_", "&#91;RC-1] x", "x &lt;b> \\*y\\*", "a_b_c *d", "[text](http://x)", "<http://x> y", "a\n  b `c\n  d`",
	} {
		f.Add("- "+text, "", "")
	}
	for _, unit := range []string{"(", ")", "[", "()", "(kind: x)", "(kind:", "; a", "(sorce: x)", "`a` ", "`", "a:", "：", "(a", "[RC-1]", "kind: ", "\u200b", "&amp;", "\\(", "_", "a_", "((((kind: manual))))", "(;", "command: "} {
		f.Add("- [RC-1] ", unit, "`x` (kind: manual)")
		f.Add("- (kind: manual", unit, ")")
	}
	meter := growth.NewMeter(func(s string) { parse(s) }, "- [RC-1] `npm test` and some text (source: pr_body)\n")
	f.Fuzz(func(t *testing.T, before, unit, after string) {
		if c, ok := parse(growth.Repeat(before, unit, after, 300)); ok {
			inside(t, c)
			again(t, c)
		}
		meter.Check(t, before, unit, after)
	})
}

func inside(t *testing.T, c checkline.Check) {
	t.Helper()
	for _, a := range c.Annotations {
		require.True(t, 0 <= a.Start && a.Start <= a.End && a.End <= len(c.Line.Text))
		c.Line.Slice(a.Start, a.End).Extent()
	}
	for _, n := range c.NearMisses {
		require.True(t, 0 <= n.Start && n.Start <= n.End && n.End <= len(c.Line.Text))
		require.NotEmpty(t, n.Known)
	}
	for _, command := range c.Commands() {
		require.Equal(t, checkline.Squeeze(command), command)
	}
	require.Equal(t, checkline.Squeeze(c.Text), c.Text)
	require.NotContains(t, c.Key, "`")
}

// again writes the text without id and annotations and reads it back.
func again(t *testing.T, c checkline.Check) {
	t.Helper()
	if c.Text == "" || strings.ContainsAny(c.Line.Text, "\x00\uFFFD") || len(c.Line.Links) > 0 {
		return
	}
	written := c.Markdown()
	back, ok := parse("- [RC-1] " + written)
	require.True(t, ok, "%q", written)
	require.Equal(t, c.Text, back.Text, "%q", written)
	require.Equal(t, c.Key, back.Key, "%q", written)
	require.Equal(t, c.Frame(), back.Frame(), "%q", written)
}
