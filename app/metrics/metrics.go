// Package metrics holds the numbers that the service shows to Prometheus (design section 14,
// Operations). Labels take their values from closed sets, so that nobody outside can grow them.
package metrics

import (
	"context"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/evidence-gate/evidence-gate/app/store"
)

// Metrics counts what the service does. It is safe for concurrent use.
type Metrics struct {
	Registry *prometheus.Registry

	deliveries     *prometheus.CounterVec
	intake         prometheus.Histogram
	evaluations    *prometheus.CounterVec
	eventToPublish prometheus.Histogram
	published      *prometheus.CounterVec
	retries        *prometheus.CounterVec
	deadLetters    *prometheus.CounterVec
	calls          *prometheus.CounterVec
	callTime       *prometheus.HistogramVec
	budget         *prometheus.GaugeVec
}

// New makes the metrics with a registry of their own.
func New() *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "evidence_gate", Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, buckets ...float64) prometheus.HistogramOpts {
		return prometheus.HistogramOpts{Namespace: "evidence_gate", Name: name, Help: help, Buckets: buckets}
	}
	m := &Metrics{
		Registry:   prometheus.NewRegistry(),
		deliveries: counter("deliveries_total", "Webhook deliveries by event and outcome.", "event", "outcome"),
		intake: prometheus.NewHistogram(histogram("intake_seconds", "Time to answer a delivery.",
			.001, .0025, .005, .01, .025, .05, .1, .25, 1, 10)),
		evaluations: counter("evaluations_total", "Evaluations of pull requests by conclusion; closed ones are not judged.", "conclusion"),
		eventToPublish: prometheus.NewHistogram(histogram("event_to_publish_seconds", "Time from the first event to the published check run.",
			.5, .6, .75, 1, 1.5, 2.5, 5, 10, 30, 120, 600)),
		published:   counter("published_total", "Check runs by what was done: created, updated or left unchanged.", "did"),
		retries:     counter("retries_total", "Runs that are tried again, by kind of job and of failure.", "job", "failure"),
		deadLetters: counter("dead_letters_total", "Jobs that were given up, by kind of job and of failure.", "job", "failure"),
		calls:       counter("github_requests_total", "Requests to GitHub by API and answer.", "api", "status"),
		callTime: prometheus.NewHistogramVec(histogram("github_request_seconds", "Time of requests to GitHub.",
			.025, .05, .1, .25, .5, 1, 2.5, 10, 30), []string{"api"}),
		budget: prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "evidence_gate", Name: "github_budget_remaining",
			Help: "What the last answer said is left of the rate limit of its installation."}, []string{"api"}),
	}
	m.Registry.MustRegister(m.deliveries, m.intake, m.evaluations, m.eventToPublish, m.published, m.retries, m.deadLetters,
		m.calls, m.callTime, m.budget, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Delivery counts an answered delivery. The event must be one of a closed set.
func (m *Metrics) Delivery(event, outcome string, took time.Duration) {
	m.deliveries.WithLabelValues(event, outcome).Inc()
	m.intake.Observe(took.Seconds())
}

// Evaluated counts an evaluation.
func (m *Metrics) Evaluated(conclusion string) { m.evaluations.WithLabelValues(conclusion).Inc() }

// Published counts what publishing did and how long after the first event.
func (m *Metrics) Published(did string, sinceEvent time.Duration) {
	m.published.WithLabelValues(did).Inc()
	m.eventToPublish.Observe(sinceEvent.Seconds())
}

// Retried counts a run that is tried again.
func (m *Metrics) Retried(job, failure string) { m.retries.WithLabelValues(job, failure).Inc() }

// GaveUp counts a dead letter.
func (m *Metrics) GaveUp(job, failure string) { m.deadLetters.WithLabelValues(job, failure).Inc() }

// Called counts a request to GitHub. status 0 is no answer; remaining -1 is not known.
func (m *Metrics) Called(api string, status int, took time.Duration, remaining int) {
	m.calls.WithLabelValues(api, strconv.Itoa(status)).Inc()
	m.callTime.WithLabelValues(api).Observe(took.Seconds())
	if remaining >= 0 {
		m.budget.WithLabelValues(api).Set(float64(remaining))
	}
}

// Watch shows the present numbers of the store, read at every scrape.
func (m *Metrics) Watch(s *store.Store) { m.Registry.MustRegister(storeCollector{s}) }

const scrapeTimeout = 5 * time.Second

type storeCollector struct{ store *store.Store }

var (
	waiting    = prometheus.NewDesc("evidence_gate_waiting", "Pull requests, heads and tasks with events not handled yet.", nil, nil)
	lag        = prometheus.NewDesc("evidence_gate_lag_seconds", "How long the oldest of them has waited.", nil, nil)
	dead       = prometheus.NewDesc("evidence_gate_dead_letters", "Those given up until the next event.", nil, nil)
	jobs       = prometheus.NewDesc("evidence_gate_queue_jobs", "Jobs in the queue by state.", []string{"state"}, nil)
	deliveries = prometheus.NewDesc("evidence_gate_deliveries", "Recorded deliveries by state.", []string{"state"}, nil)
)

func (storeCollector) Describe(ch chan<- *prometheus.Desc) {
	for _, desc := range []*prometheus.Desc{waiting, lag, dead, jobs, deliveries} {
		ch <- desc
	}
}

func (c storeCollector) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	figures, err := c.store.Figures(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(waiting, err)
		return
	}
	gauge := func(desc *prometheus.Desc, value float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(desc, prometheus.GaugeValue, value, labels...)
	}
	gauge(waiting, float64(figures.Waiting))
	gauge(lag, figures.OldestWait.Seconds())
	gauge(dead, float64(figures.DeadLetters))
	for _, state := range []string{"available", "running", "retryable", "scheduled", "completed", "cancelled", "discarded"} {
		gauge(jobs, float64(figures.Jobs[state]), state)
	}
	for _, state := range []string{"open", "done", "failed"} {
		gauge(deliveries, float64(figures.Deliveries[state]), state)
	}
}
