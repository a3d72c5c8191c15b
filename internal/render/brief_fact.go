package render

import (
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
)

// facts tells what is known of the checks' commands from earlier runs (design section 7).
func (b *briefWriter) facts(checks []BriefCheck) {
	if !slices.ContainsFunc(checks, func(c BriefCheck) bool { return c.Fact != nil }) {
		return
	}
	b.line("What is known of these commands from earlier runs (the repository's verification profile):")
	b.line("")
	for _, c := range checks {
		if c.Fact == nil {
			continue
		}
		name := codeSpan(c.Command)
		if c.ID != "" {
			name = escape("[" + c.ID + "]")
		}
		b.line("- %s: %s (%s)", name, escape(FactWords(*c.Fact)), codeSpan(c.Fact.ID))
	}
	b.line("")
}

// FactWords says in words how a command runs: strategy, timeout and host ceiling, then how it went
// last. What the profile does not say is left out.
func FactWords(f report.Fact) string {
	var words []string
	say := func(before, value, after string) {
		if value != "" && value != "none" {
			words = append(words, before+value+after)
		}
	}
	say("strategy ", f.Strategy, "")
	say("timeout ", milliseconds(f.TimeoutMS), "")
	say("host ceiling ", milliseconds(f.HostCeilingMS), "")
	took := ""
	if d := f.DurationMS; d != "" && d != "none" && d != "unknown" {
		took = " after " + milliseconds(d)
	}
	say("last outcome ", strings.ReplaceAll(f.LastOutcome, "_", " "), took)
	say("updated ", f.Updated, "")
	return strings.Join(words, ", ")
}

// milliseconds is a time of a fact with its unit, when it is a number.
func milliseconds(value string) string {
	if value != "" && strings.Trim(value, "0123456789") == "" {
		return value + " ms"
	}
	return value
}
