package verify

import (
	"context"
	"time"
)

// serve starts a server, waits until it answers, and stops it.
func (a *attempt) serve() {
	p, err := parseProbe(a.step.URL)
	if err != nil {
		a.fail(KindEnv, "%v", err)
		return
	}
	release, free := holdPort(p.port)
	if !free {
		a.fail(KindEnv, "another run of verify is serving on port %s: wait for it", p.port)
		return
	}
	defer release()
	if p.open(a.ctx) {
		a.fail(KindEnv, "refused: something answers on port %s already; stop it, or serve on another port", p.port)
		return
	}
	if !a.start(false) {
		return
	}
	a.await(p)
	a.process.StopGroup()
	if a.result.Status == Passed && a.stillOpen(p) {
		a.fail(KindStep, "port %s still answers after the server was stopped", p.port)
	}
	a.stop()
}

// await polls the server until it answers with a status under 500.
func (a *attempt) await(p *probe) {
	limit := min(a.step.ProbeTimeout, a.step.Timeout)
	deadline := time.Now().Add(limit)
	ctx, cancel := context.WithDeadline(a.ctx, deadline)
	defer cancel()
	last := "nothing was tried"
	for {
		asked := make(chan bool, 1)
		why := ""
		go func() {
			answered, reason := p.ask(ctx)
			why = reason
			asked <- answered
		}()
		answered := false
		select {
		case <-a.process.Exited():
		case answered = <-asked:
			if time.Now().Before(deadline) { // what the deadline cut short says nothing of the server
				last = why
			}
		}
		if a.over(ctx, limit, last) || answered {
			return
		}
		select {
		case <-a.process.Exited():
		case <-ctx.Done():
		case <-time.After(a.options.Poll):
		}
		if a.over(ctx, limit, last) {
			return
		}
	}
}

// over fails a server that has ended, whoever answers in its place, and one that is not waited for any
// longer.
func (a *attempt) over(ctx context.Context, limit time.Duration, last string) bool {
	select {
	case <-a.process.Exited():
		a.judge(a.process.Status())
		if a.result.Status == StepFailed {
			a.result.Reason = "the server ended before it answered: " + a.result.Reason
		}
		a.fail(KindStep, "the server ended before it answered: exit code 0")
		return true
	default:
	}
	switch {
	case a.ctx.Err() != nil:
		a.fail(KindInterrupted, "stopped before it ended")
	case ctx.Err() != nil:
		a.fail(KindTimeout, "no status under 500 from %s within %s: %s", a.step.URL, limit, last)
	default:
		return false
	}
	return true
}

// A port is given back when the last process that listens on it ends, which may be a moment after.
const (
	closeTime = 500 * time.Millisecond
	closeStep = 10 * time.Millisecond
)

func (a *attempt) stillOpen(p *probe) bool {
	for begin := time.Now(); p.open(a.forced); time.Sleep(closeStep) {
		if time.Since(begin) > closeTime {
			return true
		}
	}
	return false
}
