package main

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
)

// copyable is a form that everybody can copy. A character that nobody can type or see has no place in
// it: a terminal would obey it, and with another character in its place a copy would not match the
// check. Then there is no section, and the task's maintainer is told where the character stands.
func copyable(f checks.Form, task string) checks.Form {
	text := f.Text()
	what := "bytes that are no UTF-8"
	if utf8.ValidString(text) {
		at := strings.IndexFunc(text, untypable)
		if at < 0 {
			return f
		}
		r, _ := utf8.DecodeRuneInString(text[at:])
		what = fmt.Sprintf("the control character U+%04X", r)
	}
	d := report.New(report.CodeTextInvisibleCharacter,
		fmt.Sprintf("the text of a check or criterion holds %s, which nobody can type: there is no form that could be copied", what))
	d.Owner = report.Maintainer
	d.Help = "delete the character; writing the line anew is often the quickest way"
	d.Where = whereUntypable(task)
	f.Section, f.Diagnostics = "", append(f.Diagnostics, d)
	return f
}

// untypable are control characters; a tab and a line break are none.
func untypable(r rune) bool { return unicode.IsControl(r) && r != '\t' && r != '\n' }

// whereUntypable is the first place of a task that holds such a character, nil when it came from
// elsewhere.
func whereUntypable(task string) *report.Where {
	for i, line := range strings.Split(strings.ReplaceAll(task, "\r\n", "\n"), "\n") {
		at := strings.IndexFunc(line, func(r rune) bool { return untypable(r) && r != '\r' || r == utf8.RuneError })
		if at >= 0 {
			return &report.Where{Document: "issue.body", Line: i + 1, Column: utf8.RuneCountInString(line[:at]) + 1}
		}
	}
	return nil
}
