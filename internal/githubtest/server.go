package githubtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Options of a simulator; the zero value will do.
type Options struct {
	App   App
	Clock func() time.Time // the wall clock when nil
	// RateLimit is each token's hourly budget; GitHub's 5,000 when zero.
	RateLimit int
	// WebhookTarget is where webhooks go; see [Webhooks.SetTarget].
	WebhookTarget string
	// Address to listen on, 127.0.0.1:0 when empty.
	Address string
	// Lacks names fields of the GraphQL schema that this GitHub does not know, as an older Enterprise
	// Server: "CheckSuite.workflowRun".
	Lacks []string
}

// Server is a running simulator.
type Server struct {
	app      App
	clock    func() time.Time
	reporter Reporter
	notifier *notifier
	world    *World
	graphql  *graphqlServer
	webhooks *Webhooks
	log      requestLog
	faults   faults
	routes   *http.ServeMux
	http     *http.Server
	base     string
	lacks    []string
	closing  chan struct{}
	closed   sync.Once
	serving  chan struct{}
}

// New starts a simulator on the loopback interface. What it does not model is told to the reporter.
func New(reporter Reporter, o Options) (*Server, error) {
	app, err := o.App.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("githubtest: making the app's key: %w", err)
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.RateLimit == 0 {
		o.RateLimit = 5000
	}
	if o.Address == "" {
		o.Address = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", o.Address)
	if err != nil {
		return nil, fmt.Errorf("githubtest: listening on %s: %w", o.Address, err)
	}
	s := &Server{
		app: app, clock: o.Clock, reporter: reporter, notifier: newNotifier(),
		base: "http://" + listener.Addr().String(), lacks: o.Lacks, closing: make(chan struct{}), serving: make(chan struct{}),
	}
	s.log.notifier = s.notifier
	s.webhooks = newWebhooks(app, o.Clock, s.notifier)
	s.webhooks.SetTarget(o.WebhookTarget)
	s.world = newWorld(app, o.Clock, o.RateLimit, s.notifier)
	s.world.apiURL, s.world.hook = s.base, s.webhooks.enqueue
	if s.graphql, err = newGraphQLServer(s.world); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	s.routes = s.newRoutes()
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		defer close(s.serving)
		_ = s.http.Serve(listener)
	}()
	return s, nil
}

// NewT starts a simulator that fails the test on what it does not model and ends with the test.
func NewT(t TB, o ...Options) *Server {
	t.Helper()
	var options Options
	if len(o) > 0 {
		options = o[0]
	}
	s, err := New(t, options)
	if err != nil {
		t.Fatalf("%v", err)
	}
	t.Cleanup(s.Close)
	return s
}

// Close stops the simulator and its webhook sender. It waits for both.
func (s *Server) Close() {
	s.closed.Do(func() {
		close(s.closing)
		s.webhooks.close()
		_ = s.http.Close()
		<-s.serving
	})
}

// URL is the base of the REST API, as https://api.github.com is GitHub's. The same API answers under
// /api/v3, as on GitHub Enterprise Server.
func (s *Server) URL() string { return s.base }

// GraphQLURL is where GraphQL queries go.
func (s *Server) GraphQLURL() string { return s.base + "/graphql" }

// App is the app whose server side is simulated, with its private key and webhook secret.
func (s *Server) App() App { return s.app }

// World is what the simulated GitHub knows.
func (s *Server) World() *World { return s.world }

// Webhooks is the sender of webhooks.
func (s *Server) Webhooks() *Webhooks { return s.webhooks }

// WaitFor returns once cond holds. It looks again whenever the world changed, a request was
// answered or a webhook was delivered. cond may call every method of the simulator.
func (s *Server) WaitFor(ctx context.Context, cond func() bool) error {
	return s.notifier.wait(ctx, cond)
}
