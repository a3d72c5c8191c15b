// Package command carries out the slash commands that maintainers write in comments (design section
// 14, Slash commands; A6, A7 and A12 for what they mean): it finds them, decides whose count, does
// what they say and answers each comment once, by a reaction and, where it was not done, by one reply.
//
// What GitHub shows decides whether something was done before: a carrier that names the comment, a
// reply that is marked with it. So a process that is killed between writing and recording does
// nothing twice. What an attempt or a triage is, is left to package attempts; who is a maintainer, to
// package policy.
package command

import (
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// Name is the word of a command, without its slash.
type Name string

// The commands of the design, and /accept-loss for what A7 lets a maintainer accept.
const (
	Triage     Name = "triage"
	AcceptLoss Name = "accept-loss"
	Evaluate   Name = "evaluate"

	Approve         Name = "approve"
	AcceptContract  Name = "accept-contract"
	ConfirmContract Name = "confirm-contract"
	NeedsHuman      Name = "needs-human"
	Override        Name = "override"
)

// names lists every command, and whether this version carries it out.
var names = map[Name]bool{
	Triage: true, AcceptLoss: true, Evaluate: true,
	Approve: false, AcceptContract: false, ConfirmContract: false, NeedsHuman: false, Override: false,
}

// maxPerComment bounds the commands that are carried out of one comment.
const maxPerComment = 10

// Command is one command as it stands in a comment.
type Command struct {
	Name Name
	Text string // the whole line, beginning with the slash
	Line int    // in the comment, 1 for the first
}

// Find lists the commands of a comment: lines of live text that begin with a slash and the word of a
// command. Text in quotes, lists, code and HTML is none, so that a command can be talked about. A
// comment that cannot be read as Markdown has none.
func Find(body string) []Command {
	if !strings.Contains(body, "/") {
		return nil
	}
	document, err := markdown.Parse(body)
	if err != nil {
		return nil
	}
	var found []Command
	for _, block := range document.Blocks() {
		if block.Kind() != markdown.Paragraph {
			continue
		}
		for _, line := range block.Lines() {
			if c, ok := read(line.Trim()); ok {
				found = append(found, c)
			}
		}
	}
	return found
}

func read(line markdown.Line) (Command, bool) {
	if !strings.HasPrefix(line.Text, "/") || line.InCode(0) {
		return Command{}, false
	}
	word, _, _ := strings.Cut(line.Text[1:], " ")
	name := Name(strings.ToLower(word))
	if _, known := names[name]; !known {
		return Command{}, false
	}
	return Command{Name: name, Text: line.Text, Line: line.Position(0).Line}, true
}
