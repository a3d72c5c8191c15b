package markdown

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/growth"
)

// ordinaryBody is text as people write it.
const ordinaryBody = "Adds the *cache* of [settings](https://x.org/a) and `its` test.\n\n## Evidence\n\n- Required check: [RC-1] `npm test`\n" +
	"  Verdict: passed\n  Evidence: 128 passing, 0 failing\n    - nested item\n\n```sh\nnpm test\n```\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"

// slowUnits are what parsers are known to be slow on when repeated.
var slowUnits = []string{
	"[", "]", "[a](", "[a][", "![", "[]", "]: ", "[a]: x\n", "[a]: <x> 'y\n", "[a]: x 'y'\n", "[a]:\n", "[\\", "(", "`", "``", "` `` ``` ", "*", "_", "~", "*a_", "**a ", "_a*b ", "~~a ",
	"> ", ">", "- ", "-\n", "* ", "1. ", "1) ", "- - - - ", " ", "\t", "\n", " \n", "\n\n", ">\n", "> - ", "- > ", "  - a\n", "a\n\n", "- a\n\n", "    ", "- a\n  > b\n",
	"<", "<a ", "<a b='", "<!--", "<!-- a ", "<!-", "<?", "<![CDATA[", "<!A ", "</", "<a href=\"", "<div>\n", "<div>\n\n", "-->", "<x y=z ", "</script", "<script>\n", "&", "&amp", "&#", "&a;",
	"|", "|-", "a|b\n-|-\n", "|a\n", "-|", "| - ", "\\|", "http://", "www.", "a@", "a@b.", "http://x.org/(", "www.x_", "ftp://a.b)", "xmpp:", "\\", "\\\n", "a  \n", ":a:", "::", "😀", "\u200b", "\u202e",
	"#", "# ", "# a\n", "a\n=\n", "a\n-\n", "## Evidence\n", "===\n", "---\n", "***\n", "```\n", "~~~ a\n", "````", "\x00", "\xff", "\r", "\r\n", "\ufeff", "é", "\u00a0", "[^a]: b\n", "[RC-1]", "x", "0", "<a@b.c>", "<http://x>",
	"%$#@!", "\"", "'", "a.b.c ", "\\[", "\\`", "[a]\n", "- [ ] a\n", "- [x] [", "1234567890. ", "&lt;!--", "<b>", "</b>", "<br>", "<details>\n\n</details>\n\n",
}

// FuzzParse reads documents made of a text, a unit that is repeated and another text: no panic, no
// cost that grows faster than the document, positions inside the text.
func FuzzParse(f *testing.F) {
	for _, body := range caseTexts(f) {
		f.Add(body, "", "")
	}
	for _, unit := range slowUnits {
		f.Add("", unit, "")
		f.Add("## Evidence\n- Required check: ", unit, "`")
	}
	read := func(body string) { readAll(body, func(Line) {}, func(Position) {}) }
	meter := growth.NewMeter(read, ordinaryBody)
	f.Fuzz(func(t *testing.T, before, unit, after string) {
		body := growth.Repeat(before, unit, after, 200)
		text := normalise(body)
		lines := strings.Split(text, "\n")
		within := func(p Position) {
			require.True(t, p.Line >= 1 && p.Line <= len(lines), "line %d of %d", p.Line, len(lines))
			require.True(t, p.Column >= 1 && p.Column <= utf8.RuneCountInString(lines[p.Line-1])+1, "column %d of %q", p.Column, lines[p.Line-1])
		}
		readAll(body, func(l Line) {
			last := Position{Line: 1}
			for i := range l.Text {
				p := l.Position(i)
				within(p)
				require.False(t, p.Line < last.Line || p.Line == last.Line && p.Column < last.Column, "positions go back in %q", l.Text)
				last = p
			}
			for _, spans := range [][]Span{l.Code, l.Links, l.Web} {
				for _, s := range spans {
					require.True(t, s.Start >= 0 && s.Start <= s.End && s.End <= len(l.Text))
				}
			}
			start, end := l.Extent()
			within(start)
			within(end)
		}, within)
		meter.Check(t, before, unit, after)
	})
}

// readAll reads a document by every way that this package offers.
func readAll(body string, line func(Line), place func(Position)) {
	d, err := Parse(body)
	if err != nil {
		return
	}
	var walk func(Block)
	walk = func(b Block) {
		place(b.Position())
		_, _ = b.Task(), b.Raw()
		for _, l := range b.Lines() {
			line(l)
			line(l.Trim())
		}
		if lines := b.Lines(); len(lines) > 0 {
			line(Join(lines))
		}
		for _, c := range b.Children() {
			walk(c)
		}
	}
	for _, name := range []string{"Evidence", "Required Checks"} {
		switch sections := d.Sections(name); len(sections) {
		case 0:
			if found := d.Instead(name); found.Line > 0 {
				place(Position{Line: found.Line, Column: 1})
			}
		case 1:
			line(sections[0].Title)
			d.Prepare(sections[0].Blocks)
			d.Prepare(sections[0].Outside())
		}
	}
	for _, b := range d.Blocks() {
		walk(b)
	}
}
