package verify

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/evidence-gate/evidence-gate/verify/supervise"
)

// attempt is one step while it runs.
type attempt struct {
	*runner
	step    Step
	ctx     context.Context
	result  *StepResult
	output  *capture
	process *supervise.Process
	reader  *os.File
	writer  *os.File      // the other end, while the output is to be marked
	read    chan struct{} // closed when the output has ended
}

// step runs one step of the plan and notes how it ended.
func (r *runner) step(i int, keep bool) {
	r.number++
	a := &attempt{runner: r, step: r.plan.Steps[i], result: &r.results[i], output: &capture{}, ctx: r.cancelled}
	if a.step.Phase == teardown {
		a.ctx = r.forced
	}
	r.options.Progress.Started(a.step, r.number, r.count, func() string { return a.output.lastLine(r.masker) })
	begin := time.Now()
	a.result.Status, a.result.Reason = Passed, ""
	if a.step.Phase == serve {
		a.serve()
	} else {
		a.command(keep)
	}
	a.result.DurationMS = time.Since(begin).Milliseconds()
	a.sameRoot()
	a.keepOutput()
	r.options.Progress.Finished(*a.result, r.number, r.count)
}

// fail notes a failure; the first one stays.
func (a *attempt) fail(kind, format string, args ...any) {
	if a.result.Status == StepFailed {
		return
	}
	a.result.Status, a.result.Failure, a.result.Reason = StepFailed, kind, fmt.Sprintf(format, args...)
}

// command runs a command to its end.
func (a *attempt) command(keep bool) {
	if !a.start(keep) {
		return
	}
	timeout := time.NewTimer(a.step.Timeout)
	defer timeout.Stop()
	select {
	case <-a.process.Exited():
		a.exited(keep)
		return
	case <-timeout.C:
		a.fail(KindTimeout, "stopped after %s", a.step.Timeout)
	case <-a.ctx.Done():
		a.fail(KindInterrupted, "stopped before it ended")
	}
	a.writer.Close()
	a.stop()
}

// start starts the step's command; it reports false when that failed.
func (a *attempt) start(keep bool) bool {
	reader, writer, err := os.Pipe()
	if err != nil {
		a.fail(KindEnv, "could not be started: %v", err)
		return false
	}
	a.reader, a.read = reader, make(chan struct{})
	a.process, err = supervise.Start(supervise.Command{
		Args: a.step.args(), Dir: a.plan.Root, Env: a.plan.Environment, Output: writer, Keep: keep, Grace: a.options.Grace,
	})
	if a.writer = writer; err != nil || !keep {
		writer.Close()
	}
	if err != nil {
		reader.Close()
		a.fail(KindEnv, "could not be started: %v", err)
		return false
	}
	go func() {
		defer close(a.read)
		defer reader.Close()
		_, _ = io.CopyBuffer(onlyWriter{a.output}, onlyReader{reader}, make([]byte, 64<<10))
	}()
	return true
}

// onlyWriter and onlyReader keep io.Copy to the buffer that it is given.
type onlyWriter struct{ io.Writer }
type onlyReader struct{ io.Reader }

// exited judges a command that ended by itself.
func (a *attempt) exited(keep bool) {
	status := a.process.Status()
	a.judge(status)
	if keep {
		a.kept = append(a.kept, a.process)
		a.drain()
		return
	}
	a.end(a.process.Wait())
}

func (a *attempt) judge(status supervise.Status) {
	switch {
	case status.Err != nil:
		a.fail(KindEnv, "could not be started: %v", status.Err)
	case status.Lost:
		a.fail(KindStep, "killed the process that watched over it")
	case status.Signal != "":
		a.fail(KindStep, "ended by %s", status.Signal)
	default:
		a.result.ExitCode = &status.Code
		switch status.Code {
		case 0:
		case 127:
			a.fail(KindEnv, "exit code 127: a program was not found")
		default:
			a.fail(KindStep, "exit code %d", status.Code)
		}
	}
}

// stop ends every process of the step.
func (a *attempt) stop() { a.end(a.process.Stop()) }

// outputPatience is how long the end of an output is waited for when no process of the step is known
// to be left: one that could not be ended may hold it open.
const outputPatience = time.Second

func (a *attempt) end(ending supervise.Ending) {
	a.result.Ended = ending.Ended
	switch {
	case ending.Left > 0:
		a.fail(KindStep, "%s of it could not be ended", counted(ending.Left, "process"))
	case ending.Lost:
		a.fail(KindStep, "killed the process that watched over it")
	}
	_ = a.reader.SetReadDeadline(time.Now().Add(outputPatience)) // not everywhere possible
	select {
	case <-a.read:
	case <-time.After(2 * outputPatience):
	}
}

// drain waits until what the command has printed is read, which its processes may hold open and go on
// with: a mark that nobody can guess is printed after it.
func (a *attempt) drain() {
	mark := []byte(rand.Text())
	reached := a.output.endAt(mark)
	_, err := a.writer.Write(mark)
	a.writer.Close()
	if err != nil {
		return
	}
	select {
	case <-reached:
	case <-a.read:
	}
}

// sameRoot fails a step that took the project's folder away: nothing after it could be believed.
func (a *attempt) sameRoot() {
	info, err := os.Stat(a.plan.Root)
	switch {
	case a.rootInfo == nil, errors.Is(err, os.ErrNotExist):
		a.fail(KindEnv, "the project's folder %s is gone", a.plan.Root)
	case err != nil:
		a.fail(KindEnv, "the project's folder cannot be used: %v", err)
	case !os.SameFile(info, a.rootInfo):
		a.fail(KindEnv, "another folder is in the place of the project's folder %s", a.plan.Root)
	}
}

// keepOutput writes the step's log and takes the end of its output.
func (a *attempt) keepOutput() {
	text, total := a.output.finish(a.masker)
	a.result.Probe, a.result.Reason = a.masker.text(a.result.Probe), a.masker.text(a.result.Reason)
	a.result.OutputBytes = total
	if a.result.Status == StepFailed {
		a.result.OutputEnd = endOf(text)
	}
	if a.options.Logs == nil {
		return
	}
	var err error
	a.result.Log, a.result.OutputSHA256, err = a.options.Logs.write(a.number, a.step.Title(), text)
	if err != nil {
		a.warned = append(a.warned, fmt.Sprintf("the output of %q could not be kept: %v", a.step.Title(), err))
	}
}
