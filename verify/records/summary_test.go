package records

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/growth"
	"github.com/evidence-gate/evidence-gate/verify/tamper"
)

// run is a record of one step "test" on a tree, n minutes after noon.
func run(n int, outcome, tree string, s Step) Record {
	s.Name, s.Phase, s.Layer = "test", "check", "test"
	return Record{Start: noon.Add(time.Duration(n) * time.Minute), Outcome: outcome, Tree: tree, Steps: []Step{s}}
}

var (
	passes      = Step{Status: StepPassed}
	fails       = Step{Status: StepFailed, Failure: FailStep}
	stalls      = Step{Status: StepFailed, Failure: FailTimeout}
	missing     = Step{Status: StepFailed, Failure: FailEnv}
	interrupted = Step{Status: StepFailed, Failure: FailInterrupted}
	skipped     = Step{Status: StepSkipped}
)

func TestStreaks(t *testing.T) {
	t.Parallel()
	at := func(n int) time.Time { return noon.Add(time.Duration(n) * time.Minute) }
	for name, row := range map[string]struct {
		runs    []Record
		want    *Streak
		longest int
	}{
		"none":             {nil, nil, 0},
		"one":              {[]Record{run(0, Green, "", passes)}, &Streak{Green, 1, at(0)}, 1},
		"green":            {[]Record{run(0, Failed, "", fails), run(1, Green, "", passes), run(2, Green, "", passes)}, &Streak{Green, 2, at(1)}, 2},
		"broken":           {[]Record{run(0, Green, "", passes), run(1, Green, "", passes), run(2, Failed, "", fails)}, &Streak{Failed, 1, at(2)}, 2},
		"partial is none":  {[]Record{run(0, Green, "", passes), run(1, Partial, "", skipped), run(2, Green, "", passes)}, &Streak{Green, 2, at(0)}, 2},
		"refused is none":  {[]Record{run(0, Failed, "", fails), run(1, Refused, "", skipped), run(2, Changed, "", skipped)}, &Streak{Failed, 1, at(0)}, 0},
		"interrupted, too": {[]Record{run(0, Green, "", passes), run(1, Failed, "", interrupted)}, &Streak{Green, 1, at(0)}, 1},
		"only partial":     {[]Record{run(0, Partial, "", passes)}, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := Summarise(Log{Records: row.runs}, tamper.Project{}, 5)
			require.Equal(t, row.want, s.Streak)
			require.Equal(t, row.longest, s.LongestGreen)
		})
	}
}

// Flaky is what passed and failed on one tree id, and nothing else is.
func TestFlaky(t *testing.T) {
	t.Parallel()
	other := strings.Repeat("1", 40)
	for name, row := range map[string]struct {
		runs []Record
		want []Flaky
	}{
		"passed and failed on one tree": {[]Record{run(0, Green, tree, passes), run(1, Failed, tree, fails), run(2, Green, tree, passes)}, []Flaky{{"test", []Tree{{tree, 2, 1}}}}},
		"in a partial run":              {[]Record{run(0, Partial, tree, passes), run(1, Failed, tree, fails)}, []Flaky{{"test", []Tree{{tree, 1, 1}}}}},
		"a timeout is a failure":        {[]Record{run(0, Failed, tree, stalls), run(1, Green, tree, passes)}, []Flaky{{"test", []Tree{{tree, 1, 1}}}}},
		"on two trees, newest first":    {[]Record{run(0, Green, tree, passes), run(1, Failed, tree, fails), run(2, Failed, other, fails), run(3, Green, other, passes)}, []Flaky{{"test", []Tree{{other, 1, 1}, {tree, 1, 1}}}}},
		"another tree is a change":      {[]Record{run(0, Green, tree, passes), run(1, Failed, other, fails)}, []Flaky{}},
		"always failing":                {[]Record{run(0, Failed, tree, fails), run(1, Failed, tree, stalls)}, []Flaky{}},
		"no tree":                       {[]Record{run(0, Green, "", passes), run(1, Failed, "", fails)}, []Flaky{}},
		"a program that was not there":  {[]Record{run(0, Failed, tree, missing), run(1, Green, tree, passes)}, []Flaky{}},
		"interrupted":                   {[]Record{run(0, Failed, tree, interrupted), run(1, Green, tree, passes)}, []Flaky{}},
		"skipped":                       {[]Record{run(0, Failed, tree, skipped), run(1, Green, tree, passes)}, []Flaky{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, row.want, Summarise(Log{Records: row.runs}, tamper.Project{}, 5).Flaky)
		})
	}
}

func TestSlowest(t *testing.T) {
	t.Parallel()
	step := func(name string, ms int64) Step {
		return Step{Name: name, Phase: "check", Layer: "test", Status: StepPassed, DurationMS: ms}
	}
	log := Log{Records: []Record{
		{Steps: []Step{step("quick", 1), step("slow", 900)}},
		{Steps: []Step{step("quick", 3), step("slow", 100), {Name: "slow", Status: StepSkipped}}},
		{Steps: []Step{step("quick", 2), step("slow", 500), step("a", 1), step("b", 1), step("c", 1), step("d", 1)}},
	}}
	slowest := Summarise(log, tamper.Project{}, 0).Slowest
	require.Len(t, slowest, mostSlow)
	require.Equal(t, Slow{"slow", "check", "test", 3, 500, 900}, slowest[0])
	require.Equal(t, Slow{"quick", "check", "test", 3, 2, 3}, slowest[1])

	var many Log
	for i := range latestTimes + 5 {
		many.Records = append(many.Records, Record{Steps: []Step{step("x", int64(1000-i))}})
	}
	require.Equal(t, []Slow{{"x", "check", "test", latestTimes, 985, 995}}, Summarise(many, tamper.Project{}, 0).Slowest, "the latest ones count")
}

func TestTheNewestRunsAreListedFirst(t *testing.T) {
	t.Parallel()
	log := Log{Records: []Record{run(0, Green, "", passes), run(1, Failed, "", fails), run(2, Green, "", passes)}, Unreadable: 2, Cut: true}
	s := Summarise(log, tamper.Project{FirstGreenAt: &noon}, 2)
	require.Equal(t, []Record{log.Records[2], log.Records[1]}, s.Last)
	require.Equal(t, []Count{{Green, 2}, {Failed, 1}}, s.Outcomes)
	require.Equal(t, 3, s.Runs)
	require.Equal(t, 2, s.Unreadable)
	require.True(t, s.Cut)
	require.Equal(t, &noon, s.FirstGreenAt)
	require.Empty(t, Summarise(log, tamper.Project{}, -1).Last)
	require.Len(t, Summarise(log, tamper.Project{}, 9).Last, 3)
}

// firstGreenAt and firstTestPassAt are the end of the first such run, and are set once.
func TestMilestonesAreSetOnce(t *testing.T) {
	t.Parallel()
	store := tamper.StoreAt(t.TempDir())
	reach := func(r Record) tamper.Project {
		p, err := Reach(store, "k", r)
		require.NoError(t, err)
		return p
	}
	require.Equal(t, tamper.Project{}, reach(run(0, Failed, "", fails)))
	require.Equal(t, tamper.Project{}, reach(run(1, Partial, "", skipped)))

	p := reach(run(2, Partial, "", passes))
	require.Nil(t, p.FirstGreenAt, "partial is never done")
	require.Equal(t, noon.Add(2*time.Minute), *p.FirstTestPassAt)

	green := run(3, Green, "", passes)
	green.DurationMS = 1500
	p = reach(green)
	require.Equal(t, noon.Add(3*time.Minute+1500*time.Millisecond), *p.FirstGreenAt)

	p = reach(run(4, Green, "", passes))
	require.Equal(t, noon.Add(3*time.Minute+1500*time.Millisecond), *p.FirstGreenAt)
	require.Equal(t, noon.Add(2*time.Minute), *p.FirstTestPassAt)
}

func TestTheTestsPassTogether(t *testing.T) {
	t.Parallel()
	layer := func(layer, status string) Step { return Step{Layer: layer, Status: status} }
	for name, row := range map[string]struct {
		steps []Step
		want  bool
	}{
		"all":          {[]Step{layer("test", StepPassed), layer("test", StepPassed)}, true},
		"beside lint":  {[]Step{layer("lint", StepFailed), layer("test", StepPassed)}, true},
		"those chosen": {[]Step{layer("test", StepSkipped), layer("test", StepPassed)}, true},
		"one fails":    {[]Step{layer("test", StepPassed), layer("test", StepFailed)}, false},
		"none ran":     {[]Step{layer("test", StepSkipped), layer("lint", StepPassed)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, row.want, Record{Steps: row.steps}.testsPassed())
		})
	}
}

// Reading and summing up takes linear time, however the lines are made.
func TestReadingIsLinear(t *testing.T) {
	t.Parallel()
	line, err := json.Marshal(full())
	require.NoError(t, err)
	meter := growth.NewMeter(func(text string) { Summarise(Parse([]byte(text)), tamper.Project{}, 10) }, string(line)+"\n")
	step, _ := json.Marshal(full().Steps[1])
	head, tail, _ := strings.Cut(string(line), string(step))
	for _, c := range [][3]string{
		{"", string(line) + "\n", ""},
		{head + string(step), "," + string(step), tail},
		{"", "[", ""}, {"", "{\"steps\":[", ""}, {"", "\n", ""}, {"", "{}\n", ""}, {"\"", "\\u0000", "\""},
	} {
		meter.Check(t, c[0], c[1], c[2])
	}
}

// Records are anybody's text: reading them never fails, and takes over nothing but the words of a
// record.
func FuzzParse(f *testing.F) {
	root := f.TempDir()
	require.NoError(f, Append(root, full()))
	line, err := os.ReadFile(filepath.Join(root, Dir, FileName))
	require.NoError(f, err)
	for _, text := range []string{"", "\n\n", "{}", string(line), string(line[:60]) + "\n" + string(line), `{"schema":1,"steps":[{"name":"` + "\u202e" + `"}]}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		log := Parse([]byte(text))
		for _, r := range log.Records {
			if err := r.fault(); err != nil {
				t.Fatalf("took over a record with a fault: %v", err)
			}
		}
		if len(log.Records)+log.Unreadable > strings.Count(text, "\n")+1 {
			t.Fatalf("%d records and %d other lines in %q", len(log.Records), log.Unreadable, text)
		}
		Summarise(log, tamper.Project{}, 10)
	})
}
