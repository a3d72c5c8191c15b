package render_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/report"
)

var update = flag.Bool("update", false, "rewrite the golden files and docs/diagnostics.md")

const (
	head = "b7d41e9f02c36a58d1f4e07b9c8a25630fe1d794"
	old  = "64c0f2a8917be35d0d8e4a61f7b3925c1a08de6f"
)

// golden compares with testdata/NAME, or writes it with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err, "run the test with -update once, and read the file")
	require.Equal(t, string(want), got)
}

func requireValid(t testing.TB, r report.Report) {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("../../schema/report.schema.json")
	require.NoError(t, err)
	data, err := json.Marshal(r)
	require.NoError(t, err)
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(value))
}

func ptr(s string) *string { return &s }

func empty(c report.Conclusion, title string) report.Report {
	return report.Report{
		Schema: report.Schema, Conclusion: c, Stage: report.Merge, Title: title, HeadSHA: head, Level: "checks",
		Assurance: "self_reported", Notes: []string{}, Checks: []report.Check{}, Episodes: []report.Episode{},
		Diagnostics: []report.Diagnostic{}, Contract: report.Contract{Digest: "sha256:" + strings.Repeat("0a", 32), Changed: []report.Change{}},
	}
}

func provenCheck(id, text string) report.Check {
	return report.Check{
		ID: ptr(id), Text: text, Kind: "command", Command: text, Satisfied: true, Via: ptr("pr_body"), Source: ptr("pr_body"), Verdict: ptr("passed"),
		TrustLabel: ptr("self_reported"), Evidence: "128 passing, 0 failing (exit 0)", Observations: []report.Observation{},
	}
}

func openCheck(id, text string) report.Check {
	return report.Check{ID: ptr(id), Text: text, Kind: "command", Command: text, Observations: []report.Observation{}}
}

func at(d report.Diagnostic, document string, line, column, endColumn int) report.Diagnostic {
	d.Where = &report.Where{Document: document, Line: line, Column: column, EndLine: line, EndColumn: endColumn}
	return d
}

func about(d report.Diagnostic, check string) report.Diagnostic {
	d.Check = &check
	return d
}

// failing is what a person most often sees: a push has made the evidence stale, and one check has
// no proof.
func failing() (report.Report, map[string]string) {
	body := "Tidies the widget cache.\n\nCloses #7\n\n## Evidence\n\nCurrent PR head: " + old + "\n\n" +
		"- Required check: [RC-1] `npm test`\n  Verdict: PASS\n  Evidence: 128 passing, 0 failing (exit 0)\n"
	r := empty(report.Failure, "2 of 3 checks lack proof")
	r.Checks = []report.Check{
		{ID: ptr("RC-1"), Text: "npm test", Kind: "command", Command: "npm test", Verdict: ptr("passed"), Source: ptr("pr_body"), Observations: []report.Observation{}},
		{ID: ptr("RC-2"), Text: "Settings page keeps the chosen theme", Kind: "manual", Observations: []report.Observation{}},
		{
			ID: ptr("RC-3"), Text: "npm run lint | tee lint.txt", Kind: "command", Command: "npm run lint | tee lint.txt", Satisfied: true, Via: ptr("status_check"), Source: ptr("status_check"),
			TrustLabel: ptr("platform_checked"), Link: "https://ci.example.com/runs/3?a=1|2", Observations: []report.Observation{},
		},
	}
	stale := at(report.New(report.CodeHeadStale, "The Evidence section is for `64c0f2a8917b`, the pull request's head is `b7d41e9f02c3`."), "pull_request.body", 7, 18, 58)
	stale.Help = "Run the checks again, then write:\nCurrent PR head: " + head
	invalid := about(at(report.New(report.CodeVerdictInvalid, "The verdict `PASS` is none of passed, failed, blocked, not run; the nearest is `passed`."), "pull_request.body", 10, 12, 16), "RC-1")
	invalid.Help = "Verdict: passed"
	missing := about(report.New(report.CodeCheckUnsatisfied, "Nothing proves this check."), "RC-2")
	missing.Help = "- Required check: [RC-2] Settings page keeps the chosen theme\n  Kind: manual\n  Implementation head: " + head + "\n  Verdict: passed\n  Evidence: <what you saw>"
	prose := at(report.New(report.CodeContractProseIgnored, "The text `Please be careful.` in the section is no check and was ignored."), "issue.body", 3, 1, 0)
	r.Diagnostics = []report.Diagnostic{prose, stale, invalid, missing}
	return r, map[string]string{"pull_request.body": body, "issue.body": "## Required Checks\n\nPlease be careful.\n\n- [RC-1] `npm test`\n"}
}

func succeeding() report.Report {
	r := empty(report.Success, "2 checks are proved (self-reported)")
	theme := provenCheck("RC-2", "Settings page keeps the chosen theme")
	theme.Kind, theme.Command, theme.Source, theme.Evidence = "manual", "", ptr("manual_observation"), "checked in the running app, see the observation"
	theme.Observations = []report.Observation{{
		Name: "theme-survives-reload", Level: "running_path", Result: "chose Dark, reloaded, the body kept its class theme-dark", Artifact: head, Source: "manual_observation",
	}}
	r.Checks = []report.Check{provenCheck("RC-1", "npm test"), theme}
	r.Notes = []string{"contract_by_author"}
	return r
}

func waiting() report.Report {
	r := empty(report.ActionRequired, "1 problem: episode.active")
	r.Checks = []report.Check{provenCheck("RC-1", "npm test")}
	r.Episodes = []report.Episode{{Check: "RC-1", Attempts: 2, Latest: "timed_out", Triage: nil, State: "active"}}
	r.Approvals = []report.Approval{{Actor: "lead", Counts: false, Because: "approved an older commit, `64c0f2a8917b`"}}
	r.Criteria = []report.Criterion{{ID: "AC-1", Satisfied: true}, {ID: "AC-2"}}
	r.Contract.Changed = []report.Change{{Check: "RC-2", Change: "edited", Was: "`npm run lint`", Is: "`npm run lint -- --quiet`"}, {Check: "RC-3", Change: "removed", Was: "`npm run build`"}}
	r.Diagnostics = []report.Diagnostic{
		about(report.New(report.CodeEpisodeActive, "The latest of 2 attempts timed out and nobody has triaged it."), "RC-1"),
		report.New(report.CodeApprovalStale, "The approval by `lead` is of an older commit."),
		about(report.New(report.CodeEpisodeSlower, "The retry took 1.8 times as long as before."), "RC-1"),
	}
	return r
}

// large is more than anybody reads: 500 checks, most of them without proof.
func large() report.Report {
	r := empty(report.Failure, "400 of 500 checks lack proof")
	for i := range 500 {
		id, text := fmt.Sprintf("RC-%d", i+1), fmt.Sprintf("make test-%03d", i+1)
		if i%5 == 0 {
			r.Checks = append(r.Checks, provenCheck(id, text))
			continue
		}
		r.Checks = append(r.Checks, openCheck(id, text))
		r.Diagnostics = append(r.Diagnostics, about(report.New(report.CodeCheckUnsatisfied, ""), id))
	}
	return r
}

// hostile has the given text in every place that foreign text can reach.
func hostile(text string) (report.Report, map[string]string) {
	r := empty(report.Failure, text)
	r.HeadSHA, r.Level, r.Assurance, r.Stage, r.Mode = text, text, text, report.Merge, "report"
	r.Notes = []string{text}
	r.Checks = []report.Check{{
		ID: &text, Text: text, Kind: text, Command: text, Via: &text, Source: &text, Verdict: &text, TrustLabel: &text, Evidence: text, Link: "https://" + text,
		Observations: []report.Observation{{Name: text, Level: text, Result: text, Artifact: text, Source: text}},
	}, {Text: text, Satisfied: true, Link: text}}
	r.Criteria = []report.Criterion{{ID: text}}
	r.Episodes = []report.Episode{{Check: text, Latest: text, Triage: &text, State: text}}
	r.Approvals = []report.Approval{{Actor: text, As: text, Because: text}}
	r.Contract = report.Contract{Digest: text, Changed: []report.Change{{Check: text, Change: text, Was: text, Is: text}}}
	for _, severity := range []report.Severity{report.Error, report.Warning, report.Note} {
		r.Diagnostics = append(r.Diagnostics, report.Diagnostic{
			Code: report.Code(text), Severity: severity, Owner: report.Engineer, Message: text, Help: text, Check: &text,
			Where: &report.Where{Document: text, Line: 1, Column: 3},
		})
	}
	return r, map[string]string{text: text}
}
