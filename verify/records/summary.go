package records

import (
	"cmp"
	"slices"
	"time"

	"github.com/evidence-gate/evidence-gate/verify/tamper"
)

// Summary is what the records of a project amount to.
type Summary struct {
	Runs            int        `json:"runs"`
	Unreadable      int        `json:"unreadable"` // lines of the file that are no record
	Cut             bool       `json:"cut"`        // older runs were left out
	Outcomes        []Count    `json:"outcomes"`
	FirstGreenAt    *time.Time `json:"firstGreenAt"`
	FirstTestPassAt *time.Time `json:"firstTestPassAt"`
	Streak          *Streak    `json:"streak"`       // the one that lasts; nil before the first
	LongestGreen    int        `json:"longestGreen"` // runs that were green one after the other
	Slowest         []Slow     `json:"slowest"`
	Flaky           []Flaky    `json:"flaky"`
	Last            []Record   `json:"last"` // newest first
}

// Count is how many runs ended in one way.
type Count struct {
	Outcome string `json:"outcome"`
	Runs    int    `json:"runs"`
}

// Streak is a number of runs with one outcome, green or failed, after each other. Partial, changed,
// refused and interrupted runs say nothing of the project, and are passed over.
type Streak struct {
	Outcome string    `json:"outcome"`
	Runs    int       `json:"runs"`
	Since   time.Time `json:"since"` // the start of its first run
}

// Slow is how long a step takes, over its latest runs. Times are in milliseconds.
type Slow struct {
	Name     string `json:"name"`
	Phase    string `json:"phase"`
	Layer    string `json:"layer"`
	Runs     int    `json:"runs"`
	MedianMS int64  `json:"medianMs"`
	LongMS   int64  `json:"longestMs"`
}

// Flaky is a step that passed and failed on one and the same tree.
type Flaky struct {
	Name  string `json:"name"`
	Trees []Tree `json:"trees"` // newest first
}

// Tree is how often a step passed and failed on one tree.
type Tree struct {
	Tree   string `json:"tree"`
	Passed int    `json:"passed"`
	Failed int    `json:"failed"`
}

// What a summary shows.
const (
	mostSlow    = 5
	mostFlaky   = 20
	latestTimes = 20 // of a step, that its median is over
)

// Summarise sums records up, with the newest ones, up to a number.
func Summarise(log Log, p tamper.Project, last int) Summary {
	runs := log.Records
	s := Summary{
		Runs: len(runs), Unreadable: log.Unreadable, Cut: log.Cut, Outcomes: counted(runs),
		FirstGreenAt: p.FirstGreenAt, FirstTestPassAt: p.FirstTestPassAt,
		Slowest: slowest(runs), Flaky: flaky(runs),
		Last: slices.Clone(runs[max(0, len(runs)-max(0, last)):]),
	}
	slices.Reverse(s.Last)
	if s.Last == nil {
		s.Last = []Record{}
	}
	for _, r := range runs {
		if !r.telling() {
			continue
		}
		if s.Streak == nil || s.Streak.Outcome != r.Outcome {
			s.Streak = &Streak{Outcome: r.Outcome, Since: r.Start}
		}
		s.Streak.Runs++
		if r.Outcome == Green {
			s.LongestGreen = max(s.LongestGreen, s.Streak.Runs)
		}
	}
	return s
}

// telling reports whether the outcome says something of the project.
func (r Record) telling() bool {
	return r.Outcome == Green || r.Outcome == Failed &&
		!slices.ContainsFunc(r.Steps, func(s Step) bool { return s.Failure == FailInterrupted })
}

func counted(runs []Record) []Count {
	counts := []Count{}
	for _, outcome := range outcomes {
		n := 0
		for _, r := range runs {
			if r.Outcome == outcome {
				n++
			}
		}
		if n > 0 {
			counts = append(counts, Count{outcome, n})
		}
	}
	return counts
}

// slowest lists the steps with the longest median time.
func slowest(runs []Record) []Slow {
	times := map[string][]int64{}
	shown := map[string]Slow{}
	for _, r := range slices.Backward(runs) {
		for _, s := range r.Steps {
			if s.Status == StepSkipped || s.Failure == FailInterrupted || len(times[s.Name]) == latestTimes {
				continue
			}
			if _, known := shown[s.Name]; !known {
				shown[s.Name] = Slow{Name: s.Name, Phase: s.Phase, Layer: s.Layer}
			}
			times[s.Name] = append(times[s.Name], s.DurationMS)
		}
	}
	list := []Slow{}
	for name, slow := range shown {
		took := times[name]
		slices.Sort(took)
		slow.Runs, slow.MedianMS, slow.LongMS = len(took), took[(len(took)-1)/2], took[len(took)-1]
		list = append(list, slow)
	}
	slices.SortFunc(list, func(a, b Slow) int {
		return cmp.Or(cmp.Compare(b.MedianMS, a.MedianMS), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), mostSlow)]
}

// flaky lists the steps that passed and failed on one tree, those on most trees first. A step that
// could not start, or was interrupted, did not fail by itself.
func flaky(runs []Record) []Flaky {
	type place struct{ step, tree string }
	results := map[place]*Tree{}
	var order []place
	for _, r := range slices.Backward(runs) {
		if r.Tree == "" {
			continue
		}
		for _, s := range r.Steps {
			at := place{s.Name, r.Tree}
			passed, failed := s.Status == StepPassed, s.Failure == FailStep || s.Failure == FailTimeout
			if !passed && !failed {
				continue
			}
			if results[at] == nil {
				results[at] = &Tree{Tree: r.Tree}
				order = append(order, at)
			}
			if passed {
				results[at].Passed++
			} else {
				results[at].Failed++
			}
		}
	}
	byStep := map[string]*Flaky{}
	for _, at := range order {
		if t := results[at]; t.Passed > 0 && t.Failed > 0 {
			if byStep[at.step] == nil {
				byStep[at.step] = &Flaky{Name: at.step}
			}
			byStep[at.step].Trees = append(byStep[at.step].Trees, *t)
		}
	}
	list := []Flaky{}
	for _, f := range byStep {
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b Flaky) int {
		return cmp.Or(cmp.Compare(len(b.Trees), len(a.Trees)), cmp.Compare(a.Name, b.Name))
	})
	return list[:min(len(list), mostFlaky)]
}
