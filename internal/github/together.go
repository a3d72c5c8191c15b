package github

import (
	"context"
	"errors"
	"sync"
)

// mostAtOnce bounds how many requests one Snapshot has under way at one place; twice as many while a
// task is looked for beside the rest. GitHub asks for few requests at a time and refuses more than a
// hundred.
const mostAtOnce = 12

type work func(context.Context) error

// together does all work at the same time and waits for it. The first failure stops the rest.
func together(ctx context.Context, all []work) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	failures := make([]error, len(all))
	room := make(chan struct{}, mostAtOnce)
	var running sync.WaitGroup
	for i, do := range all {
		room <- struct{}{}
		running.Go(func() {
			defer func() { <-room }()
			if failures[i] = ctx.Err(); failures[i] == nil {
				failures[i] = do(ctx)
			}
			if failures[i] != nil {
				stop()
			}
		})
	}
	running.Wait()
	return reasonOf(failures)
}

// reasonOf is the failure that stopped the others, rather than one that followed from stopping.
func reasonOf(failures []error) error {
	var first error
	for _, err := range failures {
		if err != nil && (first == nil || errors.Is(first, context.Canceled)) {
			first = err
		}
	}
	return first
}
