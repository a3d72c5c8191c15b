package approval_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/evidence-gate/evidence-gate/approval"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// situation draws a pull request that people said something about.
func situation(t *rapid.T) approval.Facts {
	people := []*snapshot.Actor{eng, lead, rev, lee, chief, guest, helper, nil, user("who", "")}
	times := []string{at("08:00"), at("09:00"), at("10:00"), at("11:00"), ""}
	f := facts(rapid.SampledFrom(policy.Levels()).Draw(t, "level"), maintainers(rapid.IntRange(0, 2).Draw(t, "maintainers")))
	f.SelfReported = rapid.Bool().Draw(t, "self-reported")
	f.Policy.MaxRejections = rapid.IntRange(1, 3).Draw(t, "max_rejections")
	for range rapid.IntRange(0, 6).Draw(t, "reviews") {
		state := rapid.SampledFrom([]string{"approved", "changes_requested", "commented", "dismissed"}).Draw(t, "state")
		sha := rapid.SampledFrom([]string{head, older}).Draw(t, "sha")
		reviewOf(rapid.SampledFrom(people).Draw(t, "reviewer"), state, sha, rapid.SampledFrom(times).Draw(t, "time"))(&f)
	}
	for range rapid.IntRange(0, 2).Draw(t, "actions") {
		kind := rapid.SampledFrom([]string{"approve", "needs_human"}).Draw(t, "kind")
		how := rapid.SampledFrom([]string{"", "button", "page", "comment"}).Draw(t, "via")
		action(kind, rapid.SampledFrom(people).Draw(t, "actor"), via(how))(&f)
	}
	if rapid.Bool().Draw(t, "co-author") {
		commitBy(older, rapid.SampledFrom([]string{"rev", "lee", "helper[bot]", ""}).Draw(t, "login"))(&f)
	}
	if rapid.Bool().Draw(t, "stale facts") {
		unavailable(rapid.SampledFrom([]string{"commits", "permissions", "teams", "reviews", "pull_request.revisions"}).Draw(t, "fact"))(&f)
	}
	return f
}

func passes(f approval.Facts) bool {
	return report.Conclude(approval.Judge(f).Diagnostics) == report.Success
}

// An approval by an account that counts for neither rule never turns a refusal into success.
func TestAnApprovalThatDoesNotCountChangesNothing(t *testing.T) {
	t.Parallel()
	nobodies := map[string]*snapshot.Actor{
		"has a part in the work and no role": user("second", "write"), "may only read": user("stranger", "read"), "was deleted": nil,
		"has no known role": user("new", ""), "is the gate": {Login: "evidence-gate[bot]", Type: "Bot", Permission: "admin"},
	}
	rapid.Check(t, func(t *rapid.T) {
		f := situation(t)
		commitBy(older, "second")(&f)
		if passes(f) {
			return
		}
		who := rapid.SampledFrom(slices.Sorted(maps.Keys(nobodies))).Draw(t, "who")
		approves(nobodies[who])(&f)
		require.False(t, passes(f), "who %s approved", who)
	})
}

// A higher level never passes what a lower one refuses, and a request for changes never helps.
func TestLevelsAndObjectionsOnlyAskForMore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := situation(t)
		higher := f
		higher.Level = rapid.SampledFrom(policy.Levels()).Draw(t, "other level")
		if higher.Level.AtLeast(f.Level) && passes(higher) {
			require.True(t, passes(f), "%s passes and %s does not", higher.Level, f.Level)
		}
		if f.Level == policy.LevelOff {
			return
		}
		objected := f
		objected.Snapshot.Reviews = append([]snapshot.Review{}, f.Snapshot.Reviews...)
		reviewOf(rapid.SampledFrom([]*snapshot.Actor{eng, lead, rev, lee, nil, helper}).Draw(t, "objector"), "changes_requested", head, at("21:00"))(&objected)
		require.False(t, passes(objected))
	})
}

// What an account said is judged alike in whatever order it is listed.
func TestTheOrderOfTheListChangesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := situation(t)
		turned := f
		turned.Snapshot.Reviews = rapid.Permutation(f.Snapshot.Reviews).Draw(t, "order")
		one, other := approval.Judge(f), approval.Judge(turned)
		require.ElementsMatch(t, codes(one), codes(other))
		require.Equal(t, fmt.Sprint(one.Reviewed, one.Person, one.SelfApproved, one.Rejections), fmt.Sprint(other.Reviewed, other.Person, other.SelfApproved, other.Rejections))
	})
}

// Hiding a fact never helps.
func TestAFactThatIsNotReadNeverHelps(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		f := situation(t)
		hidden := f
		fact := rapid.SampledFrom([]string{"commits", "reviews", "actions", "pull_request.revisions", "permissions", "teams", "runs", "issue"}).Draw(t, "hidden")
		hidden.Snapshot.Unavailable = append([]snapshot.Unavailable{{Fact: fact, Reason: "x"}}, f.Snapshot.Unavailable...)
		if !passes(f) {
			require.False(t, passes(hidden), fact)
		}
	})
}
