package markdown

import (
	"math/rand/v2"
	"strings"
)

// awkward writes documents that are hard to read: every document is a few lines put together from
// what the rules of GitHub Flavored Markdown tell apart by a character or a space.
type awkward struct{ r *rand.Rand }

func (a awkward) pick(from ...string) string { return from[a.r.IntN(len(from))] }

func (a awkward) chance(percent int) bool { return a.r.IntN(100) < percent }

func (a awkward) document() string {
	var s strings.Builder
	indent := ""
	for range 1 + a.r.IntN(14) {
		switch a.r.IntN(8) {
		case 0:
			indent = ""
		case 1:
			indent = a.pick("  ", "    ", "   ", " ", "\t", "      ", "> ", ">", "- ", "1. ", "> > ", "  > ", " \t", "\t\t", "     ", "-\t", ">\t")
		}
		s.WriteString(indent + a.line())
		s.WriteString(a.pick("\n", "\n", "\n", "\n", "\n", "\n\n", "\n\n", "\r\n", " \n", "  \n", "\\\n", "\t\n", "\n \n", "\n\t\n"))
	}
	if a.chance(20) {
		return strings.TrimRight(s.String(), "\n")
	}
	return s.String()
}

func (a awkward) line() string {
	switch a.r.IntN(14) {
	case 0:
		return a.fence()
	case 1:
		return a.heading()
	case 2, 3:
		return a.item()
	case 4:
		return a.html()
	case 5:
		return a.table()
	case 6:
		return a.definition()
	case 7:
		return a.pick("===", "---", "- - -", "***", "___", "==", "--", "-", "=", " ---", "    ---", "* * *", "+++", "- -", "--- -", "-----", "=== =")
	case 8:
		return a.pick("<!--", "-->", "<!-- x -->", "<!-- a", "b --> c", "--> ## Evidence", "<!--\n\n-->")
	case 9:
		return a.pick(">", "> ", ">>", "> >", ">- ", "> ```", "> #", ">\t", ">    ", "> - ") + a.inline()
	default:
		return a.pick("", "", "", " ", "    ", "\t") + a.inline()
	}
}

func (a awkward) fence() string {
	return a.pick("", "", " ", "   ", "    ", "\t") + a.pick("```", "````", "~~~", "~~~~", "`````", "``` ", "```\t") + a.pick("", "", "", "md", " sh", "a~b", " ~~~", "  ", "\t", "\u00a0")
}

func (a awkward) heading() string {
	return a.pick("", "", "", " ", "   ", "    ", "\t") + a.pick("#", "##", "##", "##", "###", "######", "#######") +
		a.pick(" ", " ", " ", "", "\t", "  ", "\u00a0", " \t ") + a.pick("Evidence", "**Evidence**", "Evi*dence", "`Evidence`", "", "#", "Evidence:") + a.pick("", "", " #", " ##  ", "#", " \\#", "\t##", " # b", "\u00a0#")
}

func (a awkward) item() string {
	return a.pick("", "", "", " ", "  ", "   ", "    ", "     ", "\t") +
		a.pick("-", "-", "*", "+", "1.", "2.", "1)", "10.", "0.", "123456789.", "1234567890.", "a.", "-1.", "01.", "١.") +
		a.pick(" ", " ", " ", "  ", "   ", "    ", "     ", "\t", "", " \t", "\t\t", "\u00a0") +
		a.pick("", "", "", "[ ] a ", "[x] b ", "[X] c ", "[x]d", "[ ]\te", "[\t] ", "[  ] ", "- ", "1. ", "> ", "# ", "~~~", "    ", "* ", "<b>", "---") + a.inline()
}

func (a awkward) html() string {
	name := a.pick("div", "details", "summary", "p", "b", "script", "pre", "style", "textarea", "search", "source", "table", "DIV", "center", "span", "h1", "img", "a", "menuitem", "sub", "frame", "Script", "hr", "br", "link", "custom-x", "dialog", "x", "main", "svg", "h7", "svg:a", "xmp", "iframe", "noframes", "plaintext")
	switch a.r.IntN(9) {
	case 0:
		return "<" + name + ">" + a.pick("", a.inline())
	case 1:
		return "</" + name + ">" + a.pick("", a.inline())
	case 2:
		return "<" + name + a.pick(" ", "\t", "", "  ", "\u00a0", "/") + a.pick("open>", "/>", ">", "a=b>", "a='b'>", "a=\"b>", "a = b >", "\n>", "a='\n'>", "_a=1 :b=2>", "a=`x`>", "1a>", "a==b>", "a\"b>", "*a*>", "a=b\tc>", "a='b'c='d'>", "a=b/>", "a/>") + a.pick("", "", " ", "\t", "x")
	case 3:
		return a.pick("<?", "<?php x ?>", "?>", "<? a", "<?x?> b")
	case 4:
		return a.pick("<!DOCTYPE html>", "<!doctype html>", "<!X", "<!x>", "<!A b", "<!1>", "<! X>", "<!DOCTYPE")
	case 5:
		return a.pick("<![CDATA[", "<![CDATA[ x ]]>", "]]>", "<![cdata[", "<![CDATA [")
	case 6:
		return a.pick("<", "< div>", "<>", "</>", "</ div>", "<1>", "<http://x.org>", "<a@b.org>", "</div x>", "</b x>", "</b >", "</b\t>", "</pre>", "x </script> y", "</STYLE>", "</textarea>", "<a\n b>", "</div", "<div", "<b", "<script", "<pre", "</pre", "</div/>", "<div/", "<div />x", "<b/>", "</b/>", "<b / >", "<div-x>", "<textarea", "<pre\t>", "<pre/>", "<prex>", "<script src=x></script> a", "<style> </style>", "<pre> a </script>", "<pre></pre >")
	default:
		return a.inline()
	}
}

func (a awkward) table() string {
	return a.pick("| a | b |", "|---|---|", "a | b", "---|---", "| - |", "|-", "-|", ":-: | -:", "| a |", "|", "||", "a \\| b | c", "`a | b` | c", "| --- |", "a|b|c", "-|-|-", ":-", "- | -", "|:--|", "| - | - |", " | a | b", "|-|-", "a |", "|a", "--- |", "\t| a | b |", "|---|---|x", "| [ ] | x |", "-:|:-:", "- -|-", "|\u00a0-|-|", "::-|-", "|+|-|", "- |")
}

// A definition is followed by text or a blank line: what an underline or an empty item right below
// one means is among the known differences.
func (a awkward) definition() string {
	return a.pick("", "", "\n") + a.pick("[a]: /x", "[a]:", "[RC-1]: /x", "[a]: /x 'y'", "[a]: /x 'y", "y'", "[a]: <x>", "[a]: <", "[a]: x y", "[a]", "[a\\]]: x", "[a]: \\x", "[ ]: x", "[]: x", "[a\nb]: x", "[d]: y", "[a]:x", "[a] : x", "[^1]: x", "[a]: /x \"y\" z", "[a]: (b", "[a]: b)", "[a]: (b)", "[a]: <b>c", "[a]: <b> 'c'", "[[a]]: x", "[a[]: x", "'t'", "\"t\" x", "(t)", "/x", "[a]: /x'y'", "[a]: <>", "[a]: /x\t'y'", "[a]:\u00a0/x") + a.pick("\n", "\nz\n")
}

func (a awkward) inline() string {
	var parts []string
	for range 1 + a.r.IntN(3) {
		part := a.pick(
			"Required check: `npm test`", "Verdict: passed", "text", "a", "b", "**b**", "*a", "_x_", "__", "`code`", "``a`b``", "`", " ~~s~~ ",
			"&amp;", "&nbsp;", "&#35;", "&bogus;", "&lt;b&gt;", "&copy", "&copyt;", "&#0;", "&#x1F600;", "&#99999999;", "&", "\\*", "\\[z]", "\\", "\\&amp;", "\\a",
			"[RC-1]", "[l](y)", "[l][a]", "[a]", "![i](y)", "[", "]", "](y)", "<b>", "</b>", "<br>", "<br/>", "<a b='c'>", "<!-- c -->", "<? p ?>", "<!X y>",
			"<![CDATA[y]]>", "<http://x.org>", "<b", "{", "|", "\u00a0", "\u3000", "\u200b", "é", " \U0001F600 ", ":tada:", "#", "# x", "1. x", "- x", "> x", "\t", "x  y",
			"***x***", "**a*b**", "a*b*c", "a_b_c", "*(x)*", "\"q\"", "<x@y.z>", "[l](<y> 'z')", "[l](y", "(z)", "-->", "`<b`>", "<a href=\"`\">`", "x@")
		if a.chance(5) {
			// Where a bare address ends is left out: links and texts mean the same to the readers.
			part = " " + a.pick("http://x.org/a_b", "www.x.org", "me@x.org", "https://x.org/?a=b", "ftp://x.org") + " "
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, a.pick(" ", " ", "", "\t", "\n", "\n  "))
}
