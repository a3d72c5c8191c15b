package verify

import (
	"fmt"
	"io"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/verify/tamper"
)

// headline is the result in one sentence.
func (r Result) headline() string {
	passed := 0
	for _, s := range r.Steps {
		if s.Status == Passed {
			passed++
		}
	}
	ran := fmt.Sprintf("%s passed in %s", counted(passed, "step"), shownMS(r.DurationMS))
	switch {
	case r.Outcome == Green:
		return ran
	case r.Outcome == Partial:
		return ran + ", of a part of the steps: this is not done"
	case r.Outcome == Changed:
		return "the steps are not those that were agreed to, so nothing ran"
	case r.Outcome == Refused && len(r.Warnings) > 0:
		return r.Warnings[0]
	case r.Interrupted() && r.Failure.Step == "":
		return r.Failure.Reason
	case r.Failure != nil:
		return fmt.Sprintf("%s: %s", r.Failure.Step, r.Failure.Reason)
	}
	return ""
}

// Text writes the result for people.
func (r Result) Text(to io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Outcome, plainLine(r.headline()))
	r.table(&b)
	if r.Outcome == Changed {
		r.changed(&b)
	}
	r.base(&b)
	for _, s := range r.Steps {
		if s.Status == StepFailed {
			s.details(&b)
		}
	}
	if r.Outcome == Green || r.Outcome == Partial || r.Outcome == Failed {
		fmt.Fprintf(&b, "\ntamper check: %s\n", tamperWords[r.TamperCheck])
	}
	for i, w := range r.Warnings {
		if r.Outcome != Refused || i > 0 {
			fmt.Fprintf(&b, "warning: %s\n", plainLine(w))
		}
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// tamperWords are the results of the tamper check for people.
var tamperWords = map[string]string{
	tamper.OK:         "ok",
	tamper.FileOnly:   "file-only (the policy file's digest is right; there is no copy outside to compare)",
	tamper.FirstUse:   "first-use (the steps are remembered from now on)",
	tamper.NotChecked: "not-checked",
}

// table lists the steps with how they ended.
func (r Result) table(b *strings.Builder) {
	if len(r.Steps) == 0 {
		return
	}
	names := 0
	for _, s := range r.Steps {
		names = max(names, len([]rune(plainLine(s.Name))))
	}
	b.WriteString("\n")
	for _, s := range r.Steps {
		rest := s.Reason
		if s.Status != Skipped {
			rest = shownMS(s.DurationMS)
		}
		if s.Ended > 0 {
			rest += fmt.Sprintf("  (ended %s that it left running)", counted(s.Ended, "process"))
		}
		fmt.Fprintf(b, "  %-8s  %-9s  %s  %-7s  %s\n", s.Phase, s.Layer, padded(plainLine(s.Name), names), s.Status, plainLine(rest))
	}
}

// details say what a failed step did.
func (s StepResult) details(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s\n  command: %s\n  failure: %s, %s\n", plainLine(s.Name), indented(render.Plain(s.command())), s.Failure, plainLine(s.Reason))
	if s.Log != "" {
		fmt.Fprintf(b, "  log: %s\n", s.Log)
	}
	if s.OutputEnd != "" {
		b.WriteString("  end of output:\n")
		for line := range strings.SplitSeq(s.OutputEnd, "\n") {
			b.WriteString(strings.TrimRight("    | "+line, " ") + "\n")
		}
	}
}

// copyWords are the copies of the digest for people.
var copyWords = map[string]string{
	tamper.File:    "the line digest: of the policy file",
	tamper.Outside: "the copy outside the project",
}

// changed says which copy disagrees and what was changed.
func (r Result) changed(b *strings.Builder) {
	b.WriteString("\n")
	for _, c := range r.Copies {
		fmt.Fprintf(b, "  %s disagrees\n", copyWords[c])
	}
	writeChanges(b, r.Changes)
	b.WriteString("\nhelp: when a person agrees to that: github-preflight verify --accept-changes\n")
}

func writeChanges(b *strings.Builder, changes []tamper.Change) {
	for _, c := range changes {
		fmt.Fprintf(b, "  %s\n", plainLine(c.String()))
	}
}

// base says whose steps ran, and what the working tree would change about them.
func (r Result) base(b *strings.Builder) {
	if r.Base == nil {
		return
	}
	fmt.Fprintf(b, "\nsteps of: %.12s, the merge base with %s\n", r.Base.Commit, plainLine(r.Base.Ref))
	if len(r.Base.Changes) > 0 {
		b.WriteString("the working tree would change them, which did not count:\n")
		writeChanges(b, r.Base.Changes)
	}
}

// Accepting writes what a person is about to accept, values included.
func Accepting(to io.Writer, changes []tamper.Change) error {
	var b strings.Builder
	if len(changes) == 0 {
		b.WriteString("accepting the steps as they are: no copy to compare them with, or nothing changed\n")
	} else {
		b.WriteString("accepting these changes of the steps:\n")
	}
	for _, c := range changes {
		fmt.Fprintf(&b, "  %s\n", plainLine(c.String()))
		for _, f := range c.Fields {
			if f.Was != "" {
				fmt.Fprintf(&b, "    - %s: %s\n", f.Name, plainLine(f.Was))
			}
			if f.Is != "" {
				fmt.Fprintf(&b, "    + %s: %s\n", f.Name, plainLine(f.Is))
			}
		}
	}
	_, err := io.WriteString(to, b.String())
	return err
}

// plainLine is a text on one line that a terminal obeys in nothing.
func plainLine(s string) string { return strings.Join(strings.Fields(render.Plain(s)), " ") }

func padded(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-len([]rune(s))))
}

func indented(s string) string { return strings.ReplaceAll(s, "\n", "\n    ") }
