package tamper

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/profile/policy"
)

const steps = `version: 1
kind: cli
env: { PORT: "5187" }
pass_env: [CI_REGION, NPM_TOKEN]
checks:
  - { name: install, run: npm ci, phase: setup, layer: install }
  - { id: RC-1, name: unit tests, run: go test ./..., phase: check, layer: test, timeout: 10m, tags: [fast] }
  - { name: stop db, run: [./dev/db, stop], phase: teardown, layer: install }
`

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func read(t *testing.T, text string) policy.Policy {
	t.Helper()
	p, faults := policy.Read(text, policy.Repository)
	require.Empty(t, faults)
	return p
}

// with is the steps with one text in the place of another.
func with(t *testing.T, old, text string) string {
	t.Helper()
	require.Equal(t, 1, strings.Count(steps, old), old)
	return strings.Replace(steps, old, text, 1)
}

// The digest is over steps, env, pass_env and kind, and over nothing else (design section 12).
func TestWhatTheDigestIsOver(t *testing.T) {
	t.Parallel()
	was := Digest(read(t, steps))
	require.Regexp(t, `^sha256:[0-9a-f]{64}$`, was)
	for name, edit := range map[string][2]string{
		"a command":           {"go test ./...", "go test ./... || :"},
		"a shell or none":     {"[./dev/db, stop]", "./dev/db stop"},
		"words without shell": {"[./dev/db, stop]", `["./dev/db stop"]`},
		"an id":               {"id: RC-1", "id: RC-2"},
		"a name":              {"name: stop db", "name: stop it"},
		"a phase":             {"phase: teardown", "phase: setup"},
		"a layer":             {"layer: test,", "layer: docs,"},
		"a timeout":           {"timeout: 10m", "timeout: 11m"},
		"a tag":               {"tags: [fast]", "tags: [slow]"},
		"whether it is asked": {"tags: [fast]", "tags: [fast], default: false"},
		"a stage":             {"tags: [fast]", "tags: [fast], stage: app"},
		"a variable's value":  {`PORT: "5187"`, `PORT: "5188"`},
		"a variable's name":   {"PORT:", "PORT_WEB:"},
		"what is passed on":   {"CI_REGION, NPM_TOKEN", "CI_REGION, NPM_TOKEN, GH_TOKEN"},
		"the kind":            {"kind: cli", "kind: library"},
		"a step less":         {"  - { name: install, run: npm ci, phase: setup, layer: install }\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.NotEqual(t, was, Digest(read(t, with(t, edit[0], edit[1]))))
		})
	}
	for name, edit := range map[string][2]string{
		"the level":                      {"kind: cli", "kind: cli\nlevel: checks+human"},
		"a comment":                      {"checks:\n", "checks: # the steps\n"},
		"the order of what is passed on": {"CI_REGION, NPM_TOKEN", "NPM_TOKEN, CI_REGION"},
		"a default that is written":      {"tags: [fast]", "tags: [fast], default: true"},
		"the same time in other words":   {"timeout: 10m", "timeout: 600s"},
		"a check without a command":      {"checks:\n", "checks:\n  - { id: RC-9, text: the page keeps its theme }\n"},
		"the digest":                     {"kind: cli", "kind: cli\ndigest: sha256:" + strings.Repeat("0", 64)},
	} {
		t.Run(name+" is not in it", func(t *testing.T) {
			t.Parallel()
			require.Equal(t, was, Digest(read(t, with(t, edit[0], edit[1]))))
		})
	}
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		old, text string
		want      []string
	}{
		"none":               {"kind: cli", "kind: cli", nil},
		"an edited step":     {"go test ./...", "echo ok", []string{`step "unit tests" was edited (run)`}},
		"two of its fields":  {"run: go test ./..., phase: check, layer: test", "run: echo ok, phase: check, layer: docs", []string{`step "unit tests" was edited (run, layer)`}},
		"an added step":      {"checks:\n", "checks:\n  - { name: more, run: ls }\n", []string{`step "more" was added`}},
		"a removed step":     {"  - { name: install, run: npm ci, phase: setup, layer: install }\n", "", []string{`step "install" was removed`}},
		"a renamed step":     {"name: stop db", "name: stop", []string{`step "stop" was added`, `step "stop db" was removed`}},
		"an edited variable": {`"5187"`, `"80"`, []string{"env PORT was edited"}},
		"another variable":   {`PORT:`, `HOST:`, []string{"env HOST was added", "env PORT was removed"}},
		"a name passed on":   {"NPM_TOKEN", "GH_TOKEN", []string{"pass_env GH_TOKEN was added", "pass_env NPM_TOKEN was removed"}},
		"the kind":           {"kind: cli", "kind: library", []string{"the kind was changed"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var said []string
			for _, c := range Changes(FormOf(read(t, steps)), FormOf(read(t, with(t, row.old, row.text)))) {
				said = append(said, c.String())
			}
			require.Equal(t, row.want, said)
		})
	}
}

func TestTheOrderOfStepsIsAChange(t *testing.T) {
	t.Parallel()
	one, two := "  - { name: one, run: ls }\n", "  - { name: two, run: ls }\n"
	changes := Changes(FormOf(read(t, "version: 1\nchecks:\n"+one+two)), FormOf(read(t, "version: 1\nchecks:\n"+two+one)))
	require.Equal(t, []Change{{Part: PartOrder, Change: Edited}}, changes)
}

// An edit is shown with what it was and what it is, but for the values of variables.
func TestAnEditIsShownWithItsValues(t *testing.T) {
	t.Parallel()
	changes := Changes(FormOf(read(t, steps)), FormOf(read(t, with(t, "go test ./...", "echo ok"))))
	require.Equal(t, []Field{{"run", "go test ./...", "echo ok"}}, changes[0].Fields)
	changes = Changes(FormOf(read(t, steps)), FormOf(read(t, with(t, `"5187"`, `"hunter2"`))))
	require.Empty(t, changes[0].Fields)
}

const key = "k"

// accepted is a store and a policy file that a person accepted.
func accepted(t *testing.T) (Store, string) {
	t.Helper()
	store := StoreAt(t.TempDir())
	path := filepath.Join(t.TempDir(), "evidence.yml")
	require.NoError(t, os.WriteFile(path, []byte(steps), 0o644))
	_, err := Accept(Acceptance{Path: path, Policy: read(t, steps), Store: store, Key: key, Now: noon})
	require.NoError(t, err)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return store, string(text)
}

func TestFirstUseRecordsTheOutsideCopyOnly(t *testing.T) {
	t.Parallel()
	store := StoreAt(filepath.Join(t.TempDir(), "not", "there"))
	state, err := Check(read(t, steps), store, key, noon)
	require.NoError(t, err)
	require.Equal(t, State{TamperCheck: FirstUse, Digest: Digest(read(t, steps))}, state)

	state, err = Check(read(t, steps), store, key, noon)
	require.NoError(t, err)
	require.Equal(t, OK, state.TamperCheck)

	state, err = Check(read(t, with(t, "go test ./...", "echo ok")), store, key, noon)
	require.NoError(t, err)
	require.Equal(t, Changed, state.TamperCheck)
	require.Equal(t, []string{Outside}, state.Copies)
	require.Equal(t, `step "unit tests" was edited (run)`, state.Changes[0].String())

	info, err := os.Stat(store.path(key))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}

func TestBothCopiesAreCompared(t *testing.T) {
	t.Parallel()
	other := "sha256:" + strings.Repeat("0", 64)
	store, text := accepted(t)
	is := Digest(read(t, text))
	weaker := strings.Replace(text, "go test ./...", "echo ok", 1)
	for name, row := range map[string]struct {
		text    string
		store   Store
		check   string
		copies  []string
		changes int
	}{
		"accepted":                         {text, store, OK, nil, 0},
		"a fresh clone":                    {text, StoreAt(t.TempDir()), FileOnly, nil, 0},
		"edited":                           {weaker, store, Changed, []string{File, Outside}, 1},
		"edited in a fresh clone":          {weaker, StoreAt(t.TempDir()), Changed, []string{File}, 0},
		"edited with its digest":           {strings.Replace(weaker, is, Digest(read(t, weaker)), 1), store, Changed, []string{Outside}, 1},
		"edited without a digest":          {strings.Replace(weaker, "digest: "+is+"\n", "", 1), store, Changed, []string{Outside}, 1},
		"the digest only":                  {strings.Replace(text, is, other, 1), store, Changed, []string{File}, 0},
		"the digest in a fresh clone":      {strings.Replace(text, is, other, 1), StoreAt(t.TempDir()), Changed, []string{File}, 0},
		"what is accepted, without digest": {strings.Replace(text, "digest: "+is+"\n", "", 1), store, OK, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state, err := Check(read(t, row.text), row.store, key, noon)
			require.NoError(t, err)
			require.Equal(t, row.check, state.TamperCheck)
			require.Equal(t, row.copies, state.Copies)
			require.Len(t, state.Changes, row.changes)
		})
	}
}

// A fresh clone stays one: only a person's acceptance makes its file's word a copy outside.
func TestAFreshCloneRecordsNothing(t *testing.T) {
	t.Parallel()
	_, text := accepted(t)
	store := StoreAt(filepath.Join(t.TempDir(), "state"))
	for range 2 {
		state, err := Check(read(t, text), store, key, noon)
		require.NoError(t, err)
		require.Equal(t, FileOnly, state.TamperCheck)
	}
	require.NoDirExists(t, store.dir)
}

// What cannot be read never counts as absent: that would be a first use.
func TestABrokenCopyIsAChange(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty":          "",
		"torn":           `{"schema": 1, "copy": {"dig`,
		"another schema": `{"schema": 2}`,
		"forged digest":  `{"schema": 1, "copy": {"digest": "sha256:00", "form": {"steps": [], "env": {}, "pass_env": [], "kind": "cli"}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := StoreAt(t.TempDir())
			require.NoError(t, os.Mkdir(filepath.Dir(store.path(key)), 0o700))
			require.NoError(t, os.WriteFile(store.path(key), []byte(text), 0o600))
			state, err := Check(read(t, steps), store, key, noon)
			require.NoError(t, err)
			require.Equal(t, State{TamperCheck: Changed, Digest: Digest(read(t, steps)), Copies: []string{Outside}, Broken: true}, state)

			_, err = store.Update(key, func(p *Project) { p.FirstGreenAt = &noon })
			require.ErrorContains(t, err, "--accept-changes")

			path := filepath.Join(t.TempDir(), "evidence.yml")
			require.NoError(t, os.WriteFile(path, []byte(steps), 0o644))
			now, err := Accept(Acceptance{Path: path, Policy: read(t, steps), Store: store, Key: key, Now: noon})
			require.NoError(t, err)
			state, err = Check(now, store, key, noon)
			require.NoError(t, err)
			require.Equal(t, OK, state.TamperCheck)
		})
	}
}

func TestAStateFolderThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := Check(read(t, steps), StoreAt(file), key, noon)
	require.ErrorContains(t, err, "EVIDENCE_GATE_STATE_DIR")
}

// Of two first runs at once one records, and the other one compares with what it recorded.
func TestTwoFirstUsesAtOnce(t *testing.T) {
	t.Parallel()
	store := StoreAt(t.TempDir())
	texts := []string{steps, with(t, "go test ./...", "echo ok")}
	found := make(chan string, 20)
	var group sync.WaitGroup
	for i := range cap(found) {
		p := read(t, texts[i%2])
		group.Go(func() {
			state, err := Check(p, store, key, noon)
			if err != nil {
				state.TamperCheck = err.Error()
			}
			found <- state.TamperCheck
		})
	}
	group.Wait()
	close(found)
	count := map[string]int{}
	for check := range found {
		count[check]++
	}
	require.Equal(t, map[string]int{FirstUse: 1, OK: 9, Changed: 10}, count)
}

func TestUpdatesDoNotLoseEachOther(t *testing.T) {
	t.Parallel()
	store := StoreAt(t.TempDir())
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			_, _ = store.Update(key, func(p *Project) {
				at := noon
				if p.FirstGreenAt != nil {
					at = p.FirstGreenAt.Add(time.Second)
				}
				p.FirstGreenAt = &at
			})
		})
	}
	group.Wait()
	p, err := store.Load(key)
	require.NoError(t, err)
	require.Equal(t, noon.Add(19*time.Second), *p.FirstGreenAt)
}
