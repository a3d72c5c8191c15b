package githubtest

import (
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

// Request is one answered request.
type Request struct {
	At        time.Time
	Method    string
	Path      string // without the Enterprise prefix
	Query     url.Values
	Operation string // name of the GraphQL operation
	Header    http.Header
	Body      []byte
	Status    int // 0 when the connection was dropped
	Injected  bool
}

type requestLog struct {
	mu       sync.Mutex
	requests []Request
	ids      int64
	notifier *notifier
}

func (l *requestLog) add(r Request) {
	l.mu.Lock()
	l.requests = append(l.requests, r)
	l.mu.Unlock()
	l.notifier.broadcast()
}

// Requests are all requests answered so far, oldest first.
func (s *Server) Requests() []Request {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	return slices.Clone(s.log.requests)
}

// CountRequests counts the answered requests that match; an empty member matches all.
func (s *Server) CountRequests(m Match) int {
	n := 0
	for _, r := range s.Requests() {
		if m.matches(r) {
			n++
		}
	}
	return n
}

// ForgetRequests empties the log of requests.
func (s *Server) ForgetRequests() {
	s.log.mu.Lock()
	defer s.log.mu.Unlock()
	s.log.requests = nil
}

// nextID numbers answers for their request ids.
func (l *requestLog) nextID() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ids++
	return l.ids
}
