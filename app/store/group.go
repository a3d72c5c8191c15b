package store

import (
	"context"
	"fmt"
	"sync"
)

// maxGroup bounds how many deliveries share a commit, so that one never waits for a very long
// transaction.
const maxGroup = 128

// group lets deliveries that arrive while a commit is on its way to the disk share the next one.
type group struct {
	commit   func(context.Context, []Delivery) ([]Receipt, error)
	requests chan request
	closing  chan struct{}
	closed   chan struct{}
	once     sync.Once
}

type request struct {
	delivery Delivery
	answer   chan<- answer
}

type answer struct {
	receipt Receipt
	err     error
}

func newGroup(commit func(context.Context, []Delivery) ([]Receipt, error)) *group {
	g := &group{
		commit:   commit,
		requests: make(chan request, maxGroup),
		closing:  make(chan struct{}),
		closed:   make(chan struct{}),
	}
	go g.run()
	return g
}

// do hands the delivery to the writer and waits until it is on disk. When ctx ends first, the
// delivery may or may not have been recorded.
func (g *group) do(ctx context.Context, d Delivery) (Receipt, error) {
	answered := make(chan answer, 1)
	select {
	case <-g.closing:
		return "", ErrClosed
	default:
	}
	select {
	case g.requests <- request{d, answered}:
	case <-g.closing:
		return "", ErrClosed
	case <-ctx.Done():
		return "", fmt.Errorf("wait for the database: %w", ctx.Err())
	}
	select {
	case a := <-answered:
		return a.receipt, a.err
	case <-g.closed:
		// The writer may have answered just before it ended.
		select {
		case a := <-answered:
			return a.receipt, a.err
		default:
			return "", ErrClosed
		}
	case <-ctx.Done():
		return "", fmt.Errorf("wait for the database: %w", ctx.Err())
	}
}

// close writes what was handed over and stops.
func (g *group) close() {
	g.once.Do(func() { close(g.closing) })
	<-g.closed
}

func (g *group) run() {
	defer close(g.closed)
	for {
		select {
		case first := <-g.requests:
			g.write(g.gather(first))
		case <-g.closing:
			select {
			case first := <-g.requests:
				g.write(g.gather(first))
			default:
				return
			}
		}
	}
}

// gather takes what is waiting, without waiting for more.
func (g *group) gather(first request) []request {
	batch := []request{first}
	for len(batch) < maxGroup {
		select {
		case next := <-g.requests:
			batch = append(batch, next)
		default:
			return batch
		}
	}
	return batch
}

func (g *group) write(batch []request) {
	// Not the context of any one request: they are committed together.
	ctx := context.Background()
	deliveries := make([]Delivery, len(batch))
	for i, r := range batch {
		deliveries[i] = r.delivery
	}
	receipts, err := g.commit(ctx, deliveries)
	if err != nil && len(batch) > 1 && !ofDatabase(err) {
		// One of them must not take the others along.
		for _, r := range batch {
			g.write([]request{r})
		}
		return
	}
	for i, r := range batch {
		if err != nil {
			r.answer <- answer{err: err}
			continue
		}
		r.answer <- answer{receipt: receipts[i]}
	}
}
