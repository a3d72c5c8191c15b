package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
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
	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/profile/policy"
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
	for _, folder := range []string{"../../checks", "../../prbody", "../../internal/markdown", "../../attempts", "../../profile", "../../profile/policy", "../../approval", "../../criteria"} {
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
	x := exampleOf(t, append(append([]report.Part(nil), context...), parts...))
	data := x.snapshot(t)
	requireSchema(t, snapshots, data)
	s, err := snapshot.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	r := checks.Evaluate(s, x.stage())
	judged, err := json.Marshal(r)
	require.NoError(t, err)
	requireSchema(t, reports, judged)
	return r
}

// plainest is the pull request over which the parts of an example are laid; it succeeds.
const plainest = `{"schema": 1, "now": "2026-11-30T10:00:00Z", "app": "evidence-gate",
	"repository": {"owner": "acme", "name": "widgets", "default_branch": "main", "maintainers": 2},
	"pull_request": {"number": 42, "state": "open", "author": {"login": "eng", "type": "User", "permission": "write"}, "base_ref": "main",
		"head_sha": "` + report.ExampleHead + `", "changed_files": 1, "changed_paths": ["src/cache.js"],
		"commits": [{"sha": "` + report.ExampleHead + `", "authors": ["eng"]}]},
	"issue": {"number": 7, "author": {"login": "lead", "type": "User", "permission": "maintain"}}}`

// The first comment of an example, an edit of it, and what a maintainer says afterwards.
const (
	exampleWritten  = "2026-11-29T09:30:00Z"
	exampleEdited   = "2026-11-29T10:00:00Z"
	exampleAnswered = "2026-11-29T12:00:00Z"
)

var examplePermissions = map[string]string{
	report.ExampleAuthor: "write", report.ExampleMaintainer: "maintain", report.ExampleReviewer: "write", report.ExampleAdmin: "admin", report.ExampleStranger: "read",
	"dana": "maintain", "coder[bot]": "write", "checker[bot]": "write",
}

func exampleActor(login string) map[string]any {
	kind := "User"
	if strings.HasSuffix(login, "[bot]") {
		kind = "Bot"
	}
	return map[string]any{"login": login, "type": kind, "permission": examplePermissions[login]}
}

// example is the parts of one side by their places.
type example struct {
	parts []report.Part
	is    map[report.Place]string
	was   map[report.Place]string
	by    map[report.Place]string
}

func exampleOf(t *testing.T, parts []report.Part) example {
	t.Helper()
	x := example{parts: parts, is: map[report.Place]string{}, was: map[report.Place]string{}, by: map[report.Place]string{}}
	for _, p := range parts {
		if p.By != "" {
			require.Contains(t, examplePermissions, p.By)
			x.by[p.Place] = p.By
		}
		if p.Was {
			x.was[p.Place] += p.Content()
		} else {
			x.is[p.Place] += p.Content()
		}
	}
	return x
}

func (x example) stage() report.Stage {
	return report.Stage(strings.TrimSpace(x.or(report.PlaceStage, string(report.Review))))
}

func (x example) or(place report.Place, otherwise string) string {
	if text, ok := x.is[place]; ok {
		return text
	}
	return otherwise
}

// snapshot lays the parts over the plainest pull request that succeeds.
func (x example) snapshot(t *testing.T) []byte {
	t.Helper()
	tree := map[string]any{}
	require.NoError(t, json.Unmarshal([]byte(plainest), &tree))
	tree["pull_request"].(map[string]any)["body"] = x.or(report.PlaceBody,
		"## Evidence\n\n"+x.or(report.PlaceHead, exampleHead)+"\n"+x.or(report.PlaceEntries, exampleEntries))
	issue := tree["issue"].(map[string]any)
	issue["body"] = x.or(report.PlaceIssue, "## Required Checks\n\n"+x.or(report.PlaceChecks, exampleChecks))
	if text, ok := x.is[report.PlaceCriteria]; ok {
		issue["body"] = issue["body"].(string) + "\n## Acceptance Criteria\n\n" + text
	}
	issue["comments"] = x.comments()
	tree["actions"] = x.actions()
	tree["reviews"] = x.reviews(t)
	if was, ok := x.was[report.PlaceChecks]; ok {
		body := "## Required Checks\n\n" + was
		tree["memory"] = map[string]any{"contract": checks.Remember(snapshot.Snapshot{Now: exampleWritten, Issue: &snapshot.Issue{Number: 7, Body: &body}})}
	}
	for place, file := range map[report.Place]struct{ member, path string }{
		report.PlacePolicy: {"policy", policy.Path}, report.PlaceProfile: {"profile", profile.Path},
	} {
		if text, ok := x.is[place]; ok {
			tree[file.member] = map[string]any{"path": file.path, "text": text}
		}
	}
	for _, p := range x.parts {
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

// comments are those of the task: the attempt carrier, the triage, and the whole comments.
func (x example) comments() []any {
	comments := []any{}
	add := func(by, at, text string, was ...string) {
		author := exampleActor(by)
		comment := map[string]any{"id": 101 + len(comments), "author": author, "body": text, "created_at": at, "updated_at": at}
		for _, before := range was {
			comment["updated_at"] = exampleEdited
			comment["revisions"] = []any{map[string]any{"editor": author, "edited_at": at, "body": before},
				map[string]any{"editor": author, "edited_at": exampleEdited, "body": text}}
		}
		comments = append(comments, comment)
	}
	if text, ok := x.is[report.PlaceAttempts]; ok && text != "" {
		var was []string
		if before, ok := x.was[report.PlaceAttempts]; ok {
			was = append(was, carrierOf("ATTEMPTS", before, "engineer"))
		}
		add(cmp.Or(x.by[report.PlaceAttempts], report.ExampleAuthor), exampleWritten, carrierOf("ATTEMPTS", text, "engineer"), was...)
	}
	if text, ok := x.is[report.PlaceTriage]; ok {
		add(cmp.Or(x.by[report.PlaceTriage], report.ExampleMaintainer), exampleAnswered, carrierOf("TRIAGE", text, "maintainer"))
	}
	for _, p := range x.parts {
		if p.Place == report.PlaceComment {
			add(cmp.Or(p.By, report.ExampleAuthor), exampleAnswered, p.Content())
		}
	}
	return comments
}

// exampleCommands are the slash commands that a Snapshot holds as actions.
var exampleCommands = map[string]string{
	"/accept-contract": "accept_contract", "/confirm-contract": "confirm_contract", "/accept-loss": "accept_loss",
	"/approve": "approve", "/needs-human": "needs_human", "/override": "override",
}

// actions are the slash commands among the comments.
func (x example) actions() []any {
	actions := []any{}
	for _, p := range x.parts {
		word, rest, _ := strings.Cut(strings.TrimSpace(p.Content()), " ")
		kind, ok := exampleCommands[word]
		if p.Place != report.PlaceComment || !ok {
			continue
		}
		check, reason, about := strings.Cut(rest, " because ")
		if !about {
			check, reason = "", rest
		}
		action := map[string]any{"kind": kind, "actor": exampleActor(p.By), "via": "comment", "at": exampleAnswered, "head_sha": report.ExampleHead, "reason": reason}
		if check != "" {
			action["check"] = check
		}
		actions = append(actions, action)
	}
	return actions
}

// exampleReviews are what a review can say, in the words of the examples.
var exampleReviews = map[string]string{"approved": "approved", "requested changes on": "changes_requested", "commented on": "commented"}

func (x example) reviews(t *testing.T) []any {
	t.Helper()
	reviews := []any{}
	for line := range strings.Lines(x.is[report.PlaceReviews]) {
		words := strings.Fields(line)
		last := len(words) - 1
		state, known := exampleReviews[strings.Join(words[1:last], " ")]
		require.True(t, known, line)
		require.Contains(t, examplePermissions, words[0])
		reviews = append(reviews, map[string]any{"author": exampleActor(words[0]), "state": state, "commit_sha": words[last],
			"submitted_at": fmt.Sprintf("2026-11-30T08:%02d:00Z", len(reviews))})
	}
	return reviews
}

// carrierOf is a whole attempt carrier or triage comment.
func carrierOf(marker, text, agent string) string {
	return "<!-- AGENTIC_LOOP_VERIFICATION_" + marker + ":RC-1 -->\n\n## Verification Attempts\n\n### RC-1\n\n" + text + "\n[[agent: " + agent + "]]\n"
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
	require.Greater(t, count, 150)
	require.NoError(t, filepath.WalkDir("../../report/examples", func(path string, entry fs.DirEntry, err error) error {
		require.NoError(t, err)
		if !entry.IsDir() {
			require.Equal(t, ".txt", filepath.Ext(path))
		}
		return nil
	}))
}
