package snapshot_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

const head = "b7d41e9f02c36a58d1f4e07b9c8a25630fe1d794"

const smallest = `{"schema": 1, "now": "2026-11-30T10:00:00Z", "repository": {"owner": "acme", "name": "widgets"},
	"pull_request": {"number": 42, "head_sha": "` + head + `"}}`

func schema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	compiled, err := jsonschema.NewCompiler().Compile("../schema/snapshot.schema.json")
	require.NoError(t, err)
	return compiled
}

func valid(t testing.TB, s *jsonschema.Schema, text string) bool {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err)
	return s.Validate(value) == nil
}

func decode(text string) (snapshot.Snapshot, error) { return snapshot.Decode(strings.NewReader(text)) }

func TestDecodeSmallest(t *testing.T) {
	t.Parallel()
	got, err := decode(smallest)
	require.NoError(t, err)
	require.Equal(t, "acme/widgets", got.Repository.FullName())
	require.Equal(t, head, got.PullRequest.HeadSHA)
	require.Nil(t, got.PullRequest.Body)
	require.Nil(t, got.Issue)
}

// full.json holds every member of the schema; what the schema knows, the Snapshot keeps.
func TestDecodeKeepsEveryMember(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/full.json")
	require.NoError(t, err)
	require.True(t, valid(t, schema(t), string(data)))

	got, err := snapshot.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	require.EqualValues(t, 9007199254740993, got.Comments[0].ID, "ids exceed what a float holds")
	again, err := json.Marshal(got)
	require.NoError(t, err)
	require.JSONEq(t, string(data), string(again))

	var tree map[string]any
	require.NoError(t, json.Unmarshal(data, &tree))
	var description map[string]any
	raw, err := os.ReadFile("../schema/snapshot.schema.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &description))
	require.ElementsMatch(t, slices.Collect(maps.Keys(description["properties"].(map[string]any))), slices.Collect(maps.Keys(tree)),
		"full.json names every top-level member")
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	with := func(member string) string { return strings.TrimSuffix(smallest, "}") + ", " + member + "}" }
	pr := func(member string) string {
		return strings.Replace(smallest, `"number": 42`, `"number": 42, `+member, 1)
	}
	cases := []struct{ name, text, want string }{
		{"nothing", "", "is empty"},
		{"white space only", " \n", "line 1"},
		{"no JSON", "# Evidence\n", "line 1, column 1: invalid character '#'"},
		{"cut off", smallest[:len(smallest)-2], "unexpected end of JSON input"},
		{"something after it", smallest + "\n{}", "line 3, column 1: invalid character '{' after top-level value"},
		{"no UTF-8", strings.Replace(smallest, "acme", "ac\xffme", 1), "is not UTF-8"},
		{"an array", "[]", "expected an object, found an array"},
		{"null", "null", "expected an object, found null"},

		{"an unknown member", with(`"verdict": "passed"`), "verdict: unknown member; known are actions, "},
		{"a member in another case", with(`"Issue": null`), "Issue: unknown member"},
		{"an unknown member, spelled with escapes", with(`"\u0069ssue": null, "iss\u0075es": null`), "issues: unknown member"},
		{"an unknown member with control characters", with(`"a\u001b[31m": 1`), `"a\x1b[31m": unknown member`},
		{"an unknown member deep inside", pr(`"labels": [{"name": "a"}, {"name": "b", "color": "red"}]`), "pull_request.labels[1].color: unknown member; known are by, name"},
		{"an unknown member where the schema is open", with(`"memory": {"contract": {"cheks": []}}`), "memory.contract.cheks: unknown member"},
		{"a member twice", with(`"now": "2026-11-30T11:00:00Z"`), "now: the member is given twice"},
		{"a member twice, once escaped", pr(`"bo\u0064y": "a", "body": "b"`), "pull_request.body: the member is given twice"},
		{"a member twice in an envelope", with(`"attestations": [{"envelope": {"a": [{"b": 1, "b": 2}]}}]`), "attestations[0].envelope.b: the member is given twice"},

		{"a required member missing", `{"schema": 1, "now": "", "repository": {"owner": "acme", "name": "widgets"}}`, `the required member "pull_request" is missing`},
		{"a required member missing inside", with(`"comments": [{"id": 1, "author": null}]`), `comments[0]: the required member "body" is missing`},
		{"a status check that is neither", with(`"status_checks": [{"status": "completed"}]`), `status_checks[0]: the required member "name" is missing`},
		{"a status check that is both", with(`"status_checks": [{"name": "a", "status": "completed", "context": "b", "state": "success"}]`), "status_checks[0].context: unknown member"},

		{"another schema", strings.Replace(smallest, `"schema": 1`, `"schema": 2`, 1), "schema: expected 1, found 2"},
		{"a string for a number", strings.Replace(smallest, `42`, `"42"`, 1), `pull_request.number: expected an integer, found the string "42"`},
		{"a number for a string", strings.Replace(smallest, `"acme"`, `7`, 1), "repository.owner: expected a string, found 7"},
		{"null for a string", strings.Replace(smallest, `"acme"`, `null`, 1), "repository.owner: expected a string, found null"},
		{"a fraction", strings.Replace(smallest, `42`, `4.2`, 1), "pull_request.number: expected an integer, written in digits, found 4.2"},
		{"a number past 64 bits", strings.Replace(smallest, `42`, `92233720368547758070`, 1), "pull_request.number: expected an integer"},
		{"less than none", pr(`"changed_files": -1`), "pull_request.changed_files: expected an integer of at least 0, found -1"},
		{"a number for true or false", pr(`"draft": 1`), "pull_request.draft: expected true or false, found 1"},
		{"an object for a list", with(`"linked": {}`), "linked: expected an array, found an object"},
		{"null for a list", with(`"linked": null`), "linked: expected an array, found null"},
		{"a list for a body", pr(`"body": ["a"]`), "pull_request.body: expected a string or null, found an array"},
		{"an unknown state", pr(`"state": "OPEN"`), `pull_request.state: expected one of open, closed, merged, found "OPEN"`},
		{"an unknown fact", with(`"unavailable": [{"fact": "weather", "reason": ""}]`), "unavailable[0].fact: expected one of issue, "},
		{"a short commit", strings.Replace(smallest, head, head[:12], 1), `pull_request.head_sha: expected a commit of 40 or 64 lower-case hexadecimal digits, found "b7d41e9f02c3"`},
		{"an upper-case commit", strings.Replace(smallest, head, strings.ToUpper(head), 1), "pull_request.head_sha: expected a commit"},
		{"a commit and a line break", strings.Replace(smallest, head, head+`\n`, 1), "pull_request.head_sha: expected a commit"},
		{"long text where a word belongs", pr(`"state": "` + strings.Repeat("x", 1000) + `"`), "…"},
	}
	compiled := schema(t)
	stricter := []string{"a number past 64 bits", "an unknown member where the schema is open"}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := decode(c.text)
			require.ErrorContains(t, err, c.want)
			require.Less(t, len(err.Error()), 700, "an error stays readable")
			var decodeErr *snapshot.DecodeError
			require.True(t, errors.As(err, &decodeErr))
			if json.Valid([]byte(c.text)) && !strings.Contains(c.name, "twice") && !strings.Contains(c.name, "UTF-8") && !slices.Contains(stricter, c.name) {
				require.False(t, valid(t, compiled, c.text), "the schema refuses it too")
			}
		})
	}
}

func TestDecodeAccepts(t *testing.T) {
	t.Parallel()
	compiled := schema(t)
	for name, text := range map[string]string{
		"nulls where they may stand": strings.TrimSuffix(smallest, "}") + `, "issue": null, "policy": null, "memory": {"contract": null}, "merge_group": null,
			"reviews": [{"author": null, "state": "approved", "commit_sha": "` + head + `"}]}`,
		"a commit of 64 digits":  strings.Replace(smallest, head, head+head[:24], 1),
		"both status shapes":     strings.TrimSuffix(smallest, "}") + `, "status_checks": [{"url": "u", "name": "a", "status": "completed", "conclusion": null}, {"state": "error", "context": "b"}]}`,
		"escaped member names":   strings.Replace(smallest, `"now"`, `"n\u006fw"`, 1),
		"any envelope":           strings.TrimSuffix(smallest, "}") + `, "attestations": [{"envelope": {"a": [1, {"b": "c", "d": {"b": null}}], "e": "f,:\"}"}}]}`,
		"text beyond ASCII":      strings.Replace(smallest, "acme", "grün 🟢", 1),
		"white space everywhere": strings.NewReplacer(`:`, " \t:\n", `,`, "\r\n, ").Replace(strings.Replace(smallest, "2026-11-30T10:00:00Z", "now", 1)),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.True(t, valid(t, compiled, text))
			_, err := decode(text)
			require.NoError(t, err)
		})
	}
}

func TestDecodeBounds(t *testing.T) {
	t.Parallel()
	_, err := snapshot.Decode(strings.NewReader(strings.Repeat(" ", snapshot.MaxBytes) + smallest))
	require.ErrorContains(t, err, "over 32 MiB")

	many := strings.TrimSuffix(smallest, "}") + `, "references": {"tasks": [""` + strings.Repeat(`,""`, 1_000_000) + `]}}`
	_, err = decode(many)
	require.ErrorContains(t, err, "more than 1000000 values")

	nested := strings.TrimSuffix(smallest, "}") + `, "attestations": [{"envelope": {"a": [[]` + strings.Repeat(`,[[]]`, 500_000) + `]}}]}`
	_, err = decode(nested)
	require.ErrorContains(t, err, "more than 1000000 values")

	deep := strings.TrimSuffix(smallest, "}") + `, "attestations": [{"envelope": {"a": ` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}}]}`
	_, err = decode(deep)
	require.NoError(t, err, "depth alone is no reason")
}

// Decode and the schema agree on every one-value change of a Snapshot that holds all members.
func TestDecodeAgreesWithTheSchema(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/full.json")
	require.NoError(t, err)
	compiled := schema(t)
	replacements := []any{nil, true, "x", "", float64(1), float64(-1), []any{}, map[string]any{}, head}
	rapid.Check(t, func(t *rapid.T) {
		var tree any
		require.NoError(t, json.Unmarshal(data, &tree))
		closed := mutate(t, tree, replacements)
		text, err := json.Marshal(tree)
		require.NoError(t, err)
		_, err = decode(string(text))
		value, parseErr := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		require.NoError(t, parseErr)
		schemaErr := compiled.Validate(value)
		if closed {
			require.Equal(t, schemaErr == nil, err == nil, "decode: %v\nschema: %v\n%s", err, schemaErr, text)
		} else if schemaErr != nil {
			require.Error(t, err, "schema: %v\n%s", schemaErr, text)
		}
	})
}

// mutate replaces, removes or adds one member somewhere below the value; it answers false where it
// added a member, since the schema leaves some objects open and Decode none.
func mutate(t *rapid.T, value any, replacements []any) bool {
	for {
		switch at := value.(type) {
		case map[string]any:
			keys := slices.Sorted(maps.Keys(at))
			if len(keys) == 0 {
				at["added"] = true
				return false
			}
			key := rapid.SampledFrom(keys).Draw(t, "member")
			switch rapid.IntRange(0, 5).Draw(t, "how") {
			case 0:
				delete(at, key)
				return true
			case 1:
				at["added"] = true
				return false
			case 2:
				at[key] = rapid.SampledFrom(replacements).Draw(t, "replacement")
				return true
			default:
				if !isContainer(at[key]) {
					at[key] = rapid.SampledFrom(replacements).Draw(t, "replacement")
					return true
				}
				value = at[key]
			}
		case []any:
			if len(at) == 0 {
				return true
			}
			i := rapid.IntRange(0, len(at)-1).Draw(t, "index")
			if !isContainer(at[i]) {
				at[i] = rapid.SampledFrom(replacements).Draw(t, "replacement")
				return true
			}
			value = at[i]
		}
	}
}

func isContainer(value any) bool {
	switch value.(type) {
	case map[string]any, []any:
		return true
	}
	return false
}

func FuzzDecode(f *testing.F) {
	f.Add(smallest)
	f.Add(`{"attestations": [{"envelope": {"a": "\\\"", "b": [{}, {"c": -1e5}]}}]}`)
	f.Add(`{"status_checks": [{"url": "\u0022", "context": ""}]}`)
	compiled := schema(f)
	f.Fuzz(func(t *testing.T, text string) {
		_, err := decode(text)
		if err != nil || !json.Valid([]byte(text)) {
			require.Error(t, err)
			return
		}
		require.True(t, valid(t, compiled, text), "what Decode accepts the schema accepts")
	})
}
