package action_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/fulltest"
)

// composite is action.yml.
type composite struct {
	Inputs map[string]struct {
		Description string `yaml:"description"`
		Default     string `yaml:"default"`
	} `yaml:"inputs"`
	Outputs map[string]struct {
		Value string `yaml:"value"`
	} `yaml:"outputs"`
	Runs struct {
		Using string `yaml:"using"`
		Steps []step `yaml:"steps"`
	} `yaml:"runs"`
}

type step struct {
	ID    string            `yaml:"id"`
	Name  string            `yaml:"name"`
	Uses  string            `yaml:"uses"`
	Shell string            `yaml:"shell"`
	Run   string            `yaml:"run"`
	Env   map[string]string `yaml:"env"`
	With  map[string]string `yaml:"with"`
}

func readAction(t *testing.T) composite {
	t.Helper()
	var c composite
	require.NoError(t, yaml.UnmarshalWithOptions([]byte(read(t, "../action.yml")), &c, yaml.AllowFieldPrefixes("author", "branding", "name", "description")))
	return c
}

// execution runs the steps of a composite action as a runner does: run steps by bash, uses steps not
// at all.
type execution struct {
	composite
	root      string // github.action_path
	inputs    map[string]string
	variables map[string]string
	outputs   map[string]map[string]string // of steps
	log       strings.Builder
}

func (c composite) execution(t *testing.T, variables map[string]string) *execution {
	t.Helper()
	_, err := exec.LookPath("bash")
	fulltest.Needs(t, "bash", err == nil)
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	e := &execution{composite: c, root: root, inputs: map[string]string{}, variables: variables, outputs: map[string]map[string]string{}}
	maps.DeleteFunc(e.variables, func(name, _ string) bool { return strings.HasPrefix(name, "INPUT_") })
	for name, input := range c.Inputs {
		e.inputs[name] = e.evaluate(t, input.Default)
	}
	return e
}

var expression = regexp.MustCompile(`\$\{\{(.*?)\}\}`)

// evaluate puts in the values of the expressions that action.yml uses; another one fails the test.
func (e *execution) evaluate(t *testing.T, text string) string {
	t.Helper()
	return expression.ReplaceAllStringFunc(text, func(found string) string {
		name := strings.TrimSpace(expression.FindStringSubmatch(found)[1])
		parts := strings.Split(name, ".")
		switch {
		case name == "github.token":
			return token
		case name == "github.action_path":
			return e.root
		case name == "runner.os":
			return "Linux"
		case name == "runner.arch":
			return "X64"
		case len(parts) == 2 && parts[0] == "inputs":
			value, declared := e.inputs[parts[1]]
			require.True(t, declared, "there is no input %q", parts[1])
			return value
		case len(parts) == 4 && parts[0] == "steps" && parts[2] == "outputs":
			values, ran := e.outputs[parts[1]]
			require.True(t, ran, "no step %q ran before", parts[1])
			return values[parts[3]]
		}
		require.Fail(t, "an expression that is not modelled", name)
		return ""
	})
}

// run runs the steps from the one with that name on, until one fails, and returns its exit code.
func (e *execution) run(t *testing.T, first string) int {
	t.Helper()
	at := slices.IndexFunc(e.Runs.Steps, func(s step) bool { return s.Name == first })
	require.GreaterOrEqual(t, at, 0, first)
	for _, s := range e.Runs.Steps[at:] {
		for name, value := range s.With {
			require.NotEmpty(t, e.evaluate(t, value), "%s: %s", s.Name, name)
		}
		if s.Uses != "" {
			continue
		}
		if code := e.script(t, s); code != 0 {
			return code
		}
	}
	return 0
}

// script runs a run step as "shell: bash" does ("Workflow syntax", jobs.<job_id>.steps[*].shell).
func (e *execution) script(t *testing.T, s step) int {
	t.Helper()
	require.Equal(t, "bash", s.Shell, s.Name)
	folder := t.TempDir()
	file, output := filepath.Join(folder, "script.sh"), filepath.Join(folder, "output")
	require.NoError(t, os.WriteFile(file, []byte(e.evaluate(t, s.Run)), 0o600))
	require.NoError(t, os.WriteFile(output, nil, 0o600))
	command := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", file)
	command.Dir = folder // the workspace: nothing of the pull request stands there
	for _, name := range []string{"PATH", "HOME", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOTOOLCHAIN"} {
		if value, set := os.LookupEnv(name); set {
			command.Env = append(command.Env, name+"="+value)
		}
	}
	for name, value := range e.variables { // they win over those of the test
		command.Env = append(command.Env, name+"="+value)
	}
	for name, value := range s.Env {
		command.Env = append(command.Env, name+"="+e.evaluate(t, value))
	}
	command.Env = append(command.Env, "GITHUB_ACTION_PATH="+e.root, "GITHUB_OUTPUT="+output)
	command.Stdout, command.Stderr = &e.log, &e.log
	err := command.Run()
	require.NotNil(t, command.ProcessState, "%s: %v", s.Name, err)
	if s.ID != "" {
		e.outputs[s.ID] = outputs(t, output)
	}
	return command.ProcessState.ExitCode()
}

// output is an output of the whole Action.
func (e *execution) output(t *testing.T, name string) string {
	t.Helper()
	out, declared := e.Outputs[name]
	require.True(t, declared, name)
	return e.evaluate(t, out.Value)
}

func TestActionIsSafeAndPinned(t *testing.T) {
	t.Parallel()
	c := readAction(t)
	require.Equal(t, "composite", c.Runs.Using)
	require.ElementsMatch(t, []string{"token", "pr", "issue", "stage", "wait"}, slices.Collect(maps.Keys(c.Inputs)))
	require.ElementsMatch(t, []string{"conclusion", "report", "head-sha"}, slices.Collect(maps.Keys(c.Outputs)))
	for _, s := range c.Runs.Steps {
		require.NotContains(t, s.Run, "${{", "%s: an expression in a script is code", s.Name)
		if s.Uses != "" {
			require.Regexp(t, `^actions/(setup-go|cache)@v\d+\.\d+\.\d+$`, s.Uses, "nothing checks out code")
		}
		for _, value := range s.Env {
			if strings.Contains(value, "inputs.token") {
				require.Equal(t, "judge", s.ID, "the token is given to one step")
			}
		}
	}
}
