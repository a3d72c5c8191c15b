// Package command carries out the slash commands that people write in comments and their presses of a
// check run's buttons (design section 14; A6, A7, A12 and section 10 for what they mean): it finds
// them, decides whose count, does what they say and answers each comment once, by a reaction and, where
// it was not done, by one reply. A press is answered only where it was not done.
//
// What GitHub shows decides whether something was done before: a carrier that names the comment, a
// reply that is marked with it. So a process that is killed between writing and recording does
// nothing twice. What an attempt or a triage is, is left to package attempts; who is a maintainer, to
// package policy; and whether an approval or an acceptance counts, to the engine: it is asked whether it
// would.
package command

import (
	"slices"
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

// names lists every command.
var names = []Name{Triage, AcceptLoss, Evaluate, Approve, AcceptContract, ConfirmContract, NeedsHuman, Override}

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
	if !slices.Contains(names, name) {
		return Command{}, false
	}
	return Command{Name: name, Text: line.Text, Line: line.Position(0).Line}, true
}
