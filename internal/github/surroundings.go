package github

import (
	"context"
	"fmt"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// surroundings reads what a verdict needs beside the pull request and its task: the files of the base
// branch and of the owner, the changed paths, the people, and a task that only the body names.
// Everything that is independent is asked for at once, so that two requests follow one another at
// most: one for what hangs on the pull request, one for what the policy wants beside.
func (l *loading) surroundings(ctx context.Context, s *snapshot.Snapshot, o LoadOptions) error {
	repo := Repo{Owner: s.Repository.Owner, Name: s.Repository.Name}
	changed, who := l.client.changes(repo, s.PullRequest), l.client.census(repo)
	branch, above := gone(s.PullRequest.BaseRef), content{}
	all := append(changed.read(), who.ask(wordCounts(s))...)
	all = append(all, who.count(policy.Default().Roles)...)
	if sha := s.PullRequest.BaseSHA; sha != "" {
		branch = base{}
		all = append(all, branch.read(l.client, repo, sha)...)
	}
	if hasShared(repo) {
		all = append(all, func(ctx context.Context) (err error) {
			above, err = l.client.sharedPolicy(ctx, repo.Owner)
			return err
		})
	}
	memory := recalled{}
	all = append(all, memory.recall(l, s, o)...)
	if unlinked(s) {
		all = append(all, func(ctx context.Context) error { return l.byKeyword(ctx, s, o) })
	}
	if err := together(ctx, all); err != nil {
		return err
	}
	memory.fill(s, &l.holes)
	changed.fill(s, &l.holes)
	branch.fill(s, &l.holes)
	l.shared(s, above)
	if err := l.byPolicy(ctx, s, who, branch.profile); err != nil {
		return err
	}
	eachActor(s, who.describe)
	return nil
}

// shared puts the owner's policy into the Snapshot. Its floor holds beside the repository's own
// policy, too (section 9).
func (l *loading) shared(s *snapshot.Snapshot, above content) {
	if above.reason != "" {
		l.holes.add(factPolicy, fmt.Sprintf("%s of %s/%s: %s", policy.Path, s.Repository.Owner, sharedName, above.reason))
	}
	s.OrganisationPolicy = above.file(policy.Path, nil)
}

// byPolicy reads what the policy wants to be known, and what only the first answers tell: the people
// of a task that the body names, and the profile of the head where the pull request changes it.
func (l *loading) byPolicy(ctx context.Context, s *snapshot.Snapshot, who *census, ofBase content) error {
	w := wantsOf(s)
	profile, rules := l.profile(s, ofBase), l.rules(s, w.rules)
	all := append(who.ask(wordCounts(s)), w.read(who, s)...)
	all = append(append(all, profile.read()...), rules.read()...)
	if w.issueTypes && s.Issue != nil {
		all = append(all, func(ctx context.Context) error { return l.issueType(ctx, s) })
	}
	if err := together(ctx, all); err != nil {
		return err
	}
	profile.fill(s, &l.holes)
	rules.fill(s, &l.holes)
	w.fill(who, s, &l.holes)
	return nil
}

// issueType reads the type of the task, which the published GraphQL schema does not have.
func (l *loading) issueType(ctx context.Context, s *snapshot.Snapshot) error {
	var answer struct {
		Type *struct {
			Name string `json:"name"`
		} `json:"type"`
	}
	doing := fmt.Sprintf("read the type of %s#%d", s.Repository.FullName(), s.Issue.Number)
	address := fmt.Sprintf("repos/%s/issues/%d", s.Repository.FullName(), s.Issue.Number)
	_, _, err := l.client.get(ctx, doing, "issues: read", address, &answer)
	if reason, missing := refusedFor(err); missing {
		l.holes.add(factIssue, "its type: "+reason)
		return nil
	}
	if err == nil && answer.Type != nil {
		s.Issue.Type = answer.Type.Name
	}
	return err
}
