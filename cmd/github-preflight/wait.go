package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// The pauses between two looks grow from the first to the longest.
const (
	firstPause   = 3 * time.Second
	longestPause = 30 * time.Second
)

// lastLook is how long the look at the very end of the time may take, once there was an answer.
const lastLook = 2 * time.Second

// waitFlag is the flag --wait.
type waitFlag time.Duration

// String is the time as written on the command line, empty for none.
func (w *waitFlag) String() string {
	if *w == 0 {
		return ""
	}
	return time.Duration(*w).String()
}

// Type is how the help names the value.
func (w *waitFlag) Type() string { return "time" }

// Set takes the value from the command line.
func (w *waitFlag) Set(value string) error {
	d, err := time.ParseDuration(value)
	if err != nil || d < 0 {
		return errors.New("expected a time such as 10m or 90s")
	}
	*w = waitFlag(d)
	return nil
}

// waiting looks at a pull request again while its verdict is pending.
type waiting struct {
	process
	limit time.Duration // 0: look once
	read  func(context.Context) (snapshot.Snapshot, report.Report, error)
}

// look is what was seen at one time.
type look struct {
	snapshot snapshot.Snapshot
	report   report.Report
}

// until reads until the verdict is not pending any more or the time is over, and returns what it
// read last. A failure that may pass is waited out as well, for as long as GitHub asks; when that is
// longer than the time that is left, it is returned at once. A look that the end of the time cuts
// short counts for nothing where there was one before.
func (w waiting) until(ctx context.Context) (snapshot.Snapshot, report.Report, error) {
	if w.limit <= 0 {
		return w.read(ctx)
	}
	end := w.now().Add(w.limit)
	shown := progress{to: w.stderr, on: isTerminal(w.stderr) && w.getenv("TERM") != "dumb"}
	defer shown.clear()
	var seen *look
	for pause := firstPause; ; pause = min(pause*3/2, longestPause) {
		room := end.Sub(w.now())
		if seen != nil {
			room = max(room, lastLook)
		}
		s, r, err := w.within(ctx, room)
		rest := pause
		switch {
		case err == nil && r.Conclusion != report.Pending:
			return s, r, nil
		case err == nil:
			seen = &look{s, r}
		case seen != nil && errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil && end.Sub(w.now()) <= 0:
			return seen.snapshot, seen.report, nil
		}
		if err != nil {
			var failed *github.Error
			if !errors.As(err, &failed) || !failed.Temporary() {
				return s, r, err
			}
			rest = max(rest, failed.RetryAfter)
		}
		left := end.Sub(w.now())
		if left <= 0 || err != nil && rest > left {
			return s, r, err
		}
		shown.show(r, err, left)
		if err := w.sleep(ctx, min(rest, left)); err != nil {
			return s, r, err
		}
	}
}

// within reads for as long as there is room.
func (w waiting) within(ctx context.Context, room time.Duration) (snapshot.Snapshot, report.Report, error) {
	ctx, cancel := context.WithTimeout(ctx, room)
	defer cancel()
	return w.read(ctx)
}

// progress is one line on a terminal that is written over.
type progress struct {
	to    io.Writer
	on    bool
	drawn bool
}

func (p *progress) show(r report.Report, err error, left time.Duration) {
	if !p.on {
		return
	}
	what := "pending: " + oneLine(r.Title)
	if err != nil {
		what = "GitHub does not answer"
		if github.KindOf(err) == github.RateLimited {
			what = "GitHub's rate limit is used up"
		}
	}
	fmt.Fprintf(p.to, "\r%.60s (waiting for up to %s)\x1b[K", what, left.Round(time.Second))
	p.drawn = true
}

func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}
