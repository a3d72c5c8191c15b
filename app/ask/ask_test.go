package ask

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

var (
	noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	head = strings.Repeat("a1", 20)
)

const agents = "roles: { agents: { eng-agent: { provider: a, connector: x }, near: { provider: a, connector: y }, far: { provider: b, connector: z }, \"far[bot]\": { provider: b, connector: z } } }\n"

// lacking are facts of a pull request by eng-agent that lacks these approvals.
func lacking(t *testing.T, level policy.Level, text string, codes ...report.Code) Facts {
	t.Helper()
	author := "eng-agent"
	s := snapshot.Snapshot{
		Schema: snapshot.Schema, Now: "2026-11-30T12:00:00Z", Repository: snapshot.Repository{Owner: "acme", Name: "widgets", Maintainers: 2},
		PullRequest: snapshot.PullRequest{
			Number: 42, State: "open", HeadSHA: head, Author: &snapshot.Actor{Login: author, Type: "User", Permission: "write"},
			Commits: []snapshot.Commit{{SHA: head, Authors: []*string{&author, ptr("pair")}}},
		},
		Issue:  &snapshot.Issue{Number: 7, Author: &snapshot.Actor{Login: "poster", Type: "User", Permission: "maintain"}},
		Policy: &snapshot.File{Path: policy.Path, Text: "version: 1\n" + text},
	}
	p, faults := policy.Resolve(s.Policy, nil)
	require.Empty(t, faults)
	f := Facts{
		Snapshot: s, Policy: p.For(s), Report: report.Report{Conclusion: report.ActionRequired, Level: string(level), HeadSHA: head},
		Asked: map[Step]time.Time{}, Now: noon, Maintainers: func() ([]string, error) { return []string{"eng-agent", "lead", "poster"}, nil },
	}
	for _, code := range codes {
		f.Report.Diagnostics = append(f.Report.Diagnostics, report.New(code, "x"))
	}
	return f
}

func ptr[T any](v T) *T { return &v }

func next(t *testing.T, f Facts) Plan {
	t.Helper()
	p, err := Next(f)
	require.NoError(t, err)
	return p
}

func TestWhoIsAskedForAReview(t *testing.T) {
	t.Parallel()
	for rule, row := range map[string]struct {
		policy       string
		users, teams []string
	}{
		"an agent of another provider first":   {agents + "review: { reviewers: [near, alice, far, acme/core] }\n", []string{"far"}, nil},
		"then whoever else there is":           {agents + "review: { reviewers: [near, alice, acme/core] }\n", []string{"near", "alice"}, []string{"acme/core"}},
		"not one whose review would not count": {agents + "review: { different_provider: true, reviewers: [near, alice] }\n", []string{"alice"}, nil},
		"not who had a part in the work":       {agents + "review: { reviewers: [pair, Eng-Agent, poster, alice] }\n", []string{"alice"}, nil},
		"a bot by its full name":               {agents + "review: { reviewers: [\"far[bot]\"] }\n", []string{"far[bot]"}, nil},
		"nobody is listed":                     {agents, nil, nil},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			p := next(t, lacking(t, policy.LevelChecksReview, row.policy, report.CodeApprovalMissing))
			require.Equal(t, Review, p.Step)
			require.Equal(t, row.users, p.Users)
			require.Equal(t, row.teams, p.Teams)
		})
	}
}

func TestAPersonIsAskedOnceTheWaitIsOver(t *testing.T) {
	t.Parallel()
	f := lacking(t, policy.LevelChecksReview, agents+"review: { reviewers: [far, alice], wait: 1h }\n", report.CodeApprovalMissing)
	require.Equal(t, noon.Add(time.Hour), next(t, f).Again)
	f.Asked[Review] = noon.Add(-59 * time.Minute)
	require.Equal(t, Plan{Again: noon.Add(time.Minute)}, next(t, f))
	f.Asked[Review] = noon.Add(-time.Hour)
	require.Equal(t, Plan{Step: Person, Users: []string{"alice"}}, next(t, f))
	f.Asked[Person] = noon
	require.Equal(t, Plan{}, next(t, f), "once")

	f = lacking(t, policy.LevelChecksReview, agents+"review: { reviewers: [far], wait: \"off\" }\n", report.CodeApprovalMissing)
	require.Zero(t, next(t, f).Again)
	f.Asked[Review] = noon.Add(-100 * time.Hour)
	require.Equal(t, Plan{}, next(t, f), "no person in place of an agent")
}

func TestWhichPersonIsAsked(t *testing.T) {
	t.Parallel()
	for rule, row := range map[string]struct {
		policy       string
		level        policy.Level
		code         report.Code
		users, teams []string
	}{
		"the maintainers by permission":              {"", policy.LevelChecksHuman, report.CodeApprovalPersonMissing, []string{"lead", "poster"}, nil},
		"those that the policy names, before others": {"roles: { maintainers: { permission: maintain, users: [carol], teams: [acme/core] } }\n", policy.LevelChecksHuman, report.CodeApprovalPersonMissing, []string{"carol"}, []string{"acme/core"}},
		"not who wrote the change":                   {"roles: { maintainers: { permission: maintain, users: [pair, carol] } }\n", policy.LevelChecksHuman, report.CodeApprovalOwnWork, []string{"carol"}, nil},
		"at once for a check that waits for one":     {"", policy.LevelChecks, report.CodeCheckPersonRequired, []string{"lead", "poster"}, nil},
		"at once when a reviewer asks for one":       {"", policy.LevelChecks, report.CodeApprovalPersonRequested, []string{"lead", "poster"}, nil},
		"once the old approval is stale":             {"", policy.LevelChecksHuman, report.CodeApprovalStale, []string{"lead", "poster"}, nil},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			p := next(t, lacking(t, row.level, row.policy, row.code))
			require.Equal(t, Plan{Step: Person, Users: row.users, Teams: row.teams}, p)
		})
	}
	f := lacking(t, policy.LevelChecksHuman, "", report.CodeApprovalPersonMissing)
	f.Maintainers = func() ([]string, error) { return nil, errors.New("GitHub is down") }
	_, err := Next(f)
	require.Error(t, err)
	f.Maintainers = func() ([]string, error) { return []string{"a1", "a2", "a3", "a4", "a5", "a6"}, nil }
	require.Len(t, next(t, f).Users, maxPeople)
	f.Snapshot.Reviews = []snapshot.Review{{Author: &snapshot.Actor{Login: "A1"}, State: "approved", CommitSHA: head}}
	require.NotContains(t, next(t, f).Users, "a1", "who spoke on this head is not asked")
}

func TestTheReviewComesFirst(t *testing.T) {
	t.Parallel()
	f := lacking(t, policy.LevelChecksReviewHuman, agents+"review: { reviewers: [far] }\n", report.CodeApprovalMissing, report.CodeApprovalPersonMissing)
	require.Equal(t, Review, next(t, f).Step)
	f.Asked[Review] = noon
	require.Equal(t, Plan{}, next(t, f))
	f.Snapshot.Reviews = []snapshot.Review{{Author: &snapshot.Actor{Login: "far", Type: "User", Permission: "write"}, State: "approved", CommitSHA: head, SubmittedAt: "2026-11-30T11:00:00Z"}}
	require.Equal(t, Person, next(t, f).Step)
}

func TestNobodyIsAsked(t *testing.T) {
	t.Parallel()
	for rule, change := range map[string]func(f *Facts){
		"the policy says off":    func(f *Facts) { f.Policy.Notify = policy.Off },
		"it only reports":        func(f *Facts) { f.Report.Mode = policy.Report },
		"a draft":                func(f *Facts) { f.Snapshot.PullRequest.Draft = true },
		"an engineer has to act": func(f *Facts) { f.Report.Conclusion = report.Failure },
		"nothing is missing":     func(f *Facts) { f.Report.Conclusion = report.Success },
		"only a maintainer's step": func(f *Facts) {
			f.Report.Diagnostics = []report.Diagnostic{report.New(report.CodeContractChanged, "x")}
		},
		"an override is active": func(f *Facts) { f.Report.Diagnostics[0].Severity = report.Note },
	} {
		f := lacking(t, policy.LevelChecksReview, agents+"review: { reviewers: [far], wait: 1h }\n", report.CodeApprovalMissing)
		change(&f)
		require.Equal(t, Plan{}, next(t, f), rule)
	}
}

func TestTheComment(t *testing.T) {
	t.Parallel()
	text := Comment(Review, head, []string{"far[bot]", "alice", "acme/core"})
	require.True(t, strings.HasPrefix(text, Marker+"\n@far, @alice, @acme/core: commit `"+head+"` waits for a review."))
	require.Contains(t, Comment(Person, head, []string{"lead"}), "maintainer's role")
	require.NotContains(t, Settled(head), "@")
	require.False(t, Requestable("far[bot]"))
	require.True(t, Requestable("far"))
}
