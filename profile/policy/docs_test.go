package policy

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

var (
	docPart    = regexp.MustCompile("(?s)<!-- (example|example: refused, ([0-9:]+)|holds: (.*?) => (.*?)) -->\n(?:```yaml\n(.*?)```)?")
	docKeyCell = regexp.MustCompile("`([a-z_.]+)`")
)

// Every example of docs/policy.md does what the page says.
func TestExamplesOfThePage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/policy.md")
	require.NoError(t, err)
	require.Equal(t, strings.Count(string(page), "```yaml"), strings.Count(string(page), "<!-- example"))
	var p Policy
	examples, claims := 0, 0
	for _, part := range docPart.FindAllStringSubmatch(string(page), -1) {
		kind, place, given, want, text := part[1], part[2], part[3], part[4], part[5]
		switch {
		case kind == "example":
			examples++
			p = mustRead(t, text)
			require.NoError(t, compiledSchema(t).Validate(decoded(t, text)), text)
		case place != "":
			examples++
			_, faults := Read(text, Repository)
			require.Len(t, faults, 1)
			require.Equal(t, place, fmt.Sprintf("%d:%d", faults[0].Where.Line, faults[0].Where.Column))
			require.Contains(t, string(page), "  "+faults[0].Message+"\n  help: "+faults[0].Help+"\n")
		default:
			claims++
			requireHolds(t, p.For(described(t, given)), want)
		}
	}
	require.Equal(t, []int{16, 28}, []int{examples, claims})
}

// described is the pull request that the words of a claim describe.
func described(t *testing.T, words string) snapshot.Snapshot {
	t.Helper()
	s := change(paths(1, "src/a.js"))
	pr := &s.PullRequest
	var given []string
	flags := strings.Fields(words)
	for i := 0; i+1 < len(flags); i += 2 {
		switch value := flags[i+1]; flags[i] {
		case "--path":
			given = append(given, value)
			paths(len(given), given...)(&s)
		case "--base":
			pr.BaseRef = value
		case "--label":
			label(value, user("lead", "maintain"))(&s)
		case "--label-by-author":
			label(value, pr.Author)(&s)
		case "--author":
			by(user(value, "write"), []*string{&value})(&s)
		case "--commit-by":
			pr.Commits = append(pr.Commits, snapshot.Commit{Authors: []*string{&value}})
		default:
			t.Fatalf("unknown word %s", flags[i])
		}
	}
	return s
}

func requireHolds(t *testing.T, e Effective, claims string) {
	t.Helper()
	for _, claim := range strings.Split(claims, ", ") {
		key, want, _ := strings.Cut(claim, " ")
		switch key {
		case "judged":
			require.Empty(t, e.Neutral)
			require.Empty(t, e.Missing)
		case "neutral":
			require.NotEmpty(t, e.Neutral)
		case "rule":
			require.Equal(t, want, fmt.Sprint(e.Rule))
		case "contract":
			var ids []string
			for _, c := range e.Contract() {
				ids = append(ids, c.ID)
			}
			require.Equal(t, want, strings.Join(ids, " "))
		default:
			found := false
			for _, v := range e.Values() {
				if v.Key == key {
					found = true
					require.Equal(t, want, fmt.Sprint(v.Value), key)
				}
			}
			require.True(t, found, key)
		}
	}
}

// The table of the page names every key at the top level.
func TestThePageNamesEveryKey(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/policy.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "## Every key")
	require.True(t, found)
	named := map[string]bool{}
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		for _, key := range docKeyCell.FindAllStringSubmatch(cells[1], -1) {
			top, _, _ := strings.Cut(key[1], ".")
			named[top] = true
		}
	}
	for _, f := range fieldsOf(new(Policy)) {
		require.True(t, named[f.key], f.key)
		delete(named, f.key)
	}
	require.Empty(t, named, "the page names keys that are none")
}
