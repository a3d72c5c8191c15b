package worker

import (
	"hash/maphash"
	"sync"

	"github.com/evidence-gate/evidence-gate/app/publish"
)

// maxKnownRuns bounds the memory for check runs, at some 300 bytes each.
const maxKnownRuns = 20_000

// knownRuns remembers the check runs that this process published, so that an unchanged verdict costs
// no request and a changed one no search. It is kept in memory and nowhere else: what was remembered
// before a kill could be older than what GitHub got, and would then pass for unchanged.
type knownRuns struct {
	locks [64]sync.Mutex // one publication per head at a time: pull requests may share a head
	mu    sync.Mutex
	known map[commit]publish.Published
}

type commit struct {
	repositoryID int64
	sha          string
}

var seed = maphash.MakeSeed()

// publish runs do with what is known of the head's check run. Nothing is known after a failure: the
// request may have arrived all the same.
func (k *knownRuns) publish(repositoryID int64, sha string, do func(known *publish.Published) (publish.Outcome, error)) (publish.Outcome, error) {
	key := commit{repositoryID, sha}
	lock := &k.locks[maphash.Comparable(seed, key)%uint64(len(k.locks))]
	lock.Lock()
	defer lock.Unlock()

	outcome, err := do(k.take(key))
	if err == nil {
		k.put(key, outcome.Run)
	}
	return outcome, err
}

func (k *knownRuns) take(key commit) *publish.Published {
	k.mu.Lock()
	defer k.mu.Unlock()
	run, ok := k.known[key]
	if !ok {
		return nil
	}
	delete(k.known, key)
	return &run
}

func (k *knownRuns) put(key commit, run publish.Published) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.known == nil {
		k.known = map[commit]publish.Published{}
	}
	for other := range k.known {
		if len(k.known) < maxKnownRuns {
			break
		}
		delete(k.known, other)
	}
	k.known[key] = run
}
