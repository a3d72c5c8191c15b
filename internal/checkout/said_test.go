package checkout

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// What somebody typed wrong is a mistake of the command line; what an environment says wrong is not.
func TestAWrongRepositoryIsMisuse(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"widgets", "acme/", "/acme/widgets", "a/b/c/d", "acme/wid gets", "https://github.com/acme", "https://eng:sekrit@github.com/acme",
		"eng:sekrit@github.com/acme/widgets", "https://github.com/acme?token=sekrit", "https://eng:%zzsekrit@github.com/acme/widgets", "\u009bacme/wid\u202egets"} {
		_, err := Locate(t.Context(), surroundings(t.TempDir(), signedIn), Asked{Repository: text, PullRequest: 1})
		var misused *Misused
		require.ErrorAs(t, err, &misused, text)
		require.ErrorContains(t, err, "--repo: expected OWNER/NAME, with the host before it for an Enterprise Server (HOST/OWNER/NAME)", text)
		require.NotContains(t, err.Error(), "sekrit", text)
		require.NotContains(t, err.Error(), "\u009b")
		require.NotContains(t, err.Error(), "\u202e")

		environment := map[string]string{"GH_REPO": text, "token of github.com": "gho_1"}
		_, err = Locate(t.Context(), surroundings(t.TempDir(), environment), Asked{PullRequest: 1})
		require.ErrorContains(t, err, "GH_REPO: expected OWNER/NAME", text)
		require.False(t, errors.As(err, &misused), text)
		require.NotContains(t, err.Error(), "sekrit", text)
	}
	for _, text := range []string{"acme/widgets", "github.com/acme/widgets", "https://eng:sekrit@github.com/acme/widgets", "git@github.com:acme/widgets.git"} {
		place, err := Locate(t.Context(), surroundings(t.TempDir(), signedIn), Asked{Repository: text, PullRequest: 1})
		require.NoError(t, err, text)
		require.Equal(t, "acme/widgets", place.Bases[0].String(), text)
	}
}

func TestNoPasswordOfAnAddressIsSaid(t *testing.T) {
	t.Parallel()
	for name, environment := range map[string]map[string]string{
		"an address without a token":  {"GITHUB_API_URL": "https://eng:sekrit@gateway.example.com"},
		"an address with a question":  {"GITHUB_API_URL": "https://gateway.example.com/?token=sekrit"},
		"an address that is none":     {"GITHUB_API_URL": "https://eng:%zzsekrit@gateway.example.com"},
		"a host with a login":         {"GH_HOST": "eng:sekrit@git.example.com"},
		"the address of another host": {"GITHUB_API_URL": "https://api.github.com", "GH_HOST": "eng:sekrit@git.example.com", "GH_TOKEN": "a"},
	} {
		_, err := Locate(t.Context(), surroundings(folder(t, origin), environment), Asked{PullRequest: 1})
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), "sekrit", name)
		_, err = Locate(t.Context(), surroundings(t.TempDir(), environment), Asked{Repository: "acme/widgets", PullRequest: 1})
		require.Error(t, err, name)
		require.NotContains(t, err.Error(), "sekrit", name)
	}
}

// A remote is named by whoever wrote the configuration of the checkout.
func TestNamesOfRemotesAreHarmless(t *testing.T) {
	t.Parallel()
	hosts := map[string]string{"hosts": "github.com git.example.com", "token of github.com": "a"}
	for _, c := range []struct {
		environment map[string]string
		setup       []string
		says        string
	}{
		{hosts, []string{"remote add a\u009b31mb\u202e https://github.com/acme/widgets", "remote add z https://git.example.com/acme/widgets"}, "several hosts (a 31mb: github.com/acme/widgets, z: git.example.com/acme/widgets)"},
		{signedIn, []string{"remote add a\u009b31mb https://gitlab.com/acme/widgets"}, "no remote leads to github.com (a 31mb: gitlab.com/acme/widgets)"},
		{signedIn, []string{"remote add a\u009b31mb https://github.com/acme/widgets", "remote add z https://github.com/out/widgets"}, "several remotes (a 31mb: github.com/acme/widgets, z: github.com/out/widgets)"},
	} {
		_, err := Locate(t.Context(), surroundings(folder(t, c.setup...), c.environment), Asked{PullRequest: 1})
		require.ErrorContains(t, err, c.says)
	}
}

func TestAFileOfGhThatCannotBeRead(t *testing.T) {
	t.Parallel()
	const says = "gh's own file /home/eng/.config/gh/hosts.yml could not be read: repair it, or log in anew"
	broken := func(dir string, environment map[string]string) Surroundings {
		s := surroundings(dir, environment)
		s.Broken = func() string { return "/home/eng/.config/gh/hosts.yml" }
		return s
	}
	_, err := Locate(t.Context(), broken(folder(t, origin), nil), Asked{PullRequest: 1})
	require.ErrorContains(t, err, "there is no token for github.com")
	require.ErrorContains(t, err, says)
	_, err = Locate(t.Context(), broken(folder(t, "remote add origin https://git.example.com/acme/widgets"), signedIn), Asked{PullRequest: 1})
	require.ErrorContains(t, err, "no remote leads to github.com")
	require.ErrorContains(t, err, says)
	_, err = Locate(t.Context(), broken(folder(t, origin), signedIn), Asked{PullRequest: 1})
	require.NoError(t, err, "it does not matter when nothing is missing")
}

// go-gh reads its files once in a process, so each file needs one of its own.
func TestWhichFileOfGhIsBroken(t *testing.T) {
	t.Parallel()
	if os.Getenv("SAY_BROKEN_FILE") != "" {
		_, _ = os.Stderr.WriteString("broken: " + brokenFile() + "\n")
		return
	}
	for name, content := range map[string]string{"hosts.yml": "github.com:\n\t- oauth_token: gho_sekrit", "config.yml": "{", "": ""} {
		folder := t.TempDir()
		want := "broken: "
		if name != "" {
			want += filepath.Join(folder, name)
			require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600))
		}
		command := exec.Command(os.Args[0], "-test.run=^TestWhichFileOfGhIsBroken$")
		command.Env = append(os.Environ(), "SAY_BROKEN_FILE=1", "GH_CONFIG_DIR="+folder)
		out, err := command.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), want+"\n")
		require.NotContains(t, string(out), "sekrit")
	}
}
