package github

import (
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// markerWord is part of every marker of design section 6.
const markerWord = "AGENTIC_LOOP_VERIFICATION_"

// commandWords are the slash commands of design section 14.
var commandWords = []string{"triage", "approve", "accept-contract", "confirm-contract", "needs-human", "override", "evaluate", "accept-loss"}

// speaks reports whether a text may count by who wrote it: it holds a marker, or a command at the
// start of a line. It is wider than the rules for either, since a role that is read and not needed
// does no harm.
func speaks(text string) bool {
	return strings.Contains(text, markerWord) || commands(text)
}

func commands(text string) bool {
	text = strings.ToLower(text)
	for start := 0; ; {
		at := strings.IndexByte(text[start:], '/')
		if at < 0 {
			return false
		}
		before, after := text[start:start+at], text[start+at+1:]
		start += at + 1
		if !slices.ContainsFunc(commandWords, func(word string) bool { return strings.HasPrefix(after, word) }) {
			continue
		}
		if line := strings.TrimRight(before, " \t"); line == "" || strings.HasSuffix(line, "\n") || strings.HasSuffix(line, "\r") {
			return true
		}
	}
}

// speakers are the authors and editors of the comments that may count by who wrote them.
func speakers(s *snapshot.Snapshot) people {
	all := people{}
	comments := s.Comments
	if s.Issue != nil {
		comments = slices.Concat(s.Issue.Comments, s.Comments)
	}
	for _, c := range comments {
		texts := []string{c.Body}
		hands := []*snapshot.Actor{c.Author}
		for _, r := range c.Revisions {
			hands = append(hands, r.Editor)
			if r.Body != nil {
				texts = append(texts, *r.Body)
			}
		}
		if slices.ContainsFunc(texts, speaks) {
			all.add(hands...)
		}
	}
	return all
}

// people are accounts by their login in lower case.
type people map[string]*snapshot.Actor

func (p people) add(actors ...*snapshot.Actor) {
	for _, a := range actors {
		if a != nil {
			p[strings.ToLower(a.Login)] = a
		}
	}
}
