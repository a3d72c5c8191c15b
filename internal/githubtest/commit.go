package githubtest

import (
	"time"
)

// Commit describes a commit to make. Zero members are filled in.
type Commit struct {
	SHA     string
	Message string
	// Authors are the logins of author and co-authors; one that contains "@" is the mail address of
	// somebody without an account.
	Authors   []string
	Committer string // login; the first author when empty
	At        time.Time
	Files     []File // changed files; one made-up file when nil
}

// File is a changed file of a commit. What it holds afterwards can be read at the commit and at
// those that come after it.
type File struct {
	Path     string
	Previous string // old name of a renamed file
	Status   string // added, modified, removed, renamed; modified when empty
	Text     string
}

type gitActor struct {
	account *account
	email   string
	name    string
}

type commit struct {
	sha       string
	message   string
	authors   []gitActor
	committer gitActor
	at        time.Time
	files     []File
	tree      tree
}

// AddCommit adds a commit that no branch points at, and returns its id.
func (r *Repository) AddCommit(c Commit) string {
	var sha string
	r.world.change(func() { sha = r.addCommit(c, "").sha })
	return sha
}

// addCommit adds a commit on top of another one; it has no parent when that is unknown.
func (r *Repository) addCommit(c Commit, parent string) *commit {
	if c.SHA == "" {
		c.SHA = r.world.newSHA()
	}
	if known := r.commits[c.SHA]; known != nil {
		return known
	}
	if c.Message == "" {
		c.Message = "Change things"
	}
	if c.At.IsZero() {
		c.At = r.world.now()
	}
	if c.Files == nil {
		c.Files = []File{{Path: "src/main.go"}}
	}
	added := &commit{sha: c.SHA, message: c.Message, at: c.At.UTC(), files: c.Files}
	for _, author := range c.Authors {
		added.authors = append(added.authors, r.world.gitActor(author))
	}
	if len(added.authors) == 0 {
		added.authors = []gitActor{r.world.gitActor("somebody@example.com")}
	}
	added.committer = added.authors[0]
	if c.Committer != "" {
		added.committer = r.world.gitActor(c.Committer)
	}
	if onto := r.commits[parent]; onto != nil {
		added.tree = onto.tree
	}
	added.tree = added.tree.with(c.Files)
	r.commits[c.SHA] = added
	return added
}

func (w *World) gitActor(loginOrMail string) gitActor {
	for i := range loginOrMail {
		if loginOrMail[i] == '@' {
			return gitActor{email: loginOrMail, name: loginOrMail[:i]}
		}
	}
	a := w.account(loginOrMail)
	return gitActor{account: a, name: a.login, email: a.login + "@users.noreply.github.com"}
}

// user is the account of a commit's author, nil when there is none (any more).
func (g gitActor) user() *account {
	if g.account == nil || g.account.deleted || g.account.kind != "User" {
		return nil
	}
	return g.account
}
