package checks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// found are the codes of a Report, sorted, each as often as it is reported.
func found(s snapshot.Snapshot, stage report.Stage) []string {
	codes := []string{}
	for _, d := range checks.Evaluate(s, stage).Diagnostics {
		codes = append(codes, string(d.Code))
	}
	slices.Sort(codes)
	return codes
}

// codes are several codes in one string, as rows write them.
func codes(s string) []string {
	out := strings.Fields(s)
	slices.Sort(out)
	if out == nil {
		out = []string{}
	}
	return out
}

// evidence is a section with the head marker and entries.
func evidence(entries string) string {
	return "## Evidence\nCurrent PR head: " + head + "\n\n" + entries
}

// required is a contract of one check.
func required(check string) string { return "## Required Checks\n\n- " + check + "\n" }

// TestContract is C1 to C6: what is wrong with a task, judged before any evidence.
func TestContract(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ about, issue, want string }{
		// C1
		{"no section", "text", "contract.missing"},
		{"an empty section", "## Required Checks\n", "contract.missing"},
		{"only a placeholder", required("_No response_"), "contract.missing"},
		{"only None", required("None"), "contract.missing"},
		{"only TBD", required("TBD"), "contract.missing"},
		{"two sections", required("`x`") + required("`y`"), "section.duplicate"},
		{"level 3", "#" + required("`x`"), "section.level check.unsatisfied"},
		{"a task box is presentation", required("[ ] [RC-1] `x`"), "check.unsatisfied"},
		{"numbered", "## Required Checks\n\n1. `x`\n2. `y`\n", "check.unsatisfied check.unsatisfied"},
		{"prose", required("`x`") + "\nMore to come.\n", "contract.prose_ignored check.unsatisfied"},
		{"a paragraph with an id", required("`x`") + "\n[RC-2] `y`\n", "contract.check_outside_list"},
		{"a heading with an id", required("`x`") + "\n### [RC-2] `y`\n", "contract.check_outside_list"},
		{"a nested item with an id", required("`x`\n  - [RC-2] `y`"), "contract.check_outside_list"},
		{"a table row with an id", required("`x`") + "\n| check |\n|---|\n| [RC-2] y |\n", "contract.check_outside_list"},
		{"a nested item without an id", required("`x`\n  - in a clean checkout"), "contract.prose_ignored check.unsatisfied"},
		{"commented out", required("`x`") + "\n<!--\n- [RC-2] `y`\n-->\n", "contract.hidden_check check.unsatisfied"},
		{"quoted", required("`x`") + "\n> - [RC-2] `y`\n", "contract.hidden_check check.unsatisfied"},
		{"fenced", required("`x`") + "\n```\n- [RC-2] `y`\n```\n", "contract.hidden_check check.unsatisfied"},
		// C2
		{"a lower-case id", required("[rc-1] `x`") + "- [RC-1] `y`\n", "contract.id_duplicate"},
		{"an id in the middle is text", required("`x` [RC-1]"), "check.unsatisfied"},
		{"names ignore case", required("`x` (KIND: nonsense)"), "contract.kind_invalid"},
		{"several annotations in one group", required("x (kind: manual; source: nonsense)"), "contract.source_invalid"},
		{"list values by commas, bars and semicolons", required("`x` [source: pr_body, status_check | manual_observation; nonsense]"), "contract.source_invalid"},
		{"annotations in code are code", required("`x (kind: nonsense)`"), "check.unsatisfied"},
		{"a misspelt name", required("`x` [sorce: pr_body]"), "contract.annotation_unknown"},
		{"two letters left out", required("`x` [observatons: a]"), "contract.annotation_unknown"},
		{"a short name with a letter added", required("`x` (kinds: manual)"), "contract.annotation_unknown"},
		{"a short name with a letter doubled", required("`x` (kiind: manual)"), "contract.annotation_unknown"},
		{"a short name with another letter is text", required("`x` (find: manual)"), "check.unsatisfied"},
		{"another first letter is text", required("`x` (tource: pr_body)"), "check.unsatisfied"},
		{"other brackets are text", required("`x` (see the docs: there) [ok]"), "check.unsatisfied"},
		{"values are folded", required("x (kind: Contract-Proof)"), "check.unsatisfied"},
		{"an unknown method", required("`x` (method: telepathy)"), "contract.method_invalid"},
		{"a status given twice with other names", required("`x` (status: build; status: test)"), "contract.annotation_unknown"},
		{"a kind given twice with other values", required("`x` (kind: command) (kind: manual)"), "contract.kind_invalid"},
		{"a prefix and another kind", required("manual: x (kind: contract_proof)"), "contract.kind_invalid"},
		{"a method given twice with other values", required("`x` (method: artifact; method: person)"), "contract.method_invalid"},
		{"an unknown topology", required("`x` (topology: mars)"), "contract.annotation_unknown"},
		{"very long lists are read to their end", required("x (kind: manual) [observations: " + strings.Repeat("a-long-name, ", 200) + "b@nonsense]"), "contract.level_invalid"},
		// C3
		{"two code spans", required("`x` and `y`"), "contract.command_ambiguous check.unsatisfied"},
		// C4 and C6
		{"an unknown kind", required("`x` (kind: magic)"), "contract.kind_invalid"},
		{"an unknown source", required("`x` (source: rumour)"), "contract.source_invalid"},
		{"a command without code", required("command: run it"), "contract.command_missing"},
		{"a status for a manual check", required("manual: x (source: status_check)"), "contract.status_on_non_command"},
		{"observations with only a status", required("`x` (source: status_check) [observation: a]"), "contract.observation_unsatisfiable"},
		{"an unknown level", required("manual: x [observation: a@moon]"), "contract.level_invalid"},
		{"the same text twice", "## Required Checks\n- `x`\n- `X`\n", "contract.identity_duplicate"},
		{"the same text with ids", "## Required Checks\n- [RC-1] `x`\n- [RC-2] `x`\n", "check.unsatisfied check.unsatisfied"},
		{"nothing but annotations", required("[RC-1] (kind: manual)"), "contract.identity_empty"},
		{"expected of a manual check", required("manual: x (expected: exit 1)"), "contract.option_unused check.unsatisfied"},
		{"expected is no exit code", required("`x` (expected: rain)"), "contract.option_unused check.unsatisfied"},
		{"an app of a manual check", required("manual: x (app: ci)"), "contract.option_unused check.unsatisfied"},
		{"a pattern that nothing reads", required("`x` (pattern: a.b)"), "contract.option_unused check.unsatisfied"},
		{"an invisible character", required("`npm\u200b test`"), "text.invisible_character"},
	} {
		require.Equal(t, codes(row.want), found(pullRequest(evidence(""), row.issue), report.Review), row.about)
	}
}

// While the contract has an error nothing else is judged or reported, and only a maintainer can help
// (C6).
func TestContractErrorsComeAlone(t *testing.T) {
	t.Parallel()
	s := pullRequest("no section at all", required("`x` (kind: magic)"))
	got := checks.Evaluate(s, report.Review)
	require.Equal(t, report.ActionRequired, got.Conclusion)
	require.Len(t, got.Diagnostics, 1)
	require.Equal(t, report.Maintainer, got.Diagnostics[0].Owner)
	require.Equal(t, checks.IssueDocument, got.Diagnostics[0].Where.Document)
}
