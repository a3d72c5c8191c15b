package attempts_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/internal/growth"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// ordinary is a carrier as people write it, to measure others against.
var ordinary = carrier("RC-1", attempt(1), attempt(2, "Strategy: split"))

// open is a carrier up to its first subsection.
var open = strings.TrimSuffix(carrier("RC-1"), "[[agent: engineer]]\n")

// The cost of a carrier grows with its length, whatever it holds.
func TestCarrierGrowth(t *testing.T) {
	run := growth.NewMeter(func(text string) {
		attempts.Judge(facts(comment(101, eng, "09:05", text), comment(201, lead, "10:05", triageComment("RC-1", triage(1)))))
	}, ordinary)
	for _, unit := range []string{
		attempt(1), timeout(1), attempt(1) + prediction(2), triage(1), attempt(1) + triage(1),
		"#### Attempt 1\n", "#### Triage for attempt 1\n", "#### Foreground escalation prediction for attempt 1\n", "#### Remarks\n",
		"#### Attempt 1\n\n- Command: `a`\n- Artifact: " + head + "\n- Strategy: foreground\n- Outcome: timed_out\n\n",
		"- Outcome: failed\n", "- Partial evidence: x\n", "- Outcom: x\n", "x: ", "Comment: 301\n",
		"### RC-1\n\n", "### RC-2\n\n#### Attempt 1\n\n", "## Verification Attempts\n\n", "[[agent: engineer]]\n\n", "\u200b", "\u202e",
		"<!-- AGENTIC_LOOP_VERIFICATION_ATTEMPTS:RC-1 -->\n", "<!-- AGENTIC_LOOP_VERIFICATION_TRIAGE:RC-1 -->\n\n",
	} {
		run.Check(t, open+"#### Attempt 1\n\n", unit, "")
		run.Check(t, open, unit, "")
	}
	run.Check(t, open+"#### Attempt 1\n\n- Partial evidence: ", "word ", "\n")
}

// The cost of the judge grows with the number of comments, of revisions, of what a service remembers
// and of acceptances.
func TestJudgeGrowth(t *testing.T) {
	parts := func(text string) []string {
		var out []string
		for len(text) > 1000 {
			out, text = append(out, text[:1000]), text[1000:]
		}
		return append(out, text)
	}
	for name, build := range map[string]func([]string) attempts.Facts{
		"comments": func(texts []string) attempts.Facts {
			var task []snapshot.Comment
			for i := range texts {
				task = append(task, comment(int64(101+i), eng, "09:05", carrier(fmt.Sprintf("RC-%d", i), attempt(1))))
			}
			return facts(task...)
		},
		"duplicates": func(texts []string) attempts.Facts {
			var task []snapshot.Comment
			for i := range texts {
				task = append(task, comment(int64(101+i), eng, "09:05", ordinary))
			}
			return facts(task...)
		},
		"triage comments": func(texts []string) attempts.Facts {
			task := []snapshot.Comment{comment(101, eng, "09:05", ordinary)}
			for i := range texts {
				task = append(task, comment(int64(201+i), lead, "10:05", triageComment("RC-1", triage(1))))
			}
			return facts(task...)
		},
		"revisions that grow at the end": func(texts []string) attempts.Facts {
			var edits []edit
			for i := range texts {
				edits = append(edits, edit{eng, "09:05", carrier("RC-1", attempt(1), attempt(i+2, "Strategy: ci"))})
			}
			return facts(edited(101, edits...))
		},
		"revisions that differ at the start": func(texts []string) attempts.Facts {
			var edits []edit
			for i := range texts {
				edits = append(edits, edit{eng, "09:05", fmt.Sprintf("version %d\n\n%s", i, ordinary)})
			}
			return facts(edited(101, edits...))
		},
		"remembered texts": func(texts []string) attempts.Facts {
			f := facts(comment(101, eng, "09:05", ordinary))
			for i := range texts {
				f.Remembered = append(f.Remembered, snapshot.RememberedCarrier{CommentID: 101, Body: fmt.Sprintf("version %d\n\n%s", i, ordinary), Author: "eng", SeenAt: clock("09:06")})
			}
			return f
		},
		"deleted carriers": func(texts []string) attempts.Facts {
			f := facts(comment(101, eng, "09:05", ordinary))
			for i := range texts {
				f.Remembered = append(f.Remembered, snapshot.RememberedCarrier{CommentID: int64(200 + i), Body: carrier("RC-1", attempt(1, fmt.Sprintf("Partial evidence: %d failing", i))), Author: "eng", SeenAt: clock("09:06")})
			}
			return f
		},
		"acceptances": func(texts []string) attempts.Facts {
			f := facts(edited(101, edit{eng, "09:05", both}, edit{eng, "09:20", only}))
			for range texts {
				f.Actions = append(f.Actions, snapshot.Action{Kind: "accept_loss", Actor: lead, At: clock("09:30"), CommentID: 101, Digest: "0"})
			}
			return f
		},
		"acceptances of deleted carriers": func(texts []string) attempts.Facts {
			f := facts()
			for i := range texts {
				f.Remembered = append(f.Remembered, snapshot.RememberedCarrier{CommentID: int64(200 + i), Body: only, Author: "eng", SeenAt: clock("09:06")})
			}
			for i := range 3000 {
				f.Actions = append(f.Actions, snapshot.Action{Kind: "accept_loss", Actor: lead, At: clock("09:30"), Digest: fmt.Sprintf("sha256:%064d", i)})
			}
			return f
		},
		"commands that are parsed": func(texts []string) attempts.Facts {
			var subs []string
			for i := range texts {
				subs = append(subs, timeout(i+1, fmt.Sprintf("Command: `%s # %d`", strings.Repeat("(", 400), i)))
			}
			f := facts(comment(101, eng, "09:05", carrier("RC-1", subs...)))
			f.SameCommand = func(a, b string) bool { return a == b }
			return f
		},
	} {
		t.Run(name, func(t *testing.T) {
			growth.NewMeter(func(text string) { attempts.Judge(build(parts(text))) }, ordinary).Check(t, "", "x", "")
		})
	}
}

// The cost of reading commands grows with the length of the comment.
func TestCommandGrowth(t *testing.T) {
	m := growth.NewMeter(func(text string) { attempts.Commands(text) }, "/triage RC-1 attempt 1 one_off because the build host ran out of disk\n\n")
	for _, unit := range []string{"/triage RC-1 attempt 1 pending\n", "/triage ", "/triage RC-1 attempt 1 one_off because x ", "x\n\n/triage\n\n", "`/triage` "} {
		m.Check(t, "/triage RC-1 ", unit, "")
	}
}
