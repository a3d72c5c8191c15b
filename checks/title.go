package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
)

// title says in one line what the Report concludes; it stays far below GitHub's 255 characters.
func (e *evaluation) title() string {
	if e.report.Conclusion == report.Neutral {
		return "Not judged: " + e.neutral
	}
	errors, first := 0, report.Diagnostic{}
	for _, d := range e.report.Diagnostics {
		if d.Severity != report.Error {
			continue
		}
		if errors++; errors == 1 {
			first = d
		}
	}
	if i := slices.IndexFunc(e.report.Diagnostics, func(d report.Diagnostic) bool { return d.Code == report.CodeOverrideActive }); i >= 0 {
		return "Passed by an override: " + firstWords(e.report.Diagnostics[i].Message)
	}
	total, lacking := len(e.report.Checks), 0
	for _, c := range e.report.Checks {
		if !c.Satisfied {
			lacking++
		}
	}
	switch {
	case errors == 0 && e.contract == nil:
		return "The form is right; nothing else was judged"
	case errors == 0:
		return fmt.Sprintf("%s proved (%s)", count(total, "check is", "checks are"), strings.ReplaceAll(e.assurance(), "_", "-"))
	case e.report.Conclusion == report.Pending:
		return fmt.Sprintf("Waiting for %d of %s", lacking, count(total, "check", "checks"))
	case lacking > 0:
		return fmt.Sprintf("%d of %s %s proof", lacking, count(total, "check", "checks"), verb(lacking, "lacks", "lack"))
	}
	return fmt.Sprintf("%s: %s", count(errors, "problem", "problems"), first.Code)
}

func count(n int, one, many string) string { return fmt.Sprintf("%d %s", n, verb(n, one, many)) }

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
