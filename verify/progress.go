package verify

import (
	"fmt"
	"io"
	"time"

	"golang.org/x/text/width"

	"github.com/evidence-gate/evidence-gate/internal/render"
)

// Progress is told what happens while it does. Steps run one after the other.
type Progress interface {
	// Started is told of the n-th of all steps. last is the last line that it has printed so far, masked.
	Started(s Step, n, all int, last func() string)
	Finished(s StepResult, n, all int)
}

type silent struct{}

func (silent) Started(Step, int, int, func() string) {}
func (silent) Finished(StepResult, int, int)         {}

// shownTime is a duration as people read it.
func shownTime(d time.Duration) string {
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return d.Round(time.Second).String()
}

func shownMS(ms int64) string { return shownTime(time.Duration(ms) * time.Millisecond) }

// ending is how a step ended, in a few words.
func (s StepResult) ending() string {
	switch s.Status {
	case Skipped:
		return "skipped: " + s.Reason
	case StepFailed:
		return fmt.Sprintf("failed in %s (%s): %s", shownMS(s.DurationMS), s.Failure, s.Reason)
	}
	return "passed in " + shownMS(s.DurationMS)
}

// ticking calls a function now and again until it is stopped.
type ticking struct {
	stop, stopped chan struct{}
}

func tick(every time.Duration, do func()) ticking {
	t := ticking{make(chan struct{}), make(chan struct{})}
	go func() {
		defer close(t.stopped)
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-t.stop:
				return
			case <-ticker.C:
				do()
			}
		}
	}()
	return t
}

func (t ticking) end() {
	close(t.stop)
	<-t.stopped
}

// Lines is progress as plain lines: when a step starts and ends, and every minute that it takes, since
// machines that build stop what is silent for long.
func Lines(to io.Writer) Progress { return &lines{to: to} }

type lines struct {
	to io.Writer
	ticking
}

const sign = time.Minute

func (l *lines) Started(s Step, n, all int, _ func() string) {
	fmt.Fprintf(l.to, "[%d/%d] %s\n", n, all, render.Plain(s.Title()))
	begin := time.Now()
	l.ticking = tick(sign, func() {
		fmt.Fprintf(l.to, "[%d/%d] %s: running for %s\n", n, all, render.Plain(s.Title()), shownTime(time.Since(begin)))
	})
}

func (l *lines) Finished(s StepResult, n, all int) {
	l.end()
	fmt.Fprintf(l.to, "[%d/%d] %s: %s\n", n, all, render.Plain(s.Name), render.Plain(s.ending()))
}

// Live is progress on a terminal: one line with the step, the time it has taken and the last line of
// its output. It goes when the step ends. width is asked each time, since windows change.
func Live(to io.Writer, width func() int) Progress { return &live{to: to, width: width} }

type live struct {
	to    io.Writer
	width func() int
	ticking
}

const (
	refresh  = 100 * time.Millisecond
	clear    = "\r\x1b[K"
	anyWidth = 80
)

func (l *live) Started(s Step, n, all int, last func() string) {
	begin := time.Now()
	draw := func() {
		fmt.Fprint(l.to, clear, l.line(s, n, all, time.Since(begin), last()))
	}
	draw()
	l.ticking = tick(refresh, draw)
}

// line fits the width, so that it never wraps and can be cleared.
func (l *live) line(s Step, n, all int, spent time.Duration, last string) string {
	text := fmt.Sprintf("[%d/%d] %s  %s", n, all, render.Plain(s.Title()), spent.Truncate(time.Second))
	if last != "" {
		text += "  " + render.Plain(last)
	}
	columns := l.width()
	if columns <= 0 {
		columns = anyWidth
	}
	return fit(text, columns-1)
}

func (l *live) Finished(StepResult, int, int) {
	l.end()
	fmt.Fprint(l.to, clear)
}

// fit cuts a text to a number of columns; wide characters take two.
func fit(text string, columns int) string {
	for i, c := range text {
		columns--
		if kind := width.LookupRune(c).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
			columns--
		}
		if columns < 0 {
			return text[:i]
		}
	}
	return text
}
