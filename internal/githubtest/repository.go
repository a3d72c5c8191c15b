package githubtest

import (
	"strings"
	"time"
)

// RepositoryOptions describe a new repository. The zero value is a private repository of an
// organization with the default branch main and the app installed.
type RepositoryOptions struct {
	DefaultBranch string
	Public        bool
	UserOwned     bool // the owner is a user rather than an organization
	NotInstalled  bool // the app's installation does not cover it
}

// Repository is one repository.
type Repository struct {
	world        *World
	id           int64
	owner        *account
	name         string
	public       bool
	parent       *Repository // set in forks
	notInstalled bool
	deleted      bool
	archived     bool
	formerNames  []string
	createdAt    time.Time

	defaultBranch string
	branches      map[string]string
	roles         map[*account]string
	labels        map[string]*label
	commits       map[string]*commit
	issues        map[int]*Issue
	pulls         map[int]*PullRequest
	lastNumber    int
	suites        []*checkSuite
	checkRuns     []*checkRun
	statuses      []*commitStatus
}

type label struct {
	id    int64
	name  string
	color string
}

// AddRepository makes a repository from its full name "owner/name" with one commit on its default
// branch, and installs the app on its owner unless told not to.
func (w *World) AddRepository(fullName string, o RepositoryOptions) *Repository {
	var r *Repository
	w.change(func() { r = w.addRepository(fullName, o) })
	return r
}

func (w *World) addRepository(fullName string, o RepositoryOptions) *Repository {
	ownerLogin, name, _ := strings.Cut(fullName, "/")
	owner := w.account(ownerLogin)
	if !o.UserOwned && owner.kind == "User" {
		owner.kind = "Organization"
	}
	if o.DefaultBranch == "" {
		o.DefaultBranch = "main"
	}
	r := &Repository{
		world: w, id: w.nextID("repository"), owner: owner, name: name, public: o.Public,
		notInstalled: o.NotInstalled, createdAt: w.now(), defaultBranch: o.DefaultBranch,
		branches: map[string]string{}, roles: map[*account]string{}, labels: map[string]*label{},
		commits: map[string]*commit{}, issues: map[int]*Issue{}, pulls: map[int]*PullRequest{},
	}
	if o.UserOwned {
		r.roles[owner] = "admin"
	}
	r.branches[o.DefaultBranch] = r.addCommit(Commit{Message: "Initial commit", Authors: []string{ownerLogin}}, "").sha
	w.repositories = append(w.repositories, r)
	w.nodes[nodeID("R", r.id)] = r
	if !o.NotInstalled {
		w.install(owner)
	}
	return r
}

// Fork makes a fork for another owner, on which the app is not installed.
func (r *Repository) Fork(owner string) *Repository {
	var fork *Repository
	r.world.change(func() { fork = r.fork(owner) })
	return fork
}

func (r *Repository) fork(owner string) *Repository {
	if existing := r.world.repository(owner + "/" + r.name); existing != nil {
		return existing
	}
	fork := r.world.addRepository(owner+"/"+r.name, RepositoryOptions{
		DefaultBranch: r.defaultBranch, Public: r.public, UserOwned: true, NotInstalled: true,
	})
	fork.parent = r
	fork.commits = r.commits // one object store for the whole network, as on GitHub
	for name, sha := range r.branches {
		fork.branches[name] = sha
	}
	return fork
}

// ID is the repository's id.
func (r *Repository) ID() int64 { return r.id }

// FullName is "owner/name" as it is now.
func (r *Repository) FullName() string { return look(r.world, r.fullName) }

func (r *Repository) fullName() string { return r.owner.login + "/" + r.name }

// Delete deletes the repository. Pull requests from it elsewhere stay, their head repository is
// null from then on.
func (r *Repository) Delete() { r.world.change(func() { r.deleted = true }) }

// Rename gives the repository another name; requests for the old one are redirected (REST) or
// followed (GraphQL).
func (r *Repository) Rename(name string) {
	r.world.change(func() {
		r.formerNames = append(r.formerNames, r.fullName())
		r.name = name
	})
}

// SetRole gives an account a role: admin, maintain, write, triage, read, none, or a custom role.
func (r *Repository) SetRole(login, role string) {
	r.world.change(func() { r.roles[r.world.account(login)] = role })
}

// role is the account's role: what was set, the base of a custom one, or read on a public
// repository.
func (r *Repository) role(a *account) string {
	if base := r.world.customRoles[r.roles[a]]; base != "" {
		return base
	}
	if role := r.roles[a]; role != "" {
		return role
	}
	if r.public {
		return "read"
	}
	return "none"
}

// SetDefaultBranch makes another branch the default one; it must exist.
func (r *Repository) SetDefaultBranch(name string) {
	r.world.change(func() { r.defaultBranch = name })
}

// Branch is the commit that a branch points at, "" when there is no such branch.
func (r *Repository) Branch(name string) string {
	return look(r.world, func() string { return r.branches[name] })
}

// PushBranch adds a commit to a branch, making the branch when there is none, and returns its id.
// Pull requests whose head is that branch follow, as after any push.
func (r *Repository) PushBranch(actor, branch string, c Commit) string {
	var sha string
	r.world.change(func() {
		if len(c.Authors) == 0 {
			c.Authors = []string{actor}
		}
		parent := r.branches[branch]
		if parent == "" {
			parent = r.branches[r.defaultBranch]
		}
		sha = r.addCommit(c, parent).sha
		r.moveBranch(r.world.account(actor), branch, sha, false)
	})
	return sha
}

// SetFile writes a file on a branch by a commit of its own and returns the commit's id.
func (r *Repository) SetFile(branch, path, text string) string {
	return r.PushBranch(r.owner.login, branch, Commit{Files: []File{{Path: path, Text: text}}})
}

// RemoveFile removes a file from a branch by a commit of its own and returns the commit's id.
func (r *Repository) RemoveFile(branch, path string) string {
	return r.PushBranch(r.owner.login, branch, Commit{Files: []File{{Path: path, Status: "removed"}}})
}

// CreateBranch makes a branch at a commit.
func (r *Repository) CreateBranch(name, sha string) {
	r.world.change(func() { r.branches[name] = sha })
}

func (r *Repository) label(name string) *label {
	l := r.labels[strings.ToLower(name)]
	if l == nil {
		l = &label{id: r.world.nextID("label"), name: name, color: "ededed"}
		r.labels[strings.ToLower(name)] = l
	}
	return l
}

func (r *Repository) nextNumber() int {
	r.lastNumber++
	return r.lastNumber
}
