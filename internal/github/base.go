package github

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Where a base branch holds what is not a policy (design sections 6 and 7).
const (
	profilePath     = ".agenticloop/project.md"
	decisionsFolder = ".agenticloop/decisions"
	tasksFolder     = ".agenticloop/tasks"
	// sharedName is the repository of an owner whose policy holds for all others (section 9).
	sharedName = ".github"
	// sharedLife is how long the policy of the owner is believed: nobody tells when it changes.
	sharedLife = 5 * time.Minute
)

// base is what the tip of the base branch holds (section 14, Loading).
type base struct {
	policy, profile, decisions, tasks content
}

// read is the work of reading it, each part by a request of its own.
func (b *base) read(c *Client, repo Repo, sha string) []work {
	file := func(into *content, name string) work {
		return func(ctx context.Context) (err error) {
			*into, err = c.fileAt(ctx, repo, name, sha)
			return err
		}
	}
	folder := func(into *content, name string) work {
		return func(ctx context.Context) (err error) {
			*into, err = c.folderAt(ctx, repo, name, sha)
			return err
		}
	}
	return []work{
		file(&b.policy, policy.Path), file(&b.profile, profilePath),
		folder(&b.decisions, decisionsFolder), folder(&b.tasks, tasksFolder),
	}
}

// gone is the base of a branch that was deleted: nothing of it can be read.
func gone(branch string) base {
	c := content{reason: fmt.Sprintf("the base branch %q is gone", quote(branch))}
	return base{c, c, c, c}
}

// fill puts it into the Snapshot, but for the profile, which may be the head's. Absent is nil; what is
// there and cannot be read is unavailable, never taken for absent.
func (b *base) fill(s *snapshot.Snapshot, h *holes) {
	s.Policy = b.policy.file(policy.Path, s.PullRequest.ChangedPaths)
	if references := (snapshot.References{Decisions: b.decisions.documents(), Tasks: b.tasks.documents()}); len(references.Decisions)+len(references.Tasks) > 0 {
		s.References = &references
	}
	for _, part := range []struct {
		content    content
		fact, name string
	}{
		{b.policy, factPolicy, policy.Path},
		{b.decisions, factReferences, decisionsFolder},
		{b.tasks, factReferences, tasksFolder},
	} {
		if part.content.reason != "" {
			h.add(part.fact, part.name+": "+part.content.reason)
		}
	}
}

func (c content) file(name string, changed []string) *snapshot.File {
	if !c.found {
		return nil
	}
	return &snapshot.File{Path: name, Text: c.text, ChangedInPullRequest: slices.Contains(changed, name)}
}

// sharedPolicy reads the policy that the owner has for all repositories. A repository that is not
// there and one that this token may not see are one to GitHub, so both count as absent.
func (c *Client) sharedPolicy(ctx context.Context, owner string) (content, error) {
	repo := Repo{Owner: owner, Name: sharedName}
	key := "shared policy\n" + strings.ToLower(owner)
	if known, ok := recall[content](c.cache, key); ok {
		return known, nil
	}
	read, err := c.content(ctx, repo, policy.Path, "", asFile)
	if err == nil && read.reason == "" {
		c.cache.keep(key, read, read.bytes(), sharedLife)
	}
	return read, err
}

// hasShared reports whether the owner may have a policy above the repository's own: it is not the
// repository that would hold it.
func hasShared(repo Repo) bool { return !strings.EqualFold(repo.Name, sharedName) }
