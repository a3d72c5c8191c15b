// Package demo tells short stories of pull requests on a terminal (design section 14, Operations): it
// starts the GitHub simulator and the real service on the loopback interface with a database that is
// thrown away, lets people do what they do on GitHub, and shows after each step the check run that the
// service published, and its answers to commands. A chapter is one pull request; the chapters are
// tables of steps in files of their own.
//
// Nothing in it decides or words a verdict: what is shown is read from the simulator's check runs and
// comments, in the Markdown in which they were published.
package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/evidence-gate/evidence-gate/app/worker"
	"github.com/evidence-gate/evidence-gate/checks"
)

// Options of Run.
type Options struct {
	Out   io.Writer
	Color bool
	Width int          // of the terminal, in columns; 0 means 80
	Full  bool         // show the evidence as written and the whole check runs
	Keep  bool         // stay until the context ends
	Log   *slog.Logger // of the service; nil: nowhere
}

// patience bounds each wait. A step takes most of a second, half of it the service's debounce.
const patience = 10 * time.Second

// Run tells the story. The error says which step went otherwise than told, what cannot be written,
// or that the context ended before the story did. What it started has ended when it returns, and
// its files are gone.
func Run(ctx context.Context, o Options) error {
	return director{evaluate: checks.Evaluate, patience: patience}.run(ctx, o)
}

// director holds what tests replace.
type director struct {
	evaluate worker.Evaluate
	patience time.Duration
	temp     string // where the folder is made; empty: where the system makes them
}

func (d director) run(ctx context.Context, o Options) (err error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	stage, err := d.build(ctx, o.Log)
	if err != nil {
		return fmt.Errorf("start the demo: %w", err)
	}
	defer func() { err = errors.Join(err, stage.strike()) }()
	s := newStory(stage, newPage(o), d.patience)
	if err := s.tell(stage.ctx); err != nil {
		return err
	}
	if !o.Keep {
		return nil
	}
	return stage.stay(s)
}
