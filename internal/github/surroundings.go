package github

import (
	"context"
	"fmt"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// surroundings reads what a verdict needs beside the pull request and its task: the files of the base
// branch, the changed paths, and the people. Everything that is independent is asked for at once, so
// that two requests follow one another at most: one for what hangs on the pull request, one for what
// the policy wants beside; a third only where the owner's policy wants what the defaults do not.
func (l *loading) surroundings(ctx context.Context, s *snapshot.Snapshot) error {
	repo := Repo{Owner: s.Repository.Owner, Name: s.Repository.Name}
	changed, who := l.client.changes(repo, s.PullRequest), l.client.census(repo)
	branch := gone(s.PullRequest.BaseRef)
	all := append(changed.read(), who.ask(wordCounts(s))...)
	if sha := s.PullRequest.BaseSHA; sha != "" {
		branch = base{}
		all = append(all, branch.read(l.client, repo, sha)...)
	}
	if err := together(ctx, all); err != nil {
		return err
	}
	changed.fill(s, &l.holes)
	branch.fill(s, &l.holes)
	if err := l.byPolicy(ctx, s, who, asksShared(s, &l.holes)); err != nil {
		return err
	}
	eachActor(s, who.describe)
	return nil
}

// byPolicy reads what the policy wants to be known. Where the repository has none, the owner's is
// read meanwhile.
func (l *loading) byPolicy(ctx context.Context, s *snapshot.Snapshot, who *census, asksShared bool) error {
	w := wantsOf(s)
	all := l.wanted(w, s, who)
	var shared content
	if asksShared {
		all = append(all, func(ctx context.Context) (err error) {
			shared, err = l.client.sharedPolicy(ctx, s.Repository.Owner)
			return err
		})
	}
	if err := together(ctx, all); err != nil {
		return err
	}
	if shared.reason != "" {
		l.holes.add(factPolicy, fmt.Sprintf("%s of %s/%s: %s", policy.Path, s.Repository.Owner, sharedName, shared.reason))
	}
	if shared.found {
		s.OrganisationPolicy = shared.file(policy.Path, nil)
		w = wantsOf(s)
		if err := together(ctx, l.wanted(w, s, who)); err != nil {
			return err
		}
	}
	w.fill(who, s, &l.holes)
	return nil
}

func (l *loading) wanted(w wants, s *snapshot.Snapshot, who *census) []work {
	all := w.read(who, s)
	if w.issueTypes && s.Issue != nil && s.Issue.Type == "" {
		all = append(all, func(ctx context.Context) error { return l.issueType(ctx, s) })
	}
	return all
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
