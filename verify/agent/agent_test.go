package agent

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDetect(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		env  []string
		want string
	}{
		"Claude Code":                {[]string{"HOME=/home/eng", "CLAUDECODE=1"}, "claude-code"},
		"Cursor's agent":             {[]string{"CURSOR_TRACE_ID=a", "CURSOR_AGENT=1"}, "cursor"},
		"Gemini CLI":                 {[]string{"GEMINI_CLI=1"}, "gemini-cli"},
		"Codex in a sandbox":         {[]string{"CODEX_SANDBOX=seatbelt"}, "codex"},
		"OpenCode":                   {[]string{"OPENCODE=1", "AGENT=1"}, "opencode"},
		"Copilot CLI":                {[]string{"COPILOT_CLI=1"}, "github-copilot"},
		"goose":                      {[]string{"GOOSE_TERMINAL=1", "AGENT=goose"}, "goose"},
		"Amp":                        {[]string{"AGENT=amp"}, "amp"},
		"a tool that names itself":   {[]string{"AI_AGENT=My-Agent"}, "my-agent"},
		"one with no plain name":     {[]string{"AI_AGENT=/home/eng/agent --key hunter2"}, Generic},
		"one with an endless name":   {[]string{"AI_AGENT=" + strings.Repeat("a", 41)}, Generic},
		"its own marker comes first": {[]string{"AI_AGENT=other", "CLAUDECODE=1"}, "claude-code"},
		"the last of two values":     {[]string{"CLAUDECODE=", "CLAUDECODE=1"}, "claude-code"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, found := Detect(row.env)
			require.True(t, found)
			require.Equal(t, row.want, got)
		})
	}
	for name, env := range map[string][]string{
		"nothing":                             nil,
		"a person's shell":                    {"HOME=/home/eng", "TERM=xterm", "SHELL=/bin/zsh"},
		"a person in Cursor's terminal":       {"CURSOR_TRACE_ID=a", "TERM_PROGRAM=vscode"},
		"a person in a Replit workspace":      {"REPL_ID=a"},
		"a person with a provider configured": {"GOOSE_PROVIDER=x", "COPILOT_MODEL=y", "CLAUDE_CODE_USE_BEDROCK=1"},
		"an empty marker":                     {"CLAUDECODE=", "AI_AGENT="},
		"another program's AGENT":             {"AGENT=build-7", "CRUSH=0"},
		"a name that begins like one":         {"CLAUDECODE_X=1"},
		"a variable that was emptied":         {"CLAUDECODE=1", "CLAUDECODE="},
		"no variable":                         {"CLAUDECODE"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, found := Detect(env)
			require.False(t, found)
			require.Empty(t, got)
		})
	}
}

// Each row works, says where it is from, and names its agent so that a record takes it.
func TestTable(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, m := range Table() {
		row := m.Name + "=" + m.Value
		require.False(t, seen[row], row)
		seen[row] = true
		require.NotEmpty(t, m.Source, row)
		value := m.Value
		if value == "" {
			value = "x1"
		}
		got, found := Detect([]string{m.Name + "=" + value})
		require.True(t, found, row)
		require.True(t, IsName(got), row)
		if m.Agent != "" {
			require.Equal(t, m.Agent, got)
		}
	}
}

func TestMarkersAreTheNamesToTakeAway(t *testing.T) {
	t.Parallel()
	names := Markers()
	require.Contains(t, names, "CLAUDECODE")
	require.Contains(t, names, "AI_AGENT")
	require.NotContains(t, names, "AGENT", "other programs use the name")
	for i, name := range names {
		require.NotContains(t, names[:i], name)
	}
}
