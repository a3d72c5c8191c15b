package checkout

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/cli/go-gh/v2/pkg/ssh"

	"github.com/evidence-gate/evidence-gate/internal/github"
)

// located is a repository with its host.
type located struct {
	host string
	repo github.Repo
}

// remote is a remote that leads to a repository. Most push where they fetch.
type remote struct {
	name     string
	fetch    located
	push     located
	resolved string // what `gh repo set-default` chose: "base", or another repository
}

// parseRemotes reads `git remote --verbose`, the likeliest base first.
func parseRemotes(text string, settings map[string]string) []remote {
	var remotes []remote
	translate := translator()
	for line := range strings.SplitSeq(text, "\n") {
		name, rest, _ := strings.Cut(line, "\t")
		address, direction, _ := cutLast(rest, " (")
		at, ok := locate(address, translate)
		if name == "" || !ok {
			continue
		}
		i := slices.IndexFunc(remotes, func(r remote) bool { return r.name == name })
		if i < 0 {
			remotes = append(remotes, remote{name: name, resolved: settings["remote."+name+".gh-resolved"]})
			i = len(remotes) - 1
		}
		if strings.HasPrefix(direction, "push") {
			remotes[i].push = at
		} else {
			remotes[i].fetch = at
		}
	}
	remotes = slices.DeleteFunc(remotes, func(r remote) bool { return r.fetch == (located{}) })
	for i := range remotes {
		if remotes[i].push == (located{}) {
			remotes[i].push = remotes[i].fetch
		}
	}
	slices.SortStableFunc(remotes, func(a, b remote) int { return rank(a.name) - rank(b.name) })
	return remotes
}

// cutLast cuts around the last separator. A partial clone has "[blob:none]" behind the direction.
func cutLast(s, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return s, "", false
}

// usual names of remotes in the order in which gh takes them for the base.
var usual = []string{"upstream", "github", "origin"}

func rank(name string) int {
	if i := slices.Index(usual, strings.ToLower(name)); i >= 0 {
		return i
	}
	return len(usual)
}

func usualName(name string) bool { return rank(name) < len(usual) }

// locate reads the address of a remote.
func locate(address string, translate func(*url.URL) *url.URL) (located, bool) {
	u, ok := parseURL(address)
	if !ok {
		return located{}, false
	}
	host, repo, ok := ofURL(translate(u))
	return located{host, repo}, ok
}

var scpForm = regexp.MustCompile(`^(?:[^@/:\s]+@)?([A-Za-z0-9][A-Za-z0-9._-]*):(.+)$`)

// parseURL reads an address as git does, "git@host:owner/name" among them.
func parseURL(address string) (*url.URL, bool) {
	if !strings.Contains(address, "://") {
		m := scpForm.FindStringSubmatch(address)
		if m == nil {
			return nil, false
		}
		address = "ssh://" + m[1] + "/" + strings.TrimPrefix(m[2], "/")
	}
	u, err := url.Parse(address)
	if err != nil {
		return nil, false
	}
	u.Scheme = strings.TrimPrefix(u.Scheme, "git+")
	return u, slices.Contains([]string{"ssh", "git", "http", "https"}, u.Scheme) && hostForm.MatchString(u.Hostname())
}

// hostForm keeps anything but a host name from becoming an argument of ssh.
var hostForm = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$`)

func ofURL(u *url.URL) (string, github.Repo, bool) {
	path := strings.TrimSuffix(strings.Trim(u.Path, "/"), ".git")
	repo, err := github.ParseRepo(path)
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	if host == "ssh.github.com" {
		host = githubCom
	}
	return host, repo, err == nil
}

// translator resolves the host aliases of ssh's configuration. Hosts that cannot be one are not
// asked about.
func translator() func(*url.URL) *url.URL {
	translate := ssh.NewTranslator()
	return func(u *url.URL) *url.URL {
		if host := strings.ToLower(u.Hostname()); u.Scheme != "ssh" || host == githubCom || host == "ssh."+githubCom {
			return u
		}
		return translate.Translate(u)
	}
}

// on are the remotes that lead to one of the hosts, and the one host that they lead to.
func (t *tree) on(hosts hosts) ([]remote, string, error) {
	var found []remote
	host := ""
	for _, r := range t.remotes {
		if !hosts.have(r.fetch.host) {
			continue
		}
		if host != "" && r.fetch.host != host {
			return nil, "", fmt.Errorf("the remotes lead to several hosts (%s): say which with --repo HOST/OWNER/NAME, or set GH_HOST", list(t.remotes))
		}
		host = r.fetch.host
		found = append(found, r)
	}
	switch {
	case len(found) > 0:
		return found, host, nil
	case len(t.remotes) == 0:
		return nil, "", fmt.Errorf("the checkout has no remote that leads to GitHub: add one, or name the pull request with --repo OWNER/NAME and --pr N")
	}
	return nil, "", fmt.Errorf("no remote leads to %s (%s): name the repository with --repo [HOST/]OWNER/NAME, or log in to that host with gh auth login --hostname HOST", hosts, list(t.remotes))
}

// list names remotes for a message.
func list(remotes []remote) string {
	const most = 6
	var names []string
	for i, r := range remotes {
		if i == most {
			names = append(names, "…")
			break
		}
		names = append(names, fmt.Sprintf("%s: %s/%s", github.Plain(r.name), r.fetch.host, r.fetch.repo))
	}
	return strings.Join(names, ", ")
}

func distinct(remotes []remote) []github.Repo {
	var repos []github.Repo
	for _, r := range remotes {
		if !slices.ContainsFunc(repos, func(o github.Repo) bool { return strings.EqualFold(o.String(), r.fetch.repo.String()) }) {
			repos = append(repos, r.fetch.repo)
		}
	}
	return repos
}
