package attempts

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// Command is a /triage line (A6): a maintainer's decision about one attempt.
type Command struct {
	Check          string // RC-<n>
	Attempt        int64
	Classification string // one of Classifications
	Reference      string // None when the classification takes none
	Reason         string // "" for Pending
}

// CommandLine is a line of a comment that starts with /triage. Err says what is wrong with it, and
// the line to write instead.
type CommandLine struct {
	Line    int // 1-based
	Text    string
	Command Command
	Err     error
}

// commandWord starts the line of a command.
const commandWord = "/triage"

// Commands are the /triage lines of a comment: at the start of a line of live text that is not
// part of a list, a quote or a code span. A comment that cannot be read as Markdown has none.
func Commands(body string) []CommandLine {
	if !strings.Contains(strings.ToLower(body), commandWord) {
		return nil
	}
	d, err := markdown.Parse(body)
	if err != nil {
		return nil
	}
	var out []CommandLine
	for _, b := range d.Blocks() {
		if b.Kind() != markdown.Paragraph || !strings.Contains(strings.ToLower(b.Raw()), commandWord) {
			continue
		}
		for _, l := range b.Lines() {
			if !startsCommand(l.Text) || l.InCode(strings.IndexByte(l.Text, '/')) {
				continue
			}
			c := CommandLine{Line: l.Position(0).Line, Text: l.Text}
			c.Command, c.Err = ReadCommand(l.Text)
			out = append(out, c)
		}
	}
	return out
}

func startsCommand(line string) bool {
	word, _ := cutWord(line)
	return strings.EqualFold(word, commandWord)
}

// cutWord parts a text after its first word.
func cutWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t")
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i], strings.TrimLeft(s[i:], " \t")
	}
	return s, ""
}

// ReadCommand reads one line, such as
//
//	/triage RC-1 attempt 1 one_off because the build host ran out of disk
//	/triage RC-1 attempt 1 follow_up issue:#12 because the cache is flaky
//	/triage RC-1 attempt 1 pending
//
// Case and white space do not matter; every part must be there. The error names the part that is
// wrong and the line to write.
func ReadCommand(line string) (Command, error) {
	c := Command{Reference: None}
	if _, r, found := markdown.FirstInvisible(line); found {
		return c, fmt.Errorf("the line holds the invisible character U+%04X; write it anew", r)
	}
	word, rest := cutWord(line)
	if !strings.EqualFold(word, commandWord) {
		return c, c.wrong("the line does not start with " + commandWord)
	}
	word, rest = cutWord(rest)
	id := checkline.ID(strings.Trim(word, "[]"))
	if id == "" {
		return c, c.wrong(fmt.Sprintf("expected the id of a check, found %q", printable(word)))
	}
	c.Check = id
	if word, rest = cutWord(rest); !strings.EqualFold(word, "attempt") {
		return c, c.wrong(fmt.Sprintf("expected the word attempt, found %q", printable(word)))
	}
	word, rest = cutWord(rest)
	n, fault := number(word)
	if fault != "" {
		return c, c.wrong("the number of the attempt: " + fault)
	}
	c.Attempt = n
	if rest = c.classify(rest); c.Classification == "" {
		word, _ = cutWord(rest)
		return c, c.wrong(fmt.Sprintf("expected one of %s, found %q", strings.Join(Classifications, ", "), printable(word)))
	}
	return c.because(rest)
}

// classify reads the classification, in one word or in two ("one off").
func (c *Command) classify(rest string) string {
	first, after := cutWord(rest)
	second, afterBoth := cutWord(after)
	for _, class := range Classifications {
		switch {
		case checkline.Fold(first) == class:
			c.Classification = class
			return after
		case second != "" && checkline.Fold(first+" "+second) == class:
			c.Classification = class
			return afterBoth
		}
	}
	return rest
}

// because reads the reference, where the classification takes one, and the reason.
func (c Command) because(rest string) (Command, error) {
	word, after := cutWord(rest)
	if allowed := forms[c.Classification]; len(allowed) > 0 && !strings.EqualFold(word, "because") {
		if word == "" {
			return c, c.wrong(fmt.Sprintf("%s needs a reference: %s", c.Classification, shapes(allowed)))
		}
		c.Reference = word
		word, after = cutWord(after)
	} else if len(allowed) > 0 {
		return c, c.wrong(fmt.Sprintf("%s needs a reference before the word because: %s", c.Classification, shapes(allowed)))
	}
	if word == "" && c.Classification == Pending {
		return c, nil
	}
	if !strings.EqualFold(strings.TrimRight(word, ":,"), "because") {
		return c, c.wrong(fmt.Sprintf("expected the word because, found %q", printable(word)))
	}
	c.Reason = markdown.Squeeze(after)
	if c.Classification != Pending && placeholder(c.Reason) {
		return c, c.wrong("the reason is missing")
	}
	if c.Classification == OneOff && !explains(c.Reason) {
		return c, c.wrong(fmt.Sprintf("the reason does not say what happened: %q", printable(c.Reason)))
	}
	return c, nil
}

// wrong is an error that shows the right line, with the parts that were understood.
func (c Command) wrong(what string) error {
	if c.Check == "" {
		c.Check = "RC-1"
	}
	if c.Attempt == 0 {
		c.Attempt = 1
	}
	if c.Classification == "" {
		c.Classification = OneOff
	}
	reference := ""
	if example := exampleReference[c.Classification]; example != "" {
		reference = " " + example
	}
	tail := " because the build host ran out of disk"
	if c.Classification == Pending {
		tail = ""
	}
	return errors.New(what + "; write: " + fmt.Sprintf("%s %s attempt %d %s%s%s", commandWord, c.Check, c.Attempt, c.Classification, reference, tail))
}

var exampleReference = map[string]string{ProjectFact: "VF-full-suite", Decision: "D-1", FollowUp: "issue:#12", Blocker: "blocker:database"}

// String is the line that says the command.
func (c Command) String() string {
	parts := []string{commandWord, c.Check, "attempt", strconv.FormatInt(c.Attempt, 10), c.Classification}
	if len(forms[c.Classification]) > 0 {
		parts = append(parts, c.Reference)
	}
	if c.Reason != "" {
		parts = append(parts, "because", c.Reason)
	}
	return strings.Join(parts, " ")
}

// Triage is what the app appends to the carrier for the command (A12): at is when its comment was
// written, and comment that comment's id.
func (c Command) Triage(at time.Time, comment int64) Triage {
	return Triage{
		Attempt: c.Attempt, Classification: c.Classification, Reference: c.Reference, Reason: c.Reason,
		TriagedBy: Maintainer, TriagedAt: at.UTC().Format(time.RFC3339), Comment: strconv.FormatInt(comment, 10),
	}
}

// says reports whether a triage of a check says the same as the command.
func (c Command) says(check string, t *subsection) bool {
	reference := t.get(triageReference)
	return c.Check == check && c.Attempt == t.number && c.Classification == t.get(triageClassification) &&
		(c.Reference == reference || c.Reference == None && checkline.Fold(reference) == None) && c.Reason == t.get(triageReason)
}
