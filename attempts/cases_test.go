package attempts_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// judgedHere are the areas of codes that this package decides.
var judgedHere = []string{"carrier.", "attempt.", "prediction.", "retry.", "triage.", "episode."}

func here(code report.Code) bool {
	return slices.ContainsFunc(judgedHere, func(area string) bool { return strings.HasPrefix(string(code), area) })
}

// A case of testdata/cases that is about attempts has the codes of this package that it expects, and
// errors only when it expects one.
func TestCases(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../testdata/cases/*.json")
	require.NoError(t, err)
	run := 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		about := strings.HasPrefix(name, "at-") || slices.Contains([]string{"ev-081", "me-005", "me-007", "wild-115"}, name)
		if !about {
			continue
		}
		run++
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			require.NoError(t, err)
			var c struct {
				Stage    report.Stage
				Snapshot snapshot.Snapshot
				Expect   struct {
					Conclusion any
					Codes      []report.Code
					NotCodes   []report.Code `json:"not_codes"`
				}
			}
			require.NoError(t, json.Unmarshal(data, &c))
			got := attempts.Judge(factsOf(c.Snapshot, c.Stage))
			codes := codesOf(got.Diagnostics)
			for _, code := range c.Expect.Codes {
				if here(code) {
					require.Contains(t, codes, code)
				}
			}
			for _, code := range c.Expect.NotCodes {
				require.NotContains(t, codes, code)
			}
			if c.Expect.Conclusion == string(report.Success) {
				require.Equal(t, report.Success, report.Conclude(got.Diagnostics), "%v", got.Diagnostics)
			}
			for _, code := range codes {
				require.True(t, here(code), code)
			}
		})
	}
	require.Greater(t, run, 60)
}

// declared finds the ids of the contracts of the cases.
var declared = regexp.MustCompile(`(?m)^- \[(RC-[0-9]+)\]`)

// factsOf takes from a Snapshot what the judge of attempts needs, by the default policy.
func factsOf(s snapshot.Snapshot, stage report.Stage) attempts.Facts {
	f := attempts.Facts{
		Stage: stage, Conversation: s.Comments, Actions: s.Actions, Author: s.PullRequest.Author, Maintainers: s.Repository.Maintainers,
		Maintainer: role("maintain", "admin"), Trusted: role("write", "maintain", "admin"), BodyRevisions: s.PullRequest.Revisions,
	}
	if s.Issue != nil {
		f.Task = s.Issue.Comments
		for _, id := range declared.FindAllStringSubmatch(*s.Issue.Body, -1) {
			f.Checks = append(f.Checks, id[1])
		}
	}
	if s.Memory != nil {
		f.Remembered = s.Memory.Carriers
	}
	if s.References != nil {
		f.References = *s.References
	}
	if s.Profile != nil && strings.Contains(s.Profile.Text, "### VF-full-suite") {
		f.Facts = []string{"VF-full-suite"}
	}
	return f
}

// role tells whether an account has one of the permissions.
func role(permissions ...string) func(*snapshot.Actor) bool {
	return func(a *snapshot.Actor) bool { return a != nil && slices.Contains(permissions, a.Permission) }
}

func codesOf(diagnostics []report.Diagnostic) []report.Code {
	var out []report.Code
	for _, d := range diagnostics {
		out = append(out, d.Code)
	}
	return out
}
