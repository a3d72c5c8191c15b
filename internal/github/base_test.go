package github

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Absent is nothing, unreadable is a missing fact, and a text that is no policy is the judge's matter:
// none of the three is ever taken for another (design section 9).
func TestThePolicyIsAbsentUnreadableOrRead(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(*world)
		text    string
		reason  string
	}{
		"absent":  {func(*world) {}, "", ""},
		"read":    {func(w *world) { w.repo.SetFile("main", ".github/evidence.yml", "version: 1\nmode: report\n") }, "version: 1\nmode: report\n", ""},
		"invalid": {func(w *world) { w.repo.SetFile("main", ".github/evidence.yml", "levle: [") }, "levle: [", ""},
		"empty":   {func(w *world) { w.repo.SetFile("main", ".github/evidence.yml", "") }, "", ""},
		"refused": {func(w *world) { w.forbid(policyAt) }, "", `the permission is missing: grant the App "contents: read"`},
		"a folder": {func(w *world) { w.repo.SetFile("main", ".github/evidence.yml/x", "") }, "",
			"it is a folder: expected a file"},
		"too large": {func(w *world) { w.repo.SetFile("main", ".github/evidence.yml", strings.Repeat("#", 1<<20+1)) }, "",
			"it has 1048577 bytes: expected at most 1048576"},
		"binary": {func(w *world) { w.repo.SetFile("main", ".github/evidence.yml", "version: 1\x00") }, "", "it is no text"},
		"not UTF-8": {func(w *world) { w.repo.SetFile("main", ".github/evidence.yml", "version: \xff") }, "",
			"it is no text"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c.prepare(w)
			s := w.load(t, w.open(githubtest.PullRequestOptions{}))
			require.Nil(t, s.OrganisationPolicy)
			if c.reason != "" {
				require.Nil(t, s.Policy)
				missing := unreadFact(t, s)
				require.Equal(t, "policy", missing.Fact)
				require.Contains(t, missing.Reason, ".github/evidence.yml: "+c.reason)
				require.Nil(t, s.OrganisationPolicy)
				return
			}
			require.Empty(t, s.Unavailable)
			if name == "absent" {
				require.Nil(t, s.Policy)
				return
			}
			require.Equal(t, &snapshot.File{Path: ".github/evidence.yml", Text: c.text}, s.Policy)
		})
	}
}

func TestThePolicyIsReadAtTheTipOfTheBase(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.SetFile("main", ".github/evidence.yml", "version: 1\n")
	pr := w.open(githubtest.PullRequestOptions{Commits: []githubtest.Commit{{Files: []githubtest.File{{Path: ".github/evidence.yml", Text: "level: off"}}}}})
	require.Equal(t, &snapshot.File{Path: ".github/evidence.yml", Text: "version: 1\n", ChangedInPullRequest: true}, w.load(t, pr).Policy, "never from the head")
	w.repo.SetFile("main", ".github/evidence.yml", "version: 1\nmode: report\n")
	require.Equal(t, "version: 1\nmode: report\n", w.load(t, pr).Policy.Text, "not at the commit that the pull request was opened on")
	w.repo.RemoveFile("main", ".github/evidence.yml")
	require.Nil(t, w.load(t, pr).Policy)
}

func TestTemporaryFailuresAreNoAbsence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault githubtest.Fault
		kind  Kind
	}{
		"a server error":                       {githubtest.Fault{Status: http.StatusBadGateway}, Unavailable},
		"a secondary limit":                    {githubtest.SecondaryRateLimit(time.Minute), RateLimited},
		"a commit that is not visible so far":  {githubtest.Fault{Status: http.StatusNotFound, Message: "No commit found for the ref 1"}, Incomplete},
		"an answer that ends early":            {githubtest.Fault{Drop: true}, Unavailable},
		"a server error for the owner's":       {githubtest.Fault{Match: githubtest.Match{Path: "/repos/acme/.github/contents/.github/evidence.yml"}, Status: http.StatusBadGateway}, Unavailable},
		"a server error for the changed files": {githubtest.Fault{Match: githubtest.Match{Path: "/repos/acme/widgets/pulls/*/files"}, Status: http.StatusBadGateway}, Unavailable},
		"a server error for a role":            {githubtest.Fault{Match: githubtest.Match{Path: "/repos/acme/widgets/collaborators/*/permission"}, Status: http.StatusBadGateway}, Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			pr := w.open(githubtest.PullRequestOptions{})
			if c.fault.Path == "" {
				c.fault.Path = policyAt
			}
			w.Fail(c.fault)
			_, err := w.client.Snapshot(t.Context(), widgets, pr.Number(), LoadOptions{})
			require.Equal(t, c.kind, KindOf(err), "%v", err)
			if c.kind != RateLimited {
				require.Nil(t, w.load(t, pr).Policy, "read again, it is absent")
			}
		})
	}
}

// The owner's policy holds where the repository has none (design section 9).
func TestThePolicyOfTheOrganisation(t *testing.T) {
	t.Parallel()
	const shared = "/repos/acme/.github/contents/.github/evidence.yml"
	w := newWorld(t)
	pr := w.open(githubtest.PullRequestOptions{})
	require.Nil(t, w.load(t, pr).OrganisationPolicy, "there is no such repository")
	w.clock.Advance(sharedLife)

	organisation := w.World().AddRepository("acme/.github", githubtest.RepositoryOptions{DefaultBranch: "trunk"})
	require.Nil(t, w.load(t, pr).OrganisationPolicy, "it holds none")
	organisation.SetFile("trunk", ".github/evidence.yml", "version: 1\n")
	require.Nil(t, w.load(t, pr).OrganisationPolicy, "its absence is believed for a while")
	w.clock.Advance(sharedLife)
	require.Equal(t, &snapshot.File{Path: ".github/evidence.yml", Text: "version: 1\n"}, w.load(t, pr).OrganisationPolicy)

	w.clock.Advance(sharedLife)
	w.forbid(shared)
	s := w.load(t, pr)
	require.Nil(t, s.OrganisationPolicy)
	require.Equal(t, "policy", unreadFact(t, s).Fact)
	require.Contains(t, unreadFact(t, s).Reason, ".github/evidence.yml of acme/.github: ")

	w.repo.SetFile("main", ".github/evidence.yml", "version: 1\n")
	s = w.load(t, pr)
	require.NotNil(t, s.Policy)
	require.Equal(t, "policy", unreadFact(t, s).Fact, "its floor would hold beside the repository's own")
	w.ClearFaults()
	s = w.load(t, pr)
	require.Equal(t, "version: 1\n", s.OrganisationPolicy.Text)
	require.Empty(t, s.Unavailable)
	w.forbid(shared)

	own := organisation.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"})
	w.ForgetRequests()
	s, err := w.client.Snapshot(t.Context(), Repo{"acme", ".github"}, own.Number(), LoadOptions{})
	require.NoError(t, err)
	require.Equal(t, "policy", unreadFact(t, s).Fact, "it is refused here too, as the repository's own")
	require.Equal(t, 1, w.asked(shared))
}

// An App that is not installed there sees no more than if there were nothing.
func TestAHiddenPolicyOfTheOrganisationIsAbsent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.World().AddRepository("acme/.github", githubtest.RepositoryOptions{NotInstalled: true}).SetFile("main", ".github/evidence.yml", "version: 1\n")
	s := w.load(t, w.open(githubtest.PullRequestOptions{}))
	require.Nil(t, s.OrganisationPolicy)
	require.Empty(t, s.Unavailable)
}

func TestTheBaseBranchIsGone(t *testing.T) {
	t.Parallel()
	s, err := loadOne(t, with(func(pr object) { pr["baseRef"] = nil }))
	require.NoError(t, err)
	require.Empty(t, s.PullRequest.BaseSHA)
	var facts []string
	for _, u := range s.Unavailable {
		require.Contains(t, u.Reason, `the base branch "main" is gone`)
		facts = append(facts, u.Fact)
	}
	require.Equal(t, []string{"policy", "references", "profile"}, facts)
}

func TestProfileAndReferences(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pr := w.open(githubtest.PullRequestOptions{})
	s := w.load(t, pr)
	require.Nil(t, s.Profile)
	require.Nil(t, s.References)
	require.Empty(t, s.Unavailable)

	for _, name := range []string{"decisions/D-2.md", "decisions/D-1.md", "decisions/README.txt", "decisions/old/D-0.md", "decisions/.md", "tasks/T-7.md"} {
		w.repo.SetFile("main", ".agenticloop/"+name, "")
	}
	w.repo.SetFile("main", ".agenticloop/project.md", "facts")
	s = w.load(t, pr)
	require.Equal(t, &snapshot.File{Path: ".agenticloop/project.md", Text: "facts"}, s.Profile)
	require.Equal(t, &snapshot.References{Decisions: []string{"D-1", "D-2"}, Tasks: []string{"T-7"}}, s.References)
	require.Empty(t, s.Unavailable)

	var many []githubtest.File
	for i := range folderLimit {
		many = append(many, githubtest.File{Path: fmt.Sprintf(".agenticloop/tasks/T-%d.md", i)})
	}
	w.repo.PushBranch("eng", "main", githubtest.Commit{Files: many})
	s = w.load(t, pr)
	require.Equal(t, snapshot.Unavailable{Fact: "references", Reason: ".agenticloop/tasks: GitHub lists no more than 1000 files of a folder"}, unreadFact(t, s))
	require.Empty(t, s.References.Tasks)

	w.repo.PushBranch("eng", "main", githubtest.Commit{Files: []githubtest.File{{Path: "x"}}})
	w.forbid("/repos/acme/widgets/contents/.agenticloop/project.md")
	s = w.load(t, pr)
	require.Nil(t, s.Profile)
	require.Len(t, s.Unavailable, 2)
	require.Equal(t, "profile", s.Unavailable[1].Fact)
}
