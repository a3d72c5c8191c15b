package criteria

import (
	"time"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Words of a recorded run.
const (
	runPassed = "passed"
	runFailed = "failed"
	baseline  = "baseline"
	laneFinal = "lane_final"
)

// command is everything that is known about one spelling of a command, or about all spellings of what
// an evidence names.
type command struct {
	text   string
	checks []*report.Check
	runs   runs
}

// runs are recorded results of one command.
type runs []*snapshot.Run

// readCommands indexes checks and recorded runs by their command. A run without a command is of its
// check's; one for another contract does not count.
func (x *index) readCommands(f Facts) {
	of := map[string]string{} // name of a check -> its command
	at := func(text string) *command {
		text = markdown.Squeeze(text)
		i, ok := x.exact[text]
		if !ok {
			i = len(x.commands)
			x.exact[text] = i
			x.commands = append(x.commands, command{text: text})
		}
		return &x.commands[i]
	}
	for i := range f.Checks {
		if c := &f.Checks[i]; c.Command != "" {
			of[c.Name()] = c.Command
			known := at(c.Command)
			known.checks = append(known.checks, c)
		}
	}
	for i := range f.Runs {
		r := &f.Runs[i]
		text := r.Command
		if text == "" {
			text = of[r.Check]
		}
		if text == "" || r.ContractDigest != "" && f.ContractDigest != "" && r.ContractDigest != f.ContractDigest {
			continue
		}
		known := at(text)
		known.runs = append(known.runs, r)
	}
}

// command is what is known about a command, however it is spelt.
func (j *judge) command(text string) *command {
	x := j.index
	text = markdown.Squeeze(text)
	if found, ok := x.named[text]; ok {
		return found
	}
	found := &command{text: text}
	if i, ok := x.exact[text]; ok {
		found.add(x.commands[i])
	}
	for i := 0; i < len(x.commands) && j.SameCommand != nil && x.compared < maxCompared; i++ {
		if x.commands[i].text == text {
			continue
		}
		x.compared++
		if j.SameCommand(x.commands[i].text, text) {
			found.add(x.commands[i])
		}
	}
	x.named[text] = found
	return found
}

func (c *command) add(other command) {
	c.checks = append(c.checks, other.checks...)
	c.runs = append(c.runs, other.runs...)
}

// ownTree reports whether a run was on the tree of its commit, and not of a merge.
func ownTree(r *snapshot.Run) bool { return r.Topology == "" || r.Topology == laneFinal }

// onHead looks for the newest run on the head: found tells whether there is one, failed whether it did
// not pass. Of runs of one time the worse counts, and so does one without a time.
func (rs runs) onHead(head string) (found, failed bool) {
	var newest time.Time
	untimed := false
	for _, r := range rs {
		if r.HeadSHA != head || head == "" || !ownTree(r) {
			continue
		}
		bad := r.Outcome != runPassed
		at, err := time.Parse(time.RFC3339, r.At)
		switch {
		case err != nil:
			found, untimed = true, untimed || bad
		case at.After(newest):
			found, failed, newest = true, bad, at
		case at.Equal(newest):
			found, failed = true, failed || bad
		}
	}
	return found, failed || untimed
}

// red reports whether a run failed before the pass: on the base, on another commit, or on the head
// before the newest one, which passed.
func (rs runs) red(head string) bool {
	found, failed := rs.onHead(head)
	for _, r := range rs {
		before := r.Topology == baseline || ownTree(r) && (r.HeadSHA != head || found && !failed)
		if r.Outcome == runFailed && before {
			return true
		}
	}
	return false
}
