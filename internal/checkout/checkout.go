// Package checkout knows what a folder on somebody's machine means on GitHub: which host, which
// repository, which pull request, and with which token to ask (design section 15). It reads git's
// configuration, gh's, and the environment; asking GitHub is left to package internal/github.
package checkout

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/cli/go-gh/v2/pkg/auth"
	"github.com/cli/go-gh/v2/pkg/config"

	"github.com/evidence-gate/evidence-gate/internal/github"
)

// Surroundings are where the answers come from.
type Surroundings struct {
	Dir    string // the folder to look at; the current one when empty
	Getenv func(string) string

	// Token and Hosts are gh's: the token for a host with the name of its source, and the hosts
	// that gh is logged in to. Nil: those of go-gh, which reads the process's own environment.
	Token func(host string) (token, source string)
	Hosts func() []string
	// Broken names a file of gh's that cannot be read, empty when there is none. Nil: go-gh is asked.
	Broken func() string
}

func (s Surroundings) withDefaults() Surroundings {
	if s.Getenv == nil {
		s.Getenv = os.Getenv
	}
	if s.Token == nil {
		s.Token = auth.TokenForHost
	}
	if s.Hosts == nil {
		s.Hosts = auth.KnownHosts
	}
	if s.Broken == nil {
		s.Broken = brokenFile
	}
	return s
}

// brokenFile names the file of gh's configuration that go-gh passes over in silence. What is wrong
// with it is not said: it may quote the file, and tokens stand there.
func brokenFile() string {
	_, err := config.Read(nil)
	var invalid *config.InvalidConfigFileError
	var closed *fs.PathError
	switch {
	case errors.As(err, &invalid):
		return invalid.Path
	case errors.As(err, &closed):
		return closed.Path
	}
	return ""
}

// passedOver adds to the end of a message that a file was not read which may hold what is missing.
func (s Surroundings) passedOver() string {
	if name := s.Broken(); name != "" {
		return fmt.Sprintf("; gh's own file %s could not be read: repair it, or log in anew", github.Plain(name))
	}
	return ""
}

// Misused is a mistake in what the command line says outright, with the form to write.
type Misused struct{ message string }

func (m *Misused) Error() string { return m.message }

// Asked is what the command line says outright. Zero members are to be found out.
type Asked struct {
	Repository  string // [HOST/]OWNER/NAME
	PullRequest int
}

// Place is what a checkout means: where to ask, and for which pull request.
type Place struct {
	Server Server
	Bases  []github.Repo // repositories that the pull request may be of, the likeliest first
	Number int           // of the pull request; 0: it is found by the branch

	branch string        // the local branch
	commit string        // the local head; empty outside a checkout
	heads  []head        // what the branch may be called on GitHub, the likeliest first
	own    []github.Repo // of the remotes
}

// Commit is the commit that is checked out, empty when there is none.
func (p Place) Commit() string { return p.commit }

// Locate reads the checkout. It asks nobody on the network.
func Locate(ctx context.Context, s Surroundings, asked Asked) (Place, error) {
	s = s.withDefaults()
	var place Place
	wanted, err := s.wanted(asked)
	if err != nil {
		return place, err
	}
	place.Number = asked.PullRequest
	tree, treeErr := readTree(ctx, s.Dir)
	if treeErr == nil {
		place.commit, place.branch = tree.commit, tree.branch
	}
	if wanted.repo != (github.Repo{}) {
		place.Bases = []github.Repo{wanted.repo}
		if place.Number == 0 && treeErr != nil {
			return place, fmt.Errorf("%w; or name the pull request with --pr N", treeErr)
		}
	} else if treeErr != nil {
		return place, fmt.Errorf("%w; or name both with --repo OWNER/NAME and --pr N", treeErr)
	}
	hosts := s.hosts(wanted.host)
	remotes, host, err := tree.on(hosts)
	if err != nil && wanted.repo == (github.Repo{}) {
		return place, fmt.Errorf("%w%s", err, s.passedOver())
	}
	if place.Server, err = s.server(first(wanted.host, host, hosts.only())); err != nil {
		return place, err
	}
	if err := place.setBases(tree, remotes); err != nil {
		return place, err
	}
	if place.Number == 0 {
		err = place.setHeads(tree, remotes)
	}
	return place, err
}

// wanted is the repository that somebody named, in the flag or in GH_REPO.
type wanted struct {
	host string
	repo github.Repo
}

func (s Surroundings) wanted(asked Asked) (wanted, error) {
	if text := asked.Repository; text != "" {
		w, err := parseWanted(text)
		if err != nil {
			return w, &Misused{"--repo: " + err.Error()}
		}
		return w, nil
	}
	text := s.Getenv("GH_REPO")
	if text == "" {
		return wanted{}, nil
	}
	w, err := parseWanted(text)
	if err != nil {
		return w, fmt.Errorf("GH_REPO: %w", err)
	}
	return w, nil
}

// parseWanted reads [HOST/]OWNER/NAME, or the address of a repository. The error shows no password.
func parseWanted(text string) (wanted, error) {
	w := wanted{}
	rest := text
	if u, ok := parseURL(text); ok && strings.Contains(text, ":") {
		host, repo, found := ofURL(u)
		if !found {
			return w, errForm(text)
		}
		return wanted{host, repo}, nil
	}
	if strings.Count(text, "/") == 2 {
		w.host, rest, _ = strings.Cut(text, "/")
		w.host = strings.ToLower(w.host)
	}
	repo, err := github.ParseRepo(rest)
	if err != nil || w.host == "" && strings.Count(text, "/") == 2 {
		return w, errForm(text)
	}
	w.repo = repo
	return w, nil
}

func errForm(found string) error {
	return fmt.Errorf("expected OWNER/NAME, with the host before it for an Enterprise Server (HOST/OWNER/NAME), found %q", github.Plain(github.HideAddress(found)))
}

// setBases decides which repositories the pull request may be of.
func (p *Place) setBases(t *tree, remotes []remote) error {
	if len(p.Bases) > 0 {
		return nil
	}
	for _, r := range remotes {
		if r.resolved == "base" {
			p.Bases = []github.Repo{r.fetch.repo}
			return nil
		}
		if repo, err := github.ParseRepo(r.resolved); err == nil {
			p.Bases = []github.Repo{repo}
			return nil
		}
	}
	p.Bases = distinct(remotes)
	if n := t.pullRequest(remotes); p.Number == 0 && n.Number > 0 {
		p.Number, p.Bases = n.Number, n.Bases
	}
	if p.Number > 0 && len(p.Bases) > 1 {
		if !usualName(remotes[0].name) {
			return fmt.Errorf("the checkout has several remotes (%s): say whose pull request is meant with --repo OWNER/NAME", list(remotes))
		}
		p.Bases = p.Bases[:1]
	}
	return nil
}

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}
