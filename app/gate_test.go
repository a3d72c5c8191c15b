package app

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/config"
	"github.com/evidence-gate/evidence-gate/app/metrics"
	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// gate is the service as it is, on a simulated repository with a policy, a task and a pull request
// whose check failed, which is recorded in a carrier on the task.
type gate struct {
	*testing.T
	*githubtest.Server
	clock    *githubtest.Clock
	repo     *githubtest.Repository
	task     *githubtest.Issue
	pull     *githubtest.PullRequest
	carrier  *githubtest.Comment
	database string
	service  *Service
	log      *syncBuffer
	between  *between
	stop     func()
	seek     time.Duration // how often the service looks for lost events; 0: not at all
}

// between stands between the service and GitHub: before a matching request goes on, do runs.
type between struct {
	mu    sync.Mutex
	match githubtest.Match
	do    func()
}

func (b *between) before(m githubtest.Match, do func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.match, b.do = m, do
}

func (b *between) take(r *http.Request) func() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.do == nil || r.Method != b.match.Method || !strings.HasPrefix(r.URL.Path, b.match.Path) {
		return nil
	}
	do := b.do
	b.do = nil
	return do
}

const onePolicy = "version: 1\n"

func newGate(t *testing.T, policy string) *gate {
	t.Helper()
	g := &gate{T: t, clock: githubtest.NewClock(time.Now().Truncate(time.Second)), log: &syncBuffer{}, between: &between{}}
	g.Server = githubtest.NewT(t, githubtest.Options{Clock: g.clock.Now})
	g.repo = g.World().AddRepository("acme/widgets", githubtest.RepositoryOptions{})
	for login, role := range map[string]string{"lead": "maintain", "boss": "admin", "eng": "write", "other": "read", "passer": "read"} {
		g.repo.SetRole(login, role)
	}
	if policy != "" {
		g.repo.SetFile("main", ".github/evidence.yml", policy)
	}
	g.task = g.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Title: "Dark mode", Body: "## Required Checks\n\n- [RC-1] `npm test`\n"})
	g.carrier = g.task.Comment("eng", g.attempts(1))
	g.database = newDatabase(t)
	return g
}

// attempts is a carrier of RC-1 with so many attempts, all of which failed.
func (g *gate) attempts(times int) string {
	g.Helper()
	attempt := attempts.Attempt{
		Artifact: "3f9c1a7be2d84065c1b7a9e0d3f4628517ab90cd", Command: "npm test", Strategy: attempts.Split,
		TimeoutMS: "180000", Outcome: attempts.Failed, DurationMS: "4200", Required: "true",
		PartialEvidence: "3 failing in the cache suite", ProposedNext: attempts.None, RecordedAt: "2020-01-01T09:00:00Z",
	}
	draft, err := attempts.NewCarrier("RC-1", attempt)
	require.NoError(g, err)
	for range times - 1 {
		draft, err = attempts.AppendAttempt(draft.Body, attempt, nil)
		require.NoError(g, err)
	}
	return draft.Body
}

func (g *gate) open(author string) *githubtest.PullRequest {
	pull := g.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: author, Title: "Add dark mode", Body: fmt.Sprintf("Closes #%d", g.task.Number())})
	pull.EditBody(author, fmt.Sprintf("Closes #%d\n\n## Evidence\nCurrent PR head: %s\n\n- Required check: [RC-1] `npm test`\n  Verdict: failed\n  Evidence: 3 failing in the cache suite\n",
		g.task.Number(), pull.HeadSHA()))
	return pull
}

// start starts the service; a running one is stopped first, and the database goes on.
func (g *gate) start(enrol string) {
	g.Helper()
	if g.stop != nil {
		g.stop()
	}
	target, err := url.Parse(g.URL())
	require.NoError(g, err)
	forward := httputil.NewSingleHostReverseProxy(target)
	forward.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if do := g.between.take(r); do != nil {
			do()
		}
		forward.ServeHTTP(w, r)
	}))
	settings := config.Config{
		Listen: "127.0.0.1:0", AdminListen: "127.0.0.1:0", DatabasePath: g.database, GitHubURL: proxy.URL,
		SweepEvery: g.seek,
		AppID:      g.App().ID, PrivateKey: g.App().PrivateKey, WebhookSecrets: []string{g.App().WebhookSecret},
		CheckName: "evidence-gate", Enrol: enrol,
	}
	numbers := metrics.New()
	client, err := NewGitHub(settings, numbers, checks.HasChecks)
	require.NoError(g, err)
	service, err := New(settings, Deps{
		GitHub: client, Reach: g.reach(client), Self: client.Self, Metrics: numbers, Evaluate: checks.Evaluate,
		Log: slog.New(slog.NewJSONHandler(g.log, nil)), firstBackoff: 10 * time.Millisecond, grace: 2 * time.Second, settling: time.Nanosecond, wakeEvery: 20 * time.Millisecond,
	})
	require.NoError(g, err)
	g.service = service
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- service.Run(ctx) }()
	var once sync.Once
	g.stop = func() {
		once.Do(func() {
			cancel()
			require.NoError(g, <-ended)
			proxy.Close()
		})
	}
	g.Cleanup(func() {
		g.stop()
		if g.Failed() {
			g.Log(g.log.String())
		}
	})
	g.Webhooks().SetTarget(service.WebhookURL())
}

// running is a gate whose service has published its verdict on the pull request.
func runningGate(t *testing.T) *gate {
	t.Helper()
	g := newGate(t, onePolicy)
	g.start(config.EnrolByPolicy)
	g.pull = g.open("eng")
	g.concludes("action_required")
	require.Contains(t, g.run().Summary, "episode.active")
	return g
}

func (g *gate) waitFor(what string, condition func() bool) {
	g.Helper()
	ctx, cancel := context.WithTimeout(g.Context(), patient)
	defer cancel()
	require.NoError(g, g.WaitFor(ctx, condition), what)
}

func (g *gate) runs(name string) (found []githubtest.CheckRun) {
	for _, run := range g.repo.CheckRuns(g.pull.HeadSHA()) {
		if run.App == g.App().Slug && run.Name == name {
			found = append(found, run)
		}
	}
	return found
}

func (g *gate) run() githubtest.CheckRun {
	g.Helper()
	runs := g.runs("evidence-gate")
	require.Len(g, runs, 1)
	return runs[0]
}

// concludes waits for a conclusion of the one check run.
func (g *gate) concludes(conclusion string) {
	g.Helper()
	g.waitFor("the check run concludes "+conclusion, func() bool {
		runs := g.runs("evidence-gate")
		return len(runs) == 1 && runs[0].Conclusion == conclusion
	})
}

// settle makes the service look once more and waits until it is done with everything before that.
func (g *gate) settle() {
	g.Helper()
	run := g.run()
	g.repo.Rerequest("lead", run.ID)
	g.waitFor("a re-run is answered", func() bool { return g.run().Updates > run.Updates })
}

// reacted waits until the App has reacted to a comment.
func (g *gate) reacted(c *githubtest.Comment, with string) {
	g.Helper()
	g.waitFor("a reaction "+with, func() bool {
		reactions := c.Reactions()
		return len(reactions) == 1 && reactions[0] == "evidence-gate[bot] "+with
	})
}

// replies are the App's own comments on the pull request and the task.
func (g *gate) replies() (found []string) {
	for _, text := range append(g.task.Comments(), g.pull.Comments()...) {
		if strings.HasPrefix(text, "<!-- evidence-gate:") {
			found = append(found, text)
		}
	}
	return found
}

// actions are what the service recorded of commands on the task and the pull request.
func (g *gate) actions() ([]snapshot.Action, error) {
	return g.service.store.Actions(g.Context(), g.repo.ID(), g.task.Number(), g.pull.Number())
}

// remembered are the carriers that the service has seen.
func (g *gate) remembered() []store.Carrier {
	g.Helper()
	seen, err := g.service.store.Carriers(g.Context(), g.repo.ID(), g.task.Number(), g.pull.Number())
	require.NoError(g, err)
	return seen
}

// done says whether every delivery so far is done with; failed, whether one failed.
func (g *gate) done() bool {
	figures, err := g.service.store.Figures(g.Context())
	require.NoError(g, err)
	return figures.Deliveries["open"] == 0 && figures.Deliveries["done"] > 0
}

func (g *gate) failed() bool {
	figures, err := g.service.store.Figures(g.Context())
	require.NoError(g, err)
	return figures.Deliveries["failed"] > 0
}
