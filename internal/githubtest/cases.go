package githubtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// ErrNotShown says that a Snapshot holds facts that GitHub shows to nobody: those of the service, and
// facts that cannot all be true at once.
var ErrNotShown = errors.New("GitHub shows no")

// Show adds the repository, task and pull request of a Snapshot to the world, with their own
// numbers, commits and times, and with the policy, the profile and the references on the base branch,
// so that every way to a verdict can be led through a GitHub (design section 19). With the pull
// request comes the Snapshot as a loader can know it: without the time of the push, which is not read
// from GitHub, and with every text's history, every account's role and every check run's address. A
// loader need not read the roles, teams and number of maintainers that bear on nothing. Facts that
// cannot be shown are an ErrNotShown that names them.
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
		{"file at another path", elsewhere(s.Policy, policyPath) || elsewhere(s.OrganisationPolicy, policyPath) || elsewhere(s.Profile, profilePath)},
		{"references.rules", s.References != nil && len(s.References.Rules) > 0 && rulesFile(s) == ""},
		{"memory", s.Memory != nil && (s.Memory.Contract != nil || len(s.Memory.Carriers) > 0)},
		{"actions", len(s.Actions) > 0},
		{"attestations", len(s.Attestations) > 0},
		{"url_checks", len(s.URLChecks) > 0},
		{"runs", len(s.Runs) > 0},
		{"merge_group", s.MergeGroup != nil},
		{"unavailable", len(s.Unavailable) > 0},
		{"linked", len(s.Linked) > 0},
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
	roles map[string]string // by login in lower case
	ghost []*account
	err   error
}

func (b *caseBuilder) fail(format string, values ...any) {
	b.err = errors.Join(b.err, fmt.Errorf(format, values...))
}

func (b *caseBuilder) build() {
	s := &b.known
	branch := s.Repository.DefaultBranch
	if branch == "" {
		branch = "main"
	}
	b.repo = b.world.addRepository(s.Repository.FullName(), RepositoryOptions{DefaultBranch: branch})
	s.Repository = snapshot.Repository{
		ID: b.repo.id, Owner: s.Repository.Owner, Name: s.Repository.Name, DefaultBranch: branch, Private: true,
		Maintainers: s.Repository.Maintainers,
	}
	s.Memory = nil
	b.addPeople()
	b.addBase()
	b.addTask()
	b.addPull()
	b.addStack()
	b.addUnlinked()
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

// time reads a Snapshot's time; without one it is the world's.
func (b *caseBuilder) time(stamp string) time.Time {
	if stamp == "" {
		return b.world.now()
	}
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		b.fail("the time %q: %w", stamp, err)
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
			b.fail("%w revision without a text", ErrNotShown)
		}
		d.revisions = append(d.revisions, written)
		r.Editor = b.actor(r.Editor)
	}
	if last := history[len(history)-1].Body; last == nil || *last != text {
		b.fail("%w history that does not end with the text", ErrNotShown)
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
	b.issue = &Issue{thread: b.repo.newThread("", task.Title, ""), kind: task.Type}
	task.Revisions = b.write(&b.issue.body, task.Author, b.known.PullRequest.CreatedAt, textOf(task.Body), task.Revisions)
	for _, name := range task.Labels {
		b.issue.labels = append(b.issue.labels, b.repo.label(name))
	}
	b.repo.issues[b.issue.number] = b.issue
	b.world.nodes[nodeID("I", b.issue.issueID)] = b.issue
	task.Author = b.actor(task.Author)
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
	o := PullRequestOptions{Author: author.login, Title: pr.Title, Base: pr.BaseRef, Draft: pr.Draft, Commits: b.commits(author)}
	if pr.Fork {
		o.Fork = author.login
	}
	b.repo.lastNumber = pr.Number - 1
	b.pull = b.repo.newPullRequest(o)
	b.addLabels(pr)
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
	files := b.pull.files()
	changed := len(files)
	pr.Author, pr.PushedAt, pr.ChangedFiles, pr.ChangedPaths = b.actor(pr.Author), "", &changed, nil
	for _, f := range files {
		pr.ChangedPaths = append(pr.ChangedPaths, f.Path)
		if f.Previous != "" {
			pr.ChangedPaths = append(pr.ChangedPaths, f.Previous)
		}
	}
	slices.Sort(pr.ChangedPaths)
	b.knowChanged(b.known.Policy)
	b.knowProfile()
}

// addLabels sets the labels, each by whom the Snapshot names; one that names nobody has no event.
func (b *caseBuilder) addLabels(pr *snapshot.PullRequest) {
	pr.Labels = slices.Clone(pr.Labels)
	for i := range pr.Labels {
		l := b.repo.label(pr.Labels[i].Name)
		b.pull.labels = append(b.pull.labels, l)
		if by := pr.Labels[i].By; by != nil {
			b.pull.recordLabel(b.account(by), l, true)
			pr.Labels[i].By = b.actor(by)
		}
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
	commits[len(commits)-1].Files = b.changedFiles(pr)
	return commits
}

// changedFiles are as many files as the Snapshot counts, with its paths as far as they go. More
// paths than files are the two names of renamed ones.
func (b *caseBuilder) changedFiles(pr snapshot.PullRequest) []File {
	paths := slices.Compact(slices.Sorted(slices.Values(pr.ChangedPaths)))
	count := len(paths)
	if pr.ChangedFiles != nil {
		count = *pr.ChangedFiles
	}
	if len(paths) > 2*count || count > maxFiles {
		b.fail("%w %d changed paths of %d files", ErrNotShown, len(paths), count)
		return []File{}
	}
	files := []File{}
	for len(paths) > 0 {
		f := File{Path: paths[0]}
		if left := count - len(files); len(paths) > left {
			f.Previous, f.Status, paths = paths[1], "renamed", paths[1:]
		}
		files, paths = append(files, f), paths[1:]
	}
	for i := len(files); i < count; i++ {
		files = append(files, File{Path: fmt.Sprintf("more/%d", i)})
	}
	b.headProfile(files)
	return files
}
