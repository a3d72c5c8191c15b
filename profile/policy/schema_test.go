package policy

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

const schemaFile = "../../schema/evidence-policy.schema.json"

func compiledSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile(schemaFile)
	require.NoError(t, err)
	return schema
}

// What an editor says by the schema is what the reader says. Left out is what no schema can tell: how
// a value is written (tabs, anchors, doubled keys, documents), globs, expressions, names that
// differ, ids that differ, and a floor in the wrong file.
func TestSchemaAndReaderAgree(t *testing.T) {
	t.Parallel()
	schema := compiledSchema(t)
	right := []string{
		"{}", "mode: report", "level: off", "level: checks+review+human", "check_name: Evidence gate / merge",
		"status_checks: implied", "contradictions: warn", "unrenewed: fail", "criteria: required", "no_changes: allow",
		"max_attempts: 1000", "max_rejections: 1", "rules: []", "rules: [{ when: { labels: [a] } }]",
		"rules: [{ when: { paths: [\"a/**\"], bases: [b], issue_types: [c] }, level: off, criteria: off, max_rejections: 9 }]",
		"tasks: {}", "tasks: { source: both, require: false, id_pattern: \"\" }", "applies_to: { bases: [], exempt_authors: [\"a[bot]\"], exempt_labels: [\"a b\"], exempt_paths: [a, \"*\", \"**\", \"a/b?.md\"] }",
		"roles: { maintainers: { permission: triage, users: [a], teams: [a, b/c.d] }, trusted: [], agents: {} }",
		"roles: { agents: { \"a[bot]\": {}, b: { provider: x } } }", "approval: { person_via: ui }",
		"review: { different_connector: true, reviewers: [\"a[bot]\", b/c], wait: 24h }", "review: { wait: off }", "notify: comment", "contract_changes: anyone",
		"verifiers: [{ name: a, owner: b, public_key: c }]", "kind: api", "env: { A_1: \"\" }", "pass_env: [A]",
		"checks: [{ id: RC-1, run: make }]", "checks: [{ id: rc-22, text: look, kind: contract_proof, observations: [a, \"b c@unit\"] }]",
		"checks: [{ name: a, run: [a, b], phase: setup, layer: lint, timeout: 1h30m, tags: [x], default: false, stage: app }]",
		"checks: [{ name: a, run: b, phase: serve, probe: \"http://localhost\", probe_timeout: 500ms }]",
		"digest: \"\"", "digest: sha256:" + strings.Repeat("a", 64), "fingerprint: [go version]", "business_rules: docs/r.md", "floor: {}",
	}
	wrong := []string{
		"mode: Report", "mode: true", "level: none", "level: false", "level: [checks]", "check_name: \"\"", "check_name: 1", "check_name: \" a\"", "check_name: \"a\\nb\"",
		"check_name: " + strings.Repeat("a", 101), "max_attempts: 0", "max_attempts: 1001", "max_attempts: \"3\"", "max_attempts: 1.5", "max_attempts: -1",
		"rules: {}", "rules: [{}]", "rules: [{ level: off }]", "rules: [{ when: {} }]", "rules: [{ when: { labels: [] } }]", "rules: [{ when: { label: [a] } }]", "rules: [{ when: { labels: a } }]",
		"rules: [{ when: { labels: [a] }, mode: report }]", "rules: [{ when: { paths: [\"/a\"] } }]", "rules: [{ when: { paths: [\"a/\"] } }]", "rules: [{ when: { paths: [\"!a\"] } }]", "rules: [{ when: { paths: [\"\"] } }]",
		"tasks: issue", "tasks: { source: file }", "tasks: { require: yes }", "tasks: { id_pattern: 1 }", "applies_to: { bases: main }", "applies_to: { exempt_authors: [\"@a\"] }", "applies_to: { exempt_labels: [\"\"] }",
		"roles: { maintainers: { permission: read } }", "roles: { maintainers: { teams: [\"a/b/c\"] } }", "roles: { trusted: [\"a b\"] }", "roles: { agents: { \"a b\": {} } }", "roles: { agents: { a: { providr: x } } }", "roles: { agents: { a: x } }",
		"approval: ui", "approval: { person_via: web }", "review: { wait: false }", "review: { wait: 0s }", "review: { wait: 3 }", "review: { different_connector: off }", "notify: never", "contract_changes: nobody",
		"verifiers: [{ name: a, owner: b }]", "verifiers: [{ name: a, owner: b, public_key: \" \" }]", "kind: tool", "env: { A: 1 }", "env: { \"A-B\": x }", "env: []", "pass_env: [\"\"]",
		"checks: [{}]", "checks: [{ run: make }]", "checks: [{ id: RC-1 }]", "checks: [{ name: a, text: b }]", "checks: [{ id: RC-1, run: a, text: b }]", "checks: [{ id: RC-1, run: a, kind: manual }]", "checks: [{ id: RC-1, text: a, kind: command }]",
		"checks: [{ id: R-1, run: a }]", "checks: [{ name: a, run: [] }]", "checks: [{ name: a, run: 1 }]", "checks: [{ name: a, run: \"\" }]", "checks: [{ name: a, run: b, phase: serve }]", "checks: [{ name: a, run: b, probe: \"http://x\" }]",
		"checks: [{ name: a, run: b, phase: serve, probe: \"https://x\" }]", "checks: [{ name: a, run: b, timeout: 10 }]", "checks: [{ name: a, run: b, stage: web }]", "checks: [{ name: a, run: b, layer: unit }]", "checks: [{ id: RC-1, text: a, observations: [\"a@real\"] }]", "checks: [{ name: a, run: b, default: 1 }]",
		"digest: abc", "fingerprint: [1]", "business_rules: /etc/passwd", "business_rules: []", "floor: []", "floor: { tasks: {} }", "colour: red", "version: 2", "version: one", "rules:", "tasks:",
	}
	for _, lines := range []struct {
		texts []string
		want  bool
	}{{right, true}, {wrong, false}} {
		for _, text := range lines.texts {
			switch {
			case text == "{}":
				text = "version: 1"
			case !strings.HasPrefix(text, "version"):
				text = "version: 1\n" + text
			}
			_, faults := Read(text+"\n", Repository)
			require.Equal(t, lines.want, len(faults) == 0, "reader, %s\n%v", text, faults)
			require.Equal(t, lines.want, schema.Validate(decoded(t, text)) == nil, "schema, %s\n%v", text, schema.Validate(decoded(t, text)))
		}
	}
	require.NoError(t, schema.Validate(decoded(t, designExample(t))))
	require.Error(t, schema.Validate(decoded(t, "level: off\n")))
	require.Error(t, schema.Validate(decoded(t, "- version: 1\n")))
}

// decoded is a YAML text as the values that a schema is about.
func decoded(t *testing.T, text string) any {
	t.Helper()
	var value any
	require.NoError(t, yaml.Unmarshal([]byte(text), &value), text)
	asJSON, err := json.Marshal(value)
	require.NoError(t, err)
	out, err := jsonschema.UnmarshalJSON(strings.NewReader(string(asJSON)))
	require.NoError(t, err)
	return out
}

// Every key of the schema is known to the reader, and every key of the reader to the schema; each has
// a description for the editor.
func TestSchemaAndReaderKnowTheSameKeys(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	var schema map[string]any
	require.NoError(t, json.Unmarshal(text, &schema))
	definitions := schema["$defs"].(map[string]any)

	var inSchema func(path string, of map[string]any) []string
	inSchema = func(path string, of map[string]any) []string {
		if ref, ok := of["$ref"].(string); ok {
			of = merged(definitions[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any), of)
		}
		require.NotEmpty(t, of["description"], path)
		if items, ok := of["items"].(map[string]any); ok {
			of = items
		}
		properties, _ := of["properties"].(map[string]any)
		var keys []string
		for _, name := range slices.Sorted(maps.Keys(properties)) {
			at := strings.TrimPrefix(path+"."+name, ".")
			keys = append(append(keys, at), inSchema(at, properties[name].(map[string]any))...)
		}
		return keys
	}
	var inReader func(path string, fields []field) []string
	inReader = func(path string, fields []field) []string {
		var keys []string
		for _, f := range fields {
			at := strings.TrimPrefix(path+"."+f.key, ".")
			keys = append(append(keys, at), inReader(at, f.inner)...)
		}
		return keys
	}
	require.ElementsMatch(t, inReader("", fieldsOf(new(Policy))), inSchema("", schema))
}

func merged(below, above map[string]any) map[string]any {
	out := maps.Clone(below)
	maps.Copy(out, above)
	return out
}

// The samples that a line of help shows are right themselves.
func TestSamplesAreRight(t *testing.T) {
	t.Parallel()
	for _, f := range fieldsOf(new(Policy)) {
		text := "version: 1\n"
		if f.key != "version" {
			text += f.line(f.sample) + "\n"
		}
		_, faults := Read(text, Organisation)
		require.Empty(t, faults, text)
	}
	for above, fields := range map[string][]field{
		"rules: [{ when: { labels: [a] }, %s }]":          demandFields(new(Demands)),
		"checks: [{ id: RC-1, text: a, %s }]":             slices.DeleteFunc(checkFields(new(Check)), func(f field) bool { return slices.Contains([]string{"id", "text", "run", "probe"}, f.key) }),
		"checks: [{ name: a, %s }]":                       {{key: "run", sample: "go test ./..."}},
		"checks: [{ name: a, phase: serve, run: b, %s }]": slices.DeleteFunc(checkFields(new(Check)), func(f field) bool { return f.key != "probe" }),
	} {
		for _, f := range fields {
			text := "version: 1\n" + fmt.Sprintf(above, f.line(f.sample)) + "\n"
			_, faults := Read(text, Organisation)
			require.Empty(t, faults, text)
		}
	}
	for _, f := range fieldsOf(new(Policy)) {
		if len(f.inner) > 0 && !strings.HasPrefix(f.sample, "[") {
			for _, inner := range f.inner {
				text := "version: 1\n" + f.key + ":\n  " + inner.line(inner.sample) + "\n"
				_, faults := Read(text, Organisation)
				require.Empty(t, faults, text)
			}
		}
	}
}
