package tamper

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/fulltest"
	"github.com/evidence-gate/evidence-gate/profile/policy"
)

func TestOnlyAPersonAtATerminalAccepts(t *testing.T) {
	t.Parallel()
	require.NoError(t, MayAccept("", true))
	for _, row := range []struct {
		agent    string
		terminal bool
		why      string
	}{{"codex", true, "codex"}, {"codex", false, "codex"}, {"", false, "no terminal"}} {
		err := MayAccept(row.agent, row.terminal)
		var refused *RefusedError
		require.ErrorAs(t, err, &refused)
		require.Contains(t, refused.Why, row.why)
	}
}

func TestTheDigestLine(t *testing.T) {
	t.Parallel()
	digest := "sha256:" + strings.Repeat("ab", 32)
	old := "sha256:" + strings.Repeat("0", 64)
	for name, row := range map[string]struct{ text, want string }{
		"added at the end":         {"version: 1\n", "version: 1\ndigest: " + digest + "\n"},
		"after a last line":        {"version: 1", "version: 1\ndigest: " + digest + "\n"},
		"after a comment":          {"version: 1\n# end\n", "version: 1\n# end\ndigest: " + digest + "\n"},
		"with Windows lines":       {"version: 1\r\nkind: cli\r\n", "version: 1\r\nkind: cli\r\ndigest: " + digest + "\r\n"},
		"after a list":             {"version: 1\nchecks:\n- name: a\n  run: |\n    ls\n", "version: 1\nchecks:\n- name: a\n  run: |\n    ls\ndigest: " + digest + "\n"},
		"replaced":                 {"digest: " + old + "\nversion: 1\n", "digest: " + digest + "\nversion: 1\n"},
		"replaced, no last break":  {"version: 1\ndigest: " + old, "version: 1\ndigest: " + digest},
		"an empty one":             {"version: 1\ndigest: \"\"\n", "version: 1\ndigest: " + digest + "\n"},
		"a comment stays":          {"version: 1\ndigest: " + old + "  # of verify\n", "version: 1\ndigest: " + digest + "  # of verify\n"},
		"quotes":                   {"version: 1\n'digest': '" + old + "' # x\r\nkind: cli\r\n", "version: 1\n'digest': " + digest + " # x\r\nkind: cli\r\n"},
		"after a byte order mark":  {"\ufeffdigest: " + old + "\nversion: 1\n", "\ufeffdigest: " + digest + "\nversion: 1\n"},
		"it says so already":       {"version: 1\ndigest:   " + digest + "\n", "version: 1\ndigest:   " + digest + "\n"},
		"a line like it elsewhere": {"version: 1\nchecks:\n  - name: a\n    run: |\n      digest: x\n", "version: 1\nchecks:\n  - name: a\n    run: |\n      digest: x\ndigest: " + digest + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := WithDigest(row.text, digest)
			require.NoError(t, err)
			require.Equal(t, row.want, got)
			_, faults := policy.Read(got, policy.Repository)
			require.Empty(t, faults)
		})
	}
	for name, text := range map[string]string{
		"one mapping in braces": "{version: 1}\n",
		"a value over lines":    "version: 1\ndigest: >-\n  " + old + "\n",
		"after the end":         "version: 1\n...\n",
		"not valid":             "version: 1\nlevle: off\n",
	} {
		t.Run(name+" is refused", func(t *testing.T) {
			t.Parallel()
			_, err := WithDigest(text, digest)
			require.Error(t, err)
		})
	}
}

func TestAcceptKeepsEveryOtherByteAndTheMode(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "evidence.yml")
	require.NoError(t, os.WriteFile(path, []byte("# ours\n"+steps+"# end"), 0o600))
	now, err := Accept(Acceptance{Path: path, Policy: read(t, steps), Store: StoreAt(t.TempDir()), Key: key, Now: noon})
	require.NoError(t, err)
	require.Equal(t, Digest(read(t, steps)), now.Digest)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "# ours\n"+steps+"# end\ndigest: "+now.Digest+"\n", string(text))
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, left, 1)
}

// A person accepts what they were shown, and nothing that came after.
func TestWhatChangedMeanwhileIsNotAccepted(t *testing.T) {
	t.Parallel()
	store := StoreAt(t.TempDir())
	path := filepath.Join(t.TempDir(), "evidence.yml")
	for _, text := range []string{with(t, "go test ./...", "echo ok"), "version: 1\nlevle: off\n"} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		_, err := Accept(Acceptance{Path: path, Policy: read(t, steps), Store: store, Key: key, Now: noon})
		require.ErrorContains(t, err, "was changed after its steps were shown")
		require.NoFileExists(t, store.path(key))
		now, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, text, string(now))
	}
}

// The copy outside is recorded first: when it cannot be, the file stays as it is.
func TestTheFileWaitsForTheOutsideCopy(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, taken := filepath.Join(folder, "evidence.yml"), filepath.Join(folder, "taken")
	require.NoError(t, os.WriteFile(path, []byte(steps), 0o644))
	require.NoError(t, os.WriteFile(taken, nil, 0o644))
	_, err := Accept(Acceptance{Path: path, Policy: read(t, steps), Store: StoreAt(taken), Key: key, Now: noon})
	require.ErrorContains(t, err, "EVIDENCE_GATE_STATE_DIR")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, steps, string(text))
}

// A file that then cannot be written is told with the line that is missing.
func TestTheLineToWriteByHand(t *testing.T) {
	t.Parallel()
	store := StoreAt(t.TempDir())
	path := filepath.Join(t.TempDir(), strings.Repeat("n", 250)) // no name is left for a file beside it
	require.NoError(t, os.WriteFile(path, []byte(steps), 0o644))
	_, err := Accept(Acceptance{Path: path, Policy: read(t, steps), Store: store, Key: key, Now: noon})
	require.ErrorContains(t, err, "digest: "+Digest(read(t, steps)))
	project, err := store.Load(key)
	require.NoError(t, err)
	require.True(t, project.Copy.Accepted)
	require.Equal(t, Digest(read(t, steps)), project.Copy.Digest)
}

func TestALinkIsNotWrittenThrough(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	target, path := filepath.Join(folder, "elsewhere"), filepath.Join(folder, "evidence.yml")
	require.NoError(t, os.WriteFile(target, []byte(steps), 0o644))
	require.NoError(t, os.Symlink(target, path))
	_, err := Accept(Acceptance{Path: path, Policy: read(t, steps), Store: StoreAt(t.TempDir()), Key: key, Now: noon})
	require.ErrorContains(t, err, "no ordinary file")
}

func TestWhereTheStateFolderIs(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		env  map[string]string
		want string
	}{
		"its own variable":          {map[string]string{"EVIDENCE_GATE_STATE_DIR": "/s", "XDG_STATE_HOME": "/x", "HOME": "/h"}, "/s"},
		"the state home":            {map[string]string{"XDG_STATE_HOME": "/x", "HOME": "/h"}, "/x/evidence-gate"},
		"the home":                  {map[string]string{"HOME": "/h"}, "/h/.local/state/evidence-gate"},
		"a relative one is ignored": {map[string]string{"XDG_STATE_HOME": "x", "HOME": "/h"}, "/h/.local/state/evidence-gate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, err := OpenStore(func(name string) string { return row.env[name] })
			require.NoError(t, err)
			require.Equal(t, row.want, store.dir)
		})
	}
	_, err := OpenStore(func(string) string { return "" })
	require.ErrorContains(t, err, "EVIDENCE_GATE_STATE_DIR")
	_, err = OpenStore(func(name string) string { return map[string]string{"EVIDENCE_GATE_STATE_DIR": "state"}[name] })
	require.ErrorContains(t, err, "absolute")
}

func TestKey(t *testing.T) {
	t.Parallel()
	// printf 'https://example.com/acme/widgets\0/home/eng/widgets' | sha256sum
	const want = "ed3eae608b4d30a00e520a0ddd84569a5a4115875445b5a3b0a5eea9748e8881"
	same := Key("https://example.com/acme/widgets", "/home/eng/widgets")
	require.Equal(t, want, same)
	require.Equal(t, same, Key("https://eng:hunter2@example.com/acme/widgets", "/home/eng/widgets"))
	require.NotEqual(t, same, Key("https://example.com/acme/other", "/home/eng/widgets"))
	require.NotEqual(t, same, Key("https://example.com/acme/widgets", "/home/eng/clone"))
	require.NotEqual(t, Key("", "/a"), Key("", "/b"))
}

// A folder is one however it is reached, and another one in another clone.
func TestLocate(t *testing.T) {
	t.Parallel()
	_, err := exec.LookPath("git")
	fulltest.Needs(t, "git", err == nil)
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	for _, name := range []string{"one", "two"} {
		require.NoError(t, exec.Command("git", "init", "--quiet", at(name)).Run())
	}
	require.NoError(t, os.Symlink(at("one"), at("link")))
	locate := func(name string) string {
		key, err := Locate(t.Context(), at(name))
		require.NoError(t, err)
		return key
	}
	bare := locate("one")
	require.Equal(t, bare, locate("link"))
	require.NotEqual(t, bare, locate("two"))

	require.NoError(t, exec.Command("git", "-C", at("one"), "remote", "add", "fork", "https://example.com/eng/widgets").Run())
	fork := locate("one")
	require.NotEqual(t, bare, fork)
	require.NoError(t, exec.Command("git", "-C", at("one"), "remote", "add", "origin", "https://example.com/acme/widgets").Run())
	require.NotEqual(t, fork, locate("one"))

	require.NoError(t, os.WriteFile(filepath.Join(at("one"), ".git", "config"), []byte("[broken"), 0o644))
	_, err = Locate(t.Context(), at("one"))
	require.ErrorContains(t, err, "cannot tell the project's remote")
}

// Whatever the file: either nothing is written, or one line is, and the policy reads as before.
func FuzzWithDigest(f *testing.F) {
	digest := "sha256:" + strings.Repeat("ab", 32)
	for _, text := range []string{steps, "version: 1", "version: 1\ndigest: \"\" # x\r\n", "{version: 1}", "version: 1\n...\n", "\ufeffversion: 1\rdigest: ''\r"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := WithDigest(text, digest)
		if err != nil {
			return
		}
		before, after := splitLines(text), splitLines(got)
		changed := 0
		for i := range before {
			if i >= len(after) || strings.TrimRight(before[i], "\r\n") != strings.TrimRight(after[i], "\r\n") {
				changed++
			}
		}
		changed += max(0, len(after)-len(before))
		if changed > 1 {
			t.Fatalf("%d lines changed: %q became %q", changed, text, got)
		}
		p, faults := policy.Read(got, policy.Repository)
		if len(faults) > 0 || p.Digest != digest {
			t.Fatalf("%q does not say the digest", got)
		}
	})
}
