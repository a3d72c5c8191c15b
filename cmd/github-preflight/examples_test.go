package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const (
	exampleChecks  = "- [RC-1] `npm test`\n"
	exampleHead    = "Current PR head: " + report.ExampleHead + "\n"
	exampleEntries = "- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: 128 passing, 0 failing (exit 0)\n"
)

// The examples of the code table are judged: the wrong one has the code, the right one has not, and
// is satisfied.
func TestExamples(t *testing.T) {
	t.Parallel()
	reports, snapshots := schemas(t)
	for _, d := range report.Definitions() {
		e, ok := d.Code.Examples()
		if !ok {
			continue
		}
		t.Run(string(d.Code), func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, e.Right, "a right example")
			wrong := judgeExample(t, reports, snapshots, e.Context, e.Wrong)
			require.Contains(t, codesOf(wrong), d.Code, "the wrong example has the code")
			for _, found := range wrong.Diagnostics {
				if found.Code == d.Code && !d.Varies {
					require.Equal(t, d.Severity, found.Severity)
					require.Equal(t, d.Owner, found.Owner)
				}
			}
			right := judgeExample(t, reports, snapshots, e.Context, e.Right)
			require.Empty(t, codesOf(right), "the right example has nothing to report")
			require.Equal(t, report.Success, right.Conclusion)
		})
	}
}

// Every code that the judges name has examples.
func TestEveryReportedCodeHasExamples(t *testing.T) {
	t.Parallel()
	byName := map[string]report.Code{}
	for _, d := range report.Definitions() {
		name := "Code"
		for _, word := range strings.FieldsFunc(string(d.Code), func(r rune) bool { return r == '.' || r == '_' }) {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
		byName[name] = d.Code
	}
	seen := 0
	for _, folder := range []string{"../../checks", "../../prbody", "../../internal/markdown"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			for _, name := range codesNamed(t, file) {
				code, ok := byName[name]
				require.True(t, ok, "%s in %s", name, file)
				_, ok = code.Examples()
				require.True(t, ok, "%s is reported by %s and has no examples in report/examples", code, file)
				seen++
			}
		}
	}
	require.NotZero(t, seen)
}

func codesNamed(t *testing.T, file string) []string {
	if strings.HasSuffix(file, "_test.go") {
		return nil
	}
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	var names []string
	ast.Inspect(tree, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "report" && strings.HasPrefix(s.Sel.Name, "Code") && s.Sel.Name != "Code" {
				names = append(names, s.Sel.Name)
			}
		}
		return true
	})
	return names
}

func judgeExample(t *testing.T, reports, snapshots *jsonschema.Schema, context, parts []report.Part) report.Report {
	t.Helper()
	data := exampleSnapshot(t, append(append([]report.Part(nil), context...), parts...))
	requireSchema(t, snapshots, data)
	s, err := snapshot.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	r := checks.Evaluate(s, report.Review)
	judged, err := json.Marshal(r)
	require.NoError(t, err)
	requireSchema(t, reports, judged)
	return r
}

// exampleSnapshot lays the parts over the plainest pull request that succeeds.
func exampleSnapshot(t *testing.T, parts []report.Part) []byte {
	t.Helper()
	at := map[report.Place]string{}
	tree := map[string]any{}
	require.NoError(t, json.Unmarshal([]byte(`{"schema": 1, "now": "2026-11-30T10:00:00Z", "app": "evidence-gate",
		"repository": {"owner": "acme", "name": "widgets", "default_branch": "main", "maintainers": 2},
		"pull_request": {"number": 42, "state": "open", "author": {"login": "eng", "type": "User", "permission": "write"}, "base_ref": "main",
			"head_sha": "`+report.ExampleHead+`", "changed_files": 1, "changed_paths": ["src/cache.js"]},
		"issue": {"number": 7, "author": {"login": "lead", "type": "User", "permission": "maintain"}}}`), &tree))
	for _, p := range parts {
		switch p.Place {
		case report.PlaceFacts, report.PlaceNote:
		default:
			at[p.Place] += p.Content()
		}
	}
	or := func(place report.Place, otherwise string) string {
		if text, ok := at[place]; ok {
			return text
		}
		return otherwise
	}
	tree["pull_request"].(map[string]any)["body"] = or(report.PlaceBody,
		"## Evidence\n\n"+or(report.PlaceHead, exampleHead)+"\n"+or(report.PlaceEntries, exampleEntries))
	tree["issue"].(map[string]any)["body"] = or(report.PlaceIssue, "## Required Checks\n\n"+or(report.PlaceChecks, exampleChecks))
	for _, p := range parts {
		if p.Place == report.PlaceFacts {
			var facts map[string]any
			require.NoError(t, json.Unmarshal([]byte(p.Content()), &facts))
			lay(tree, facts)
		}
	}
	data, err := json.Marshal(tree)
	require.NoError(t, err)
	return data
}

// lay puts the members over those of the tree; objects are merged.
func lay(tree, over map[string]any) {
	for name, value := range over {
		below, isObject := tree[name].(map[string]any)
		above, laid := value.(map[string]any)
		if isObject && laid {
			lay(below, above)
			continue
		}
		tree[name] = value
	}
}

func codesOf(r report.Report) []report.Code {
	var codes []report.Code
	for _, d := range r.Diagnostics {
		codes = append(codes, d.Code)
	}
	return codes
}

func schemas(t testing.TB) (reports, snapshots *jsonschema.Schema) {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	reports, err := compiler.Compile("../../schema/report.schema.json")
	require.NoError(t, err)
	snapshots, err = compiler.Compile("../../schema/snapshot.schema.json")
	require.NoError(t, err)
	return reports, snapshots
}

func requireSchema(t testing.TB, schema *jsonschema.Schema, data []byte) {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	require.NoError(t, schema.Validate(value))
}

// Every file of examples is about codes of the table, and each code has both sides.
func TestExampleFilesNameCodes(t *testing.T) {
	t.Parallel()
	count := 0
	for _, d := range report.Definitions() {
		if e, ok := d.Code.Examples(); ok {
			require.NotEmpty(t, e.Right, d.Code)
			count++
		}
	}
	require.Greater(t, count, 80)
	require.NoError(t, filepath.WalkDir("../../report/examples", func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		if !entry.IsDir() {
			require.Equal(t, ".txt", filepath.Ext(path))
		}
		return nil
	}))
}
