package criteria

import (
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
)

// Forms of evidence.
const (
	checkForm   = "check"
	testForm    = "test"
	commandForm = "command"
	prForm      = "pr"
	manualForm  = "manual"
)

// named are the forms that name something after a colon.
var named = map[string]bool{checkForm: true, testForm: true, commandForm: true}

// evidence is one evidence of an entry. Its first line says what proves the criterion: check:RC-1,
// test:NAME or test:NAME in RC-1, command:COMMAND, pr or manual, where a name or command may be a code
// span. What stands after a code span, after the id of a check and after pr or manual is free text, and
// so are the lines below.
type evidence struct {
	where report.Where
	lines []markdown.Line // without the label

	form string
	ref  string        // what check:, test: or command: names
	in   string        // id of the check that a test is said to stand in
	rest markdown.Line // of the first line
}

// parse reads the first line. form stays empty when it is none of the five.
func (v *evidence) parse() {
	l := v.lines[0].Trim()
	v.rest = l
	start := markdown.LeadingEmoji(l.Text)
	if at, width := colon(l.Text[start:min(len(l.Text), start+maxLabel)]); width > 0 {
		if form := checkline.Fold(l.Text[start : start+at]); named[form] {
			v.form = form
			v.reference(l, start+at+width)
			return
		}
	}
	word := l.Text[start:]
	if i := strings.IndexFunc(word, func(r rune) bool { return r > 'z' || r < 'A' }); i >= 0 {
		word = word[:i]
	}
	if form := strings.ToLower(word); form == prForm || form == manualForm {
		v.form = form
		v.rest = l.TrimFrom(start + len(word))
	}
}

// reference reads what stands after the colon: a code span, the id of a check, or the whole line.
func (v *evidence) reference(l markdown.Line, at int) {
	for at < len(l.Text) && l.Text[at] == ' ' {
		at++
	}
	v.ref, v.rest = strings.TrimSpace(l.Text[at:]), l.Slice(len(l.Text), len(l.Text))
	if end, ok := codeEnd(l, at); ok {
		v.ref, v.rest = markdown.Squeeze(l.Text[at:end]), l.TrimFrom(end)
	} else if word, _, _ := strings.Cut(v.ref, " "); v.form == checkForm && checkID(word) != "" {
		v.ref, v.rest = checkID(word), l.TrimFrom(at+len(word))
	}
	if v.form == testForm {
		v.readIn()
	}
}

// codeEnd is the end of the code span that stands at a place, or around it.
func codeEnd(l markdown.Line, at int) (int, bool) {
	for _, s := range l.Code {
		if s.Start <= at && at < s.End {
			return s.End, true
		}
		if s.Start > at {
			break
		}
	}
	return 0, false
}

// checkID reads the id of a check with the brackets or punctuation around it.
func checkID(word string) string { return checkline.ID(strings.Trim(word, "[]().,;:—–")) }

// readIn reads `in RC-1` after the name of a test.
func (v *evidence) readIn() {
	if v.rest.Text != "" {
		if word, after, _ := strings.Cut(v.rest.Text, " "); strings.EqualFold(word, "in") {
			word, _, _ = strings.Cut(after, " ")
			v.in = checkID(word)
		}
		return
	}
	if i := strings.LastIndexByte(v.ref, ' '); i > 0 && checkID(v.ref[i+1:]) != "" {
		if name, ok := strings.CutSuffix(v.ref[:i], " in"); ok {
			v.in, v.ref = checkID(v.ref[i+1:]), strings.TrimSpace(name)
		}
	}
}

// empty reports whether the evidence says nothing, or only a placeholder.
func (v *evidence) empty() bool { return len(v.lines) == 0 || prbody.Placeholder(v.lines[0].Text) }

// free is the free text of the evidence.
func (v *evidence) free() string {
	parts := []string{v.rest.Text}
	for _, l := range v.lines[min(1, len(v.lines)):] {
		parts = append(parts, l.Text)
	}
	return strings.TrimSpace(strings.Join(parts, "\n"))
}

// paths are the words and code spans of the free text, any of which may name a file.
func (v *evidence) paths(try func(path string) bool) bool {
	lines := append([]markdown.Line{v.rest}, v.lines[min(1, len(v.lines)):]...)
	for _, l := range lines {
		for _, s := range l.Code {
			if try(l.CodeText(s)) {
				return true
			}
		}
		for _, word := range strings.FieldsFunc(l.Text, func(r rune) bool { return r == ' ' || r == ',' || r == ';' || r == '\n' || r == '\t' }) {
			if try(word) {
				return true
			}
		}
	}
	return false
}
