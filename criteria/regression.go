package criteria

import (
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/report"
)

// regression judges a criterion of that kind: a failed run before, and a pass on the head. The failed
// run is a recorded attempt or run, or a text that puts both in order.
func (p *proof) regression() bool {
	if p.c.Kind != Regression || p.waits {
		return true
	}
	if len(p.checks) == 0 && len(p.ran) == 0 {
		return p.redMissing("%s is a regression, and its evidence names no check, test or command that failed before the change")
	}
	green := len(p.ran) > 0
	for _, c := range p.checks {
		green = green || passed(c)
	}
	if !green {
		return p.refuse(p.e.where, "run it on the head commit until it passes", "%s is a regression, and %s did not pass on the head", p.c.ID, shown(p.checks[0].Name()))
	}
	if p.recordedRed() || p.writtenRed() {
		return true
	}
	return p.redMissing("%s is a regression, and nothing shows that it failed before the change")
}

func (p *proof) redMissing(format string) bool {
	d := report.New(report.CodeCriterionRedMissing, strings.Replace(format, "%s", p.c.ID, 1))
	w := p.e.where
	if len(p.e.evidence) > 0 {
		w = p.e.evidence[0].where
	}
	p.j.add(d, w, "below the Evidence line, say both in order: before the change it failed (1 failed, exit 1); after the change it passed (0 failed, exit 0)", p.c.ID)
	return false
}

// recordedRed looks for a failed attempt or run of what proves the criterion.
func (p *proof) recordedRed() bool {
	return slices.ContainsFunc(p.checks, p.j.checkRed) || slices.ContainsFunc(p.ran, func(c *command) bool {
		return c.runs.red(p.j.Head) || slices.ContainsFunc(c.checks, p.j.checkRed)
	})
}

// checkRed reports whether a check is recorded, or told in its evidence, to have failed before.
func (j *judge) checkRed(c *report.Check) bool {
	if red, ok := j.index.red[c]; ok {
		return red
	}
	red := c.Command != "" && j.command(c.Command).runs.red(j.Head)
	if !red && c.ID != nil && j.Attempts != nil {
		standing, ok := j.Attempts(*c.ID)
		red = ok && failedAttempt(standing)
	}
	red = red || passed(c) && slices.ContainsFunc(j.index.says(c), failedThenPassed)
	j.index.red[c] = red
	return red
}

func failedAttempt(s attempts.Standing) bool {
	for _, r := range s.Recorded {
		if !r.Refused && r.Attempt.Outcome == attempts.Failed {
			return true
		}
	}
	return false
}

// writtenRed looks for the ordered text in the criterion's own entry.
func (p *proof) writtenRed() bool {
	return slices.ContainsFunc(p.e.evidence, func(v evidence) bool { return failedThenPassed(v.free()) })
}
