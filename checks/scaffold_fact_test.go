package checks_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/report"
)

func facts(commands ...string) profile.Profile {
	p := profile.Profile{Found: true}
	for i, c := range commands {
		p.Facts = append(p.Facts, profile.Fact{ID: "VF-" + string(rune('a'+i)), Command: c, Strategy: "background", TimeoutMS: "600000", HostCeilingMS: "none"})
	}
	return p
}

// A fact is about a check when both name the same command (section 5, rule 4).
func TestFactIndex(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		about    string
		commands []string
		command  string
		want     string
	}{
		{"the exact command", []string{"npm test"}, "npm test", "VF-a"},
		{"white space", []string{"npm test"}, "npm  test", "VF-a"},
		{"another argument", []string{"npm test"}, "npm test --all", ""},
		{"another case", []string{"npm test"}, "NPM test", ""},
		{"an absolute folder and a version", []string{"/usr/bin/php8.3 vendor/bin/phpunit"}, "php vendor/bin/phpunit", "VF-a"},
		{"quotes", []string{`go test ./... -run "A"`}, "go test ./... -run A", "VF-a"},
		{"an exact command before the same one", []string{"php8.3 x", "php x"}, "php x", "VF-b"},
		{"a version that a fact names", []string{"php8.2 x", "php8.3 x"}, "php8.3 x", "VF-b"},
		{"a version that no fact names", []string{"php8.2 x"}, "php8.3 x", ""},
		{"no version, and facts of two", []string{"php8.2 x", "php8.3 x"}, "php x", ""},
		{"a pipeline, to the letter", []string{"a | b"}, "a | b", "VF-a"},
		{"a pipeline spelled otherwise", []string{"a | b"}, "a |b", ""},
		{"a check without a command", []string{""}, "", ""},
		{"no facts", nil, "npm test", ""},
	} {
		t.Run(c.about, func(t *testing.T) {
			t.Parallel()
			f := checks.NewFactIndex(facts(c.commands...)).For(c.command)
			if c.want == "" {
				require.Nil(t, f)
				return
			}
			require.NotNil(t, f)
			require.Equal(t, c.want, f.ID)
		})
	}
}

// A fact stands next to its check and changes nothing of what the section proves, filled or not.
func TestScaffoldShowsFacts(t *testing.T) {
	t.Parallel()
	const issue = "## Required Checks\n\n- [RC-1] `npm test`\n- [RC-2] Theme stays (kind: manual) [observations: theme]\n- [RC-3] contract_proof: `npm run api` is unchanged\n"
	head := report.ExampleHead
	with, diagnostics := scaffoldWith(issue, head, facts("npm test", "npm run api", "npm run e2e"))
	require.Empty(t, diagnostics)
	require.Contains(t, with, "- Required check: [RC-1] `npm test`\n  <!-- VF-a: strategy background, timeout 600000 ms, host ceiling none -->\n  Verdict: not run\n")
	require.Equal(t, 1, strings.Count(with, "<!--"), "only what runs a command has a fact")
	plain, _ := checks.Scaffold(issue, head)
	require.NotContains(t, plain, "<!--")

	one, err := prbody.Read(with)
	require.NoError(t, err)
	other, err := prbody.Read(plain)
	require.NoError(t, err)
	require.Empty(t, one.Diagnostics)
	require.Len(t, one.Entries, len(other.Entries))
	for i := range one.Entries {
		require.Equal(t, other.Entries[i].Check.Key, one.Entries[i].Check.Key)
		require.Equal(t, other.Entries[i].Verdict.Text, one.Entries[i].Verdict.Text)
		require.Equal(t, other.Entries[i].Evidence.Text, one.Entries[i].Evidence.Text)
	}
	for _, section := range []string{with, plain} {
		task := issue
		require.Equal(t, report.Failure, checks.Lint(checks.Files{Body: section, Issue: &task, Head: head, Stage: report.Merge}).Conclusion)
		filled := checks.Lint(checks.Files{Body: fill(section, "exit 0"), Issue: &task, Head: head, Stage: report.Merge})
		require.Equal(t, report.Success, filled.Conclusion, "%+v", filled.Diagnostics)
	}
}

// --write puts a section with facts into a body and finds it unchanged the next time.
func TestRewriteKeepsFacts(t *testing.T) {
	t.Parallel()
	const issue = "## Required Checks\n\n- [RC-1] `npm test`\n"
	section, _ := scaffoldWith(issue, report.ExampleHead, facts("npm test"))
	first, err := prbody.Rewrite("Closes #1\n", section, report.ExampleHead)
	require.NoError(t, err)
	again, err := prbody.Rewrite(first.Body, section, report.ExampleHead)
	require.NoError(t, err)
	require.Equal(t, first.Body, again.Body)
	filled := fill(first.Body, "exit 0")
	next := strings.Repeat("ab", 20)
	other, _ := scaffoldWith(issue, next, facts("npm test"))
	renewed, err := prbody.Rewrite(filled, other, next)
	require.NoError(t, err)
	require.Equal(t, []string{"RC-1"}, renewed.Reset)
	require.Equal(t, 1, strings.Count(renewed.Body, "<!-- VF-a"))
}

func scaffoldWith(issue, head string, known profile.Profile) (string, []report.Diagnostic) {
	f := checks.FormOfTask(issue, head, known)
	return f.Text(), f.Diagnostics
}
