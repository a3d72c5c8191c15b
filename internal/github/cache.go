package github

import (
	"sync"
	"time"
)

const (
	// cacheBytes bounds what one client keeps. Files of a base branch are small; the rest is names.
	cacheBytes = 8 << 20
	// entryBytes is about what an entry takes beside its value.
	entryBytes = 256
	// forEver is the life of what hangs on a commit: a commit never changes.
	forEver = time.Duration(0)
)

// cache keeps answers of GitHub by a key that names everything they depend on. A client has one of
// its own, so that nothing read with one token is ever shown to another, and it goes with the client
// when an installation is deleted. It is safe for concurrent use.
type cache struct {
	now func() time.Time

	mu      sync.Mutex
	entries map[string]entry
	bytes   int
}

type entry struct {
	value any
	at    time.Time
	life  time.Duration
	bytes int
}

func newCache(now func() time.Time) *cache { return &cache{now: now, entries: map[string]entry{}} }

// recall finds a value that is not too old. One from the future, after the clock was set back, is.
func recall[T any](c *cache, key string) (T, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var none T
	e, ok := c.entries[key]
	if !ok || e.stale(c.now()) {
		return none, false
	}
	value, ok := e.value.(T)
	return value, ok
}

func (e entry) stale(now time.Time) bool {
	age := now.Sub(e.at)
	return e.life != forEver && (age < 0 || age >= e.life)
}

// keep stores a value of about that many bytes. When there is no room, the stale go first and then
// any others: each can be read again.
func (c *cache) keep(key string, value any, bytes int, life time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	bytes += len(key) + entryBytes
	if bytes > cacheBytes {
		return
	}
	c.drop(key)
	now := c.now()
	if c.bytes+bytes > cacheBytes {
		for k, e := range c.entries {
			if e.stale(now) {
				c.drop(k)
			}
		}
	}
	for k := range c.entries {
		if c.bytes+bytes <= cacheBytes {
			break
		}
		c.drop(k)
	}
	c.entries[key] = entry{value: value, at: now, life: life, bytes: bytes}
	c.bytes += bytes
}

func (c *cache) drop(key string) {
	c.bytes -= c.entries[key].bytes
	delete(c.entries, key)
}
