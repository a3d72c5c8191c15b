package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

func concluding(conclusion report.Conclusion, diagnostics ...report.Diagnostic) engine {
	return engine{evaluate: func(_ snapshot.Snapshot, stage report.Stage) report.Report {
		r := unreadable(stage, errors.New("-"))
		r.Conclusion, r.Diagnostics = conclusion, append([]report.Diagnostic{}, diagnostics...)
		return r
	}}
}

const smallest = `{"schema": 1, "now": "", "repository": {"owner": "acme", "name": "widgets"}, "pull_request": {"number": 1, "head_sha": "` + report.ExampleHead + `"}}`

func TestExitCodes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		conclusion  report.Conclusion
		diagnostics []report.Diagnostic
		want        int
	}{
		{"success", report.Success, nil, 0},
		{"success with a warning", report.Success, []report.Diagnostic{report.New(report.CodeSectionLevel, "")}, 0},
		{"neutral", report.Neutral, nil, 0},
		{"failure", report.Failure, []report.Diagnostic{report.New(report.CodeHeadStale, "")}, 1},
		{"failure beside what could not be read", report.Failure, []report.Diagnostic{report.New(report.CodeHeadStale, ""), report.New(report.CodeGateUnavailable, "")}, 1},
		{"a maintainer must act", report.ActionRequired, []report.Diagnostic{report.New(report.CodeContractMissing, "")}, 4},
		{"a maintainer must act, and the gate could not judge", report.ActionRequired, []report.Diagnostic{report.New(report.CodeContractMissing, ""), report.New(report.CodeGateUnavailable, "")}, 4},
		{"the gate could not judge", report.ActionRequired, []report.Diagnostic{report.New(report.CodeGateUnavailable, ""), report.New(report.CodeSectionLevel, "")}, 3},
		{"a fact is missing", report.ActionRequired, []report.Diagnostic{report.New(report.CodeSnapshotFactUnavailable, "")}, 3},
		{"waiting", report.Pending, []report.Diagnostic{report.New(report.CodeCheckPending, "")}, 4},
		{"a conclusion that nobody knows", "fine", nil, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, form := range [][]string{nil, {"--json"}} {
				var out, errs bytes.Buffer
				p := process{stdin: strings.NewReader(smallest), stdout: &out, stderr: &errs, getenv: func(string) string { return "" }}
				got := run(append([]string{"evaluate", "--snapshot", "-"}, form...), p, concluding(c.conclusion, c.diagnostics...))
				require.Equal(t, c.want, got)
				require.Empty(t, errs.String(), "a verdict is no error of the program")
			}
		})
	}
}

func TestJSONIsOneValidReport(t *testing.T) {
	t.Parallel()
	reports, _ := schemas(t)
	for name, input := range map[string]string{"a verdict": smallest, "no snapshot": "{}", "no JSON": "<html>"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			p := process{stdin: strings.NewReader(input), stdout: &out, stderr: io.Discard, getenv: func(string) string { return "" }}
			run([]string{"evaluate", "--snapshot", "-", "--json", "--stage", "merge"}, p, engine{evaluate: checks.Evaluate})
			requireSchema(t, reports, out.Bytes())
			var r report.Report
			decoder := json.NewDecoder(&out)
			require.NoError(t, decoder.Decode(&r))
			require.Equal(t, report.Merge, r.Stage)
			require.NotEqual(t, report.Success, r.Conclusion)
			require.ErrorIs(t, decoder.Decode(&r), io.EOF)
		})
	}
}

type refusing struct{ err error }

func (w refusing) Write([]byte) (int, error) { return 0, w.err }

func TestClosedOutput(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want int
		says string
	}{
		{fmt.Errorf("write: %w", syscall.EPIPE), exitSuccess, ""},
		{fmt.Errorf("write: %w", syscall.ENOSPC), exitCouldNotJudge, "cannot write the output"},
	} {
		var errs bytes.Buffer
		p := process{stdin: strings.NewReader(smallest), stdout: refusing{c.err}, stderr: &errs, getenv: func(string) string { return "" }}
		require.Equal(t, c.want, run([]string{"evaluate", "--snapshot", "-"}, p, concluding(report.Success)))
		require.Contains(t, errs.String(), c.says)
		require.Equal(t, c.says == "", errs.Len() == 0)
	}
}

func TestColorsOnATerminalOnly(t *testing.T) {
	t.Parallel()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal on this system: %v", err)
	}
	defer terminal.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer file.Close()
	for _, c := range []struct {
		name        string
		to          io.Writer
		environment map[string]string
		want        bool
	}{
		{"a terminal", terminal, nil, true},
		{"a terminal, with an empty NO_COLOR", terminal, map[string]string{"NO_COLOR": ""}, true},
		{"a terminal and NO_COLOR", terminal, map[string]string{"NO_COLOR": "1"}, false},
		{"a dumb terminal", terminal, map[string]string{"TERM": "dumb"}, false},
		{"a file", file, nil, false},
		{"a pipe", &bytes.Buffer{}, nil, false},
	} {
		p := process{getenv: func(name string) string { return c.environment[name] }}
		require.Equal(t, c.want, textOptions(p, c.to).Color, c.name)
	}
}

func TestWidthOfTheTerminal(t *testing.T) {
	t.Parallel()
	for columns, want := range map[string]int{"": 0, "132": 132, "10": 0, "-5": 0, "wide": 0} {
		p := process{getenv: func(string) string { return columns }}
		require.Equal(t, want, textOptions(p, io.Discard).Width, columns)
	}
}

func TestDocumentsAreNamedAsInReports(t *testing.T) {
	t.Parallel()
	body, issue := "body", "issue"
	s := snapshot.Snapshot{
		PullRequest: snapshot.PullRequest{Body: &body},
		Issue:       &snapshot.Issue{Body: &issue, Comments: []snapshot.Comment{{ID: 1, Body: "one"}}},
		Comments:    []snapshot.Comment{{ID: 2, Body: "two"}},
		Policy:      &snapshot.File{Text: "policy"},
		Profile:     &snapshot.File{Text: "profile"},
	}
	require.Equal(t, map[string]string{
		"pull_request.body": "body", "issue.body": "issue", "comment:1": "one", "comment:2": "two", "policy": "policy", "profile": "profile",
	}, documents(s))
	require.Empty(t, documents(snapshot.Snapshot{}))
}

func TestNearestCode(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]report.Code{
		"head.stail": report.CodeHeadStale, "HEAD.STALE": report.CodeHeadStale, "head_stale": report.CodeHeadStale,
		"fabricated": report.CodeHeadFabricated, "evidence-missing": report.CodeEvidenceMissing,
		strings.Repeat("x", 10_000): "", "nosuch": "", "": "", "x": "", "helicopter.landed": "",
	} {
		require.Equal(t, want, nearestCode(given), given)
	}
}
