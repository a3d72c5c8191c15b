package checkout

import (
	"context"

	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/github"
)

// folder makes a checkout with one commit; setup are git command lines, a space between words.
func folder(t *testing.T, setup ...string) string {
	t.Helper()
	dir := t.TempDir()
	run := func(args ...string) {
		command := exec.Command("git", args...)
		command.Dir = dir
		command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
			"GIT_AUTHOR_NAME=eng", "GIT_AUTHOR_EMAIL=eng@example.com", "GIT_COMMITTER_NAME=eng", "GIT_COMMITTER_EMAIL=eng@example.com")
		out, err := command.CombinedOutput()
		require.NoError(t, err, "git %v: %s", args, out)
	}
	run("init", "--quiet", "--initial-branch", "main")
	run("commit", "--quiet", "--allow-empty", "--message", "first")
	for _, line := range setup {
		run(strings.Fields(line)...)
	}
	return dir
}

func surroundings(dir string, environment map[string]string) Surroundings {
	return Surroundings{
		Dir: dir, Getenv: func(name string) string { return environment[name] },
		Token: func(host string) (string, string) {
			if token := environment["token of "+host]; token != "" {
				return token, "oauth_token"
			}
			return "", "default"
		},
		Hosts: func() []string { return strings.Fields(environment["hosts"]) },
	}
}

const (
	origin = "remote add origin https://github.com/acme/widgets.git"
	mine   = "remote add eng git@github.com:eng/widgets.git"
)

var signedIn = map[string]string{"token of github.com": "gho_1"}

// pulls is a GitHub that knows pull requests by "base branch".
type pulls map[string]github.BranchPulls

func (p pulls) PullRequestsOfBranch(_ context.Context, repo github.Repo, branch string) (github.BranchPulls, error) {
	found, ok := p[repo.String()+" "+branch]
	if !ok {
		if known, ok := p[repo.String()]; ok {
			return known, nil
		}
		return github.BranchPulls{}, &github.Error{Kind: github.NotFound, Message: repo.String() + ": no such thing"}
	}
	if found.Repository == (github.Repo{}) {
		found.Repository = repo
	}
	found.DefaultBranch = "main"
	return found, nil
}

func open(number int, head string) github.BranchPull {
	return github.BranchPull{Number: number, State: "open", HeadRepository: head}
}

func ended(number int, head string) github.BranchPull {
	return github.BranchPull{Number: number, State: "closed", HeadRepository: head}
}

func listing(list ...github.BranchPull) github.BranchPulls { return github.BranchPulls{Pulls: list} }

func TestThePullRequestOfACheckout(t *testing.T) {
	t.Parallel()
	acme := github.BranchPulls{Repository: github.Repo{Owner: "acme", Name: "widgets"}, DefaultBranch: "main"}
	for _, c := range []struct {
		name    string
		setup   []string
		asked   Asked
		github  pulls
		want    string // repository and number
		refused string
	}{
		{
			name:   "by the name of the branch",
			setup:  []string{origin, "checkout --quiet -b dark"},
			github: pulls{"acme/widgets dark": listing(open(42, "acme/widgets"))},
			want:   "acme/widgets 42",
		},
		{
			name:   "not that of another fork with a branch of the same name",
			setup:  []string{origin, "checkout --quiet -b dark"},
			github: pulls{"acme/widgets dark": listing(open(41, "stranger/widgets"), open(42, "acme/widgets"), open(43, ""))},
			want:   "acme/widgets 42",
		},
		{
			name:   "from a fork: the base is the other remote",
			setup:  []string{origin, mine, "checkout --quiet -b dark", "config branch.dark.remote eng", "config branch.dark.merge refs/heads/dark"},
			github: pulls{"acme/widgets dark": listing(open(41, "acme/widgets"), open(42, "eng/widgets")), "eng/widgets": {Repository: github.Repo{Owner: "eng", Name: "widgets"}}},
			want:   "acme/widgets 42",
		},
		{
			name:   "from a fork that is called origin, with pushes by default there",
			setup:  []string{"remote add upstream ssh://git@github.com/acme/widgets", "remote add origin git@github.com:eng/widgets.git", "checkout --quiet -b dark", "config branch.dark.remote upstream", "config branch.dark.merge refs/heads/main", "config remote.pushDefault origin"},
			github: pulls{"acme/widgets dark": listing(open(42, "eng/widgets")), "acme/widgets": acme, "eng/widgets": {Repository: github.Repo{Owner: "eng", Name: "widgets"}}},
			want:   "acme/widgets 42",
		},
		{
			name:   "a fork to which one remote pushes",
			setup:  []string{origin, "remote set-url --push origin git@github.com:eng/widgets.git", "checkout --quiet -b dark", "config branch.dark.remote origin", "config branch.dark.merge refs/heads/dark"},
			github: pulls{"acme/widgets dark": listing(open(41, "acme/widgets"), open(42, "eng/widgets"))},
			want:   "acme/widgets 42",
		},
		{
			name:   "the branch has another name on GitHub",
			setup:  []string{origin, mine, "checkout --quiet -b review", "config branch.review.remote eng", "config branch.review.merge refs/heads/patch-1"},
			github: pulls{"acme/widgets": acme, "acme/widgets patch-1": listing(open(42, "eng/widgets")), "eng/widgets": {Repository: github.Repo{Owner: "eng", Name: "widgets"}}},
			want:   "acme/widgets 42",
		},
		{
			name:    "what the branch started from is not the branch",
			setup:   []string{origin, "checkout --quiet -b dark", "config branch.dark.remote origin", "config branch.dark.merge refs/heads/main"},
			github:  pulls{"acme/widgets": acme, "acme/widgets main": listing(open(7, "acme/widgets"))},
			refused: `acme/widgets has no pull request from the branch "dark": push the branch and open one, or name it with --pr N`,
		},
		{
			name:   "checked out by gh without a branch to push to",
			setup:  []string{origin, mine, "checkout --quiet -b review", "config branch.review.remote https://github.com/acme/widgets.git", "config branch.review.merge refs/pull/42/head"},
			github: pulls{},
			want:   "acme/widgets 42",
		},
		{
			name:   "checked out by gh from a fork without a remote",
			setup:  []string{origin, "checkout --quiet -b dark", "config branch.dark.remote https://github.com/eng/widgets.git", "config branch.dark.merge refs/heads/dark"},
			github: pulls{"acme/widgets dark": listing(open(41, "acme/widgets"), open(42, "eng/widgets"))},
			want:   "acme/widgets 42",
		},
		{
			name:   "renamed since the remote was added",
			setup:  []string{"remote add origin https://github.com/acme/gadgets.git", "checkout --quiet -b dark"},
			github: pulls{"acme/gadgets dark": {Repository: acme.Repository, Pulls: []github.BranchPull{open(42, "acme/widgets")}}},
			want:   "acme/widgets 42",
		},
		{
			name:   "the newest that has ended, when none is open",
			setup:  []string{origin, "checkout --quiet -b dark"},
			github: pulls{"acme/widgets dark": listing(ended(42, "acme/widgets"), ended(40, "acme/widgets"))},
			want:   "acme/widgets 42",
		},
		{
			name:    "but none that was opened from the default branch long ago",
			setup:   []string{origin},
			github:  pulls{"acme/widgets main": listing(ended(42, "acme/widgets"))},
			refused: `no pull request from its default branch "main": check out the pull request's branch, or name it with --pr N`,
		},
		{
			name:    "two open ones",
			setup:   []string{origin, "checkout --quiet -b dark"},
			github:  pulls{"acme/widgets dark": listing(open(43, "acme/widgets"), open(42, "acme/widgets"))},
			refused: `several open pull requests are from the branch "dark" (acme/widgets#43, acme/widgets#42): say which`,
		},
		{
			name:   "a remote that the token may not see does not matter",
			setup:  []string{origin, "remote add mirror https://github.com/secret/widgets", "checkout --quiet -b dark"},
			github: pulls{"acme/widgets dark": listing(open(42, "acme/widgets"))},
			want:   "acme/widgets 42",
		},
		{
			name:    "no repository that the token may see",
			setup:   []string{origin, "checkout --quiet -b dark"},
			github:  pulls{},
			refused: "acme/widgets: no such thing",
		},
		{
			name:   "a base that gh was told",
			setup:  []string{origin, mine, "config remote.eng.gh-resolved base", "checkout --quiet -b dark"},
			github: pulls{"eng/widgets dark": listing(open(3, "eng/widgets"))},
			want:   "eng/widgets 3",
		},
		{
			name:   "a base that is no remote",
			setup:  []string{mine, "config remote.eng.gh-resolved acme/widgets", "checkout --quiet -b dark"},
			github: pulls{"acme/widgets dark": listing(open(42, "eng/widgets"))},
			want:   "acme/widgets 42",
		},
		{
			name:   "a repository on the command line",
			setup:  []string{mine, "checkout --quiet -b dark"},
			asked:  Asked{Repository: "acme/widgets"},
			github: pulls{"acme/widgets dark": listing(open(42, "eng/widgets"))},
			want:   "acme/widgets 42",
		},
		{name: "a number on the command line", setup: []string{origin}, asked: Asked{PullRequest: 9}, want: "acme/widgets 9"},
		{name: "a number, and a fork", setup: []string{mine, origin}, asked: Asked{PullRequest: 9}, want: "acme/widgets 9"},
		{name: "a detached head and a number", setup: []string{origin, "checkout --quiet --detach"}, asked: Asked{PullRequest: 9}, want: "acme/widgets 9"},
		{
			name:    "a number, and remotes of which none has a usual name",
			setup:   []string{mine, "remote add alice https://github.com/alice/widgets"},
			asked:   Asked{PullRequest: 9},
			refused: "several remotes (alice: github.com/alice/widgets, eng: github.com/eng/widgets): say whose pull request is meant with --repo OWNER/NAME",
		},
		{name: "a detached head", setup: []string{origin, "checkout --quiet --detach"}, refused: "no branch is checked out (the checkout is at "},
		{name: "no remote", refused: "no remote that leads to GitHub: add one, or name the pull request with --repo OWNER/NAME and --pr N"},
		{name: "another host", setup: []string{"remote add origin https://gitlab.com/acme/widgets"}, refused: "no remote leads to github.com (origin: gitlab.com/acme/widgets): name the repository with --repo"},
		{name: "no repository name", asked: Asked{Repository: "widgets"}, refused: `--repo: expected OWNER/NAME, with the host before it for an Enterprise Server (HOST/OWNER/NAME), found "widgets"`},
		{name: "an odd repository name", asked: Asked{Repository: "/acme/widgets"}, refused: "--repo: expected OWNER/NAME"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			place, err := Locate(t.Context(), surroundings(folder(t, c.setup...), signedIn), c.asked)
			if err == nil {
				var repo github.Repo
				var number int
				if repo, number, err = place.PullRequest(t.Context(), c.github); err == nil {
					require.Equal(t, strings.Fields(c.want), []string{repo.String(), strconv.Itoa(number)})
					require.NotEmpty(t, place.Commit())
				}
			}
			if c.refused != "" {
				require.ErrorContains(t, err, c.refused)
				return
			}
			require.NoError(t, err)
		})
	}
}

func TestOutsideACheckout(t *testing.T) {
	t.Parallel()
	s := surroundings(t.TempDir(), map[string]string{"token of github.com": "gho_1"})
	place, err := Locate(t.Context(), s, Asked{Repository: "acme/widgets", PullRequest: 42})
	require.NoError(t, err)
	require.Equal(t, []github.Repo{{Owner: "acme", Name: "widgets"}}, place.Bases)
	require.Equal(t, Server{Host: "github.com", API: "https://api.github.com", Token: "gho_1", TokenFrom: "oauth_token"}, place.Server)
	require.Empty(t, place.Commit())

	_, err = Locate(t.Context(), s, Asked{Repository: "acme/widgets"})
	require.ErrorContains(t, err, "in no git checkout: go to one; or name the pull request with --pr N")
	_, err = Locate(t.Context(), s, Asked{})
	require.ErrorContains(t, err, "in no git checkout: go to one; or name both with --repo OWNER/NAME and --pr N")
}

func TestTooManyRemotes(t *testing.T) {
	t.Parallel()
	setup := []string{"checkout --quiet -b dark"}
	for _, name := range strings.Fields("a b c d e f g h i") {
		setup = append(setup, "remote add "+name+" https://github.com/"+name+"/widgets")
	}
	place, err := Locate(t.Context(), surroundings(folder(t, setup...), signedIn), Asked{})
	require.NoError(t, err)
	_, _, err = place.PullRequest(t.Context(), pulls{})
	require.ErrorContains(t, err, "remotes of 9 repositories: say which")
}

func TestAFailureOfGitHubIsToldAsItIs(t *testing.T) {
	t.Parallel()
	place, err := Locate(t.Context(), surroundings(folder(t, origin, mine, "checkout --quiet -b dark"), signedIn), Asked{})
	require.NoError(t, err)
	expired := &github.Error{Kind: github.Unauthorized, Message: "no"}
	_, _, err = place.PullRequest(t.Context(), failing{expired})
	require.ErrorIs(t, err, expired)
}

type failing struct{ err error }

func (f failing) PullRequestsOfBranch(context.Context, github.Repo, string) (github.BranchPulls, error) {
	return github.BranchPulls{}, f.err
}

func TestServer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		remote      string
		asked       Asked
		environment string // name=value …
		want        Server
		refused     string
	}{
		{name: "github.com", environment: "github.com=a", want: Server{"github.com", "https://api.github.com", "", "a", "oauth_token"}},
		{name: "no token", refused: "there is no token for github.com: run gh auth login, or set GH_TOKEN"},
		{
			name: "an Enterprise Server that gh is logged in to", remote: "https://git.example.com/acme/widgets", environment: "git.example.com=b hosts=git.example.com",
			want: Server{"git.example.com", "https://git.example.com/api/v3", "", "b", "oauth_token"},
		},
		{
			name: "an Enterprise Server by GH_HOST, without a token", remote: "https://git.example.com/acme/widgets", environment: "GH_HOST=git.example.com github.com=a GH_TOKEN=c",
			refused: "there is no token for git.example.com: run gh auth login --hostname git.example.com, or set GH_ENTERPRISE_TOKEN",
		},
		{
			name: "a host on the command line", asked: Asked{Repository: "tenant.ghe.com/acme/widgets"}, environment: "tenant.ghe.com=d",
			want: Server{"tenant.ghe.com", "https://api.tenant.ghe.com", "", "d", "oauth_token"},
		},
		{
			name: "as GitHub Actions sets it", environment: "GITHUB_API_URL=https://api.github.com GITHUB_GRAPHQL_URL=https://api.github.com/graphql GITHUB_TOKEN=ghs",
			want: Server{"github.com", "https://api.github.com", "https://api.github.com/graphql", "ghs", "GITHUB_TOKEN"},
		},
		{
			name: "GitHub Actions of an Enterprise Server", remote: "https://git.example.com/acme/widgets", environment: "GITHUB_API_URL=https://git.example.com/api/v3 GITHUB_TOKEN=ghs",
			want: Server{"git.example.com", "https://git.example.com/api/v3", "", "ghs", "GITHUB_TOKEN"},
		},
		{
			name: "another address takes only a token that was set beside it", environment: "GITHUB_API_URL=https://gateway.example.com github.com=a",
			refused: "there is no token for the address https://gateway.example.com: set GH_TOKEN",
		},
		{
			name: "another address and a token", environment: "GITHUB_API_URL=https://gateway.example.com GH_TOKEN=e",
			want: Server{"github.com", "https://gateway.example.com", "", "e", "GH_TOKEN"},
		},
		{
			name: "gh's token never travels without TLS", environment: "GITHUB_API_URL=http://api.github.com github.com=a",
			refused: "there is no token for the address ",
		},
		{
			name: "gh's token never goes to another GraphQL address", environment: "GITHUB_GRAPHQL_URL=https://evil.example.com/graphql github.com=a",
			refused: "there is no token for the address ",
		},
		{
			name: "an address of another host", asked: Asked{Repository: "git.example.com/acme/widgets"}, environment: "GITHUB_API_URL=https://api.github.com GH_TOKEN=e",
			refused: "GITHUB_API_URL leads to github.com, but the repository is on git.example.com",
		},
		{
			name: "a remote of another host than the address", remote: "https://git.example.com/acme/widgets", environment: "GITHUB_API_URL=https://api.github.com GH_TOKEN=e",
			refused: "no remote leads to github.com (origin: git.example.com/acme/widgets)",
		},
		{name: "a token with a line end", environment: "github.com=a\n", want: Server{"github.com", "https://api.github.com", "", "a", "oauth_token"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			environment := map[string]string{}
			for pair := range strings.SplitSeq(c.environment, " ") {
				name, value, _ := strings.Cut(pair, "=")
				if strings.Contains(name, ".") {
					name = "token of " + name
				}
				environment[name] = value
			}
			remote := c.remote
			if remote == "" {
				remote = "https://github.com/acme/widgets"
			}
			c.asked.PullRequest = 1
			place, err := Locate(t.Context(), surroundings(folder(t, "remote add origin "+remote), environment), c.asked)
			if c.refused != "" {
				require.ErrorContains(t, err, c.refused)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, place.Server)
		})
	}
}

func TestAddressesOfRemotes(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"https://github.com/acme/widgets":            "github.com acme/widgets",
		"https://token@www.github.com/acme/widgets/": "github.com acme/widgets",
		"git@github.com:acme/widgets.git":            "github.com acme/widgets",
		"org-7@github.com:acme/widgets.git":          "github.com acme/widgets",
		"ssh://git@ssh.github.com:443/acme/widgets":  "github.com acme/widgets",
		"git+ssh://git@github.com/acme/widgets":      "github.com acme/widgets",
		"https://github.com/acme":                    "",
		"https://github.com/acme/a/b":                "",
		"/srv/git/widgets.git":                       "",
		"../widgets":                                 "",
		"ssh://-oProxyCommand=touch%20x/acme/w":      "",
		"file:///srv/acme/widgets":                   "",
		"ext::sh -c touch% x acme/widgets":           "",
		"https://github.com/acme/..":                 "",
	} {
		at, ok := locate(address, translator())
		got := ""
		if ok {
			got = at.host + " " + at.repo.String()
		}
		require.Equal(t, want, got, address)
	}
}

func TestWithoutGit(t *testing.T) {
	t.Setenv("PATH", filepath.Join(t.TempDir(), "nothing"))
	_, err := Locate(t.Context(), surroundings(t.TempDir(), signedIn), Asked{})
	require.ErrorContains(t, err, "git was not found: install it; or name both with --repo OWNER/NAME and --pr N")
}
