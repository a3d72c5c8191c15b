package githubtest

import (
	"sync"
	"time"
)

// budget is the hourly budget of requests, one for REST ("core") and one for GraphQL: "Rate limits
// for the REST API" and "Rate limits for the GraphQL API" in GitHub's documentation.
type budget struct {
	mu      sync.Mutex
	limit   int
	used    map[string]int
	resetAt time.Time
}

func newBudget(limit int) *budget { return &budget{limit: limit, used: map[string]int{}} }

// spend takes cost requests from a resource and says whether there were as many.
func (b *budget) spend(now time.Time, resource string, cost int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.renew(now)
	if b.used[resource]+cost > b.limit {
		return false
	}
	b.used[resource] += cost
	return true
}

// refund gives one request back.
func (b *budget) refund(resource string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used[resource] = max(0, b.used[resource]-1)
}

// set leaves remaining requests in both resources until the hour is over.
func (b *budget) set(now time.Time, remaining int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.renew(now)
	for _, resource := range []string{"core", "graphql"} {
		b.used[resource] = b.limit - remaining
	}
}

func (b *budget) renew(now time.Time) {
	if now.Before(b.resetAt) {
		return
	}
	b.resetAt = now.Add(time.Hour).Truncate(time.Second)
	clear(b.used)
}

// state of a resource.
func (b *budget) state(now time.Time, resource string) (limit, used int, resetAt time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.renew(now)
	return b.limit, b.used[resource], b.resetAt
}
