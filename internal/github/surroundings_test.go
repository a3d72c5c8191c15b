package github

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const policyAt = "/repos/acme/widgets/contents/.github/evidence.yml"

// unreadFact is the only missing fact of a Snapshot.
func unreadFact(t *testing.T, s snapshot.Snapshot) snapshot.Unavailable {
	t.Helper()
	require.Len(t, s.Unavailable, 1, "%v", s.Unavailable)
	return s.Unavailable[0]
}

// forbid makes GitHub refuse what matches for want of a permission.
func (w *world) forbid(path string) {
	w.Fail(githubtest.Fault{Match: githubtest.Match{Path: path}, Times: -1, Status: http.StatusForbidden, Message: "Resource not accessible by integration"})
}

func (w *world) open(o githubtest.PullRequestOptions) *githubtest.PullRequest {
	if o.Author == "" {
		o.Author = "eng"
	}
	return w.repo.OpenPullRequest(o)
}

func (w *world) asked(path string) int { return w.CountRequests(githubtest.Match{Path: path}) }

// With warm caches an ordinary evaluation is one read (design sections 14 and 17).
func TestWarmCaches(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	issue := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Body: "## Required Checks\n"})
	w.repo.SetFile("main", ".github/evidence.yml", "version: 1\n")
	pr := w.open(githubtest.PullRequestOptions{Body: fmt.Sprintf("Closes #%d", issue.Number())})
	issue.Comment("lead", marked)
	pr.Review(githubtest.ReviewOptions{Author: "other"})
	cost := func() map[string]int {
		t.Helper()
		w.ForgetRequests()
		w.load(t, pr)
		kinds := map[string]int{}
		for _, r := range w.Requests() {
			switch {
			case strings.HasSuffix(r.Path, "/access_tokens"):
			case r.Path == "/graphql":
				kinds["query"]++
			case strings.HasPrefix(r.Path, "/repos/acme/.github/"):
				kinds["owner"]++
			case strings.HasSuffix(r.Path, "/collaborators"):
				kinds["maintainers"]++
			case strings.Contains(r.Path, "/contents/"):
				kinds["contents"]++
			case strings.HasSuffix(r.Path, "/files"):
				kinds["files"]++
			case strings.HasSuffix(r.Path, "/permission"):
				kinds["permission"]++
			default:
				kinds[r.Path]++
			}
		}
		return kinds
	}
	require.Equal(t, map[string]int{"query": 1, "contents": 4, "owner": 1, "files": 1, "permission": 3, "maintainers": 2}, cost(), "cold")
	require.Equal(t, map[string]int{"query": 1}, cost(), "warm")
	pr.EditBody("eng", pr.Body()+"\nmore")
	require.Equal(t, map[string]int{"query": 1}, cost(), "the body is read anew always")
	pr.Push("eng", githubtest.Commit{})
	require.Equal(t, map[string]int{"query": 1, "files": 1}, cost(), "another head")
	w.repo.SetFile("main", "x", "")
	require.Equal(t, map[string]int{"query": 1, "contents": 4, "files": 1}, cost(), "another tip of the base")
	w.clock.Advance(peopleLife)
	require.Equal(t, map[string]int{"query": 1, "permission": 3, "maintainers": 2, "owner": 1}, cost(), "people and the owner's policy are believed for a while")
	pr.Comment("new", marked)
	require.Equal(t, map[string]int{"query": 1, "permission": 1}, cost(), "somebody else speaks")
}

// interval is when a request was under way.
type interval struct{ from, to time.Time }

// stopwatch notes when each request was under way.
type stopwatch struct {
	next http.RoundTripper
	mu   sync.Mutex
	all  []interval
}

func (s *stopwatch) RoundTrip(r *http.Request) (*http.Response, error) {
	from := time.Now()
	resp, err := s.next.RoundTrip(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = append(s.all, interval{from, time.Now()})
	return resp, err
}

// chain is the most requests of which each began when the one before was over.
func (s *stopwatch) chain() int {
	slices.SortFunc(s.all, func(a, b interval) int { return a.to.Compare(b.to) })
	var last time.Time
	n := 0
	for _, i := range s.all {
		if i.from.After(last) {
			n, last = n+1, i.to
		}
	}
	return n
}

func TestAtMostThreeRequestsFollowOneAnother(t *testing.T) {
	t.Parallel()
	nothing := func(*world) {}
	ownPolicy := func(branch string) func(*world) {
		return func(w *world) { w.repo.SetFile(branch, ".github/evidence.yml", demanding+"business_rules: rules.md\n") }
	}
	for name, c := range map[string]struct {
		prepare func(*world)
		base    string
		gone    bool // the task that the body names is not there
		changes string
	}{
		"no policy anywhere":                           {prepare: nothing},
		"a policy with teams, labels, types and rules": {prepare: ownPolicy("main")},
		"the organisation's": {prepare: func(w *world) {
			w.World().AddRepository("acme/.github", githubtest.RepositoryOptions{}).SetFile("main", ".github/evidence.yml", demanding)
		}},
		"on another base":          {prepare: ownPolicy("dev"), base: "dev"},
		"a changed profile":        {prepare: ownPolicy("main"), changes: profilePath},
		"a task that is not there": {prepare: ownPolicy("main"), gone: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.repo.SetRole("boss", "admin")
			w.World().AddTeamMember("acme", "core", "boss")
			c.prepare(w)
			w.repo.SetFile(cmp.Or(c.base, "main"), "rules.md", "- [BR-1] x\n")
			issue := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Body: "## Required Checks\n", Type: "Bug"})
			issue.Comment("lead", marked)
			changed := append(files(60), githubtest.File{Path: cmp.Or(c.changes, "x")})
			pr := w.open(githubtest.PullRequestOptions{
				Author: "boss", Base: c.base, Labels: []string{"docs"}, Body: fmt.Sprintf("Closes #%d", issue.Number()), Commits: []githubtest.Commit{{Files: changed}},
			})
			if c.gone {
				issue.Delete("lead")
			}
			pr.Comment("boss", "/triage RC-1 attempt 1 one_off because the runner died")
			w.World().AddUserToken("ghp_boss", "boss")
			watch := &stopwatch{next: http.DefaultTransport}
			client, err := NewTokenClient(TokenConfig{Token: "ghp_boss", BaseURL: w.URL(), Transport: watch})
			require.NoError(t, err)
			w.Fail(githubtest.Fault{Times: -1, Latency: 250 * time.Millisecond}) // so that what is asked at once overlaps
			s, err := client.Snapshot(t.Context(), widgets, pr.Number(), LoadOptions{HasChecks: hasChecks})
			require.NoError(t, err)
			require.Empty(t, s.Unavailable)
			require.Equal(t, 1, s.Repository.Maintainers)
			require.Equal(t, c.gone, s.Issue == nil)
			if s.Issue != nil {
				require.Equal(t, "none", s.Issue.Comments[0].Author.Permission, "of a task that the body names, too")
			}
			require.Greater(t, len(watch.all), 8)
			require.LessOrEqual(t, watch.chain(), 3)
		})
	}
}

func TestTheTypeOfATaskIsReadWhereARuleAsksForIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	issue := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead", Body: "## Required Checks\n", Type: "Bug"})
	pr := w.open(githubtest.PullRequestOptions{Body: fmt.Sprintf("Closes #%d", issue.Number())})
	at := fmt.Sprintf("/repos/acme/widgets/issues/%d", issue.Number())
	require.Empty(t, w.load(t, pr).Issue.Type)
	require.Zero(t, w.asked(at))
	w.repo.SetFile("main", ".github/evidence.yml", "version: 1\nrules: [ { when: { issue_types: [Bug] }, level: checks } ]\n")
	require.Equal(t, "Bug", w.load(t, pr).Issue.Type)
	w.forbid(at)
	s := w.load(t, pr)
	require.Empty(t, s.Issue.Type)
	require.Equal(t, "issue", unreadFact(t, s).Fact)
	require.Contains(t, unreadFact(t, s).Reason, "its type: ")
}
