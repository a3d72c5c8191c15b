package checks

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/report"
)

// FactIndex finds the fact of a verification profile that is about a check's command (section 7). The
// profile names exact commands; a check may spell one as the same command (section 5, rule 4).
type FactIndex struct {
	facts  []profile.Fact
	exact  map[string]int
	parsed map[string]map[string]int // identity of a command -> version of its runtime -> fact
	tried  int                       // commands that were parsed to be looked up
}

// NewFactIndex indexes the facts that name a command. Of two for one command the first is found.
func NewFactIndex(p profile.Profile) *FactIndex {
	x := &FactIndex{facts: p.Facts, exact: make(map[string]int, len(p.Facts)), parsed: map[string]map[string]int{}}
	for i, f := range p.Facts {
		text := checkline.Squeeze(f.Command)
		if _, again := x.exact[text]; again || text == "" {
			continue
		}
		x.exact[text] = i
		if i >= maxCommands {
			continue
		}
		if words, ok := simpleWords(text); ok {
			key, version := identity(words)
			if x.parsed[key] == nil {
				x.parsed[key] = map[string]int{}
			}
			if _, again := x.parsed[key][version]; !again {
				x.parsed[key][version] = i
			}
		}
	}
	return x
}

// For is the fact about a command as a Report shows it, nil when there is none.
func (x *FactIndex) For(command string) *report.Fact {
	if x == nil || command == "" || len(x.facts) == 0 {
		return nil
	}
	command = checkline.Squeeze(command)
	i, ok := x.exact[command]
	if !ok {
		i, ok = x.same(command)
	}
	if !ok {
		return nil
	}
	f := x.facts[i].Report()
	return &f
}

// same looks a command up by its words: with the same version of its runtime, else with none on one
// side. Which of several versions a command without one means is not known.
func (x *FactIndex) same(command string) (int, bool) {
	if x.tried++; x.tried > maxCommands {
		return 0, false
	}
	words, ok := simpleWords(command)
	if !ok {
		return 0, false
	}
	key, version := identity(words)
	versions := x.parsed[key]
	if i, ok := versions[version]; ok {
		return i, true
	}
	if version != "" {
		i, ok := versions[""]
		return i, ok
	}
	if len(versions) != 1 {
		return 0, false
	}
	for _, i := range versions {
		return i, true
	}
	return 0, false
}

// factComment is what is known of a check's command, for whoever fills its entry: an HTML comment,
// which is no live text (M4) and so is no field of the entry.
func factComment(f *report.Fact) string {
	return fmt.Sprintf("<!-- %s: strategy %s, timeout %s, host ceiling %s -->", f.ID, orUnknown(f.Strategy), inMilliseconds(f.TimeoutMS), inMilliseconds(f.HostCeilingMS))
}

// orUnknown is a value of a fact, or that nobody knows it.
func orUnknown(value string) string {
	if value == "" {
		return "unknown"
	}
	return value
}

func inMilliseconds(value string) string {
	if value = orUnknown(value); value[0] >= '0' && value[0] <= '9' {
		return value + " ms"
	}
	return value
}

// askedComment is what the check's method asks for, for whoever fills its entry.
func (c *RequiredCheck) askedComment() string {
	switch {
	case c.Method == logMatch && !strings.Contains(c.Pattern, "--"):
		return "<!-- the evidence must match: " + checkline.Squeeze(c.Pattern) + " -->"
	case c.Method == logMatch:
		return "<!-- the evidence must match the pattern that the task gives -->"
	case c.Method == artifactLink:
		return "<!-- the evidence must link to the stored artifact, or say: URL: and its address -->"
	case c.needsPerson():
		return "<!-- a maintainer approves the head besides -->"
	}
	return ""
}
