package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/verify"
	"github.com/evidence-gate/evidence-gate/verify/tamper"
)

// checked is a project in which verify is called.
type checked struct {
	dir, policy string
	variables   map[string]string
	stdin       *os.File
	out, errs   bytes.Buffer
}

func newChecked(t *testing.T, checks string) *checked {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	c := &checked{dir: dir, policy: filepath.Join(dir, ".github", "evidence.yml"), variables: map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": t.TempDir(), "EVIDENCE_GATE_STATE_DIR": t.TempDir(),
	}}
	require.NoError(t, os.Mkdir(filepath.Dir(c.policy), 0o755))
	c.write(t, checks)
	return c
}

func (c *checked) write(t *testing.T, checks string) {
	t.Helper()
	require.NoError(t, os.WriteFile(c.policy, []byte("version: 1\nchecks:\n"+checks), 0o644))
}

// verify calls the command and returns its exit code.
func (c *checked) verify(t *testing.T, o verifyOptions) int {
	t.Helper()
	c.out.Reset()
	c.errs.Reset()
	p := process{stdin: strings.NewReader(""), stdout: &c.out, stderr: &c.errs, dir: c.dir, now: time.Now,
		getenv: func(name string) string { return c.variables[name] }}
	if c.stdin != nil {
		p.stdin = c.stdin
	}
	var environ []string
	for name, value := range c.variables {
		environ = append(environ, name+"="+value)
	}
	done := ending(newVerify(p), &output{to: &c.out}, runVerify(t.Context(), nil, p, o, environ))
	if done.err != nil {
		c.errs.WriteString(done.err.Error())
	}
	return done.code
}

// result is what --json printed, held against the schema.
func (c *checked) result(t *testing.T) verify.Result {
	t.Helper()
	schema, err := jsonschema.NewCompiler().Compile("../../schema/verify-result.json")
	require.NoError(t, err)
	requireSchema(t, schema, c.out.Bytes())
	var r verify.Result
	require.NoError(t, json.Unmarshal(c.out.Bytes(), &r))
	return r
}

func (c *checked) git(t *testing.T, args ...string) {
	t.Helper()
	command := exec.Command("git", append([]string{"-c", "user.name=eng", "-c", "user.email=eng@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	command.Dir = c.dir
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
}

const oneStep = "  - { name: tests, run: echo tested >out, layer: test }\n"

// A person at a terminal sees what changed and accepts it.
func TestAcceptChanges(t *testing.T) {
	t.Parallel()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("no pseudo-terminal on this system: %v", err)
	}
	defer terminal.Close()
	c := newChecked(t, oneStep)
	require.Zero(t, c.verify(t, verifyOptions{}))
	c.write(t, "  - { name: tests, run: echo easier >out, layer: test } # kept\n")
	require.Equal(t, 5, c.verify(t, verifyOptions{}))
	require.Equal(t, 6, c.verify(t, verifyOptions{accept: true}), "no terminal")
	require.Equal(t, "tested\n", read(t, c.dir, "out"))

	c.stdin = terminal
	c.variables["CLAUDECODE"] = "1"
	require.Equal(t, 6, c.verify(t, verifyOptions{accept: true}), "an agent")
	require.Contains(t, c.out.String(), "claude-code")
	require.NotContains(t, read(t, c.policy), "digest")
	require.Equal(t, 5, c.verify(t, verifyOptions{}))

	delete(c.variables, "CLAUDECODE")
	require.Zero(t, c.verify(t, verifyOptions{accept: true, json: true}), c.errs.String())
	require.True(t, strings.HasPrefix(c.errs.String(), "accepting these changes of the steps:\n  step \"tests\" was edited (run)\n    - run: echo tested >out\n    + run: echo easier >out\n"), c.errs.String())
	require.Equal(t, tamper.OK, c.result(t).TamperCheck)
	require.Equal(t, "easier\n", read(t, c.dir, "out"))
	require.Contains(t, read(t, c.policy), "# kept\ndigest: sha256:")
	require.Zero(t, c.verify(t, verifyOptions{}))
}

func read(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(text)
}

// In CI the steps of the base run, and a change to them is named.
func TestBaseInCI(t *testing.T) {
	t.Parallel()
	c := newChecked(t, oneStep)
	c.git(t, "init", "--quiet")
	c.git(t, "add", "--all")
	c.git(t, "commit", "--quiet", "--message=one")
	c.git(t, "update-ref", "refs/remotes/origin/main", "HEAD")
	c.variables["CI"] = "true"
	easier := "  - { name: tests, run: 'true', layer: test }\n"

	c.write(t, easier)
	require.Zero(t, c.verify(t, verifyOptions{json: true}), c.errs.String())
	r := c.result(t)
	require.Equal(t, "tested\n", read(t, c.dir, "out"))
	require.Equal(t, "origin/main", r.Base.Ref)
	require.Equal(t, []tamper.Change{{Part: "step", Step: "tests", Change: "edited"}}, r.Base.Changes)

	require.Zero(t, c.verify(t, verifyOptions{dryRun: true}))
	require.Contains(t, c.out.String(), "the working tree would change them")

	c.write(t, "  - nonsense\n")
	require.Zero(t, c.verify(t, verifyOptions{json: true}))
	require.Contains(t, c.result(t).Warnings[0], "what the working tree would change is not known")

	require.NoError(t, os.Remove(c.policy))
	require.Zero(t, c.verify(t, verifyOptions{json: true}), c.errs.String())
	require.Equal(t, []tamper.Change{{Part: "step", Step: "tests", Change: "removed"}}, c.result(t).Base.Changes)

	c.write(t, easier)
	delete(c.variables, "EVIDENCE_GATE_STATE_DIR")
	delete(c.variables, "HOME")
	require.Zero(t, c.verify(t, verifyOptions{json: true}), "nothing need be remembered about a base")
	require.NotEmpty(t, c.result(t).Warnings)
	require.Equal(t, 3, c.verify(t, verifyOptions{baseGiven: true}), "but about the working tree")
	require.Contains(t, c.errs.String(), "EVIDENCE_GATE_STATE_DIR")
}

func TestWhoseSteps(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ci   string
		o    verifyOptions
		want bool
	}{
		{"", verifyOptions{}, false},
		{"true", verifyOptions{}, true},
		{"1", verifyOptions{}, true},
		{"false", verifyOptions{}, false},
		{"0", verifyOptions{}, false},
		{"true", verifyOptions{baseGiven: true}, false},
		{"", verifyOptions{base: true, baseGiven: true}, true},
		{"true", verifyOptions{accept: true}, false},
	} {
		require.Equal(t, c.want, c.o.wantsBase(func(string) string { return c.ci }), c)
	}
}

// A dry run remembers nothing.
func TestDryRunRecordsNothing(t *testing.T) {
	t.Parallel()
	c := newChecked(t, oneStep)
	require.Zero(t, c.verify(t, verifyOptions{dryRun: true}))
	require.Contains(t, c.out.String(), "tamper check: first-use")
	require.NoDirExists(t, filepath.Join(c.variables["EVIDENCE_GATE_STATE_DIR"], "projects"))
	require.NoDirExists(t, filepath.Join(c.dir, ".evidence"))
}

// Each way in which nothing can run has its exit code and says what to do.
func TestWhatCannotBeVerified(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(c *checked){
		"broken state": func(c *checked) {
			c.variables["EVIDENCE_GATE_STATE_DIR"] = "relative"
		},
		"unwritable state": func(c *checked) { c.variables["EVIDENCE_GATE_STATE_DIR"] = c.policy },
		"no steps":         func(c *checked) { _ = os.WriteFile(c.policy, []byte("version: 1\n"), 0o644) },
		"no policy":        func(c *checked) { _ = os.Remove(c.policy) },
		"broken policy":    func(c *checked) { _ = os.WriteFile(c.policy, []byte("version: 2\n"), 0o644) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newChecked(t, oneStep)
			spoil(c)
			require.Equal(t, 3, c.verify(t, verifyOptions{json: true}))
			require.Empty(t, c.out.String())
			var e verify.Envelope
			lines := strings.Split(strings.TrimSuffix(c.errs.String(), "\n"), "\n")
			require.NoError(t, json.Unmarshal([]byte(lines[len(lines)-1]), &e), c.errs.String())
			require.Equal(t, "VerifyUnavailable", e.Error.Code)
			require.NotEmpty(t, e.Error.Message)
			require.NoFileExists(t, filepath.Join(c.dir, "out"))
		})
	}
}
