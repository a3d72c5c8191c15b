package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
)

// demandedLayers are those that steps must cover (design section 12).
var demandedLayers = []string{"install", "lint", "typecheck", "test"}

// Incomplete reports what the steps among the checks lack, for `policy validate` (design section 12):
// one of each layer install, lint, typecheck and test where steps are declared, that is where an entry
// has no id, and so is for `verify` alone, or names a phase or a layer; and a probed server for the
// kinds web and api. A policy that lacks them is judged by nevertheless: only `verify` runs steps.
func (p Policy) Incomplete() []report.Diagnostic {
	r := &reader{source: p.Source, lines: []string{""}}
	lack := func(key, help, format string, args ...any) {
		d := report.New(report.CodePolicyInvalid, fmt.Sprintf(format, args...))
		d.Help = help
		d.Where = &report.Where{Document: r.source.document(), Line: max(1, p.lines[key]), Column: 1}
		r.faults = append(r.faults, d)
	}
	if slices.ContainsFunc(p.Checks, func(c Check) bool { return c.step }) {
		missing := slices.DeleteFunc(slices.Clone(demandedLayers), func(layer string) bool {
			return slices.ContainsFunc(p.Checks, func(c Check) bool { return c.command() && c.Layer == layer })
		})
		if len(missing) > 0 {
			lack("checks", fmt.Sprintf("  - { name: %s, run: ..., layer: %s }", missing[0], missing[0]), "checks declares steps, but none of the layer %s", strings.Join(missing, ", "))
		}
	}
	if p.Kind == Web || p.Kind == API {
		if !slices.ContainsFunc(p.Checks, func(c Check) bool { return c.Probe != "" }) {
			lack("kind", `  - { name: answers, run: ..., phase: serve, layer: serve, probe: "http://127.0.0.1:8080/" }`, "a repository of the kind %s needs a step that starts a server and probes it", p.Kind)
		}
	}
	return r.faults
}

func (c Check) command() bool { return c.Run != "" || len(c.Args) > 0 }
