package profile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// fields are those of a complete fact, in order.
var fields = [][2]string{
	{"Command", "`npm test`"}, {"Last outcome", "timed_out"}, {"Observed duration ms", "180000"}, {"Timeout ms", "180000"},
	{"Host timeout ceiling ms", "unknown"}, {"Strategy", "background"}, {"Updated", "2026-11-20"}, {"Source", "issue:#42"},
	{"Revisit when", "the suite is split"}, {"Decision", "none"},
}

// fact writes a complete fact with some fields changed; a field changed to "-" is left out.
func fact(id string, changes ...string) string {
	changed := map[string]string{}
	for i := 0; i < len(changes); i += 2 {
		changed[changes[i]] = changes[i+1]
	}
	out := "### " + id + "\n\n"
	for _, f := range fields {
		value, is := changed[f[0]]
		switch {
		case !is:
			value = f[1]
		case value == "-":
			continue
		}
		out += "- " + f[0] + ": " + value + "\n"
	}
	return out
}

func section(facts ...string) string {
	return "# Widgets\n\n## Verification Operating Facts\n\n" + strings.Join(facts, "\n") + "\n## Other\n\ntext\n"
}

func codes(diagnostics []report.Diagnostic) []report.Code {
	out := []report.Code{}
	for _, d := range diagnostics {
		out = append(out, d.Code)
	}
	return out
}

func TestACompleteFact(t *testing.T) {
	t.Parallel()
	p, diagnostics := profile.Read(section(fact("VF-full-suite")))
	require.Empty(t, diagnostics)
	require.True(t, p.Found)
	require.Equal(t, []string{"VF-full-suite"}, p.IDs())
	f := p.Facts[0]
	require.Equal(t, report.Fact{
		ID: "VF-full-suite", Command: "npm test", LastOutcome: "timed_out", DurationMS: "180000", TimeoutMS: "180000",
		HostCeilingMS: "unknown", Strategy: "background", Updated: "2026-11-20",
	}, f.Report())
	require.Equal(t, []string{"issue:#42", "the suite is split", "none"}, []string{f.Source, f.RevisitWhen, f.Decision})
	require.Equal(t, report.Where{Document: "profile", Line: 5, Column: 5, EndLine: 5, EndColumn: 18}, f.Where())
}

// The section is found by M2, and its absence is nothing to report.
func TestSection(t *testing.T) {
	t.Parallel()
	facts := fact("VF-a")
	for _, c := range []struct {
		about string
		text  string
		facts int
		want  []report.Code
	}{
		{"no section", "# Widgets\n\ntext\n", 0, nil},
		{"an empty file", "", 0, nil},
		{"the section in a fence", "```\n## Verification Operating Facts\n" + facts + "```\n", 0, nil},
		{"other case and an emoji", "## :pushpin: VERIFICATION operating facts\n\n" + facts, 1, nil},
		{"windows line ends", strings.ReplaceAll("## Verification Operating Facts\n\n"+facts, "\n", "\r\n"), 1, nil},
		{"level 1", "# Verification Operating Facts\n\n" + facts, 1, []report.Code{report.CodeSectionLevel}},
		{"level 3, whose facts are deeper", "### Verification Operating Facts\n\n#" + facts, 1, []report.Code{report.CodeSectionLevel}},
		{"level 2 wins", "### Verification Operating Facts\n\n## Verification Operating Facts\n\n" + facts, 1, nil},
		{"two sections", "## Verification Operating Facts\n\n" + facts + "\n## Verification Operating Facts\n\n" + fact("VF-b"), 0, []report.Code{report.CodeSectionDuplicate}},
		{"over 1 MiB", strings.Repeat("text\n", 1<<18), 0, []report.Code{report.CodeDocumentTooLarge}},
		{"too deep", strings.Repeat(">", 2000) + "\n", 0, []report.Code{report.CodeDocumentTooComplex}},
		{"the exact empty state", "## Verification Operating Facts\n\n" + profile.EmptyState + "\n", 0, nil},
		{"the empty state below a comment", "## Verification Operating Facts\n\n<!-- see the handbook -->\n\n" + profile.EmptyState + "\n", 0, nil},
		{"nearly the empty state", "## Verification Operating Facts\n\nNo project-wide verification operating facts are recorded.\n", 0, []report.Code{report.CodeProfileEmptyState}},
		{"the empty state without its full stop", "## Verification Operating Facts\n\n" + strings.TrimSuffix(profile.EmptyState, ".") + "\n", 0, []report.Code{report.CodeProfileEmptyState}},
		{"the empty state in a list", "## Verification Operating Facts\n\n- " + profile.EmptyState + "\n", 0, []report.Code{report.CodeProfileEmptyState}},
		{"the empty state in a comment", "## Verification Operating Facts\n\n<!-- " + profile.EmptyState + " -->\n", 0, []report.Code{report.CodeProfileEmptyState}},
		{"nothing at all", "## Verification Operating Facts\n", 0, []report.Code{report.CodeProfileEmptyState}},
		{"facts and the empty state", section(profile.EmptyState+"\n", facts), 1, []report.Code{report.CodeProfileEmptyState}},
		{"facts and other prose", section("What we learned:\n", facts), 1, nil},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			p, diagnostics := profile.Read(c.text)
			require.Len(t, p.Facts, c.facts)
			require.ElementsMatch(t, c.want, codes(diagnostics))
			for _, d := range diagnostics {
				require.Equal(t, report.Warning, d.Severity, "an ordinary pull request is never blocked")
				require.Equal(t, report.Maintainer, d.Owner)
				require.Equal(t, "profile", d.Where.Document)
			}
		})
	}
}

// Every code with what it accepts and what it refuses.
func TestFacts(t *testing.T) {
	t.Parallel()
	const (
		idInvalid   = report.CodeProfileIdInvalid
		idDuplicate = report.CodeProfileIdDuplicate
		command2    = report.CodeProfileCommandDuplicate
		missing     = report.CodeProfileFieldMissing
		invalid     = report.CodeProfileFieldInvalid
		repeated    = report.CodeProfileFieldRepeated
		notDurable  = report.CodeProfileSourceNotDurable
		routine     = report.CodeProfileRoutineFact
		invisible   = report.CodeTextInvisibleCharacter
	)
	for _, c := range []struct {
		about string
		text  string
		line  int // of the first diagnostic; 0 when there is none
		want  []report.Code
	}{
		{"a name of letters, digits, dots, dashes and underscores", fact("VF-e2e_1.0-slow"), 0, nil},
		{"an id in a code span", fact("`VF-a`"), 0, nil},
		{"no VF-", fact("full-suite"), 5, []report.Code{idInvalid}},
		{"vf- in lower case", fact("vf-a"), 5, []report.Code{idInvalid}},
		{"nothing after VF-", fact("VF-"), 5, []report.Code{idInvalid}},
		{"an id and more", fact("VF-a (slow)"), 5, []report.Code{idInvalid}},
		{"an id one level too deep", "#" + fact("VF-a"), 5, []report.Code{idInvalid}},
		{"a deeper heading that is no id, with other text", fact("VF-a") + "\n#### Notes\n\n- Strategy: we tried many\n", 0, nil},
		{"an invisible character in the id", fact("VF-a\u200b"), 5, []report.Code{invisible}},

		{"one id twice", fact("VF-a") + "\n" + fact("VF-a", "Command", "`npm run e2e`"), 18, []report.Code{idDuplicate}},
		{"one id in another case", fact("VF-a") + "\n" + fact("VF-A", "Command", "`npm run e2e`"), 18, []report.Code{idDuplicate}},
		{"two ids", fact("VF-a") + "\n" + fact("VF-b", "Command", "`npm run e2e`"), 0, nil},
		{"one command twice", fact("VF-a") + fact("VF-b"), 19, []report.Code{command2}},
		{"one command twice, white space apart", fact("VF-a") + fact("VF-b", "Command", "`npm  test`"), 19, []report.Code{command2}},
		{"nearly one command", fact("VF-a") + fact("VF-b", "Command", "`npm test --slow`"), 0, nil},

		{"a field left out", fact("VF-a", "Revisit when", "-"), 5, []report.Code{missing}},
		{"a field left empty", fact("VF-a", "Revisit when", ""), 15, []report.Code{missing}},
		{"all fields left out", "### VF-a\n", 5, []report.Code{missing}},
		{"a field nested in another item", fact("VF-a", "Decision", "-") + "- More\n  - Decision: none\n", 5, []report.Code{missing}},
		{"a field given twice", fact("VF-a") + "- Strategy: ci\n", 17, []report.Code{repeated}},
		{"a field given twice with one value", fact("VF-a") + "- Strategy: background\n", 17, []report.Code{repeated}},

		{"a command without a code span", fact("VF-a", "Command", "npm test"), 0, nil},
		{"a command with text beside it", fact("VF-a", "Command", "`npm test` on CI"), 7, []report.Code{invalid}},
		{"two commands", fact("VF-a", "Command", "`npm test`, `npm run lint`"), 7, []report.Code{invalid}},
		{"an invisible character in the command", fact("VF-a", "Command", "`npm\u200b test`"), 7, []report.Code{invisible}},
		{"an invisible character in a label", strings.Replace(fact("VF-a"), "Timeout", "Time\u200bout", 1), 10, []report.Code{invisible}},
		{"reordered text in prose", fact("VF-a") + "\nevil \u202e text\n", 18, []report.Code{invisible}},

		{"outcome blocked", fact("VF-a", "Last outcome", "blocked"), 0, nil},
		{"outcome in capitals and bold", fact("VF-a", "Last outcome", "**FAILED**"), 0, nil},
		{"outcome with a space", fact("VF-a", "Last outcome", "timed out"), 0, nil},
		{"outcome that is none", fact("VF-a", "Last outcome", "green"), 8, []report.Code{invalid}},
		{"outcome unknown", fact("VF-a", "Last outcome", "unknown"), 8, []report.Code{invalid}},

		{"time none", fact("VF-a", "Timeout ms", "none"), 0, nil},
		{"time 1", fact("VF-a", "Timeout ms", "1"), 0, nil},
		{"time 0", fact("VF-a", "Timeout ms", "0"), 10, []report.Code{invalid}},
		{"a negative time", fact("VF-a", "Observed duration ms", "-5"), 9, []report.Code{invalid}},
		{"a time with a unit", fact("VF-a", "Host timeout ceiling ms", "600 s"), 11, []report.Code{invalid}},
		{"a time with a separator", fact("VF-a", "Timeout ms", "180,000"), 10, []report.Code{invalid}},
		{"the longest time of 64 bits", fact("VF-a", "Timeout ms", "9223372036854775807"), 0, nil},
		{"a time beyond 64 bits", fact("VF-a", "Timeout ms", "9223372036854775808"), 10, []report.Code{invalid}},

		{"strategy split", fact("VF-a", "Strategy", "split"), 0, nil},
		{"strategy that is none", fact("VF-a", "Strategy", "parallel"), 12, []report.Code{invalid}},

		{"a leap day", fact("VF-a", "Updated", "2028-02-29"), 0, nil},
		{"a leap day that is none", fact("VF-a", "Updated", "2026-02-29"), 13, []report.Code{invalid}},
		{"month 13", fact("VF-a", "Updated", "2026-13-20"), 13, []report.Code{invalid}},
		{"year 0", fact("VF-a", "Updated", "0000-01-01"), 13, []report.Code{invalid}},
		{"year 10000", fact("VF-a", "Updated", "10000-01-01"), 13, []report.Code{invalid}},
		{"a day in words", fact("VF-a", "Updated", "20 November 2026"), 13, []report.Code{invalid}},
		{"a day with a time", fact("VF-a", "Updated", "2026-11-20T10:00:00Z"), 13, []report.Code{invalid}},

		{"a condition of two lines", fact("VF-a", "Revisit when", "the suite\n  is split"), 0, nil},
		{"a condition with a colon", fact("VF-a", "Revisit when", "the runner changes: more memory"), 0, nil},
		{"no condition", fact("VF-a", "Revisit when", "TBD"), 15, []report.Code{invalid}},

		{"a decision by its id", fact("VF-a", "Decision", "D-cache"), 0, nil},
		{"a decision by its file", fact("VF-a", "Decision", "`.agenticloop/decisions/0001-cache.md`"), 0, nil},
		{"a decision in prose", fact("VF-a", "Decision", "we agreed"), 16, []report.Code{invalid}},
		{"a decision elsewhere", fact("VF-a", "Decision", "docs/decisions/D-1.md"), 16, []report.Code{invalid}},
		{"a decision that leaves its folder", fact("VF-a", "Decision", ".agenticloop/decisions/../D-1.md"), 16, []report.Code{invalid}},

		{"a source in prose", fact("VF-a", "Source", "we saw it"), 14, []report.Code{notDurable}},

		{"a pass in the foreground", fact("VF-a", "Last outcome", "passed", "Strategy", "foreground"), 5, []report.Code{routine}},
		{"a pass in the background", fact("VF-a", "Last outcome", "passed"), 0, nil},
		{"a pass under a ceiling of the host", fact("VF-a", "Last outcome", "passed", "Strategy", "foreground", "Host timeout ceiling ms", "600000"), 0, nil},
		{"a pass with a decision", fact("VF-a", "Last outcome", "passed", "Strategy", "foreground", "Decision", "D-cache"), 0, nil},
		{"a failure in the foreground", fact("VF-a", "Last outcome", "failed", "Strategy", "foreground"), 0, nil},

		{"labels in bold, other bullets, a full-width colon", "### VF-a\n\n* **Command:** `npm test`\n* **Last outcome**: blocked\n1. Observed duration ms： none\n+ `Timeout ms`: none\n+ host TIMEOUT ceiling ms: none\n+ Strategy: ci\n+ Updated: 2026-11-20\n+ Source: pr:7\n+ Revisit when: x is y\n+ Decision: none\n", 0, nil},
		{"fields in one paragraph", "### VF-a\n\nCommand: `npm test`\nLast outcome: blocked\nObserved duration ms: none\nTimeout ms: none\nHost timeout ceiling ms: none\nStrategy: ci\nUpdated: 2026-11-20\nSource: pr:7\nRevisit when: x is y\nDecision: none\n", 0, nil},
		{"a field that is quoted", fact("VF-a", "Decision", "-") + "\n> - Decision: none\n", 5, []report.Code{missing}},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			_, diagnostics := profile.Read(section(c.text))
			require.ElementsMatch(t, c.want, codes(diagnostics), "%+v", diagnostics)
			if c.line > 0 {
				require.Equal(t, c.line, diagnostics[0].Where.Line)
			}
		})
	}
}

func TestDurableSources(t *testing.T) {
	t.Parallel()
	for source, durable := range map[string]bool{
		"T-9": true, "PROJ-123": true, "T-cache": true, "VF-a": false, "RC-1": false, "D-cache": false, "t-9": false, "-9": false,
		"task:T-9": true, "task:0042-cache": true, "task:": false, "task:two words": false,
		"event:123e4567-e89b-12d3-a456-426614174000": true, "event:123e4567": false, "event:123e4567-e89b-12d3-a456-42661417400g": false,
		"issue:#42": true, "issue:42": false, "issue:#0": false, "issue:#": false, "issue:#99999999999999999999": false,
		"pr:7": true, "pr:#7": false, "github:issue:42": true, "github:pr:7": true, "github:pr:": false,
		"commit:" + report.ExampleHead: true, "commit:b7d41e9": false, "commit:" + strings.ToUpper(report.ExampleHead): false,
		"https://ci.example.com/runs/1?x=a_b&y=2": true, "http://ci.example.com": true, "<https://ci.example.com/1>": true, "ftp://ci.example.com": false, "https://": false, "https://a:b@ci.example.com/": false,
		"docs/performance.md": true, "docs/performance.md#full-suite": true, "README.md": true, "docs/performance.txt": false, "/home/eng/notes.md": false, "../notes.md": false, "~/notes.md": false, "c:/notes.md": false,
		"the log of last week": false, "Slack": false, "issue:#42, pr:7": false,
	} {
		_, diagnostics := profile.Read(section(fact("VF-a", "Source", source)))
		want := []report.Code{}
		if !durable {
			want = append(want, report.CodeProfileSourceNotDurable)
		}
		require.Equal(t, want, codes(diagnostics), source)
	}
}

func TestDecisionsExist(t *testing.T) {
	t.Parallel()
	decisions := []string{"D-cache", "0001-split.md", ".agenticloop/decisions/D-3.md"}
	for decision, exists := range map[string]bool{
		"none": true, "D-cache": true, ".agenticloop/decisions/D-cache.md": true, ".agenticloop/decisions/0001-split.md": true, "D-3": true,
		"D-nowhere": false, "D-CACHE": false, ".agenticloop/decisions/D-nowhere.md": false,
	} {
		p, diagnostics := profile.Read(section(fact("VF-a", "Decision", decision)))
		require.Empty(t, diagnostics)
		found := p.MissingDecisions(decisions)
		require.Equal(t, !exists, len(found) == 1, decision)
		if !exists {
			require.Equal(t, report.CodeProfileDecisionMissing, found[0].Code)
			require.Equal(t, 16, found[0].Where.Line)
		}
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	broken := section(fact("VF-a", "Decision", "D-cache", "Strategy", "parallel"))
	s := snapshot.Snapshot{Profile: &snapshot.File{Path: profile.Path, Text: broken}, References: &snapshot.References{Decisions: []string{"D-cache"}}}
	p, diagnostics := profile.Judge(s)
	require.Len(t, p.Facts, 1)
	require.Equal(t, report.Success, report.Conclude(diagnostics), "only warnings")
	require.Equal(t, []report.Code{report.CodeProfileFieldInvalid}, codes(diagnostics))

	s.References = nil
	_, diagnostics = profile.Judge(s)
	require.Contains(t, codes(diagnostics), report.CodeProfileDecisionMissing, "an absent list is an empty one")

	s.Unavailable = []snapshot.Unavailable{{Fact: "references", Reason: "forbidden"}}
	_, diagnostics = profile.Judge(s)
	require.NotContains(t, codes(diagnostics), report.CodeProfileDecisionMissing, "what could not be read is not missing")

	s.Profile.ChangedInPullRequest = true
	_, diagnostics = profile.Judge(s)
	require.Equal(t, report.ActionRequired, report.Conclude(diagnostics))

	s.Profile.Text = "# Verification Operating Facts\n\n" + profile.EmptyState + "\n"
	_, diagnostics = profile.Judge(s)
	require.Equal(t, report.Success, report.Conclude(diagnostics), "another heading level stays a warning")

	p, diagnostics = profile.Judge(snapshot.Snapshot{})
	require.False(t, p.Found)
	require.Empty(t, diagnostics)
}

// Where a value stands twice or is not allowed, none is known.
func TestAnUncertainValueIsNotKnown(t *testing.T) {
	t.Parallel()
	p, _ := profile.Read(section(fact("VF-a", "Timeout ms", "three minutes", "Command", "`a` and `b`") + "- Strategy: ci\n"))
	f, ok := p.Fact("VF-a")
	require.True(t, ok)
	require.Empty(t, f.TimeoutMS+f.Command+f.Strategy)
	require.Equal(t, "timed_out", f.LastOutcome)
}

// A profile of many facts costs no more than its size, and says no more than a person can read.
func TestManyFacts(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	out.WriteString("## Verification Operating Facts\n\n")
	const n = 2000
	for i := range n {
		out.WriteString(fmt.Sprintf("### VF-%d\n\n- Comand: `x`\n", i))
	}
	p, diagnostics := profile.Read(out.String())
	require.Len(t, p.Facts, n)
	require.Len(t, diagnostics, n, "one for the fields that a fact lacks")
	require.Contains(t, diagnostics[0].Message, `line 5 has "Comand"`)
}
