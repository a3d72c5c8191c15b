package githubtest

import (
	"context"
	"fmt"
	"sync"
)

// notifier wakes everybody who waits whenever something changes.
type notifier struct {
	mu      sync.Mutex
	changed chan struct{}
}

func newNotifier() *notifier { return &notifier{changed: make(chan struct{})} }

func (n *notifier) broadcast() {
	n.mu.Lock()
	defer n.mu.Unlock()
	close(n.changed)
	n.changed = make(chan struct{})
}

func (n *notifier) next() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.changed
}

// wait returns once cond holds. It looks again after every change, never by the clock.
func (n *notifier) wait(ctx context.Context, cond func() bool) error {
	for {
		next := n.next()
		if cond() {
			return nil
		}
		select {
		case <-next:
		case <-ctx.Done():
			return fmt.Errorf("githubtest: the awaited condition did not come true: %w", ctx.Err())
		}
	}
}
