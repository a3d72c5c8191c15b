package app

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// readyTimeout bounds the proof that the database takes writes.
const readyTimeout = 3 * time.Second

// adminHandler answers operators: alive, ready, and the numbers.
func (s *Service) adminHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		say(w, http.StatusOK, "ok")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if reason := s.notReady(r.Context()); reason != "" {
			say(w, http.StatusServiceUnavailable, reason)
			return
		}
		say(w, http.StatusOK, "ready")
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.metrics.Registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError}))
	return mux
}

// notReady says why no deliveries should come here, or nothing.
func (s *Service) notReady(ctx context.Context) string {
	if s.stopping.Load() {
		return "stopping"
	}
	if !s.queue.Running() {
		return "the queue does not run"
	}
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	if err := s.store.Writable(ctx); err != nil {
		return "the database takes no writes: " + err.Error()
	}
	return ""
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = fmt.Fprintln(w, text)
}
