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

// waiting looks at a pull request again while its verdict is pending.
type waiting struct {
	process
	limit time.Duration // 0: look once
	read  func(context.Context) (snapshot.Snapshot, report.Report, error)
}

// until reads until the verdict is not pending any more or the time is over, and returns what it
// read last. A failure that may pass is waited out as well, for as long as GitHub asks; when that is
// longer than the time that is left, it is returned at once.
func (w waiting) until(ctx context.Context) (snapshot.Snapshot, report.Report, error) {
	if w.limit <= 0 {
		return w.read(ctx)
	}
	end := w.now().Add(w.limit)
	shown := progress{to: w.stderr, on: isTerminal(w.stderr) && w.getenv("TERM") != "dumb"}
	defer shown.clear()
	for pause := firstPause; ; pause = min(pause*3/2, longestPause) {
		s, r, err := w.read(ctx)
		rest := pause
		if err == nil && r.Conclusion != report.Pending {
			return s, r, nil
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
	what := "pending: " + r.Title
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
