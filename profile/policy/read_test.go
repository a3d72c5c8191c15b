package policy

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// designExample is the block of design section 9 that shows every key.
func designExample(t *testing.T) string {
	t.Helper()
	design, err := os.ReadFile("../../docs/design.md")
	require.NoError(t, err)
	_, section, found := strings.Cut(string(design), "## 9. Repository policy")
	require.True(t, found)
	_, block, found := strings.Cut(section, "```yaml\n")
	require.True(t, found)
	block, _, _ = strings.Cut(block, "```")
	return block
}

func mustRead(t *testing.T, text string) Policy {
	t.Helper()
	p, faults := Read(text, Repository)
	require.Empty(t, faults, text)
	return p
}

func TestEveryKeyOfTheDesign(t *testing.T) {
	t.Parallel()
	p := mustRead(t, designExample(t))
	require.Equal(t, LevelChecks, p.Level)
	require.Equal(t, Enforce, p.Mode)
	require.Equal(t, []string{"level", "max_attempts"}, p.Rules[0].Keys)
	require.Equal(t, 5, p.Rules[0].Sets.MaxAttempts)
	require.Equal(t, When{Labels: []string{"docs"}, Paths: []Glob{"docs/**"}, Bases: []Glob{"main"}, IssueTypes: []string{"bug"}}, p.Rules[0].When)
	require.Equal(t, "^T-", p.Tasks.ID.String())
	require.True(t, p.Tasks.ID.Match("T-12"))
	require.False(t, p.Tasks.ID.Match("X-T-12"))
	require.Equal(t, []Glob{"main", "release/*"}, p.AppliesTo.Bases)
	require.Equal(t, []string{"dependabot[bot]"}, p.AppliesTo.ExemptAuthors)
	require.Equal(t, Agent{Provider: "vendor-a", Connector: "alice"}, p.Roles.Agents["some-bot[bot]"])
	require.Equal(t, []Verifier{{Name: "build-box", Owner: "carol", PublicKey: "..."}}, p.Verifiers)
}

// What a file leaves out is as section 9 says.
func TestDefaults(t *testing.T) {
	t.Parallel()
	p := mustRead(t, "version: 1\n")
	require.Equal(t, Repository, p.Source)
	p.Source, p.lines = BuiltIn, nil
	require.Equal(t, Default(), p)
	require.Equal(t, Demands{
		Level: "checks", StatusChecks: "explicit", Contradictions: "fail", Unrenewed: "warn",
		Criteria: "optional", NoChanges: "flag", MaxRejections: 3, MaxAttempts: 3,
	}, p.Demands)
	require.Equal(t, Tasks{Source: "issue", Require: true}, p.Tasks)
	require.Empty(t, p.AppliesTo)
	require.Equal(t, Roles{Maintainers: MaintainerRole{Permission: "maintain"}}, p.Roles)
	require.Equal(t, []string{"enforce", "evidence-gate", "any", "request", "maintainer", "cli"},
		[]string{p.Mode, p.CheckName, p.PersonVia, p.Notify, p.ContractChanges, p.Kind})
	require.Zero(t, p.Review.Wait)
}

func TestStepsOfTheDesign(t *testing.T) {
	t.Parallel()
	p := mustRead(t, `version: 1
tasks: { source: both }
env: { PORT_WEB: "5187" }
checks:
  - { name: install, run: npm ci, phase: setup, layer: install }
  - { id: rc-1, name: unit tests, run: go test ./..., phase: check, layer: test, timeout: 1h30m, tags: [fast] }
  - { name: load, run: ./dev/load, layer: test, default: false }
  - { name: web answers, run: ./bin/web, phase: serve, layer: serve, probe: "http://127.0.0.1:${PORT_WEB}/healthz", probe_timeout: 90s, stage: app }
  - { name: stop db, run: [./dev/db, stop], phase: teardown, layer: install }
  - { id: RC-2, text: Settings page keeps the theme, kind: manual, observations: [theme@unit] }
`)
	require.Equal(t, "RC-1", p.Checks[1].ID)
	require.Equal(t, 90*time.Minute, p.Checks[1].Timeout)
	require.Equal(t, []any{"check", 10 * time.Minute, true}, []any{p.Checks[2].Phase, p.Checks[5].Timeout, p.Checks[0].Default})
	require.False(t, p.Checks[2].Default)
	require.Equal(t, []string{"./dev/db", "stop"}, p.Checks[4].Args)
	require.Equal(t, 8, p.Checks[3].Line)
	require.Equal(t, []string{"RC-1", "RC-2"}, []string{p.Contract()[0].ID, p.Contract()[1].ID})
	p.Tasks.Source = FromIssue
	require.Empty(t, p.Contract())
}

func TestAccepted(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"off is a word":           "version: 1\nlevel: off\n",
		"off in quotes":           "version: 1\nlevel: \"off\"\n",
		"one document":            "---\nversion: 1\nlevel: off\n...\n",
		"comments":                "# ä\nversion: 1 # one\nlevel: off\n",
		"one flow mapping":        "{version: 1, level: off}",
		"CRLF and BOM":            "\ufeffversion: 1\r\nlevel: off\r\n",
		"keys in quotes":          "\"version\": 1\n'level': off\n",
		"a block text":            "version: 1\nlevel: off\nchecks:\n  - name: all\n    run: |\n      make\n      \tindented by a tab\n",
		"an emoji with a joiner":  "version: 1 # 👩‍💻\nlevel: off\n",
		"lists below their keys":  "version: 1\nlevel: off\npass_env:\n- A\n- B\n",
		"empty lists and mapping": "version: 1\nlevel: off\napplies_to: { bases: [], exempt_labels: [] }\nrules: []\nfloor: {}\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, LevelOff, mustRead(t, text).Level)
		})
	}
}

// One fault each: where it is, what is wrong, and what to write.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text   string
		line, column int
		says, help   string
	}{
		{"misspelt key", "version: 1\nlevle: off\n", 2, 1, "no key `levle`; the nearest is level", "level: off"},
		{"dashes in a key", "version: 1\ncheck-name: gate\n", 2, 1, "nearest is check_name", "check_name: gate"},
		{"key of another mapping", "version: 1\nexempt_labels: [x]\n", 2, 1, "it stands in applies_to", "applies_to:\n  exempt_labels: [no-evidence]"},
		{"unknown key", "version: 1\ncolour: red\n", 2, 1, "no key `colour`", "remove the line"},
		{"misspelt key below", "version: 1\ntasks: { sorce: policy }\n", 2, 10, "no key `sorce` in tasks", "source: policy"},
		{"top-level key in a rule", "version: 1\nrules:\n  - { when: { bases: [main] }, mode: report }\n", 3, 32, "no key `mode` in rules; it stands at the top level", "mode: report"},
		{"key twice", "version: 1\nlevel: off\nlevel: checks\n", 3, 1, "stands twice; it stands in line 2 already", "keep one"},
		{"unknown value", "version: 1\nmode: enforced\n", 2, 7, "mode is `enforced`", "mode: enforce"},
		{"another case", "version: 1\nmode: Report\n", 2, 7, "mode is `Report`", "mode: report"},
		{"spaces in a level", "version: 1\nlevel: checks + review\n", 2, 8, "it takes off, checks", "level: checks+review"},
		{"off as a boolean", "version: 1\nlevel: false\n", 2, 8, "some readers of YAML take off for that", "level: off"},
		{"no for off", "version: 1\ncriteria: no\n", 2, 11, "criteria is `no`", "criteria: off"},
		{"yes for true", "version: 1\ntasks: { require: yes }\n", 2, 19, "it takes true or false", "require: true"},
		{"text for a number", "version: 1\nmax_attempts: three\n", 2, 15, "a whole number from 1 to 1000", "max_attempts: 3"},
		{"number in quotes", "version: 1\nmax_attempts: \"3\"\n", 2, 15, "a whole number", "max_attempts: 3"},
		{"zero", "version: 1\nmax_attempts: 0\n", 2, 15, "`0`", "max_attempts: 3"},
		{"beyond 64 bits", "version: 1\nmax_attempts: 99999999999999999999\n", 2, 15, "a whole number", "max_attempts: 3"},
		{"an octal number", "version: 1\nmax_attempts: 010\n", 2, 15, "`010`", "max_attempts: 3"},
		{"number for text", "version: 1\ncheck_name: 42\n", 2, 13, "it takes text", "check_name: \"42\""},
		{"text for a list", "version: 1\npass_env: CI\n", 2, 11, "it takes a list", "pass_env: [CI]"},
		{"list for a mapping", "version: 1\ntasks: [issue]\n", 2, 8, "it takes a mapping", "tasks: { source: issue }"},
		{"no value", "version: 1\nrules:\n", 2, 1, "rules has no value", "rules: ["},
		{"columns count characters", "version: 1\napplies_to: { exempt_labels: [\"üé\"], bases: [\"/x\"] }\n", 2, 46, "without / or ./", "bases: [x]"},
		{"folder as a glob", "version: 1\napplies_to: { exempt_paths: [docs/] }\n", 2, 30, "a folder is no file", "exempt_paths: [\"docs/**\"]"},
		{"negated glob", "version: 1\napplies_to: { exempt_paths: [\"!docs/**\"] }\n", 2, 30, "no negation", "exempt_paths: [\"docs/**\"]"},
		{"broken glob", "version: 1\napplies_to: { bases: [\"release/[\"] }\n", 2, 23, "needs its end", "bases: [main]"},
		{"glob with dots", "version: 1\napplies_to: { exempt_paths: [\"docs/../src/**\"] }\n", 2, 30, "empty parts", ""},
		{"alternatives that multiply", "version: 1\napplies_to: { bases: [\"{a,b}{a,b}{a,b}{a,b}\"] }\n", 2, 23, "too many alternatives", ""},
		{"mention for an account", "version: 1\nroles: { trusted: [\"@eng\"] }\n", 2, 20, "without the @", "trusted: [eng]"},
		{"broken expression", "version: 1\ntasks: { id_pattern: \"(\" }\n", 2, 22, "no regular expression (RE2)", "id_pattern: \"^T-\""},
		{"lookahead", "version: 1\ntasks: { id_pattern: \"(?=T)\" }\n", 2, 22, "no regular expression (RE2)", ""},
		{"check name over two lines", "version: 1\ncheck_name: \"a\\nb\"\n", 2, 13, "one line", "check_name: a b"},
		{"no time", "version: 1\nreview: { wait: 3 days }\n", 2, 17, "a time such as 90s", "wait: off"},
		{"endless time", "version: 1\nreview: { wait: 999999999h }\n", 2, 17, "a time such as", ""},
		{"wait as a boolean", "version: 1\nreview: { wait: false }\n", 2, 17, "write the word off", "wait: off"},
		{"rule without when", "version: 1\nrules:\n  - level: off\n", 3, 5, "has no when", "when: {"},
		{"rule about everything", "version: 1\nrules:\n  - { when: {}, level: off }\n", 3, 7, "names no condition", "when: {"},
		{"condition without a value", "version: 1\nrules:\n  - when: { paths: [] }\n", 3, 13, "an empty list", "remove paths"},
		{"agent twice", "version: 1\nroles:\n  agents:\n    eng: { provider: a }\n    Eng: { provider: b }\n", 5, 5, "stands twice", "keep one"},
		{"verifier without a key", "version: 1\nverifiers: [{ name: box, owner: carol }]\n", 2, 15, "no public_key", "public_key: "},
		{"check without anything", "version: 1\nchecks: [{ name: x }]\n", 2, 12, "no run", "run: "},
		{"contract check without text", "version: 1\nchecks: [{ id: RC-1 }]\n", 2, 12, "no text", "text: "},
		{"command with a text", "version: 1\nchecks: [{ id: RC-1, run: make, text: x }]\n", 2, 33, "belongs to a check without run", "remove the line"},
		{"id twice", "version: 1\nchecks:\n  - { id: RC-1, run: a }\n  - { id: rc-1, run: b }\n", 4, 11, "the id `RC-1` stands twice; line 3", "its own id"},
		{"no id", "version: 1\nchecks: [{ id: one, run: a }]\n", 2, 16, "an id such as RC-1", "id: RC-1"},
		{"server without a probe", "version: 1\nchecks: [{ name: web, run: a, phase: serve }]\n", 2, 12, "no probe", "probe: "},
		{"no version", "level: off\n", 1, 1, "no version", "version: 1"},
		{"another version", "version: 2\n", 1, 10, "of version `2`", "version: 1"},
		{"version as text", "version: \"1\"\n", 1, 10, "the number 1", "version: 1"},
		{"empty", "", 1, 1, "is empty", "version: 1"},
		{"only a comment", "# later\n", 1, 1, "is empty", "version: 1"},
		{"a list", "- version: 1\n", 1, 1, "is a list", "version: 1"},
		{"a text", "off\n", 1, 1, "is text", "version: 1"},
		{"two documents", "version: 1\n---\nversion: 1\n", 2, 1, "second YAML document", "keep one document"},
		{"anchor", "version: 1\ncheck_name: &n gate\n", 2, 13, "an anchor", "write the value"},
		{"alias", "version: 1\ncheck_name: *n\n", 2, 13, "an alias", "write the value itself"},
		{"tag", "version: 1\ncheck_name: !!str gate\n", 2, 13, "a tag", "write the value alone"},
		{"merge key", "version: 1\ntasks:\n  <<: { require: true }\n", 3, 3, "a merge key", "the keys themselves"},
		{"directive", "%YAML 1.1\n---\nversion: 1\n", 1, 1, "a directive", "remove the line"},
		{"tab", "version: 1\ntasks:\n\trequire: true\n", 3, 1, "indented with a tab", "  require: true"},
		{"tab after spaces", "version: 1\nenv:\n  \tA: b\n", 3, 3, "indented with a tab", "    A: b"},
		{"a key in a value", "version: 1\ncheck_name: a: b\n", 2, 13, "the line is no YAML", "a key cannot stand inside a value"},
		{"an open list", "version: 1\npass_env: [A\n", 2, 11, "the line is no YAML", "close the list with ]"},
		{"an open quote", "version: 1\ncheck_name: 'a\n", 2, 13, "the line is no YAML", ""},
		{"zero-width space", "version: 1\nlevel: off\u200b\n", 2, 11, "U+200B", "delete the character"},
		{"reordering in a comment", "version: 1 # \u202eon\n", 1, 14, "U+202E", "delete the character"},
		{"control character", "version: 1\nlevel: \x07off\n", 2, 8, "U+0007", "delete the character"},
		{"not UTF-8", "version: 1\ncheck_name: \xff\n", 2, 13, "0xFF", "UTF-8"},
		{"nesting", "version: 1\nrules: " + strings.Repeat("[", 30) + strings.Repeat("]", 30) + "\n", 2, 19, "nested more than 12 deep", ""},
		{"over 1 MiB", "version: 1\n#" + strings.Repeat("x", 1<<20), 1, 1, "it may have 1 MiB", "shorten"},
		{"too many lines", "version: 1\n" + strings.Repeat("\n", 5000), 1, 1, "it may have 5000", "shorten"},
		{"too many marks", "version: 1\npass_env: [" + strings.Repeat("a,", 20_001) + "]", 1, 1, "punctuation marks", "shorten"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, faults := Read(c.text, Repository)
			require.Len(t, faults, 1, "%v", faults)
			d := faults[0]
			require.Equal(t, report.CodePolicyInvalid, d.Code)
			require.Equal(t, []any{report.Error, report.Maintainer, "policy"}, []any{d.Severity, d.Owner, d.Where.Document})
			require.Equal(t, []int{c.line, c.column}, []int{d.Where.Line, d.Where.Column}, d.Message)
			require.Contains(t, d.Message, c.says)
			require.Contains(t, d.Help, c.help)
			require.NotEmpty(t, d.Help)
		})
	}
}

func TestEveryFaultAtOnce(t *testing.T) {
	t.Parallel()
	_, faults := Read("levle: off\nmode: maybe\ntasks: { source: here, require: 1 }\nrules: [{ level: nothing }]\n", Repository)
	var at [][2]int
	for _, d := range faults {
		at = append(at, [2]int{d.Where.Line, d.Where.Column})
	}
	require.Equal(t, [][2]int{{1, 1}, {1, 1}, {2, 7}, {3, 18}, {3, 33}, {4, 11}, {4, 18}}, at)
}

func TestFaultsAreBounded(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"a\u200bb\n", "key%: 1\n"} {
		var text strings.Builder
		for i := range 2_000 {
			text.WriteString(strings.Replace(line, "%", string(rune('a'+i%26))+strings.Repeat("x", i/26), 1))
		}
		_, faults := Read(text.String(), Repository)
		require.Len(t, faults, maxFaults+1)
		require.Contains(t, faults[maxFaults].Message, "more faults than these")
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	file := func(text string) *snapshot.File { return &snapshot.File{Path: Path, Text: text} }
	own, above := file("version: 1\nmode: report\n"), file("version: 1\nlevel: off\nfloor: { level: checks }\n")
	broken := file("version: 1\nlevle: off\n")

	t.Run("no file is the defaults", func(t *testing.T) {
		t.Parallel()
		p, faults := Resolve(nil, nil)
		require.Empty(t, faults)
		require.Equal(t, Default(), p)
	})
	t.Run("the organisation's where the repository has none", func(t *testing.T) {
		t.Parallel()
		p, faults := Resolve(nil, above)
		require.Empty(t, faults)
		require.Equal(t, []any{Organisation, LevelOff, []string{"level"}}, []any{p.Source, p.Level, p.Floor.Keys})
	})
	t.Run("the repository's as a whole, under the organisation's floor", func(t *testing.T) {
		t.Parallel()
		p, faults := Resolve(own, above)
		require.Empty(t, faults)
		require.Equal(t, []any{Repository, LevelChecks, Report, []string{"level"}}, []any{p.Source, p.Level, p.Mode, p.Floor.Keys})
	})
	t.Run("a broken file never falls back", func(t *testing.T) {
		t.Parallel()
		_, faults := Resolve(broken, file("version: 1\n"))
		require.Len(t, faults, 1)
		require.Equal(t, "policy", faults[0].Where.Document)
		_, faults = Resolve(broken, nil)
		require.Len(t, faults, 1)
	})
	t.Run("nor a broken file of the organisation, whose floor is not known", func(t *testing.T) {
		t.Parallel()
		_, faults := Resolve(own, broken)
		require.Len(t, faults, 1)
		require.Equal(t, "organisation_policy", faults[0].Where.Document)
	})
	t.Run("a floor in the repository's file", func(t *testing.T) {
		t.Parallel()
		_, faults := Resolve(above, nil)
		require.Len(t, faults, 1)
		require.Contains(t, faults[0].Message, "organisation's file only")
	})
}

func TestIncompleteSteps(t *testing.T) {
	t.Parallel()
	all := "  - { name: a, run: a, layer: install }\n  - { name: b, run: b, layer: lint }\n  - { name: c, run: c, layer: typecheck }\n"
	for _, c := range []struct{ name, text, says string }{
		{"no steps", "version: 1\n", ""},
		{"contract checks only", "version: 1\nchecks:\n  - { id: RC-1, run: make test }\n", ""},
		{"a step without phase and layer", "version: 1\nchecks:\n  - { name: x, run: \"true\" }\n", "none of the layer install, lint, typecheck, test"},
		{"a contract check beside a step", "version: 1\nchecks:\n  - { id: RC-1, run: make test }\n  - { name: x, run: [\"true\"] }\n", "none of the layer install, lint, typecheck, test"},
		{"a contract check with a phase", "version: 1\nchecks:\n  - { id: RC-1, run: make test, phase: check }\n", "none of the layer install, lint, typecheck, test"},
		{"no layer test", "version: 1\nchecks:\n" + all, "none of the layer test"},
		{"every layer", "version: 1\nchecks:\n" + all + "  - { name: d, run: d, layer: test }\n", ""},
		{"a web server that nobody probes", "version: 1\nkind: web\n", "kind web needs a step that starts a server"},
		{"a probed server", "version: 1\nkind: web\nchecks:\n" + all + "  - { name: d, run: d, layer: test }\n  - { name: e, run: e, phase: serve, layer: serve, probe: \"http://localhost:1/\" }\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			lacks := mustRead(t, c.text).Incomplete()
			if c.says == "" {
				require.Empty(t, lacks)
				return
			}
			require.Len(t, lacks, 1)
			require.Contains(t, lacks[0].Message, c.says)
		})
	}
}
