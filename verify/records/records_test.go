package records

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/fulltest"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

const tree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

func number(n int) *int { return &n }

// full is a record with every member.
func full() Record {
	return Record{
		Schema: Schema, Start: noon, Version: "v1.2.3", Agent: "codex", Outcome: Failed, Scope: Selected, TamperCheck: "ok", Tree: tree, DurationMS: 1500,
		Steps: []Step{
			{Name: "install", Phase: "setup", Layer: "install", Status: StepPassed, ExitCode: number(0), DurationMS: 400},
			{Name: "unit tests", Phase: "check", Layer: "test", Status: StepFailed, Failure: FailStep, ExitCode: number(1), DurationMS: 1100},
			{Name: "load", Phase: "check", Layer: "test", Status: StepSkipped},
		},
	}
}

func TestWhatIsAppendedIsRead(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	log, err := Read(root)
	require.NoError(t, err)
	require.Equal(t, Log{}, log)

	empty := Record{Start: noon.Add(time.Hour), Version: "(devel)", Outcome: Changed, Scope: Default, TamperCheck: "changed"}
	require.NoError(t, Append(root, full()))
	require.NoError(t, Append(root, empty))
	log, err = Read(root)
	require.NoError(t, err)
	empty.Schema, empty.Steps = Schema, []Step{}
	require.Equal(t, Log{Records: []Record{full(), empty}}, log)
}

// A record tells start, version, agent, outcome, scope, tamper check, durations, and each step's name,
// phase, layer, status, failure kind and exit code; beside them only the schema and the tree that
// flakiness is told by (design section 12). No member can hold a command, output, a path or a value.
func TestARecordHoldsNothingPrivate(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	require.NoError(t, Append(root, full()))
	line, err := os.ReadFile(filepath.Join(root, Dir, FileName))
	require.NoError(t, err)
	var record map[string]any
	require.NoError(t, json.Unmarshal(line, &record))
	require.Equal(t, []string{"agent", "durationMs", "outcome", "schema", "scope", "start", "steps", "tamperCheck", "tree", "version"}, slices.Sorted(maps.Keys(record)))
	step := record["steps"].([]any)[1].(map[string]any)
	require.Equal(t, []string{"durationMs", "exitCode", "failure", "layer", "name", "phase", "status"}, slices.Sorted(maps.Keys(step)))
	require.NotContains(t, string(line), root)
}

// What is none of a member's words is not written, and not read either.
func TestARecordTakesItsWordsOnly(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*Record){
		"no start":                  func(r *Record) { r.Start = time.Time{} },
		"an outcome of its own":     func(r *Record) { r.Outcome = "exit status 1: open /etc/passwd" },
		"a scope of its own":        func(r *Record) { r.Scope = "only ./secret" },
		"a tamper check of its own": func(r *Record) { r.TamperCheck = "" },
		"an agent with a path":      func(r *Record) { r.Agent = "/usr/bin/agent" },
		"a version with a path":     func(r *Record) { r.Version = "/home/eng/v1" },
		"a tree that is none":       func(r *Record) { r.Tree = "HEAD" },
		"a negative duration":       func(r *Record) { r.DurationMS = -1 },
		"a step without a name":     func(r *Record) { r.Steps[0].Name = "" },
		"a name over lines":         func(r *Record) { r.Steps[0].Name = "a\nb" },
		"a name that moves":         func(r *Record) { r.Steps[0].Name = "a\x1b[2J" },
		"an endless name":           func(r *Record) { r.Steps[0].Name = strings.Repeat("a", 101) },
		"a phase of its own":        func(r *Record) { r.Steps[0].Phase = "npm ci" },
		"a layer of its own":        func(r *Record) { r.Steps[0].Layer = "secret" },
		"a status of its own":       func(r *Record) { r.Steps[0].Status = "1 failed" },
		"output as a failure":       func(r *Record) { r.Steps[1].Failure = "panic: nil" },
		"a pass with a failure":     func(r *Record) { r.Steps[0].Failure = FailStep },
		"a negative step":           func(r *Record) { r.Steps[0].DurationMS = -1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			r := full()
			spoil(&r)
			require.ErrorContains(t, Append(root, r), "cannot record the run")
			require.NoFileExists(t, filepath.Join(root, Dir, FileName))
			line, err := json.Marshal(r)
			require.NoError(t, err)
			require.Equal(t, Log{Unreadable: 1}, Parse(line))
		})
	}
}

// A line that a crash cut short is passed over, and the next record gets a line of its own.
func TestATornLine(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	require.NoError(t, Append(root, full()))
	path := filepath.Join(root, Dir, FileName)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, cut := range []int{1, len(whole) / 2, len(whole) - 2} {
		require.NoError(t, os.WriteFile(path, append(slices.Clone(whole), whole[:cut]...), 0o644))
		log, err := Read(root)
		require.NoError(t, err)
		require.Equal(t, Log{Records: []Record{full()}, Unreadable: 1}, log)
		require.NoError(t, Append(root, full()))
		log, err = Read(root)
		require.NoError(t, err)
		require.Equal(t, Log{Records: []Record{full(), full()}, Unreadable: 1}, log)
	}
}

// Only the line break is missing: the record is whole.
func TestALineWithoutItsBreakIsRead(t *testing.T) {
	t.Parallel()
	line, err := json.Marshal(full())
	require.NoError(t, err)
	require.Equal(t, Log{Records: []Record{full()}}, Parse(line))
}

func TestWhatIsNoRecordIsCounted(t *testing.T) {
	t.Parallel()
	line, err := json.Marshal(full())
	require.NoError(t, err)
	text := "null\n[]\n{}\n\n \r\n" + string(line) + "\r\n\x00\xff\n" + strings.Replace(string(line), `"schema":1`, `"schema":2`, 1) + "\n"
	require.Equal(t, Log{Records: []Record{full()}, Unreadable: 5}, Parse([]byte(text)))
}

// Of a file that grew without end the newest part is read, from the beginning of a line.
func TestOnlyTheEndOfALargeFileIsRead(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	require.NoError(t, Prepare(root))
	line, err := json.Marshal(full())
	require.NoError(t, err)
	old := strings.Repeat(strings.Repeat("x", 1023)+"\n", maxRead>>10)
	require.NoError(t, os.WriteFile(filepath.Join(root, Dir, FileName), []byte("y"+old+string(line)+"\n"), 0o644))
	log, err := Read(root)
	require.NoError(t, err)
	require.True(t, log.Cut)
	require.Equal(t, []Record{full()}, log.Records)
	require.Equal(t, maxRead>>10-1, log.Unreadable)
}

const writerVariable = "RECORDS_TEST_WRITE"

// Many processes append at once, and every line is whole.
func TestProcessesAppendAtOnce(t *testing.T) {
	if root := os.Getenv(writerVariable); root != "" {
		for i := range 50 {
			r := full()
			r.DurationMS = int64(i)
			require.NoError(t, Append(root, r))
		}
		return
	}
	t.Parallel()
	root := t.TempDir()
	var writers []*exec.Cmd
	for range 4 {
		w := exec.Command(os.Args[0], "-test.run=^TestProcessesAppendAtOnce$")
		w.Env = append(os.Environ(), writerVariable+"="+root)
		require.NoError(t, w.Start())
		writers = append(writers, w)
	}
	for _, w := range writers {
		require.NoError(t, w.Wait())
	}
	log, err := Read(root)
	require.NoError(t, err)
	require.Zero(t, log.Unreadable)
	count := map[int64]int{}
	for _, r := range log.Records {
		count[r.DurationMS]++
	}
	require.Len(t, count, 50)
	for i, n := range count {
		require.Equal(t, 4, n, strconv.FormatInt(i, 10))
	}
}

// A repository could hold a link in the place of the folder or the file, and lead a write elsewhere.
func TestLinksAreRefused(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	for name, plant := range map[string]func(root string) error{
		"a folder outside": func(root string) error { return os.Symlink(outside, filepath.Join(root, Dir)) },
		"a folder inside": func(root string) error {
			return errJoin(os.Mkdir(filepath.Join(root, "src"), 0o755), os.Symlink("src", filepath.Join(root, Dir)))
		},
		"a file in its place": func(root string) error { return os.WriteFile(filepath.Join(root, Dir), nil, 0o644) },
		"the records outside": func(root string) error {
			return errJoin(os.Mkdir(filepath.Join(root, Dir), 0o755), os.Symlink(filepath.Join(outside, "x"), filepath.Join(root, Dir, FileName)))
		},
		"the records inside": func(root string) error {
			return errJoin(os.Mkdir(filepath.Join(root, Dir), 0o755), os.Symlink("../x", filepath.Join(root, Dir, FileName)))
		},
		"a folder for the records": func(root string) error { return os.MkdirAll(filepath.Join(root, Dir, FileName), 0o755) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			require.NoError(t, plant(root))
			require.Error(t, Append(root, full()))
			entries, err := os.ReadDir(outside)
			require.NoError(t, err)
			require.Empty(t, entries)
		})
	}
}

func errJoin(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// A step may delete the worktree: it is not brought back for a record.
func TestAProjectThatIsGone(t *testing.T) {
	t.Parallel()
	root := filepath.Join(t.TempDir(), "gone")
	require.Error(t, Append(root, full()))
	require.NoDirExists(t, root)
}

// .evidence is no dirt, and a .gitignore that is there stays.
func TestTheFolderIgnoresItself(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	repository(t, root)
	require.NoError(t, Append(root, full()))
	require.Empty(t, output(t, root, "status", "--porcelain", "--untracked-files=all"))

	ignore := filepath.Join(root, Dir, ".gitignore")
	text, err := os.ReadFile(ignore)
	require.NoError(t, err)
	require.Equal(t, "*\n", string(text))
	require.NoError(t, os.WriteFile(ignore, []byte("*\n!kept\n"), 0o644))
	require.NoError(t, Prepare(root))
	text, err = os.ReadFile(ignore)
	require.NoError(t, err)
	require.Equal(t, "*\n!kept\n", string(text))
}

func repository(t *testing.T, root string) {
	t.Helper()
	_, err := exec.LookPath("git")
	fulltest.Needs(t, "git", err == nil)
	output(t, root, "init", "--quiet")
}

func output(t *testing.T, root string, args ...string) string {
	t.Helper()
	command := exec.Command("git", append([]string{"-c", "user.name=eng", "-c", "user.email=eng@example.com"}, args...)...)
	command.Dir = root
	out, err := command.Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}

// The tree is that of the files as they are: committed or not, but without what is ignored.
func TestTreeID(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	_, err := TreeID(t.Context(), root)
	require.Error(t, err)
	repository(t, root)
	id := func() string {
		id, err := TreeID(t.Context(), root)
		require.NoError(t, err)
		return id
	}
	require.Equal(t, tree, id(), "git's id of the empty tree")

	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o644))
	}
	write("a", "one\n")
	dirty := id()
	require.NotEqual(t, tree, dirty)
	require.Empty(t, output(t, root, "ls-files"), "the index is as it was")
	require.Contains(t, output(t, root, "count-objects"), "0 objects", "nothing was written into the repository")

	output(t, root, "add", "a")
	output(t, root, "commit", "--quiet", "-m", "one")
	require.Equal(t, output(t, root, "rev-parse", "HEAD^{tree}"), dirty)
	require.Equal(t, dirty, id(), "committing changes no file")

	require.NoError(t, Append(root, full()))
	require.Equal(t, dirty, id(), "records are ignored")
	write("a", "two\n")
	require.NotEqual(t, dirty, id())
	write("a", "one\n")
	require.Equal(t, dirty, id())
	require.NoError(t, os.Remove(filepath.Join(root, "a")))
	require.Equal(t, tree, id())

	require.NoError(t, os.Mkdir(filepath.Join(root, "sub"), 0o755))
	below, err := TreeID(t.Context(), filepath.Join(root, "sub"))
	require.NoError(t, err)
	require.Equal(t, tree, below, "the tree is the whole checkout's from every folder")
}
