package checks

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// levelLabel starts the line with which a task says how much it asks for (section 9).
const levelLabel = "verification"

// judgeLevel reads the task's own level: it may raise what the policy asks for; lowering counts only
// from a maintainer's revision, and taking a raised level back is lowering (section 9).
func (e *evaluation) judgeLevel() bool {
	e.level = e.policy.Level
	issue := e.snapshot.Issue
	if issue == nil || issue.Body == nil {
		return true
	}
	now := e.taskLevel(*issue.Body)
	if now.fault != nil {
		e.add(*now.fault)
		return false
	}
	if now.found || len(issue.Revisions) > 0 {
		e.level = e.levelByHistory(*issue, now)
	}
	e.report.Level = string(e.level)
	if e.level == policy.LevelOff {
		e.neutral = "a maintainer set the level off in the task"
		return false
	}
	return true
}

// levelByHistory follows the task's level from its first text to the present one.
func (e *evaluation) levelByHistory(issue snapshot.Issue, now levelLine) policy.Level {
	steps := issue.Revisions
	if len(steps) == 0 {
		steps = []snapshot.Revision{{Editor: issue.Author, Body: issue.Body}}
	} else if last := steps[len(steps)-1].Body; last != nil && e.taskLevel(*last) != now {
		steps = append(slices.Clone(steps), snapshot.Revision{Body: issue.Body}) // by a hand that nobody can name
	}
	level, was := e.policy.Level, levelLine{}
	left, sure := maxHistoryBytes, true // sure: no text was erased since the line was last read
	for _, step := range steps {
		if step.Body == nil {
			sure = sure && e.policy.Roles.Maintainer(step.Editor)
			continue
		}
		if left -= len(*step.Body); left < 0 {
			return level.Join(e.asked(now))
		}
		line := e.taskLevel(*step.Body)
		if line != was {
			level = e.levelAfter(level, line, sure && e.policy.Roles.Maintainer(step.Editor))
		}
		was, sure = line, true
	}
	return level
}

// levelAfter is the level once a hand has changed the task's line.
func (e *evaluation) levelAfter(level policy.Level, line levelLine, maintainer bool) policy.Level {
	asked := e.asked(line)
	if !maintainer || asked.AtLeast(level) || line.loose {
		return level.Join(asked)
	}
	return e.policy.Floor.Under(asked)
}

// asked is what a task's line asks for, the policy's level where there is none.
func (e *evaluation) asked(line levelLine) policy.Level {
	if !line.found {
		return e.policy.Level
	}
	return line.level
}

// levelLine is what a text of the task says about its level.
type levelLine struct {
	level policy.Level
	found bool
	loose bool               // more text follows the level, so that it may only raise
	fault *report.Diagnostic // a line that was meant as one; only of the present text
}

// taskLevel reads the level of a text: of several lines the one that asks for everything.
func (e *evaluation) taskLevel(body string) levelLine {
	var out levelLine
	if !mayName(body, levelLabel) {
		return out
	}
	d, err := markdown.Parse(body)
	if err != nil {
		return out // refused as the contract is read
	}
	present := e.snapshot.Issue.Body != nil && body == *e.snapshot.Issue.Body
	for _, l := range topLines(d) {
		label, value, labelled := strings.Cut(strings.ReplaceAll(l.Text, "：", ":"), ":")
		if !labelled || !strings.EqualFold(markdown.Title(markdown.StripInvisible(label)), levelLabel) {
			continue
		}
		level, loose, known := readLevel(markdown.StripInvisible(value))
		switch near := nearestLevel(value); {
		case known && out.found:
			out.level, out.loose = out.level.Join(level), true
		case known:
			out.level, out.loose, out.found = level, loose, true
		case near != "" && present && out.fault == nil:
			fault := levelUnknown(value, near, lineWhere(l))
			out.fault = &fault
		}
		if _, c, hidden := markdown.FirstInvisible(l.Text); hidden && known && present && out.fault == nil {
			fault := prbody.Invisible(c)
			fault.Owner = report.Maintainer
			fault = at(fault, lineWhere(l))
			out.fault = &fault
		}
	}
	return out
}

// mayName reports without parsing whether a word may stand in a text, whatever is hidden in it.
func mayName(text, word string) bool {
	return strings.Contains(strings.ToLower(markdown.StripInvisible(text)), word)
}

// topLines are the lines of the paragraphs and list items at the top level of a document.
func topLines(d *markdown.Document) []markdown.Line {
	var lines []markdown.Line
	for _, b := range d.Blocks() {
		switch b.Kind() {
		case markdown.Paragraph:
			lines = append(lines, b.Lines()...)
		case markdown.List:
			for _, item := range b.Children() {
				for _, c := range item.Children() {
					if c.Kind() == markdown.Paragraph {
						lines = append(lines, c.Lines()...)
					}
				}
			}
		}
	}
	return lines
}

var levelWords = regexp.MustCompile(`^(off|checks(?:\s*\+\s*(?:review|human))*)(?:$|[^a-z0-9+])`)

// readLevel reads a level at the start of a text, its parts in any order. loose reports that more
// than punctuation follows.
func readLevel(text string) (level policy.Level, loose, known bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	text = strings.TrimSpace(text[markdown.LeadingEmoji(text):])
	found := levelWords.FindStringSubmatch(text)
	if found == nil {
		return "", false, false
	}
	loose = strings.Trim(text[len(found[1]):], " .,;!") != ""
	if found[1] == "off" {
		return policy.LevelOff, loose, !loose
	}
	level = policy.LevelChecks
	if strings.Contains(found[1], "review") {
		level = level.Join(policy.LevelChecksReview)
	}
	if strings.Contains(found[1], "human") {
		level = level.Join(policy.LevelChecksHuman)
	}
	return level, loose, true
}

// nearestLevel is the level that a misspelt one is within two edits of, else empty.
func nearestLevel(value string) policy.Level {
	value = strings.ToLower(strings.Join(strings.Fields(value), ""))
	for _, l := range policy.Levels()[1:] {
		if len(value) < 2*len(l) && markdown.Distance(value, string(l)) <= 2 {
			return l
		}
	}
	return ""
}

func levelUnknown(value string, near policy.Level, w report.Where) report.Diagnostic {
	d := report.New(report.CodeContractAnnotationUnknown, fmt.Sprintf("%q is no level; did you mean %q?", firstWords(value), near))
	d.Help = "Verification: " + string(near)
	return at(d, w)
}
