package checkout

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/evidence-gate/evidence-gate/internal/github"
)

// head is what the checked-out branch may be called on GitHub.
type head struct {
	repo     github.Repo // zero: a repository of any remote
	branch   string
	upstream bool // it is what the branch follows, which may be the branch that it started from
}

// setHeads decides which branches of which repositories the local branch may be.
func (p *Place) setHeads(t *tree, remotes []remote) error {
	if t.branch == "" {
		return fmt.Errorf("no branch is checked out (the checkout is at %.12s): name the pull request with --pr N", t.commit)
	}
	for _, name := range []string{t.ofBranch("pushremote"), t.settings["remote.pushdefault"], t.ofBranch("remote")} {
		if r, ok := byName(remotes, name); ok {
			p.addHead(head{repo: r.push.repo, branch: t.branch})
			break
		}
	}
	if merge, ok := strings.CutPrefix(t.ofBranch("merge"), "refs/heads/"); ok && merge != t.branch {
		if r, ok := byName(remotes, t.ofBranch("remote")); ok {
			p.addHead(head{repo: r.push.repo, branch: merge, upstream: true})
		}
	}
	p.addHead(head{branch: t.branch})
	for _, r := range remotes {
		p.own = append(p.own, r.push.repo, r.fetch.repo)
	}
	return nil
}

func (p *Place) addHead(h head) { p.heads = append(p.heads, h) }

// byName is the remote of that name, or the repository of that address: git knows both.
func byName(remotes []remote, name string) (remote, bool) {
	if i := slices.IndexFunc(remotes, func(r remote) bool { return r.name == name }); i >= 0 {
		return remotes[i], true
	}
	at, ok := locate(name, func(u *url.URL) *url.URL { return u })
	return remote{name: name, fetch: at, push: at}, ok
}

var pullRef = regexp.MustCompile(`^refs/pull/(\d+)/(head|merge)$`)

// pullRequest is the one that `gh pr checkout` noted for the branch, when it could not note a
// branch to push to.
func (t *tree) pullRequest(remotes []remote) (noted struct {
	Number int
	Bases  []github.Repo
}) {
	m := pullRef.FindStringSubmatch(t.ofBranch("merge"))
	r, ok := byName(remotes, t.ofBranch("remote"))
	if m == nil || !ok {
		return noted
	}
	if n, err := strconv.Atoi(m[1]); err == nil {
		noted.Number, noted.Bases = n, []github.Repo{r.fetch.repo}
	}
	return noted
}

// Finder looks pull requests up by their branch; *github.Client is one.
type Finder interface {
	PullRequestsOfBranch(ctx context.Context, repo github.Repo, branch string) (github.BranchPulls, error)
}

// mostLookups bounds the requests that are made at once to find one pull request.
const mostLookups = 8

// lookup is one request of a search.
type lookup struct {
	base   github.Repo
	branch string
	found  github.BranchPulls
	err    error
}

// PullRequest is the pull request that the checkout means, with the repository that it is of. When
// only the branch is known it is asked for: in every repository that it may be of, at once.
func (p Place) PullRequest(ctx context.Context, f Finder) (github.Repo, int, error) {
	if p.Number > 0 {
		return p.Bases[0], p.Number, nil
	}
	lookups, err := p.lookups()
	if err != nil {
		return github.Repo{}, 0, err
	}
	var all sync.WaitGroup
	for i := range lookups {
		all.Go(func() {
			l := &lookups[i]
			l.found, l.err = f.PullRequestsOfBranch(ctx, l.base, l.branch)
		})
	}
	all.Wait()
	answered := lookups[:0:0]
	var lost error
	for _, l := range lookups {
		switch {
		case l.err == nil:
			answered = append(answered, l)
		case github.KindOf(l.err) != github.NotFound:
			return github.Repo{}, 0, l.err
		case lost == nil:
			lost = l.err
		}
	}
	if len(answered) == 0 {
		return github.Repo{}, 0, lost
	}
	return p.choose(answered)
}

func (p Place) lookups() ([]lookup, error) {
	var lookups []lookup
	for _, base := range p.Bases {
		for _, h := range p.heads {
			if !slices.ContainsFunc(lookups, func(l lookup) bool { return l.base == base && l.branch == h.branch }) {
				lookups = append(lookups, lookup{base: base, branch: h.branch})
			}
		}
	}
	if len(lookups) > mostLookups {
		return nil, fmt.Errorf("the checkout has remotes of %d repositories: say which the pull request is of with --repo OWNER/NAME", len(p.Bases))
	}
	return lookups, nil
}

// candidate is a pull request that may be meant.
type candidate struct {
	repo   github.Repo
	number int
}

func (c candidate) String() string { return fmt.Sprintf("%s#%d", c.repo, c.number) }

// choose takes the likeliest name of the branch that has an open pull request; when none has, the
// newest that has ended.
func (p Place) choose(lookups []lookup) (github.Repo, int, error) {
	for _, states := range [][]string{{"open"}, {"closed", "merged"}} {
		for _, h := range p.heads {
			found := p.matching(lookups, h, states)
			if len(found) > 1 && states[0] == "open" {
				return github.Repo{}, 0, fmt.Errorf("several open pull requests are from the branch %q (%s): say which with --repo OWNER/NAME and --pr N", h.branch, listed(found))
			}
			if len(found) > 0 {
				return found[0].repo, found[0].number, nil
			}
		}
	}
	return github.Repo{}, 0, p.none(lookups)
}

func (p Place) none(lookups []lookup) error {
	var bases []string
	for _, l := range lookups {
		if name := l.found.Repository.String(); !slices.Contains(bases, name) {
			bases = append(bases, name)
		}
	}
	where := strings.Join(bases, " or ")
	if len(lookups) > 0 && lookups[0].found.DefaultBranch == p.branch {
		return fmt.Errorf("%s has no pull request from its default branch %q: check out the pull request's branch, or name it with --pr N", where, p.branch)
	}
	return fmt.Errorf("%s has no pull request from the branch %q: push the branch and open one, or name it with --pr N, and with --repo OWNER/NAME when it is of another repository", where, p.branch)
}

func (p Place) matching(lookups []lookup, h head, states []string) []candidate {
	var found []candidate
	for _, l := range lookups {
		if l.branch != h.branch || h.upstream && h.branch == l.found.DefaultBranch {
			continue // what a branch started from is not the branch
		}
		if states[0] != "open" && h.branch == l.found.DefaultBranch {
			continue
		}
		for _, pull := range l.found.Pulls {
			c := candidate{l.found.Repository, pull.Number}
			if slices.Contains(states, pull.State) && p.fits(lookups, h, pull) && !slices.Contains(found, c) {
				found = append(found, c)
			}
		}
	}
	return found
}

// fits says whether the pull request's head is in the repository that the branch is pushed to.
func (p Place) fits(lookups []lookup, h head, pull github.BranchPull) bool {
	repos := p.own
	if h.repo != (github.Repo{}) {
		repos = []github.Repo{h.repo}
	}
	return slices.ContainsFunc(repos, func(r github.Repo) bool { return strings.EqualFold(present(lookups, r), pull.HeadRepository) })
}

// present is the name that a repository has now: remotes keep the name from before a rename.
func present(lookups []lookup, r github.Repo) string {
	for _, l := range lookups {
		if strings.EqualFold(l.base.String(), r.String()) {
			return l.found.Repository.String()
		}
	}
	return r.String()
}

func listed(found []candidate) string {
	var names []string
	for _, c := range found {
		names = append(names, c.String())
	}
	return strings.Join(names, ", ")
}
