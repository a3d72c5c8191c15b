// Package supervise runs one command and leaves nothing of it behind (design section 12).
//
// Each command gets a process group and, where the system has them, a session of its own, so that it
// has no terminal. On Linux it is started by a supervisor: this program once more, as a subreaper,
// which adopts every process that the command's own processes leave behind. So grandchildren and
// daemons are found, and a command that kills its parent kills the supervisor only. When the program
// itself is killed, the supervisor ends what it watches over. Elsewhere the process group is all
// that is known of a command.
//
// What to run, for how long, and what an exit code means is left to package verify.
package supervise

import (
	"os"
	"time"
)

// Command is what to run.
type Command struct {
	Args   []string // the program and its arguments; the program is looked up in the PATH of Env
	Dir    string
	Env    []string
	Output *os.File // takes standard output and standard error; the caller closes its own copy

	// Keep lets processes that outlive the command run on until Stop. Otherwise they are ended with it.
	Keep bool
	// Grace is how long a process may take to end after SIGTERM before it is killed.
	Grace time.Duration
}

// Status is how a command ended.
type Status struct {
	Code   int    // 128 and the signal's number when a signal ended it, as a shell has it
	Signal string // empty when it ended by itself
	Lost   bool   // its supervisor was killed, so that nobody knows how it ended
	Err    error  // it could not be started
}

// Ending is what was left of a command when it was stopped.
type Ending struct {
	Ended int // processes that had outlived the command and were ended
	Left  int // processes that could not be ended
	Lost  bool
}

// patience is how much longer than the grace ending the processes of a command may take: those that
// wait for a device cannot be killed, and those of another user may not be.
const patience = 5 * time.Second
