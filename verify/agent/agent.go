// Package agent tells from an environment whether a coding agent started this process (design section
// 12: an agent's run is recorded as one, and an agent may not accept changed checks).
//
// It knows the markers that agents set for the commands they run, and nothing more: a marker can be
// unset by whoever sets it, so that its absence proves nothing.
package agent

import (
	"slices"
	"strings"
)

// Marker is a variable that an agent sets for its commands.
type Marker struct {
	Agent  string // how the agent is called in records
	Name   string // of the variable
	Value  string // that it has; any but the empty one when left out
	Keep   bool   // the name is used by others too: it is no session marker to take away
	Source string // where the marker is described
}

// Where the markers are described. The packages are on the npm registry; what they say was read in the
// version given.
const (
	claudeDocs    = "https://docs.anthropic.com/en/docs/claude-code/settings (environment variables)"
	geminiDocs    = "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/shell.md"
	codexNotes    = "https://github.com/openai/codex/blob/main/AGENTS.md"
	gooseDocs     = "https://block.github.io/goose/docs/guides/environment-variables"
	detectAgent   = "npm @vercel/detect-agent 1.2.7, dist/index.js"
	amIVibing     = "npm am-i-vibing 0.5.0, src/providers.ts"
	stdEnv        = "npm std-env 4.3.0, table of agents"
	detectAgentAI = "npm @vercel/detect-agent 1.2.7, README (AI_AGENT as a standard for all tools)"
)

// Generic is the agent of a marker that any tool may set, when its value is no plain name.
const Generic = "agent"

// markers are in the order in which they are asked: those of one agent before the one that any may
// set. Variables that a person's editor or terminal sets as well, such as CURSOR_TRACE_ID,
// TERM_PROGRAM and REPL_ID, and settings that a person exports, such as GOOSE_PROVIDER and
// COPILOT_MODEL, are no markers.
var markers = []Marker{
	{Agent: "claude-code", Name: "CLAUDECODE", Source: claudeDocs},
	{Agent: "claude-code", Name: "CLAUDE_CODE", Source: detectAgent},
	{Agent: "cursor", Name: "CURSOR_AGENT", Source: detectAgent},
	{Agent: "cursor", Name: "CURSOR_EXTENSION_HOST_ROLE", Value: "agent-exec", Source: detectAgent},
	{Agent: "gemini-cli", Name: "GEMINI_CLI", Source: geminiDocs},
	{Agent: "qwen-code", Name: "QWEN_CODE", Source: amIVibing},
	{Agent: "codex", Name: "CODEX_SANDBOX", Source: codexNotes},
	{Agent: "codex", Name: "CODEX_SANDBOX_NETWORK_DISABLED", Source: codexNotes},
	{Agent: "codex", Name: "CODEX_THREAD_ID", Source: detectAgent},
	{Agent: "codex", Name: "CODEX_CI", Source: detectAgent},
	{Agent: "opencode", Name: "OPENCODE", Source: detectAgent},
	{Agent: "opencode", Name: "OPENCODE_CLIENT", Source: detectAgent},
	{Agent: "github-copilot", Name: "COPILOT_CLI", Source: stdEnv},
	{Agent: "github-copilot", Name: "COPILOT_AGENT", Source: stdEnv},
	{Agent: "antigravity", Name: "ANTIGRAVITY_AGENT", Source: detectAgent},
	{Agent: "augment", Name: "AUGMENT_AGENT", Source: detectAgent},
	{Agent: "goose", Name: "GOOSE_TERMINAL", Source: gooseDocs},
	{Agent: "goose", Name: "AGENT", Value: "goose", Keep: true, Source: gooseDocs},
	{Agent: "amp", Name: "AMP_CURRENT_THREAD_ID", Source: amIVibing},
	{Agent: "amp", Name: "AGENT", Value: "amp", Keep: true, Source: amIVibing},
	{Agent: "crush", Name: "CRUSH", Value: "1", Source: amIVibing},
	{Agent: "crush", Name: "AGENT", Value: "crush", Keep: true, Source: amIVibing},
	{Agent: "replit", Name: "REPLIT_MODE", Value: "assistant", Source: amIVibing},
	{Agent: "pi", Name: "PI_CODING_AGENT", Value: "true", Source: amIVibing},
	{Agent: "junie", Name: "JUNIE_DATA", Source: stdEnv},
	{Agent: "junie", Name: "JUNIE_SHIM_PATH", Source: stdEnv},
	{Name: "AI_AGENT", Source: detectAgentAI},
}

// Table lists every marker with its source.
func Table() []Marker { return slices.Clone(markers) }

// Markers are the names of the variables that belong to an agent's session and that no step is to see.
func Markers() []string {
	var names []string
	for _, m := range markers {
		if !m.Keep && !slices.Contains(names, m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}

// Detect names the agent whose marker an environment holds, given as NAME=value. Of a variable that
// stands twice the last one counts, as for the program that gets it.
func Detect(env []string) (name string, found bool) {
	values := map[string]string{}
	for _, line := range env {
		if name, value, ok := strings.Cut(line, "="); ok {
			values[name] = value
		}
	}
	for _, m := range markers {
		if m.in(values) {
			return m.agent(values[m.Name]), true
		}
	}
	return "", false
}

func (m Marker) in(values map[string]string) bool {
	value := values[m.Name]
	return value != "" && (m.Value == "" || m.Value == value)
}

// agent is the marker's own agent, or the one that the value names: it ends up in records, so nothing
// but a plain short word is taken over.
func (m Marker) agent(value string) string {
	if m.Agent != "" {
		return m.Agent
	}
	if name := strings.ToLower(strings.TrimSpace(value)); IsName(name) {
		return name
	}
	return Generic
}

// longestName bounds the name of an agent.
const longestName = 40

// IsName reports whether a text can be an agent's name: lower-case letters, digits, dots, dashes and
// underscores, beginning with a letter.
func IsName(text string) bool {
	if text == "" || len(text) > longestName {
		return false
	}
	for i, c := range []byte(text) {
		switch {
		case c >= 'a' && c <= 'z':
		case i > 0 && (c >= '0' && c <= '9' || c == '.' || c == '-' || c == '_'):
		default:
			return false
		}
	}
	return true
}
