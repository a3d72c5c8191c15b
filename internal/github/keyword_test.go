package github

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// On a base that is not the default branch GitHub links no issue, so the body's closing keywords
// name the task (section 14, Loading).
func TestTasksByKeywordOnAnotherBase(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.PushBranch("eng", "release/1", githubtest.Commit{})
	task := w.repo.AddIssue(githubtest.IssueOptions{Body: "## Required Checks\n"})
	note := w.repo.AddIssue(githubtest.IssueOptions{Body: "nothing"})
	second := w.repo.AddIssue(githubtest.IssueOptions{Body: "## Required Checks\n"})
	const own = "acme/widgets"
	link := func(number int, checks bool) snapshot.Linked {
		return snapshot.Linked{Repository: own, Number: number, Source: "keyword", Readable: true, HasChecks: checks}
	}
	for _, row := range []struct {
		about, body string
		base        string
		linked      []snapshot.Linked
		issue       int
	}{
		{"one", fmt.Sprintf("Closes #%d", task.Number()), "release/1", []snapshot.Linked{link(task.Number(), true)}, task.Number()},
		{"the one with checks counts", fmt.Sprintf("Closes #%d, fixes #%d", note.Number(), task.Number()), "release/1",
			[]snapshot.Linked{link(note.Number(), false), link(task.Number(), true)}, task.Number()},
		{"one issue written twice", fmt.Sprintf("Closes #%d, closes acme/widgets#%d", task.Number(), task.Number()), "release/1",
			[]snapshot.Linked{link(task.Number(), true)}, task.Number()},
		{"several with checks", fmt.Sprintf("Closes #%d, fixes #%d", second.Number(), task.Number()), "release/1",
			[]snapshot.Linked{link(second.Number(), true), link(task.Number(), true)}, 0},
		{"another repository", "Closes acme/other#3", "release/1", []snapshot.Linked{{Repository: "acme/other", Number: 3, Source: "keyword"}}, 0},
		{"no such issue is no silence", "Closes #4711", "release/1", []snapshot.Linked{{Repository: own, Number: 4711, Source: "keyword"}}, 0},
		{"only live text", fmt.Sprintf("`Closes #%d`", task.Number()), "release/1", nil, 0},
		{"on the default branch GitHub's own word counts", fmt.Sprintf("Closes #%d", task.Number()), "main",
			[]snapshot.Linked{{Repository: own, Number: task.Number(), Source: "closing", Readable: true, HasChecks: true}}, task.Number()},
	} {
		pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Base: row.base, Body: row.body})
		s := w.load(t, pr)
		require.Equal(t, row.linked, s.Linked, row.about)
		if row.issue == 0 {
			require.Nil(t, s.Issue, row.about)
			continue
		}
		require.NotNil(t, s.Issue, row.about)
		require.Equal(t, row.issue, s.Issue.Number, row.about)
	}
}

// A task that was moved to another repository, or deleted, is named as unreadable, never silence.
func TestATaskThatMovedOrIsGone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.PushBranch("eng", "release/1", githubtest.Commit{})
	other := w.World().AddRepository("acme/other", githubtest.RepositoryOptions{})
	moved := w.repo.AddIssue(githubtest.IssueOptions{Body: "## Required Checks\n"})
	gone := w.repo.AddIssue(githubtest.IssueOptions{Body: "## Required Checks\n"})
	for name, number := range map[string]int{"moved": moved.Number(), "gone": gone.Number()} {
		pr := w.repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Base: "release/1", Body: fmt.Sprintf("Closes #%d", number)})
		require.NotNil(t, w.load(t, pr).Issue, "%s: as long as it is there", name)
		if name == "moved" {
			moved.Transfer("lead", other)
		} else {
			gone.Delete("lead")
		}
		s := w.load(t, pr)
		require.Nil(t, s.Issue, name)
		require.Len(t, s.Linked, 1, name)
		require.False(t, s.Linked[0].Readable, name)
	}
}
