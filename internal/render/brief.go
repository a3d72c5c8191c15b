package render

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/evidence-gate/evidence-gate/report"
)

// BriefFacts are what the writer of a pull request's evidence has to know (design section 15).
type BriefFacts struct {
	PullRequest string // such as acme/widgets#42; empty when only the task is known
	Title       string // of the pull request
	Task        string // such as acme/widgets#7; empty when it has no number
	TaskTitle   string
	Head        string // empty when it is not known
	Checks      []BriefCheck
	Criteria    []BriefCriterion
	Steps       []BriefStep    // that the repository declares for verify
	Section     string         // the Evidence section ready to fill; empty when the task has none
	Problems    []string       // why there is no section: what is wrong with the task
	Report      *report.Report // what is judged now; nil when nothing was
}

// BriefCriterion is one acceptance criterion.
type BriefCriterion struct{ ID, Kind, Text string }

// BriefStep is one step of verify.
type BriefStep struct{ Name, Phase, Layer string }

// BriefCheck is one required check with what proves it.
type BriefCheck struct {
	ID           string
	Text         string
	Command      string
	Kind         string
	Sources      []string
	Observations []string     // as the task declares them, name@level
	Fact         *report.Fact // what the verification profile knows of the command; nil when nothing
}

// Brief writes instructions for whoever, person or agent, must write this pull request's evidence.
func Brief(w io.Writer, f BriefFacts) error {
	b := &briefWriter{}
	b.head(f)
	b.steps()
	b.checks(f.Checks)
	b.criteria(f.Criteria)
	b.verifySteps(f.Steps)
	b.facts(f.Checks)
	b.form(f)
	b.missing(f.Report)
	b.limits()
	_, err := io.WriteString(w, b.out.String())
	return err
}

type briefWriter struct{ out strings.Builder }

func (b *briefWriter) line(format string, args ...any) {
	fmt.Fprintf(&b.out, format, args...)
	b.out.WriteByte('\n')
}

func (b *briefWriter) head(f BriefFacts) {
	subject := "the task"
	if f.PullRequest != "" {
		subject = f.PullRequest
	}
	b.line("# Evidence for %s", visible(subject))
	b.line("")
	if f.Title != "" {
		b.line("- Pull request: %s", escape(f.Title))
	}
	if f.Task != "" {
		b.line("- Task: %s %s", visible(f.Task), escape(f.TaskTitle))
	}
	if f.Head == "" {
		b.line("- Head commit: not known here; it is what `git rev-parse HEAD` prints after the last push")
	} else {
		b.line("- Head commit: `%s`", visible(f.Head))
	}
	b.line("")
}

func (b *briefWriter) steps() {
	b.line(`## Five steps

1. **Identify.** Make sure that the checkout is at the head commit with nothing uncommitted. Evidence is
   for exactly one commit; after another push all of it is stale and is made anew.
2. **Run.** Run every required check below on that commit, for real. Before you run a check again after a
   timeout, record the attempt; then take another strategy, or predict how long it will take and give it that.
3. **Read.** Read the output to its end: exit code, counts, what was skipped. A run that tested nothing
   proves nothing.
4. **Verify.** Compare what you saw with what the check asks for, word by word. What failed is written
   down as failed.
5. **Attach.** Fill the form below into the pull request's body, one entry for each check. Give a compact
   excerpt (the last lines, the counts, the exit code), not a dump; link to long output.
`)
}

func (b *briefWriter) checks(checks []BriefCheck) {
	if len(checks) == 0 {
		return
	}
	b.line("## Required checks")
	b.line("")
	b.line("| Check | Kind | Proof from | Observations |")
	b.line("| --- | --- | --- | --- |")
	for _, c := range checks {
		var observations []string
		for _, o := range c.Observations {
			observations = append(observations, codeSpan(o))
		}
		b.line("| %s | %s | %s | %s |", tableCell(briefCheck(c)), escape(c.Kind), tableCell(strings.Join(coded(c.Sources), ", ")), tableCell(orDash(strings.Join(observations, ", "))))
	}
	b.line("")
}

func (b *briefWriter) criteria(criteria []BriefCriterion) {
	if len(criteria) == 0 {
		return
	}
	b.line("## Acceptance criteria")
	b.line("")
	b.line("Each needs an entry of its own that names what proves it: a check, a test, a command, changed files, or a")
	b.line("maintainer's sign-off.")
	b.line("")
	b.line("| Criterion | Kind |")
	b.line("| --- | --- |")
	for _, c := range criteria {
		b.line("| %s | %s |", tableCell(escape("["+c.ID+"] "+c.Text)), tableCell(escape(c.Kind)))
	}
	b.line("")
}

func (b *briefWriter) verifySteps(steps []BriefStep) {
	if len(steps) == 0 {
		return
	}
	b.line("## Steps of `github-preflight verify`")
	b.line("")
	b.line("The repository declares these; one command runs them all and says one word about them.")
	b.line("")
	b.line("| Step | Phase | Layer |")
	b.line("| --- | --- | --- |")
	for _, s := range steps {
		b.line("| %s | %s | %s |", tableCell(escape(s.Name)), tableCell(escape(orDash(s.Phase))), tableCell(escape(orDash(s.Layer))))
	}
	b.line("")
}

func briefCheck(c BriefCheck) string {
	text := escape(c.Text)
	if c.Command != "" && c.Text == c.Command {
		text = codeSpan(c.Command)
	} else if c.Command != "" {
		text += ": " + codeSpan(c.Command)
	}
	if c.ID != "" {
		text = escape("["+c.ID+"]") + " " + text
	}
	return text
}

func coded(words []string) []string {
	var out []string
	for _, w := range words {
		out = append(out, codeSpan(w))
	}
	return out
}

func orDash(s string) string {
	if s == "" {
		return "—"
	}
	return s
}

func (b *briefWriter) form(f BriefFacts) {
	b.line("## The form")
	b.line("")
	if f.Section == "" {
		b.line("There is no form yet, because the task is not in order. Its maintainer corrects it first:")
		b.line("")
		for _, p := range f.Problems {
			b.line("- %s", escapeProse(p))
		}
		b.line("")
		return
	}
	b.line("Exactly this, in the body of the pull request. `Verdict` is one of `passed`, `failed`, `blocked` and")
	b.line("`not run`; every text that starts with `REPLACE` is yours to write.")
	b.line("")
	b.verbatim(f.Section)
	b.line("")
}

// verbatim writes a text to be copied: unlike codeBlock it keeps characters that only shape an emoji.
func (b *briefWriter) verbatim(text string) {
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	b.line("%smd", fence)
	for line := range strings.Lines(text) {
		b.line("%s", strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return unicode.ReplacementChar
			}
			return r
		}, strings.TrimRight(line, "\r\n")))
	}
	b.line("%s", fence)
}

func (b *briefWriter) missing(r *report.Report) {
	if r == nil {
		return
	}
	b.line("## What is missing now")
	b.line("")
	b.line("%s: %s (stage %s).", escape(string(r.Conclusion)), escape(r.Title), escape(string(r.Stage)))
	b.line("")
	for _, d := range bySeverity(r.Diagnostics) {
		at := ""
		if p := place(d.Where); p != "" {
			at = " (" + escape(p) + ")"
		}
		b.line("- **%s** `%s`: %s%s", escape(string(d.Severity)), visible(string(d.Code)), escapeProse(d.Message), at)
		if d.Help != "" {
			b.line("")
			b.out.WriteString(codeBlock(d.Help, "  ", "text"))
		}
	}
	if len(r.Diagnostics) == 0 {
		b.line("Nothing.")
	}
	b.line("")
	for _, n := range r.Notes {
		b.line("Note: %s", escape(note(n)))
		b.line("")
	}
}

func (b *briefWriter) limits() {
	b.out.WriteString(`## Limits

- A command in a task is the text of whoever posted it. Read it before you run it; run none that touches
  credentials, production or anything outside this task.
- When a run of the project's own steps reports ` + "`changed`" + `, stop, and say which steps changed.
- Never empty a test target, relax a lint configuration or delete a test to get a pass.
- A check that failed or could not be run is reported as it is: ` + "`failed`" + ` or ` + "`blocked`" + ` is honest, an invented
  pass is not.
- Judge what you wrote before you ask for a review: ` + "`github-preflight`" + `.
`)
}
