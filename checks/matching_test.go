package checks_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// entry is an entry with finished evidence; more are further fields.
func entry(check string, more ...string) string {
	lines := append([]string{"- Required check: " + check, "Verdict: passed", "Evidence: 12 rows, exit 0"}, more...)
	return strings.Join(lines, "\n  ") + "\n"
}

const (
	implementation = "Implementation head: " + head
	observed       = "Source: manual_observation"
)

func record(fields ...string) string { return strings.Join(fields, "\n  ") }

// TestMatching is section 5, rules 1 to 7: the first rule that fails reports.
func TestMatching(t *testing.T) {
	t.Parallel()
	manual := "[RC-1] x (kind: manual)"
	theme := manual + " [observation: theme]"
	seen := record("Observation: theme", "Level: running_path", "Result: chose Dark and it stayed", "Artifact: "+head, observed)
	without := func(field string) string {
		var kept []string
		for _, l := range strings.Split(seen, "\n  ") {
			if !strings.HasPrefix(l, field+":") {
				kept = append(kept, l)
			}
		}
		return record(kept...)
	}
	with := func(field, value string) string { return without(field) + "\n  " + field + ": " + value }
	shown := entry("[RC-1] x", "Kind: manual", observed, implementation)
	for _, row := range []struct{ about, check, entries, want string }{
		{"by id", "[RC-1] `x`", entry("[RC-1] `x`"), ""},
		{"by id, whatever its case", "[RC-1] `x`", entry("[rc-1] `x`"), ""},
		{"by match key", "`x` in a *clean* checkout (source: pr_body)", entry("`x` in a  clean CHECKOUT"), ""},
		{"by match key, backticks aside", "run `x`", entry("run `x`"), ""},
		{"another text with the id", "[RC-1] `x` twice", entry("[RC-1] `x` once"), "entry.text_differs"},
		{"another spelling of the command with the id", "[RC-1] `php x`", entry("[RC-1] `/usr/bin/php8.3 x`"), ""},
		{"no entry", "[RC-1] `x`", "", "check.unsatisfied"},
		{"the id left out", "[RC-1] `x`", entry("`x`"), "entry.id_missing"},
		{"an id for a check without one", "`x`", entry("[RC-1] `x`"), "check.unsatisfied entry.unknown_check"},
		{"an entry for another check", "[RC-1] `x`", entry("[RC-1] `x`") + entry("[RC-2] `y`"), "entry.unknown_check"},
		{"two entries for one id", "[RC-1] `x`", entry("[RC-1] `x`") + entry("[RC-1] `x`"), "entry.duplicate"},
		{"two entries with one match key", "`x`", entry("`x`") + entry("`X`"), "entry.duplicate"},

		{"the kind is there", manual, entry("[RC-1] x", "Kind: manual", observed, implementation), ""},
		{"the kind is folded", "[RC-1] x (kind: contract_proof)", entry("[RC-1] x", "Kind: Contract-Proof", observed, implementation), ""},
		{"the kind is missing", manual, entry("[RC-1] x", observed, implementation), "evidence.kind_missing"},
		{"a command's code span says it", "[RC-1] `x` (kind: command)", entry("[RC-1] `x`"), ""},
		{"the kind is unknown", manual, entry("[RC-1] x", "Kind: magic", observed, implementation), "evidence.kind_invalid"},
		{"another kind", manual, entry("[RC-1] x", "Kind: contract_proof", observed, implementation), "evidence.kind_mismatch"},
		{"code for a manual check", "[RC-1] x (kind: manual)", entry("[RC-1] `x`", observed, implementation), "evidence.kind_mismatch"},
		{"a manual kind with code of its own", manual, entry("[RC-1] `x`", "Kind: manual", observed, implementation), "evidence.kind_mismatch"},
		{"a manual kind with the check's code", "[RC-1] look at `x` (kind: manual)", entry("[RC-1] look at `x`", "Kind: manual", observed, implementation), ""},
		{"no code for a command", "[RC-1] `x`", entry("[RC-1] x"), "evidence.kind_mismatch"},

		{"an unknown source", "[RC-1] `x`", entry("[RC-1] `x`", "Source: rumour"), "evidence.source_invalid"},
		{"another source", "[RC-1] `x`", entry("[RC-1] `x`", observed), "evidence.source_not_allowed"},
		{"the default source", manual, entry("[RC-1] x", "Kind: manual", implementation), "evidence.source_not_allowed"},
		{"one of several sources", "[RC-1] `x` (sources: pr_body, manual_observation)", entry("[RC-1] `x`", "Source: Manual Observation"), ""},
		{"both sources of a contract proof", "[RC-1] x (kind: contract_proof)", entry("[RC-1] x", "Kind: contract_proof", "Source: automated-observation", implementation), ""},
		{"a status that does not stand there", "[RC-1] `x` (source: pr_body, status_check)", entry("[RC-1] `x`", "Source: status_check"), "evidence.source_unverified"},

		{"no command", "[RC-1] `x`", entry("[RC-1] x", "Kind: command"), "evidence.command_missing"},
		{"another command", "[RC-1] `x`", entry("[RC-1] `y`"), "evidence.command_mismatch"},
		{"a further command of the entry", "[RC-1] `x`", entry("[RC-1] `x` and `y`"), "evidence.command_mismatch"},
		{"a further command of both", "[RC-1] `x` and `y`", entry("[RC-1] `x` and `y`"), "contract.command_ambiguous"},
		{"only the further command", "[RC-1] `x` and `y`", entry("[RC-1] `y`"), "contract.command_ambiguous evidence.command_mismatch"},

		{"the observation", theme, shown + "  " + seen + "\n", ""},
		{"its name in another case", theme, shown + "  " + strings.Replace(seen, "theme", "Theme", 1) + "\n", ""},
		{"a level that was declared", manual + " [observation: theme@unit]", shown + "  " + with("Level", "Unit") + "\n", ""},
		{"no record", theme, shown, "observation.missing"},
		{"names alone", theme, entry("[RC-1] x", "Kind: manual", observed, implementation, "Observations: theme"), "observation.missing"},
		{"two records", theme, shown + "  " + seen + "\n  " + seen + "\n", "observation.duplicate"},
		{"no level", theme, shown + "  " + without("Level") + "\n", "observation.level_missing"},
		{"an unknown level", theme, shown + "  " + with("Level", "moon") + "\n", "observation.level_invalid"},
		{"another level", theme, shown + "  " + with("Level", "mock") + "\n", "observation.level_mismatch"},
		{"no result", theme, shown + "  " + without("Result") + "\n", "observation.result_missing"},
		{"a placeholder for a result", theme, shown + "  " + with("Result", "TBD") + "\n", "observation.result_missing"},
		{"a result of eleven characters", theme, shown + "  " + with("Result", "dark stayed") + "\n", "observation.result_generic"},
		{"a result of twelve characters", theme, shown + "  " + with("Result", "dark stayed!") + "\n", ""},
		{"a result of counts", theme, shown + "  " + with("Result", "128 tests passed, 0 failed") + "\n", "observation.result_generic"},
		{"a result of cheers", theme, shown + "  " + with("Result", "all green, looks good") + "\n", "observation.result_generic"},
		{"a result that is the name", manual + " [observation: theme-survives-reload]", shown + "  " +
			strings.Replace(with("Result", "Theme survives reload"), "Observation: theme", "Observation: theme-survives-reload", 1) + "\n", "observation.result_generic"},
		{"no artifact", theme, shown + "  " + without("Artifact") + "\n", "observation.artifact_missing"},
		{"a shortened artifact", theme, shown + "  " + with("Artifact", head[:12]) + "\n", "observation.artifact_abbreviated"},
		{"no commit for an artifact", theme, shown + "  " + with("Artifact", "HEAD") + "\n", "observation.artifact_not_canonical"},
		{"a retyped artifact", theme, shown + "  " + with("Artifact", head[:7]+oldHead[7:]) + "\n", "observation.artifact_fabricated"},
		{"another artifact", theme, shown + "  " + with("Artifact", oldHead) + "\n", "observation.artifact_stale"},
		{"no source of the record", theme, shown + "  " + without("Source") + "\n", "observation.source_missing"},
		{"another source of the record", theme, shown + "  " + with("Source", "automated_observation") + "\n", "observation.source_mismatch"},
		{"each observation reports its own failure", manual + " [observations: a, b]", shown, "observation.missing observation.missing"},

		{"no implementation head", manual, entry("[RC-1] x", "Kind: manual", observed), "artifact.missing"},
		{"artifact before an observation is the same field", manual, entry("[RC-1] x", "Kind: manual", observed, "Artifact: "+head), ""},
		{"a shortened implementation head", manual, entry("[RC-1] x", "Kind: manual", observed, "Implementation head: "+head[:8]), "artifact.abbreviated"},
		{"an upper-case implementation head", manual, entry("[RC-1] x", "Kind: manual", observed, "Implementation head: "+strings.ToUpper(head)), "artifact.not_canonical"},
		{"a retyped implementation head", manual, entry("[RC-1] x", "Kind: manual", observed, "Implementation head: "+head[:39]+"0"), "artifact.fabricated"},
		{"another implementation head", manual, entry("[RC-1] x", "Kind: manual", observed, "Implementation head: "+oldHead), "artifact.stale"},
		{"a command needs none", "[RC-1] `x` (kind: command)", entry("[RC-1] `x`"), ""},
		{"one given without need is judged", "[RC-1] `x`", entry("[RC-1] `x`", "Implementation head: "+oldHead), "artifact.stale"},

		{"another exit code is the pass", "[RC-1] `x` (expected: exit 1)", strings.Replace(entry("[RC-1] `x`"), "exit 0", "exit 1", 1), ""},
		{"the pass is another exit code", "[RC-1] `x` (expected: exit 1)", entry("[RC-1] `x`"), "evidence.contradicts_verdict"},
	} {
		require.Equal(t, codes(row.want), found(pullRequest(evidence(row.entries), required(row.check)), report.Review), row.about)
	}
}

// TestVerdictsThatAreNoPass is the end of section 5.
func TestVerdictsThatAreNoPass(t *testing.T) {
	t.Parallel()
	failed := func(check, verdict string) string {
		return strings.NewReplacer("passed", verdict, "12 rows, exit 0", "3 failing, exit 1").Replace(entry(check))
	}
	for _, row := range []struct{ about, check, entries, want string }{
		{"failed with an id needs a carrier", "[RC-1] `x`", failed("[RC-1] `x`", "failed"), "evidence.carrier_missing"},
		{"blocked too", "[RC-1] `x`", failed("[RC-1] `x`", "blocked"), "evidence.carrier_missing"},
		{"without an id", "`x`", failed("`x`", "failed"), "evidence.exceptional_without_id"},
		{"for no declared check it is an error", "[RC-1] `x`", entry("[RC-1] `x`") + failed("[RC-2] `y`", "failed"), "entry.unknown_check"},
	} {
		s := pullRequest(evidence(row.entries), required(row.check))
		require.Equal(t, codes(row.want), found(s, report.Review), row.about)
		require.Equal(t, report.Failure, checks.Evaluate(s, report.Review).Conclusion, row.about)
	}
}

// status is a finished check run of GitHub Actions' kind.
func status(name, app, workflow, conclusion, started string) snapshot.StatusCheck {
	s := snapshot.StatusCheck{Name: name, App: app, Workflow: workflow, Status: "completed", Conclusion: &conclusion, StartedAt: &started}
	if conclusion == "" {
		s.Status, s.Conclusion = "in_progress", nil
	}
	return s
}

// TestStatuses is section 5, rule 8.
func TestStatuses(t *testing.T) {
	t.Parallel()
	const early, late = "2026-11-30T08:00:00Z", "2026-11-30T09:00:00Z"
	const allowed, pinned = "[RC-1] `npm test` (source: pr_body, status_check)", "[RC-1] `npm test` (source: status_check; app: ci)"
	own := entry("[RC-1] `npm test`")
	run := func(conclusion string) snapshot.StatusCheck { return status("npm test", "ci", "w", conclusion, early) }
	for _, row := range []struct {
		about, check, entries, want string
		stage                       report.Stage
		statuses                    []snapshot.StatusCheck
	}{
		{"a success stands in", allowed, "", "", report.Merge, []snapshot.StatusCheck{run("success")}},
		{"case and white space of its name", allowed, "", "", report.Merge, []snapshot.StatusCheck{status(" NPM  test", "ci", "w", "success", early)}},
		{"the name of the annotation", "[RC-1] `npm test` (source: status_check; status: build)", "", "", report.Merge, []snapshot.StatusCheck{status("build", "ci", "w", "success", early)}},
		{"not where it is not allowed", "[RC-1] `npm test`", "", "check.unsatisfied", report.Merge, []snapshot.StatusCheck{run("success")}},
		{"not with observations", "[RC-1] `npm test` (source: pr_body, status_check) [observation: a]", "", "check.unsatisfied", report.Merge, []snapshot.StatusCheck{run("success")}},
		{"none", allowed, "", "check.unsatisfied", report.Merge, nil},
		{"failed", allowed, "", "check.unsatisfied", report.Merge, []snapshot.StatusCheck{run("failure")}},
		{"running", allowed, "", "check.pending", report.Merge, []snapshot.StatusCheck{run("")}},
		{"neutral never counts", allowed, "", "check.unsatisfied", report.Merge, []snapshot.StatusCheck{run("neutral")}},
		{"skipped never counts", allowed, "", "check.unsatisfied", report.Merge, []snapshot.StatusCheck{run("skipped")}},
		{"cancelled never counts", allowed, "", "check.unsatisfied", report.Merge, []snapshot.StatusCheck{run("cancelled")}},
		{"stale never counts", allowed, "", "check.unsatisfied", report.Merge, []snapshot.StatusCheck{run("stale")}},
		{"the pinned app", pinned, "", "", report.Merge, []snapshot.StatusCheck{run("success"), status("npm test", "other", "w", "failure", late)}},
		{"only another app", pinned, "", "status.wrong_app", report.Merge, []snapshot.StatusCheck{status("npm test", "other", "w", "success", late)}},
		{"two apps", allowed, "", "status.ambiguous", report.Merge, []snapshot.StatusCheck{run("success"), status("npm test", "other", "w", "success", late)}},
		{"two workflows", allowed, "", "status.ambiguous", report.Merge, []snapshot.StatusCheck{run("success"), status("npm test", "ci", "v", "success", late)}},
		{"this product's own", allowed, "", "check.unsatisfied", report.Merge, []snapshot.StatusCheck{status("npm test", "evidence-gate", "", "success", early)}},
		{"a rerun decides", allowed, "", "", report.Merge, []snapshot.StatusCheck{run("failure"), status("npm test", "ci", "w", "success", late)}},
		{"in whichever order", allowed, "", "check.unsatisfied", report.Merge, []snapshot.StatusCheck{status("npm test", "ci", "w", "failure", late), run("success")}},
		{"one still running is the newest", allowed, "", "check.pending", report.Merge, []snapshot.StatusCheck{run(""), status("npm test", "ci", "w", "success", late)}},
		{"at one time the worse one", allowed, "", "check.unsatisfied", report.Merge, []snapshot.StatusCheck{run("success"), run("failure")}},

		{"a failure contradicts an entry", allowed, own, "evidence.contradicts_status", report.Review, []snapshot.StatusCheck{run("failure")}},
		{"a time-out contradicts an entry", allowed, own, "evidence.contradicts_status", report.Review, []snapshot.StatusCheck{run("timed_out")}},
		{"so does action required", allowed, own, "evidence.contradicts_status", report.Review, []snapshot.StatusCheck{run("action_required")}},
		{"even where no status may stand in", "[RC-1] `npm test`", own, "evidence.contradicts_status", report.Review, []snapshot.StatusCheck{run("failure")}},
		{"not one of another app than the pinned", "[RC-1] `npm test` (source: pr_body, status_check; app: ci)", own, "", report.Review, []snapshot.StatusCheck{status("npm test", "other", "w", "failure", late)}},
		{"one still running waits at merge", allowed, own, "check.pending", report.Merge, []snapshot.StatusCheck{run("")}},
		{"but not at review", allowed, own, "", report.Review, []snapshot.StatusCheck{run("")}},
		{"nor where no status may stand in", "[RC-1] `npm test`", own, "", report.Merge, []snapshot.StatusCheck{run("")}},
		{"an entry that rests on it", allowed, entry("[RC-1] `npm test`", "Source: status_check"), "", report.Merge, []snapshot.StatusCheck{run("success")}},
		{"an entry that rests on a failed one", allowed, entry("[RC-1] `npm test`", "Source: status_check"), "evidence.contradicts_status evidence.source_unverified", report.Merge, []snapshot.StatusCheck{run("failure")}},
	} {
		s := pullRequest(evidence(row.entries), required(row.check))
		s.App, s.StatusChecks = "evidence-gate", row.statuses
		require.Equal(t, codes(row.want), found(s, row.stage), row.about)
	}
}

// A commit status is one producer by its creator (rule 8).
func TestCommitStatuses(t *testing.T) {
	t.Parallel()
	s := pullRequest(evidence(""), required("[RC-1] `npm test` (source: status_check; app: ci)"))
	s.StatusChecks = []snapshot.StatusCheck{{Context: "npm test", State: "success", Creator: "ci[bot]", CreatedAt: "2026-11-30T08:00:00Z"}}
	require.Empty(t, found(s, report.Merge))
	s.StatusChecks = append(s.StatusChecks, snapshot.StatusCheck{Context: "npm test", State: "pending", Creator: "ci[bot]", CreatedAt: "2026-11-30T09:00:00Z"})
	require.Equal(t, codes("check.pending"), found(s, report.Merge))
}

// TestEvidenceThatIsNoList is E3: why a section without entries proves nothing.
func TestEvidenceThatIsNoList(t *testing.T) {
	t.Parallel()
	const table, fenced = "| check | verdict |\n|---|---|\n| npm test | passed |\n", "```\n- Required check: [RC-1] `x`\n  Verdict: passed\n```\n"
	for _, row := range []struct{ about, entries, want string }{
		{"a table", table, "check.unsatisfied entry.table_unsupported"},
		{"fenced text", fenced, "check.unsatisfied entry.fenced"},
		{"both", table + "\n" + fenced, "check.unsatisfied entry.fenced entry.table_unsupported"},
		{"a table beside entries", entry("[RC-1] `x`") + "\n" + table, ""},
		{"fenced text beside entries", entry("[RC-1] `x`") + "\n" + fenced, ""},
	} {
		require.Equal(t, codes(row.want), found(pullRequest(evidence(row.entries), required("[RC-1] `x`")), report.Review), row.about)
	}
}

// TestVerdictAndEvidence is E4, as an entry reports it.
func TestVerdictAndEvidence(t *testing.T) {
	t.Parallel()
	fields := func(verdict, text string) string {
		return "- Required check: [RC-1] `x`\n  Verdict: " + verdict + "\n  Evidence: " + text + "\n"
	}
	for _, row := range []struct{ about, entries, want string }{
		{"no verdict", "- Required check: [RC-1] `x`\n  Evidence: 12 rows\n", "verdict.missing"},
		{"an empty verdict", fields("", "12 rows"), "verdict.missing"},
		{"another word", fields("ok", "12 rows"), "verdict.invalid"},
		{"more words", fields("passed (with caveats)", "12 rows"), "verdict.invalid"},
		{"not run", fields("not run", "12 rows"), "verdict.not_final"},
		{"no evidence", "- Required check: [RC-1] `x`\n  Verdict: passed\n", "evidence.missing"},
		{"a placeholder", fields("passed", "TBD"), "evidence.missing"},
		{"a reported failure", fields("passed", "125 passing, 3 failing"), "evidence.contradicts_verdict"},
		{"cheers", fields("passed", "all green, LGTM"), "evidence.not_concrete"},
		{"cheers beside an observation", "- Required check: [RC-1] `x`\n  Verdict: passed\n  Evidence: see below\n  Observation: a\n", ""},
		{"a reported failure of a failed check is no contradiction", fields("failed", "125 passing, 3 failing"), "evidence.carrier_missing"},
		{"a failed check needs evidence too", fields("failed", "TBD"), "evidence.missing"},
	} {
		require.Equal(t, codes(row.want), found(pullRequest(evidence(row.entries), required("[RC-1] `x`")), report.Review), row.about)
	}
}

// TestHeadMarker is E6, as a Report shows it.
func TestHeadMarker(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ about, marker, want string }{
		{"the head", "Current PR head: " + head, ""},
		{"missing", "", "head.missing"},
		{"shortened", "Current PR head: " + head[:12], "head.abbreviated"},
		{"upper case", "Current PR head: " + strings.ToUpper(head), "head.not_canonical"},
		{"a placeholder", "Current PR head: TBD", "head.not_canonical"},
		{"retyped", "Current PR head: " + head[:7] + oldHead[7:], "head.fabricated"},
		{"another commit", "Current PR head: " + oldHead, "head.stale"},
		{"two values", "Current PR head: " + head + "\n\nPR head: " + oldHead, "head.ambiguous"},
		{"one value twice", "Current PR head: " + head + "\n\nPR head: `" + head + "`", ""},
	} {
		s := pullRequest("## Evidence\n\n"+row.marker+"\n\n"+entry("[RC-1] `x`"), required("[RC-1] `x`"))
		require.Equal(t, codes(row.want), found(s, report.Review), row.about)
	}
	s := pullRequest("PR head: "+head+"\n\n## Evidence\n\n"+entry("[RC-1] `x`"), required("[RC-1] `x`"))
	require.Equal(t, codes("head.outside_section"), found(s, report.Review))
}
