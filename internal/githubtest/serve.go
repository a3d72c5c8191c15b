package githubtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const maxRequest = 10 << 20

// serve answers one request: faults first, then the API, then the log.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil {
		http.Error(w, "request too large", http.StatusRequestEntityTooLarge)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	stripEnterprisePrefix(r)
	entry := Request{
		At: s.clock(), Method: r.Method, Path: r.URL.Path, Query: r.URL.Query(),
		Operation: operationName(r.URL.Path, body), Header: r.Header.Clone(), Body: body,
	}
	fault := s.faults.take(entry)
	if fault != nil {
		s.notifier.broadcast()
		if !s.delay(r, fault.Latency) {
			return
		}
	}
	var answer response
	if !fault.replaces() || fault.AfterEffect {
		answer = s.answer(r)
	}
	if fault.replaces() {
		entry.Injected = true
		if fault.Drop {
			s.log.add(entry)
			drop(w)
			return
		}
		answer = fault.response()
	}
	s.write(w, r, answer, entry)
}

// drop breaks the connection off within the answer. (Go's client silently sends a request again when
// a used connection ends before the answer began.)
func drop(w http.ResponseWriter) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	_, _ = io.WriteString(connection, "HTTP/1.1 200 OK\r\nContent-")
	_ = connection.Close()
}

// stripEnterprisePrefix maps the addresses of GitHub Enterprise Server to those of github.com.
func stripEnterprisePrefix(r *http.Request) {
	if rest, ok := strings.CutPrefix(r.URL.Path, "/api/v3/"); ok {
		r.URL.Path, r.URL.RawPath = "/"+rest, strings.TrimPrefix(r.URL.RawPath, "/api/v3")
	}
	if r.URL.Path == "/api/graphql" {
		r.URL.Path = "/graphql"
	}
}

func (s *Server) delay(r *http.Request, d time.Duration) bool {
	if d == 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
	case <-s.closing:
	}
	return false
}

func (s *Server) answer(r *http.Request) response {
	if r.Header.Get("User-Agent") == "" {
		return failure(http.StatusForbidden, "Request forbidden by administrative rules. "+
			"Please make sure your request has a User-Agent header")
	}
	s.followRepositoryID(r)
	holder := &answerHolder{}
	s.routes.ServeHTTP(holder, r)
	if holder.answer == nil {
		return s.unmodelled(r) // a redirect of http.ServeMux, which GitHub does not have
	}
	return *holder.answer
}

// answerHolder carries an answer out of http.ServeMux.
type answerHolder struct{ answer *response }

func (h *answerHolder) Header() http.Header         { return http.Header{} }
func (h *answerHolder) Write(b []byte) (int, error) { return len(b), nil }
func (h *answerHolder) WriteHeader(int)             {}

// write logs and sends an answer: 304 instead of 200 when the caller has it already. The log comes
// first, so that who has read the answer finds it there.
func (s *Server) write(w http.ResponseWriter, r *http.Request, answer response, entry Request) {
	header := w.Header()
	for name, value := range answer.header {
		header.Set(name, value)
	}
	header.Set("X-GitHub-Request-Id", s.requestID())
	header.Set("X-GitHub-Media-Type", "github.v3; format=json")
	header.Set("Server", "github.com")
	header.Set("Date", s.clock().UTC().Format(http.TimeFormat))
	encoded, err := json.Marshal(answer.body)
	if err != nil {
		panic(fmt.Sprintf("githubtest: an answer cannot be encoded: %v", err))
	}
	if answer.body == nil {
		encoded = nil
	}
	if r.Method == http.MethodGet && answer.status == http.StatusOK {
		sum := sha256.Sum256(encoded)
		etag := `W/"` + hex.EncodeToString(sum[:]) + `"`
		header.Set("ETag", etag)
		header.Set("Cache-Control", "private, max-age=60, s-maxage=60")
		if r.Header.Get("If-None-Match") == etag {
			if answer.budget != nil {
				answer.budget.refund(answer.resource) // "Best practices for using the REST API"
			}
			answer.status, encoded = http.StatusNotModified, nil
		}
	}
	s.rateLimitHeaders(header, answer)
	if answer.status != http.StatusNotModified {
		header.Set("Content-Type", "application/json; charset=utf-8")
		header.Set("Content-Length", strconv.Itoa(len(encoded)))
	}
	entry.Status = answer.status
	s.log.add(entry)
	w.WriteHeader(answer.status)
	_, _ = w.Write(encoded)
}

func (s *Server) rateLimitHeaders(header http.Header, answer response) {
	if answer.budget == nil {
		return
	}
	limit, used, resetAt := answer.budget.state(s.clock(), answer.resource)
	header.Set("X-RateLimit-Limit", strconv.Itoa(limit))
	header.Set("X-RateLimit-Used", strconv.Itoa(used))
	header.Set("X-RateLimit-Remaining", strconv.Itoa(limit-used))
	header.Set("X-RateLimit-Reset", strconv.FormatInt(resetAt.Unix(), 10))
	header.Set("X-RateLimit-Resource", answer.resource)
}

func (s *Server) requestID() string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d", s.log.nextID()))
	return strings.ToUpper(hex.EncodeToString(sum[:2]) + ":" + hex.EncodeToString(sum[2:5]) + ":" + hex.EncodeToString(sum[5:8]))
}
