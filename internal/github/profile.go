package github

import (
	"context"
	"slices"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// profileText is the verification profile as it will be once the pull request is merged: the head's
// where the pull request changes the file, else the base's. What is wrong with it is an error of the
// pull request that changes it (section 7), so that one that repairs it is not held to what it
// repairs.
type profileText struct {
	client     *Client
	repo       Repo
	sha        string // of the head
	changed    bool
	unsure     bool // the changed paths are not known
	base, head content
}

func (l *loading) profile(s *snapshot.Snapshot, base content) *profileText {
	return &profileText{
		client: l.client, repo: Repo{Owner: s.Repository.Owner, Name: s.Repository.Name}, sha: s.PullRequest.HeadSHA,
		changed: slices.Contains(s.PullRequest.ChangedPaths, profilePath), unsure: l.holes.has(factChangedPaths), base: base,
	}
}

// read is the work of reading the head's, where it may count.
func (p *profileText) read() []work {
	if !p.changed && !p.unsure {
		return nil
	}
	return []work{func(ctx context.Context) (err error) {
		p.head, err = p.client.fileAt(ctx, p.repo, profilePath, p.sha)
		return err
	}}
}

// fill puts it into the Snapshot. Where it is not known whether the pull request changes the file, it
// does when the two texts differ.
func (p *profileText) fill(s *snapshot.Snapshot, h *holes) {
	counts, changed := p.base, p.changed
	if p.unsure {
		changed = p.base.reason != "" || p.head.reason != "" || p.base.found != p.head.found || p.base.text != p.head.text
	}
	if changed {
		counts = p.head
	}
	if counts.reason != "" {
		h.add(factProfile, profilePath+": "+counts.reason)
	}
	if s.Profile = counts.file(profilePath, nil); s.Profile != nil {
		s.Profile.ChangedInPullRequest = changed
	}
}
