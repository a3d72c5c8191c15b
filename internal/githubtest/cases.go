package githubtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// ErrNotShown says that a Snapshot holds facts that GitHub shows to nobody, or that no loader reads
// yet: those of the service, and files of the base branch.
var ErrNotShown = errors.New("GitHub shows no")

// Show adds the repository, task and pull request of a Snapshot to the world, with their own
// numbers, commits and times, so that every way to a verdict can be led through a GitHub (design
// section 19). With the pull request comes the Snapshot as a loader can know it: without roles,
// teams, changed paths and time of the push, which are not read from GitHub, and with every text's
// history and every check run's address. Facts that cannot be shown are an ErrNotShown that names
// them.
func (w *World) Show(s snapshot.Snapshot) (*PullRequest, snapshot.Snapshot, error) {
	if hidden := notShown(s); len(hidden) > 0 {
		return nil, s, fmt.Errorf("%w %s", ErrNotShown, strings.Join(hidden, ", "))
	}
	if w.Repository(s.Repository.FullName()) != nil {
		return nil, s, fmt.Errorf("there is a repository %s already", s.Repository.FullName())
	}
	b := caseBuilder{world: w, known: s}
	w.change(b.build)
	return b.pull, b.known, b.err
}

// notShown names the members of a Snapshot that the world cannot hold.
func notShown(s snapshot.Snapshot) []string {
	var names []string
	for _, m := range []struct {
		name string
		has  bool
	}{
		{"policy", s.Policy != nil || s.OrganisationPolicy != nil},
		{"profile", s.Profile != nil},
		{"memory", s.Memory != nil && (s.Memory.Contract != nil || len(s.Memory.Carriers) > 0)},
		{"actions", len(s.Actions) > 0},
		{"attestations", len(s.Attestations) > 0},
		{"url_checks", len(s.URLChecks) > 0},
		{"runs", len(s.Runs) > 0},
		{"merge_group", s.MergeGroup != nil},
		{"unavailable", len(s.Unavailable) > 0},
		{"linked", len(s.Linked) > 0},
		{"pull_request.stacked_on", len(s.PullRequest.StackedOn) > 0},
	} {
		if m.has {
			names = append(names, m.name)
		}
	}
	return names
}

// caseBuilder makes one Snapshot's world and strips from known what a loader cannot know.
type caseBuilder struct {
	world *World
	known snapshot.Snapshot
	repo  *Repository
	issue *Issue
	pull  *PullRequest
	ghost []*account
	err   error
}

func (b *caseBuilder) build() {
	s := &b.known
	branch := s.Repository.DefaultBranch
	if branch == "" {
		branch = "main"
	}
	b.repo = b.world.addRepository(s.Repository.FullName(), RepositoryOptions{DefaultBranch: branch})
	s.Repository = snapshot.Repository{ID: b.repo.id, Owner: s.Repository.Owner, Name: s.Repository.Name, DefaultBranch: branch, Private: true}
	s.References, s.Memory = nil, nil
	b.addTask()
	b.addPull()
	b.addTalk()
	b.addStatuses()
	for _, a := range b.ghost {
		a.deleted = true
	}
	b.world.emitPull(b.pull, "opened", b.pull.body.author, nil)
}

// account finds the account of an actor; nil is one that is deleted.
func (b *caseBuilder) account(a *snapshot.Actor) *account {
	if a == nil {
		deleted := &account{id: b.world.nextID("account"), login: "deleted", kind: "User"}
		b.ghost = append(b.ghost, deleted)
		return deleted
	}
	found := b.world.account(a.Login)
	if a.Type != "" {
		found.kind = a.Type
	}
	return found
}

// actor is what a loader knows of an account.
func actorKnown(a *snapshot.Actor) *snapshot.Actor {
	if a == nil {
		return nil
	}
	return &snapshot.Actor{Login: a.Login, Type: a.Type}
}

// time reads a Snapshot's time; without one it is the world's.
func (b *caseBuilder) time(stamp string) time.Time {
	if stamp == "" {
		return b.world.now()
	}
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		b.err = errors.Join(b.err, fmt.Errorf("the time %q: %w", stamp, err))
	}
	return at.UTC()
}

// write gives a document its author, text and history, and returns the history as a loader knows it:
// one that a case leaves out is the creation alone.
func (b *caseBuilder) write(d *document, author *snapshot.Actor, at, text string, history []snapshot.Revision) []snapshot.Revision {
	d.author, d.revisions = b.account(author), nil
	if len(history) == 0 {
		history = []snapshot.Revision{{Editor: author, EditedAt: b.time(at).Format(time.RFC3339), Body: &text}}
	}
	history = slices.Clone(history)
	for i := range history {
		r := &history[i]
		written := revision{id: b.world.nextID("edit"), editor: b.account(r.Editor), at: b.time(r.EditedAt)}
		switch {
		case r.Body != nil:
			written.text = *r.Body
		case r.Erased:
			written.deletedAt, written.deletedBy = written.at, d.author
		default:
			b.err = errors.Join(b.err, fmt.Errorf("%w revision without a text", ErrNotShown))
		}
		d.revisions = append(d.revisions, written)
		r.Editor = actorKnown(r.Editor)
	}
	if last := history[len(history)-1].Body; last == nil || *last != text {
		b.err = errors.Join(b.err, fmt.Errorf("%w history that does not end with the text", ErrNotShown))
	}
	return history
}

func (b *caseBuilder) addTask() {
	task := b.known.Issue
	if task == nil {
		return
	}
	own := *task
	b.known.Issue, task = &own, &own
	b.repo.lastNumber = task.Number - 1
	b.issue = &Issue{thread: b.repo.newThread("", task.Title, "")}
	task.Revisions = b.write(&b.issue.body, task.Author, b.known.PullRequest.CreatedAt, textOf(task.Body), task.Revisions)
	for _, name := range task.Labels {
		b.issue.labels = append(b.issue.labels, b.repo.label(name))
	}
	b.repo.issues[b.issue.number] = b.issue
	b.world.nodes[nodeID("I", b.issue.issueID)] = b.issue
	task.Author, task.Type = actorKnown(task.Author), ""
}

func textOf(body *string) string {
	if body == nil {
		return ""
	}
	return *body
}

func (b *caseBuilder) addPull() {
	pr := &b.known.PullRequest
	author := b.account(pr.Author)
	if pr.BaseRef == "" {
		pr.BaseRef = b.known.Repository.DefaultBranch
	}
	if pr.BaseSHA != "" {
		b.repo.branches[pr.BaseRef] = b.repo.addCommit(Commit{SHA: pr.BaseSHA}).sha
	}
	o := PullRequestOptions{Author: author.login, Title: pr.Title, Base: pr.BaseRef, Draft: pr.Draft, Commits: b.commits(author)}
	if pr.Fork {
		o.Fork = author.login
	}
	for _, l := range pr.Labels {
		o.Labels = append(o.Labels, l.Name)
	}
	b.repo.lastNumber = pr.Number - 1
	b.pull = b.repo.newPullRequest(o)
	pr.Revisions = b.write(&b.pull.body, pr.Author, pr.CreatedAt, textOf(pr.Body), pr.Revisions)
	b.pull.open, b.pull.merged = pr.State == "open" || pr.State == "", pr.State == "merged"
	if b.pull.merged {
		b.pull.mergeSHA, b.pull.mergedAt, b.pull.closedAt = b.repo.branches[pr.BaseRef], b.world.now(), b.world.now()
	}
	b.repo.pulls[b.pull.number] = b.pull
	b.world.nodes[nodeID("PR", b.pull.pullID)] = b.pull
	if b.issue != nil && !slices.Contains(b.pull.closing(), b.issue) {
		b.pull.manualLinks = append(b.pull.manualLinks, b.issue)
	}
	b.knowPull(pr)
}

// knowPull leaves of the pull request what a loader reads.
func (b *caseBuilder) knowPull(pr *snapshot.PullRequest) {
	pr.Author, pr.PushedAt, pr.ChangedPaths = actorKnown(pr.Author), "", nil
	if pr.ChangedFiles == nil {
		changed := len(b.pull.files())
		pr.ChangedFiles = &changed
	}
	pr.Labels = slices.Clone(pr.Labels)
	for i := range pr.Labels {
		pr.Labels[i].By = nil
	}
}

// commits of the pull request; the last one is its head and changes all its files.
func (b *caseBuilder) commits(author *account) []Commit {
	pr := b.known.PullRequest
	var commits []Commit
	for _, c := range pr.Commits {
		made := Commit{SHA: c.SHA, Files: []File{}, At: b.time(c.CommittedAt)}
		for _, login := range c.Authors {
			name := "somebody@example.com"
			if login != nil {
				name = *login
			}
			made.Authors = append(made.Authors, name)
		}
		commits = append(commits, made)
	}
	if n := len(commits); n == 0 || commits[n-1].SHA != pr.HeadSHA {
		commits = append(commits, Commit{SHA: pr.HeadSHA, Authors: []string{author.login}})
	}
	commits[len(commits)-1].Files = changedFiles(pr)
	return commits
}

// changedFiles are as many files as the Snapshot counts, with its paths as far as they go.
func changedFiles(pr snapshot.PullRequest) []File {
	files := []File{}
	for _, path := range pr.ChangedPaths {
		files = append(files, File{Path: path})
	}
	if pr.ChangedFiles == nil {
		return files
	}
	for i := len(files); i < *pr.ChangedFiles; i++ {
		files = append(files, File{Path: fmt.Sprintf("more/%d", i)})
	}
	return files[:*pr.ChangedFiles]
}
