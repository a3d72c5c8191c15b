//go:build unix

package verify

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

const choices = `checks:
  - { name: up, run: up, phase: setup, layer: install }
  - { id: rc-1, name: unit tests, run: t, layer: test, tags: [fast] }
  - { name: e2e, run: e, layer: test, tags: [slow, net] }
  - { name: style, run: s, layer: lint }
  - { name: load, run: l, layer: test, default: false, tags: [prod] }
  - { id: RC-9, text: a person looks at it }
  - { name: app up, run: u, phase: setup, stage: app }
  - { name: app check, run: c, stage: app, layer: docs }
  - { name: down, run: d, phase: teardown }
`

func TestSelection(t *testing.T) {
	t.Parallel()
	root := project(t, choices)
	for _, c := range []struct {
		name  string
		s     Selection
		runs  []string
		scope string
	}{
		{"nothing given", Selection{}, []string{"up", "unit tests", "e2e", "style", "down", "app up", "app check"}, "default"},
		{"--all", Selection{All: true}, []string{"up", "unit tests", "e2e", "style", "load", "down", "app up", "app check"}, "all"},
		{"--only NAME: setup and teardown still run", Selection{Only: []string{"style"}}, []string{"up", "style", "down"}, "selected"},
		{"--only ID", Selection{Only: []string{"RC-1"}}, []string{"up", "unit tests", "down"}, "selected"},
		{"--only LAYER", Selection{Only: []string{"test"}}, []string{"up", "unit tests", "e2e", "down"}, "selected"},
		{"--only LAYER --all", Selection{Only: []string{"test"}, All: true}, []string{"up", "unit tests", "e2e", "load", "down"}, "selected"},
		{"--only with the name of a step that is not run by default", Selection{Only: []string{"load"}}, []string{"up", "load", "down"}, "selected"},
		{"--only of the app stage", Selection{Only: []string{"docs"}}, []string{"up", "down", "app up", "app check"}, "selected"},
		{"--only of the setup", Selection{Only: []string{"install"}}, []string{"up", "down"}, "selected"},
		{"--skip-tag", Selection{SkipTags: []string{"net"}}, []string{"up", "unit tests", "style", "down", "app up", "app check"}, "selected"},
		{"--skip-tag of steps that would not run anyhow", Selection{SkipTags: []string{"prod"}}, []string{"up", "unit tests", "e2e", "style", "down", "app up", "app check"}, "selected"},
		{"both", Selection{Only: []string{"test"}, SkipTags: []string{"slow"}}, []string{"up", "unit tests", "down"}, "selected"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			plan := planOf(t, root, c.s)
			var runs []string
			for _, s := range plan.Steps {
				if s.Left == "" {
					runs = append(runs, s.Title())
				}
			}
			require.Equal(t, c.runs, runs)
			require.Equal(t, c.scope, plan.scope())
			require.Len(t, plan.Steps, 8, "every step is listed; an entry without a command is none")
		})
	}
}

func TestWhatCannotBePlanned(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, checks string
		s            Selection
		choice       bool // a mistake of the command line
		says         string
	}{
		{"no steps", "level: checks\n", Selection{}, false, "declares no steps"},
		{"only checks for a person", "checks: [{ id: RC-1, text: look at it }]\n", Selection{}, false, "declares no steps"},
		{"no step by default", "checks: [{ name: a, run: a, default: false }]\n", Selection{}, false, "add --all"},
		{"an unknown name", choices, Selection{Only: []string{"unit test"}}, true, `there is no "unit test"; did you mean unit tests?`},
		{"an unknown tag", choices, Selection{SkipTags: []string{"prot"}}, true, `there is no "prot"; did you mean prod?`},
		{"nothing like it", choices, Selection{Only: []string{"zzzzzz"}}, true, "there are RC-1, app check"},
		{"nothing left", choices, Selection{Only: []string{"e2e"}, SkipTags: []string{"net"}}, true, "leave nothing to run"},
		{"a layer without steps that run", choices, Selection{Only: []string{"load"}, SkipTags: []string{"prod"}}, true, "leave nothing to run"},
		{"a probe elsewhere", `checks: [{ name: a, run: a, phase: serve, probe: "http://example.com/" }]` + "\n", Selection{}, false, "no http URL on localhost"},
		{"a probe with an unset variable", `checks: [{ name: a, run: a, phase: serve, probe: "http://127.0.0.1:${NOPE}/" }]` + "\n", Selection{}, false, "${NOPE} is not set"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root := project(t, c.checks)
			_, err := NewPlan(root, readPolicy(t, root), c.s, nil)
			require.ErrorContains(t, err, c.says)
			var choice *SelectionError
			if c.choice {
				require.ErrorAs(t, err, &choice)
			} else {
				require.NotErrorAs(t, err, &choice)
			}
		})
	}
	_, err := NewPlan(filepath.Join(t.TempDir(), "nosuchfolder"), readPolicy(t, project(t, choices)), Selection{}, nil)
	require.ErrorContains(t, err, "cannot find the project's folder")
}

func TestTheRootHasNoLinks(t *testing.T) {
	t.Parallel()
	root := project(t, `checks: [{ name: where, run: 'pwd -P >where; echo "$PWD" >>where' }]`+"\n")
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(root, link))
	plan := planOf(t, link, Selection{})
	require.Equal(t, root, plan.Root)
	require.Equal(t, Green, Run(t.Context(), plan, quick()).Outcome)
	require.Equal(t, root+"\n"+root+"\n", content(t, root, "where"))
}

func TestProbesOfThisMachineOnly(t *testing.T) {
	t.Parallel()
	for url, addresses := range map[string][]string{
		"http://127.0.0.1:8080/healthz": {"127.0.0.1:8080"},
		"http://localhost:80/":          {"127.0.0.1:80", "[::1]:80"},
		"http://[::1]:9/x?y=z":          {"[::1]:9"},
		"http://127.0.0.1/":             {"127.0.0.1:80"},
	} {
		p, err := parseProbe(url)
		require.NoError(t, err, url)
		require.Equal(t, addresses, p.addresses, url)
	}
	for _, url := range []string{
		"https://127.0.0.1/", "http://127.0.0.2/", "http://localhost.example.com/", "http://0.0.0.0:80/", "http://10.0.0.1/", "http://127.1/", "http://LOCALHOST.:80/",
		"http://user:pw@127.0.0.1/", "http://127.0.0.1@example.com/", "http://127.0.0.1:0/", "http://127.0.0.1:99999/", "http://127.0.0.1:x/", "ftp://127.0.0.1/", "http://", "",
		"http://[::ffff:127.0.0.1]/", "http://[fe80::1%25lo]/",
	} {
		_, err := parseProbe(url)
		require.Error(t, err, url)
	}
}

func TestAProbeThatCannotBeUsedShowsNoValue(t *testing.T) {
	t.Parallel()
	_, err := parseProbe("http://127.0.0.1:abc123456/")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "abc123456")
}
