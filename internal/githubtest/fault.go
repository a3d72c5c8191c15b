package githubtest

import (
	"maps"
	"net/http"
	"path"
	"strconv"
	"sync"
	"time"
)

// Match selects requests. An empty member matches every request.
type Match struct {
	Method    string
	Path      string // as for path.Match: "/repos/*/*/check-runs"
	Operation string // name of a GraphQL operation
}

func (m Match) matches(r Request) bool {
	if m.Method != "" && m.Method != r.Method || m.Operation != "" && m.Operation != r.Operation {
		return false
	}
	ok, err := path.Match(m.Path, r.Path)
	return m.Path == "" || err == nil && ok
}

// Fault makes requests fail. Exactly the answer described is given; a fault with neither status,
// errors nor Drop only delays.
type Fault struct {
	Match
	Times      int // how many requests it hits; 1 when zero, all when negative
	Status     int
	Message    string
	DocsPath   string // of the documentation address; /rest when empty
	Header     map[string]string
	RetryAfter time.Duration // sets the Retry-After header when not zero
	// GraphQLErrors are answered with status 200 and null data.
	GraphQLErrors []map[string]any
	Latency       time.Duration // waited before the answer
	Drop          bool          // the connection is closed without an answer
	// AfterEffect lets the request do its work before the answer is replaced: the write happened,
	// but the caller does not learn of it.
	AfterEffect bool
}

// SecondaryRateLimit is the 403 of GitHub's secondary rate limit, with a Retry-After header unless
// retryAfter is zero.
func SecondaryRateLimit(retryAfter time.Duration) Fault {
	return Fault{
		Status: http.StatusForbidden, RetryAfter: retryAfter,
		DocsPath: "/free-pro-team@latest/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits",
		Message:  "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
	}
}

type faults struct {
	mu   sync.Mutex
	list []*Fault
}

// Fail makes the next requests that match fail. Faults are tried in the order they were given.
func (s *Server) Fail(f Fault) {
	if f.Times == 0 {
		f.Times = 1
	}
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.list = append(s.faults.list, &f)
}

// ClearFaults takes back all faults that did not hit yet.
func (s *Server) ClearFaults() {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.list = nil
}

func (f *faults) take(r Request) *Fault {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, fault := range f.list {
		if !fault.matches(r) {
			continue
		}
		if fault.Times > 0 {
			fault.Times--
		}
		hit := *fault
		if fault.Times == 0 {
			f.list = append(f.list[:i:i], f.list[i+1:]...)
		}
		return &hit
	}
	return nil
}

// replaces says whether the fault gives an answer of its own.
func (f *Fault) replaces() bool {
	return f != nil && (f.Drop || f.Status != 0 || f.GraphQLErrors != nil)
}

func (f *Fault) response() response {
	if f.GraphQLErrors != nil {
		return response{status: http.StatusOK, body: object{"data": nil, "errors": f.GraphQLErrors}}
	}
	message := f.Message
	if message == "" {
		message = map[int]string{
			http.StatusInternalServerError: "Server Error", http.StatusBadGateway: "Server Error",
			http.StatusServiceUnavailable: "Service unavailable",
			http.StatusTooManyRequests:    "API rate limit exceeded",
		}[f.Status]
	}
	header := map[string]string{}
	maps.Copy(header, f.Header)
	if f.RetryAfter != 0 {
		header["Retry-After"] = strconv.Itoa(int(f.RetryAfter / time.Second))
	}
	return response{status: f.Status, header: header, body: errorBody(message, f.DocsPath, f.Status)}
}

func (f *faults) empty() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.list) == 0
}
