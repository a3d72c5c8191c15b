// Package button knows the buttons of a check run (design section 14, Publishing): which there are,
// their words, and which of them a Report calls for. What a press does is left to package command.
package button

import (
	"slices"

	"github.com/evidence-gate/evidence-gate/report"
)

// Name identifies a button in GitHub's events; GitHub takes 20 characters.
type Name string

// The buttons.
const (
	ReEvaluate     Name = "re-evaluate"
	Approve        Name = "approve"
	AcceptContract Name = "accept-contract"
)

// Button is one button: GitHub takes 20 characters of label and 40 of description.
type Button struct {
	Name        Name
	Label       string
	Description string
}

// buttons lists every button and when it is shown.
var buttons = []struct {
	Button
	shown func(report.Diagnostic) bool
}{
	{Button{ReEvaluate, "Re-evaluate", "Read everything anew and judge again"}, func(report.Diagnostic) bool { return true }},
	{Button{Approve, "Approve", "Approve this commit under your name"}, func(d report.Diagnostic) bool { return d.Owner == report.Approver }},
	{Button{AcceptContract, "Accept contract", "Accept the required checks as they stand"}, func(d report.Diagnostic) bool {
		return slices.Contains(acceptable, d.Code)
	}},
}

// acceptable are the findings that a maintainer's acceptance of the contract settles.
var acceptable = []report.Code{report.CodeContractChanged, report.CodeTaskChanged, report.CodeContractUntrustedAuthor}

// For lists the buttons that a Report calls for: none when nothing is missing.
func For(r report.Report) []Button {
	var list []Button
	for _, b := range buttons {
		if slices.ContainsFunc(r.Diagnostics, func(d report.Diagnostic) bool { return d.Severity == report.Error && b.shown(d) }) {
			list = append(list, b.Button)
		}
	}
	return list
}

// Acceptable reports whether a finding is one that accepting the contract settles.
func Acceptable(code report.Code) bool { return slices.Contains(acceptable, code) }
