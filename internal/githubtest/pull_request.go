package githubtest

import (
	"fmt"
	"slices"
	"time"
)

// PullRequestOptions describe a new pull request. Zero members are filled in: the base is the
// default branch, the head a new branch with one commit of the author.
type PullRequestOptions struct {
	Author string // the repository's owner when empty
	Title  string
	Body   string
	Base   string
	// Branch is the head branch. One that exists already is used as it is, so that several pull
	// requests can share a head commit.
	Branch  string
	Fork    string // owner of the fork that it comes from; "" for a branch of this repository
	Draft   bool
	Labels  []string
	Commits []Commit
}

// PullRequest is one pull request.
type PullRequest struct {
	thread
	pullID         int64
	base           string
	headRepository *Repository
	headBranch     string
	head           string
	before         string // head before the last push
	baseAtOpening  string
	commits        []string
	draft          bool
	merged         bool
	mergedAt       time.Time
	mergedBy       *account
	mergeSHA       string
	reviews        []*Review
	manualLinks    []*Issue
	requested      []string // for a review: logins, and teams as organisation/slug
}

// OpenPullRequest opens a pull request.
func (r *Repository) OpenPullRequest(o PullRequestOptions) *PullRequest {
	var p *PullRequest
	r.world.change(func() {
		p = r.newPullRequest(o)
		r.pulls[p.number] = p
		r.world.nodes[nodeID("PR", p.pullID)] = p
		r.world.emitPull(p, "opened", p.body.author, nil)
	})
	return p
}

func (r *Repository) newPullRequest(o PullRequestOptions) *PullRequest {
	p := &PullRequest{
		thread: r.newThread(o.Author, o.Title, o.Body), pullID: r.world.nextID("pull"),
		base: o.Base, headRepository: r, headBranch: o.Branch, draft: o.Draft,
	}
	if p.base == "" {
		p.base = r.defaultBranch
	}
	if r.branches[p.base] == "" {
		r.branches[p.base] = r.branches[r.defaultBranch]
	}
	if o.Fork != "" {
		p.headRepository = r.fork(o.Fork)
	}
	if p.headBranch == "" {
		p.headBranch = fmt.Sprintf("change-%d", p.number)
	}
	for _, name := range o.Labels {
		p.addLabel(p.body.author, name)
	}
	p.takeCommits(o)
	p.baseAtOpening = r.branches[p.base]
	return p
}

func (p *PullRequest) takeCommits(o PullRequestOptions) {
	tip := p.headRepository.branches[p.headBranch]
	if len(o.Commits) == 0 && tip != "" {
		p.commits, p.head = []string{tip}, tip
		return
	}
	if len(o.Commits) == 0 {
		o.Commits = []Commit{{}}
	}
	parent := tip
	if parent == "" {
		parent = p.repository.branches[p.base]
	}
	for _, c := range o.Commits {
		if len(c.Authors) == 0 {
			c.Authors = []string{p.body.author.login}
		}
		p.head = p.headRepository.addCommit(c, parent).sha
		parent = p.head
		p.commits = append(p.commits, p.head)
	}
	p.headRepository.branches[p.headBranch] = p.head
}

// HeadSHA is the head commit.
func (p *PullRequest) HeadSHA() string {
	return look(p.repository.world, func() string { return p.head })
}

// EditBody changes the body as the actor; the same text changes nothing.
func (p *PullRequest) EditBody(actor, text string) {
	w := p.repository.world
	w.change(func() {
		if changes := p.setBody(actor, text); changes != nil {
			w.emitPull(p, "edited", w.account(actor), map[string]any{"changes": changes})
		}
	})
}

// EditTitle changes the title.
func (p *PullRequest) EditTitle(actor, title string) {
	w := p.repository.world
	w.change(func() {
		if changes := p.setTitle(title); changes != nil {
			w.emitPull(p, "edited", w.account(actor), map[string]any{"changes": changes})
		}
	})
}

// ChangeBase makes another branch the base; it is made when there is none of that name.
func (p *PullRequest) ChangeBase(actor, branch string) {
	w := p.repository.world
	w.change(func() {
		r := p.repository
		from := p.base
		if r.branches[branch] == "" {
			r.branches[branch] = r.branches[r.defaultBranch]
		}
		changes := map[string]any{"base": map[string]any{
			"ref": map[string]any{"from": from}, "sha": map[string]any{"from": r.branches[from]},
		}}
		p.base, p.baseAtOpening, p.updatedAt = branch, r.branches[branch], w.now()
		w.emitPull(p, "edited", w.account(actor), map[string]any{"changes": changes})
	})
}

// Push adds one commit to the head branch and returns its id; zero members of the commit are
// filled in, the actor being its author.
func (p *PullRequest) Push(actor string, c Commit) string { return p.push(actor, c, false) }

// ForcePush replaces all commits of the head branch by one and returns its id.
func (p *PullRequest) ForcePush(actor string, c Commit) string { return p.push(actor, c, true) }

func (p *PullRequest) push(actor string, c Commit, force bool) string {
	w := p.repository.world
	var sha string
	w.change(func() {
		if len(c.Authors) == 0 {
			c.Authors = []string{actor}
		}
		parent := p.head
		if force {
			parent = p.repository.branches[p.base]
		}
		sha = p.headRepository.addCommit(c, parent).sha
		p.headRepository.moveBranch(w.account(actor), p.headBranch, sha, force)
	})
	return sha
}

// moveBranch points a branch at a commit; open pull requests from it follow.
func (r *Repository) moveBranch(actor *account, branch, sha string, force bool) {
	w := r.world
	r.branches[branch] = sha
	for _, base := range w.repositories {
		for _, p := range base.openPulls() {
			if p.headRepository != r || p.headBranch != branch || p.head == sha {
				continue
			}
			if force {
				p.commits = nil
			}
			p.before, p.head, p.updatedAt = p.head, sha, w.now()
			p.commits = append(p.commits, sha)
			w.emitPull(p, "synchronize", actor, map[string]any{"before": p.before, "after": sha})
		}
	}
}

// openPulls are the open pull requests in the order of their numbers.
func (r *Repository) openPulls() []*PullRequest {
	return slices.DeleteFunc(r.sortedPulls(), func(p *PullRequest) bool { return !p.open })
}

func (r *Repository) sortedPulls() []*PullRequest {
	pulls := make([]*PullRequest, 0, len(r.pulls))
	for _, p := range r.pulls {
		pulls = append(pulls, p)
	}
	slices.SortFunc(pulls, func(a, b *PullRequest) int { return a.number - b.number })
	return pulls
}

// Close closes the pull request without merging it.
func (p *PullRequest) Close(actor string) {
	w := p.repository.world
	w.change(func() {
		p.open, p.closedAt, p.updatedAt = false, w.now(), w.now()
		w.emitPull(p, "closed", w.account(actor), nil)
	})
}

// Reopen opens a closed pull request again.
func (p *PullRequest) Reopen(actor string) {
	w := p.repository.world
	w.change(func() {
		p.open, p.closedAt, p.updatedAt = true, time.Time{}, w.now()
		w.emitPull(p, "reopened", w.account(actor), nil)
	})
}

// Merge merges the pull request by a merge commit on its base and returns that commit. Issues that
// it closes are closed.
func (p *PullRequest) Merge(actor string) string {
	w := p.repository.world
	w.change(func() {
		who := w.account(actor)
		merge := p.repository.addCommit(Commit{
			Message: fmt.Sprintf("Merge pull request #%d", p.number), Authors: []string{actor}, Files: p.files(),
		}, p.repository.branches[p.base])
		p.repository.branches[p.base] = merge.sha
		p.open, p.merged, p.mergeSHA, p.mergedBy = false, true, merge.sha, who
		p.closedAt, p.mergedAt, p.updatedAt = w.now(), w.now(), w.now()
		w.emitPull(p, "closed", who, nil)
		for _, issue := range p.closing() {
			issue.close(who)
		}
	})
	return look(w, func() string { return p.mergeSHA })
}

// SetDraft turns the pull request into a draft or makes it ready for review.
func (p *PullRequest) SetDraft(actor string, draft bool) {
	w := p.repository.world
	w.change(func() {
		if p.draft == draft {
			return
		}
		p.draft, p.updatedAt = draft, w.now()
		action := "ready_for_review"
		if draft {
			action = "converted_to_draft"
		}
		w.emitPull(p, action, w.account(actor), nil)
	})
}

// AddLabel sets a label.
func (p *PullRequest) AddLabel(actor, name string) {
	w := p.repository.world
	w.change(func() {
		if l := p.addLabel(w.account(actor), name); l != nil {
			w.emitPull(p, "labeled", w.account(actor), map[string]any{"label": w.labelJSON(p.repository, l)})
		}
	})
}

// RemoveLabel takes a label away.
func (p *PullRequest) RemoveLabel(actor, name string) {
	w := p.repository.world
	w.change(func() {
		if l := p.removeLabel(w.account(actor), name); l != nil {
			w.emitPull(p, "unlabeled", w.account(actor), map[string]any{"label": w.labelJSON(p.repository, l)})
		}
	})
}

// LinkIssue links an issue by hand, as in the pull request's sidebar.
func (p *PullRequest) LinkIssue(i *Issue) {
	p.repository.world.change(func() { p.manualLinks = append(p.manualLinks, i) })
}

// fromFork says whether the head is in another repository.
func (p *PullRequest) fromFork() bool { return p.headRepository != p.repository }

// files are the changed files of all commits, each path once.
func (p *PullRequest) files() []File {
	var files []File
	seen := map[string]bool{}
	for _, sha := range p.commits {
		for _, f := range p.repository.commits[sha].files {
			if !seen[f.Path] {
				seen[f.Path] = true
				files = append(files, f)
			}
		}
	}
	return files
}
