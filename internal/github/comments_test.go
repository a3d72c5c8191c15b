package github

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/evidence-gate/evidence-gate/internal/fulltest"
	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

func TestACommentWithItsHistory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	talk := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead"}).Comment("eng", "first")
	created := w.stamp()
	read, err := w.client.ReadComment(t.Context(), widgets, talk.ID())
	require.NoError(t, err)
	require.Equal(t, snapshot.Comment{
		ID: talk.ID(), Author: user("eng"), Body: "first", CreatedAt: created, UpdatedAt: created,
		Revisions: []snapshot.Revision{{Editor: user("eng"), EditedAt: created, Body: new("first")}},
	}, read)

	w.clock.Advance(time.Minute)
	talk.Edit("lead", "second")
	w.clock.Advance(time.Minute)
	require.NoError(t, w.client.EditComment(t.Context(), widgets, talk.ID(), "third"))
	require.Equal(t, "third", talk.Body())
	read, err = w.client.ReadComment(t.Context(), widgets, talk.ID())
	require.NoError(t, err)
	require.Equal(t, "third", read.Body)
	var history []string
	for _, r := range read.Revisions {
		history = append(history, r.Editor.Login+": "+*r.Body)
	}
	require.Equal(t, []string{"eng: first", "lead: second", "evidence-gate[bot]: third"}, history)
}

func TestALongHistoryIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	talk := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead"}).Comment("eng", "text 0")
	for i := range 249 {
		talk.Edit("eng", fmt.Sprintf("text %d", i+1))
	}
	read, err := w.client.ReadComment(t.Context(), widgets, talk.ID())
	require.NoError(t, err)
	require.Len(t, read.Revisions, 250)
	require.Equal(t, "text 0", *read.Revisions[0].Body)
	require.Equal(t, "text 249", *read.Revisions[249].Body)
}

func TestCommentsOfAThread(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	issue := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead"})
	for i := range 120 {
		issue.Comment("eng", fmt.Sprintf("comment %d", i))
	}
	w.clock.Advance(time.Hour)
	id, err := w.client.CreateComment(t.Context(), widgets, issue.Number(), "by the app")
	require.NoError(t, err)
	all, err := w.client.Comments(t.Context(), widgets, issue.Number(), time.Time{})
	require.NoError(t, err)
	require.Len(t, all, 121)
	require.Equal(t, "comment 0", all[0].Body)
	late, err := w.client.Comments(t.Context(), widgets, issue.Number(), w.clock.Now().Add(-time.Minute))
	require.NoError(t, err)
	require.Equal(t, []snapshot.Comment{{
		ID: id, Author: &snapshot.Actor{Login: "evidence-gate[bot]", Type: "Bot"}, Body: "by the app", CreatedAt: w.stamp(), UpdatedAt: w.stamp(),
	}}, late)
}

func TestAReaction(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	talk := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng"}).Comment("lead", "/triage")
	for range 2 {
		require.NoError(t, w.client.React(t.Context(), widgets, talk.ID(), ThumbsUp))
	}
	require.NoError(t, w.client.React(t.Context(), widgets, talk.ID(), Confused))
	require.Equal(t, []string{"evidence-gate[bot] +1", "evidence-gate[bot] confused"}, talk.Reactions())
}

func TestCommentsThatCannotBeReadOrWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	issue := w.repo.AddIssue(githubtest.IssueOptions{Author: "lead"})
	talk := issue.Comment("eng", "first")
	talk.Edit("eng", "second")
	every := map[string]func() error{
		"read": func() error { _, err := w.client.ReadComment(t.Context(), widgets, talk.ID()); return err },
		"list": func() error {
			_, err := w.client.Comments(t.Context(), widgets, issue.Number(), time.Time{})
			return err
		},
		"edit":   func() error { return w.client.EditComment(t.Context(), widgets, talk.ID(), "third") },
		"create": func() error { _, err := w.client.CreateComment(t.Context(), widgets, issue.Number(), "x"); return err },
		"react":  func() error { return w.client.React(t.Context(), widgets, talk.ID(), ThumbsUp) },
	}
	w.World().Installation("acme").SetPermission("issues", "read")
	for name, do := range every {
		if name == "list" {
			require.NoError(t, do())
			continue
		}
		err := do()
		require.Equal(t, Forbidden, KindOf(err), name)
		require.ErrorContains(t, err, "issues: write", name)
	}
	require.Equal(t, "second", talk.Body())

	w.World().Installation("acme").SetPermission("issues", "write")
	err := w.client.EditComment(t.Context(), widgets, talk.ID(), strings.Repeat("x", CommentLimit+1))
	require.Equal(t, Invalid, KindOf(err))
	for name, do := range every {
		w.Fail(githubtest.Fault{Status: http.StatusBadGateway})
		require.Equal(t, Unavailable, KindOf(do()), name)
	}
	issue.Delete("lead")
	for name, do := range every {
		require.Equal(t, NotFound, KindOf(do()), name)
	}
	for name, do := range map[string]func(Repo) error{
		"read":   func(r Repo) error { _, err := w.client.ReadComment(t.Context(), r, 1); return err },
		"list":   func(r Repo) error { _, err := w.client.Comments(t.Context(), r, 1, time.Time{}); return err },
		"edit":   func(r Repo) error { return w.client.EditComment(t.Context(), r, 1, "x") },
		"create": func(r Repo) error { _, err := w.client.CreateComment(t.Context(), r, 1, "x"); return err },
		"react":  func(r Repo) error { return w.client.React(t.Context(), r, 1, ThumbsUp) },
	} {
		require.Equal(t, Invalid, KindOf(do(Repo{"..", "x"})), name)
	}
}

func TestTheCommentQueryFitsBothSchemas(t *testing.T) {
	t.Parallel()
	query := commentQueries.operation("Comment")
	require.NoError(t, githubtest.ValidateQuery(query))
	text, err := os.ReadFile(fulltest.NPM(t, "@octokit/graphql-schema/schema.graphql"))
	require.NoError(t, err)
	document, problems := gqlparser.LoadQueryWithRules(gitHubsSchema(t, string(text)), query, rules.NewDefaultRules())
	require.Empty(t, problems)
	require.Empty(t, deprecated(document))
}
