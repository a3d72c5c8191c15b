package github

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// A pull request is stacked on the open ones whose head is its base (section 10).
func TestThePullRequestsThatOneIsStackedOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.repo.PushBranch("lead", "dev", githubtest.Commit{})
	pr := w.open(githubtest.PullRequestOptions{Base: "dev"})
	require.Empty(t, w.load(t, pr).PullRequest.StackedOn)
	require.Empty(t, w.load(t, w.open(githubtest.PullRequestOptions{})).PullRequest.StackedOn)

	second := w.open(githubtest.PullRequestOptions{Author: "helper[bot]", Branch: "dev", Base: "release"})
	first := w.open(githubtest.PullRequestOptions{Author: "lead", Branch: "dev"})
	w.open(githubtest.PullRequestOptions{Author: "boss", Branch: "dev", Base: "old"}).Close("boss")
	w.open(githubtest.PullRequestOptions{Author: "guest", Branch: "dev", Fork: "guest"})
	w.open(githubtest.PullRequestOptions{Author: "eng", Base: "dev", Branch: "beside"})
	want := []snapshot.StackedOn{
		{Number: second.Number(), Author: &snapshot.Actor{Login: "helper[bot]", Type: "Bot"}}, {Number: first.Number(), Author: user("lead")},
	}
	w.ForgetRequests()
	s := w.load(t, pr)
	require.Empty(t, s.Unavailable)
	require.Equal(t, want, s.PullRequest.StackedOn)
	require.Equal(t, 1, w.CountRequests(githubtest.Match{Path: "/graphql"}), "by the same request")

	fork := w.open(githubtest.PullRequestOptions{Author: "stranger", Base: "dev", Branch: "dev", Fork: "stranger"})
	require.Equal(t, want, w.load(t, fork).PullRequest.StackedOn, "a fork's own branch of that name is not its base")
	w.World().DeleteAccount("lead")
	require.Nil(t, w.load(t, pr).PullRequest.StackedOn[1].Author)
	first.Merge("boss")
	require.Len(t, w.load(t, pr).PullRequest.StackedOn, 1)

	for i := range 101 {
		w.open(githubtest.PullRequestOptions{Author: "lead", Branch: "dev", Base: fmt.Sprintf("to-%d", i)})
	}
	require.Len(t, w.load(t, pr).PullRequest.StackedOn, 102, "to the end of the list")
}

func stackedData(number int, crosses bool, repository string) object {
	return object{"number": number, "isCrossRepository": crosses, "repository": object{"nameWithOwner": repository}, "author": object{"__typename": "User", "login": "lead"}}
}

// What GitHub may answer and the simulator does not.
func TestAnswersAboutTheStack(t *testing.T) {
	t.Parallel()
	of := func(stacked any, errors ...any) map[string]object {
		return map[string]object{"PullRequest": answerOf(with(func(pr object) {
			pr["baseRef"] = object{"id": "REF_1", "target": object{"oid": baseSHA}, "stacked": stacked}
		}), errors...)}
	}
	more := page(stackedData(7, false, "acme/widgets"))
	more["totalCount"], more["pageInfo"] = 2, object{"hasNextPage": true, "endCursor": "X"}
	short := page(stackedData(7, false, "acme/widgets"))
	short["totalCount"] = 2

	s, err := load(t, of(page(stackedData(42, false, "acme/widgets"), stackedData(8, true, "acme/widgets"), stackedData(9, false, "upstream/widgets"), stackedData(7, false, "acme/widgets"))), LoadOptions{})
	require.NoError(t, err)
	require.Equal(t, []snapshot.StackedOn{{Number: 7, Author: user("lead")}}, s.PullRequest.StackedOn, "neither itself, nor a fork's, nor one into another repository")

	for name, answers := range map[string]map[string]object{
		"null":               of(nil),
		"withheld":           of(nil, refused("FORBIDDEN", "baseRef", "stacked")),
		"a part is left out": of(page(stackedData(7, false, "acme/widgets"), nil)),
	} {
		s, err := load(t, answers, LoadOptions{})
		require.NoError(t, err, name)
		require.Equal(t, "commits", unreadFact(t, s).Fact, name)
	}
	_, err = load(t, of(short), LoadOptions{})
	require.Equal(t, Incomplete, KindOf(err), "a count that does not match")
	answers := of(more)
	answers["MoreStacked"] = object{"data": object{"node": nil}}
	_, err = load(t, answers, LoadOptions{})
	require.Equal(t, Incomplete, KindOf(err), "the branch is gone meanwhile")
}
