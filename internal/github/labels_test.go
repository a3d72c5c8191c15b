package github

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

func TestWhoSetALabelLast(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pr := w.open(githubtest.PullRequestOptions{Labels: []string{"docs", "ui"}})
	pr.RemoveLabel("eng", "docs")
	pr.AddLabel("lead", "docs")
	pr.AddLabel("helper[bot]", "auto")
	pr.AddLabel("gone", "old")
	w.World().DeleteAccount("gone")
	by := map[string]string{}
	for _, l := range w.load(t, pr).PullRequest.Labels {
		by[l.Name] = "nobody"
		if l.By != nil {
			by[l.Name] = l.By.Login
		}
	}
	require.Equal(t, map[string]string{"docs": "lead", "ui": "eng", "auto": "helper[bot]", "old": "nobody"}, by)
}

func TestALabelThatWasSetLongAgo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	pr := w.open(githubtest.PullRequestOptions{Labels: []string{"first"}})
	for i := range 150 {
		pr.AddLabel("lead", "noise")
		if i < 149 {
			pr.RemoveLabel("lead", "noise")
		}
	}
	w.ForgetRequests()
	s := w.load(t, pr)
	require.Equal(t, "first", s.PullRequest.Labels[0].Name)
	require.Equal(t, "eng", s.PullRequest.Labels[0].By.Login)
	require.Equal(t, "lead", s.PullRequest.Labels[1].By.Login)
	require.Equal(t, 1, w.CountRequests(githubtest.Match{Operation: "EarlierLabelings"}))
	pr.RemoveLabel("lead", "first")
	w.ForgetRequests()
	w.load(t, pr)
	require.Zero(t, w.CountRequests(githubtest.Match{Operation: "EarlierLabelings"}), "who set all of them is known from the last page")
}

func TestLabelsByTheirIds(t *testing.T) {
	t.Parallel()
	label := func(id, name string) object { return object{"id": id, "name": name} }
	set := func(login, id, name string) object {
		return object{"actor": object{"__typename": "User", "login": login}, "label": label(id, name)}
	}
	earlier := func(cursor any) object {
		return object{"pageInfo": object{"hasPreviousPage": true, "startCursor": cursor}, "nodes": []any{}}
	}
	ask := func(t *testing.T, labels, events object) (snapshot.Snapshot, error) {
		return loadOne(t, with(func(pr object) { pr["labels"], pr["labelings"] = labels, events }))
	}
	s, err := ask(t, page(label("L1", "new name")), labelingsOf(set("eng", "L1", "old name"), set("lead", "L0", "new name")))
	require.NoError(t, err)
	require.Equal(t, "eng", s.PullRequest.Labels[0].By.Login, "a renamed label is the same one")

	s, err = ask(t, page(label("L1", "imported")), labelingsOf())
	require.NoError(t, err)
	require.Nil(t, s.PullRequest.Labels[0].By, "nobody is known")
	require.Empty(t, s.Unavailable)

	for name, events := range map[string]any{"left out": nil, "a part left out": labelingsOf(nil)} {
		s, err = loadOne(t, with(func(pr object) { pr["labels"], pr["labelings"] = page(label("L1", "x")), events }))
		require.NoError(t, err)
		require.Equal(t, "labels", unreadFact(t, s).Fact, name)
	}
	s, err = loadOne(t, with(func(pr object) { pr["labelings"] = nil }))
	require.NoError(t, err)
	require.Empty(t, s.Unavailable, "without labels nobody asks who set them")

	_, err = ask(t, page(label("L1", "x")), earlier(nil))
	require.Equal(t, Incomplete, KindOf(err))
	answers := map[string]object{
		"PullRequest":      answerOf(with(func(pr object) { pr["labels"], pr["labelings"] = page(label("L1", "x")), earlier("X") })),
		"EarlierLabelings": {"data": object{"node": nil}},
	}
	_, err = load(t, answers, LoadOptions{})
	require.Equal(t, Incomplete, KindOf(err), fmt.Sprint(err))
}
