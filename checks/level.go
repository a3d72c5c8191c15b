package checks

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// levelLabel starts the line with which a task says how much it asks for (section 9).
const levelLabel = "verification"

// judgeLevel reads the task's own level: it may raise what the policy asks for; lowering counts only
// from a maintainer's revision (section 9).
func (e *evaluation) judgeLevel() bool {
	e.level = e.policy.Level
	issue := e.snapshot.Issue
	if e.offline || issue == nil || issue.Body == nil {
		return true
	}
	line, found := taskLevel(*issue.Body)
	if !found {
		return true
	}
	own, known := policy.ParseLevel(line.value)
	if !known {
		if near := nearestLevel(line.value); near != "" {
			e.add(levelUnknown(line, near))
			return false
		}
		return true // a sentence that happens to start with the word
	}
	if raised := e.level.Join(own); raised == own || !e.loweredByMaintainer(*issue, own) {
		e.level = raised
	} else {
		e.level = e.policy.Floor.Under(own)
	}
	e.report.Level = string(e.level)
	if e.level == policy.LevelOff {
		e.neutral = "a maintainer set the level off in the task"
		return false
	}
	return true
}

// levelLine is a task's line about its level.
type levelLine struct {
	value string
	where report.Where
}

// taskLevel finds the first such line: a paragraph's or list item's at the top level of the task.
func taskLevel(body string) (levelLine, bool) {
	if !strings.Contains(strings.ToLower(body), levelLabel) {
		return levelLine{}, false
	}
	d, err := markdown.Parse(body)
	if err != nil {
		return levelLine{}, false // judged as the contract is read
	}
	for _, b := range d.Blocks() {
		lines := b.Lines()
		if b.Kind() == markdown.List {
			for _, item := range b.Children() {
				for _, c := range item.Children() {
					lines = append(lines, c.Lines()...)
				}
			}
		} else if b.Kind() != markdown.Paragraph {
			continue
		}
		for _, l := range lines {
			label, value, labelled := strings.Cut(strings.ReplaceAll(l.Text, "：", ":"), ":")
			if labelled && strings.EqualFold(strings.TrimSpace(label), levelLabel) {
				value = strings.ToLower(strings.Join(strings.Fields(value), ""))
				return levelLine{strings.TrimSuffix(value, "."), lineWhere(l)}, true
			}
		}
	}
	return levelLine{}, false
}

// nearestLevel is the level that a misspelt one is within two edits of, else empty.
func nearestLevel(value string) policy.Level {
	for _, l := range policy.Levels()[1:] {
		if len(value) < 2*len(l) && markdown.Distance(value, string(l)) <= 2 {
			return l
		}
	}
	return ""
}

func levelUnknown(line levelLine, near policy.Level) report.Diagnostic {
	d := report.New(report.CodeContractAnnotationUnknown, fmt.Sprintf("%q is no level; did you mean %q?", firstWords(line.value), near))
	d.Help = "Verification: " + string(near)
	return at(d, line.where)
}

// loweredByMaintainer reports whether the revision that gave the task its level is a maintainer's.
func (e *evaluation) loweredByMaintainer(issue snapshot.Issue, own policy.Level) bool {
	hand, left := issue.Author, maxHistoryBytes
	for i := len(issue.Revisions) - 1; i >= 0; i-- {
		body := issue.Revisions[i].Body
		if body == nil {
			return false
		}
		if left -= len(*body); left < 0 {
			return false
		}
		line, _ := taskLevel(*body)
		if l, known := policy.ParseLevel(line.value); !known || l != own {
			break
		}
		hand = issue.Revisions[i].Editor
	}
	return e.policy.Roles.Maintainer(hand)
}
