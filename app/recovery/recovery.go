// Package recovery asks GitHub again for the deliveries that it could not bring (design section 14,
// Recovery): GitHub never sends a failed one again by itself. What they tell is handled when they come,
// like any delivery.
package recovery

import (
	"cmp"
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/github"
)

const (
	// keeps is how long GitHub keeps deliveries ("Redelivering webhooks": the last 3 days).
	keeps = 72 * time.Hour
	// overlap is how far a look goes behind the last one: clocks differ, and lists lag.
	overlap = 10 * time.Minute
	// settling: a delivery may be on its way while it is listed, or have been asked for by another.
	settling = time.Minute
	// mostPages bounds the requests of one look, a hundred deliveries each. The next look goes on there.
	mostPages = 20
	// mostAsked bounds how many are asked for in one look, and mostAttempts how often one is sent at all.
	mostAsked    = 200
	mostAttempts = 6
)

// GitHub is what a look asks for.
type GitHub interface {
	Deliveries(ctx context.Context, cursor string) (page []github.Delivery, next string, err error)
	Redeliver(ctx context.Context, id int64) error
}

// Store is what is known of deliveries.
type Store interface {
	// LookedUntil is since when nothing is known to be missing; zero when nobody looked.
	LookedUntil(ctx context.Context) (time.Time, error)
	SetLookedUntil(ctx context.Context, at time.Time) error
	// DeliveryState is open, done or failed; empty when the delivery never arrived.
	DeliveryState(ctx context.Context, guid string) (string, error)
}

// Recovery looks for deliveries that failed. It is for one goroutine.
type Recovery struct {
	GitHub GitHub
	Store  Store
	Log    *slog.Logger
	Now    func() time.Time
	// Settling is how long a delivery may be on its way; zero: the usual time.
	Settling time.Duration

	look *look // one that had more pages than it may read at once
}

// look goes from the newest delivery back to the last success.
type look struct {
	began  time.Time
	since  time.Time
	cursor string
	found  map[string]*sent
	order  []string // GUIDs, newest first
}

// sent is what a look found of one delivery.
type sent struct {
	newest    github.Delivery
	oldest    time.Time
	times     int
	delivered bool
}

// Run looks at once and then again after about that time, until ctx ends.
func (r *Recovery) Run(ctx context.Context, every time.Duration) {
	for {
		asked, err := r.Look(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			r.Log.WarnContext(ctx, "could not look for failed deliveries", "error", err.Error())
		case asked > 0:
			r.Log.InfoContext(ctx, "asked for failed deliveries again", "deliveries", asked)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(every - every/10 + rand.N(every/5+1)):
		}
	}
}

// Look reads the deliveries since the last success and asks for those that failed, each once, however
// often it was sent. It says how many it asked for.
func (r *Recovery) Look(ctx context.Context) (asked int, err error) {
	if r.look == nil {
		if r.look, err = r.begin(ctx); err != nil {
			return 0, err
		}
	}
	whole, err := r.read(ctx, r.look)
	if err != nil || !whole {
		return 0, err
	}
	done := r.look
	r.look = nil
	asked, missing, err := r.ask(ctx, done)
	if err != nil {
		return asked, err
	}
	return asked, r.Store.SetLookedUntil(ctx, missing)
}

func (r *Recovery) begin(ctx context.Context) (*look, error) {
	until, err := r.Store.LookedUntil(ctx)
	if err != nil {
		return nil, err
	}
	since := r.Now().Add(-keeps)
	if after := until.Add(-overlap); after.After(since) {
		since = after
	}
	return &look{began: r.Now(), since: since, found: map[string]*sent{}}, nil
}

// read goes through the pages; it says whether it came to the end.
func (r *Recovery) read(ctx context.Context, l *look) (whole bool, err error) {
	for range mostPages {
		page, next, err := r.GitHub.Deliveries(ctx, l.cursor)
		if err != nil {
			return false, err
		}
		for _, d := range page {
			if d.At.Before(l.since) {
				return true, nil
			}
			l.note(d)
		}
		if next == "" {
			return true, nil
		}
		l.cursor = next
	}
	r.Log.InfoContext(ctx, "there are more deliveries than are read at once: the next look goes on", "read", len(l.order))
	return false, nil
}

func (l *look) note(d github.Delivery) {
	known := l.found[d.GUID]
	if known == nil {
		known = &sent{newest: d}
		l.found[d.GUID] = known
		l.order = append(l.order, d.GUID)
	}
	known.oldest = d.At
	known.times++
	known.delivered = known.delivered || d.Delivered()
}

// ask asks for what failed, oldest first. missing is where the next look has to begin: at the first one
// that is still missing, else where this look began.
func (r *Recovery) ask(ctx context.Context, l *look) (asked int, missing time.Time, err error) {
	missing = l.began
	for i := len(l.order) - 1; i >= 0; i-- {
		one := l.found[l.order[i]]
		lost, err := r.lost(ctx, one)
		if err != nil {
			return asked, missing, err
		}
		if !lost {
			continue
		}
		if one.oldest.Before(missing) {
			missing = one.oldest
		}
		if asked >= mostAsked || !r.due(one) {
			continue
		}
		if err := r.GitHub.Redeliver(ctx, one.newest.ID); err != nil {
			if stops(err) {
				return asked, missing, err
			}
			r.Log.WarnContext(ctx, "GitHub does not send a delivery again", "delivery", one.newest.GUID, "error", err.Error())
			continue
		}
		asked++
	}
	return asked, missing, nil
}

// lost says whether a delivery has to come yet. What was refused as no delivery of GitHub's kind would be
// refused again, and what fails time and again is left to people.
func (r *Recovery) lost(ctx context.Context, one *sent) (bool, error) {
	const badRequest, tooLarge = 400, 413
	if one.delivered || one.times >= mostAttempts || one.newest.Status == badRequest || one.newest.Status == tooLarge {
		return false, nil
	}
	state, err := r.Store.DeliveryState(ctx, one.newest.GUID)
	return state == "", err // the answer may have been lost, and not the delivery
}

// due spaces the attempts: after one, two, four … minutes.
func (r *Recovery) due(one *sent) bool {
	return r.Now().Sub(one.newest.At) >= cmp.Or(r.Settling, settling)<<(one.times-1)
}

// stops tells failures that every other request would meet too.
func stops(err error) bool {
	switch github.KindOf(err) {
	case github.NotFound, github.Invalid:
		return false
	}
	return true
}
