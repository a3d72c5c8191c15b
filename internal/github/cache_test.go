package github

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestCache(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	c := newCache(func() time.Time { return now })
	c.keep("commit", "text", 4, forEver)
	c.keep("role", "write", 5, time.Minute)
	value, ok := recall[string](c, "role")
	require.True(t, ok)
	require.Equal(t, "write", value)
	_, ok = recall[int](c, "role")
	require.False(t, ok, "of another type")
	now = now.Add(time.Minute)
	_, ok = recall[string](c, "role")
	require.False(t, ok, "too old")
	now = now.Add(-time.Hour)
	_, ok = recall[string](c, "role")
	require.False(t, ok, "from the future")
	_, ok = recall[string](c, "commit")
	require.True(t, ok, "a commit never changes")
}

func TestTheCacheHasItsBound(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC)
	c := newCache(func() time.Time { return now })
	c.keep("whole", "x", cacheBytes, forEver)
	require.Empty(t, c.entries, "larger than all of it")
	for i := range 100 {
		c.keep(fmt.Sprint("file", i), strings.Repeat("x", 1<<20), 1<<20, forEver)
		require.LessOrEqual(t, c.bytes, cacheBytes)
	}
	_, ok := recall[string](c, "file99")
	require.True(t, ok, "the newest stays")
	require.Len(t, c.entries, cacheBytes>>20-1)
	for range 20 {
		c.keep("file99", "again", 1<<20, forEver)
	}
	require.Len(t, c.entries, cacheBytes>>20-1, "kept again, it takes no more room")

	c = newCache(func() time.Time { return now })
	c.keep("old", "x", cacheBytes/2, time.Minute)
	c.keep("for ever", "x", cacheBytes/4, forEver)
	now = now.Add(time.Minute)
	c.keep("new", "x", cacheBytes/2, forEver)
	_, ok = recall[string](c, "for ever")
	require.True(t, ok, "the stale go first")
}

func TestTogether(t *testing.T) {
	t.Parallel()
	var done, most, under atomic.Int32
	work := func(context.Context) error {
		n := under.Add(1)
		for {
			if seen := most.Load(); n <= seen || most.CompareAndSwap(seen, n) {
				break
			}
		}
		done.Add(1)
		under.Add(-1)
		return nil
	}
	all := []func(context.Context) error{}
	for range 50 {
		all = append(all, work)
	}
	require.NoError(t, together(t.Context(), works(all)))
	require.EqualValues(t, 50, done.Load())
	require.LessOrEqual(t, most.Load(), int32(mostAtOnce))
	require.NoError(t, together(t.Context(), nil))

	failed := errors.New("failed")
	waits := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	require.Equal(t, failed, together(t.Context(), works([]func(context.Context) error{waits, func(context.Context) error { return failed }, waits})),
		"the failure, not those that it stopped")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	require.ErrorIs(t, together(stopped, works([]func(context.Context) error{work})), context.Canceled)
}

func works(all []func(context.Context) error) []work {
	list := make([]work, len(all))
	for i, f := range all {
		list[i] = f
	}
	return list
}
