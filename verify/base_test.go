//go:build unix

package verify

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/verify/tamper"
)

// gitIn runs git in a folder with nobody's configuration.
func gitIn(t testing.TB, dir string, args ...string) string {
	t.Helper()
	command := exec.Command("git", append([]string{"-c", "user.name=eng", "-c", "user.email=eng@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "GIT_CEILING_DIRECTORIES="+os.TempDir())
	out, err := command.CombinedOutput()
	require.NoError(t, err, "git %s: %s", strings.Join(args, " "), out)
	return strings.TrimSpace(string(out))
}

// cloned is a clone whose branch has changed the steps, with the commit that it started from. Its
// origin has gone on since, and then disappeared: nothing may be fetched.
func cloned(t testing.TB, folder string) (root, base string) {
	t.Helper()
	origin := project(t, twoSteps)
	if folder != "" {
		require.NoError(t, os.Mkdir(filepath.Join(origin, folder), 0o755))
		require.NoError(t, os.Rename(filepath.Join(origin, ".github"), filepath.Join(origin, folder, ".github")))
	}
	gitIn(t, origin, "init", "--quiet", "--initial-branch=trunk")
	gitIn(t, origin, "add", "--all")
	gitIn(t, origin, "commit", "--quiet", "--message=one")
	base = gitIn(t, origin, "rev-parse", "HEAD")
	clone := filepath.Join(t.TempDir(), "clone")
	gitIn(t, origin, "clone", "--quiet", origin, clone)
	root, err := filepath.EvalSymlinks(filepath.Join(clone, folder))
	require.NoError(t, err)
	write(t, root, strings.Replace(twoSteps, "run: echo tested", "run: 'true'", 1)+"  - { name: more, run: 'true' }\n")
	gitIn(t, root, "commit", "--quiet", "--all", "--message=easier")
	write(t, filepath.Join(origin, folder), strings.Replace(twoSteps, "echo tested", "echo later", 1))
	gitIn(t, origin, "commit", "--quiet", "--all", "--message=two")
	gitIn(t, root, "fetch", "--quiet")
	require.NoError(t, os.RemoveAll(origin))
	return root, base
}

func TestFindBase(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"", "web"} {
		root, commit := cloned(t, folder)
		base, p, err := FindBase(t.Context(), root)
		require.NoError(t, err)
		require.Equal(t, commit, base.Commit, "the merge base, not the tip of the default branch")
		require.Equal(t, "origin/trunk", base.Ref)
		require.Equal(t, "echo tested", p.Checks[0].Run)
	}
}

func TestTheStepsOfTheBaseRun(t *testing.T) {
	t.Parallel()
	root, commit := cloned(t, "")
	base, p, err := FindBase(t.Context(), root)
	require.NoError(t, err)
	base.Changes = tamper.Changes(tamper.FormOf(p), tamper.FormOf(readPolicy(t, root)))
	s := session(t, root)
	s.Policy, s.Base = p, &base
	r := verified(t, s)
	require.Equal(t, Green, r.Outcome)
	require.Equal(t, []string{"tests passed", "lint passed"}, steps(r))
	require.Equal(t, "tested\n", content(t, root, r.Steps[0].Log))
	require.Equal(t, tamper.NotChecked, r.TamperCheck)
	require.Equal(t, commit, r.Base.Commit)
	var text strings.Builder
	require.NoError(t, r.Text(&text))
	require.Contains(t, text.String(), "steps of: "+commit[:12]+", the merge base with origin/trunk\nthe working tree would change them, which did not count:\n"+
		"  step \"tests\" was edited (run)\n  step \"more\" was added\n")

	s.Policy.Digest = tamper.Digest(p)
	require.Equal(t, tamper.FileOnly, verified(t, s).TamperCheck)
	s.Policy.Digest = "sha256:" + strings.Repeat("0", 64)
	r = verified(t, s)
	require.Equal(t, Changed, r.Outcome)
	require.Equal(t, []string{tamper.File}, r.Copies)
}

func TestWithoutABase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		make func(t *testing.T) string
		says string
	}{
		{"no checkout", func(t *testing.T) string { return project(t, twoSteps) }, "git for-each-ref failed"},
		{"nothing was fetched", func(t *testing.T) string {
			root := project(t, twoSteps)
			gitIn(t, root, "init", "--quiet")
			return root
		}, "the default branch was never fetched here"},
		{"no common commit", func(t *testing.T) string {
			root, _ := cloned(t, "")
			gitIn(t, root, "checkout", "--quiet", "--orphan", "other")
			gitIn(t, root, "commit", "--quiet", "--message=other")
			return root
		}, "have no common commit here"},
		{"no policy there", func(t *testing.T) string {
			root, _ := cloned(t, "web")
			write(t, filepath.Dir(root), twoSteps)
			return filepath.Dir(root)
		}, "has no .github/evidence.yml"},
		{"a policy that cannot be read there", func(t *testing.T) string {
			root := project(t, "levle: off\n")
			gitIn(t, root, "init", "--quiet")
			gitIn(t, root, "add", "--all")
			gitIn(t, root, "commit", "--quiet", "--message=one")
			gitIn(t, root, "update-ref", "refs/remotes/origin/main", "HEAD")
			return root
		}, "is not valid, line 2"},
		{"a policy that is too large there", func(t *testing.T) string {
			root := project(t, strings.Repeat("# a comment\n", 100_000))
			gitIn(t, root, "init", "--quiet")
			gitIn(t, root, "add", "--all")
			gitIn(t, root, "commit", "--quiet", "--message=one")
			gitIn(t, root, "update-ref", "refs/remotes/origin/main", "HEAD")
			return root
		}, "bytes; it may have 1048576"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := FindBase(t.Context(), c.make(t))
			require.ErrorContains(t, err, c.says)
		})
	}
}

// The default branch is what the remote says, then main, then master; upstream before origin.
func TestDefaultBranch(t *testing.T) {
	t.Parallel()
	root := project(t, twoSteps)
	gitIn(t, root, "init", "--quiet")
	gitIn(t, root, "add", "--all")
	gitIn(t, root, "commit", "--quiet", "--message=one")
	for _, step := range []struct{ ref, target, want string }{
		{"refs/remotes/fork/main", "", "refs/remotes/fork/main"},
		{"refs/remotes/origin/master", "", "refs/remotes/origin/master"},
		{"refs/remotes/origin/main", "", "refs/remotes/origin/main"},
		{"refs/remotes/origin/develop", "", "refs/remotes/origin/main"},
		{"refs/remotes/origin/HEAD", "refs/remotes/origin/develop", "refs/remotes/origin/develop"},
		{"refs/remotes/upstream/topic", "", "refs/remotes/origin/develop"},
		{"refs/remotes/upstream/main", "", "refs/remotes/upstream/main"},
	} {
		if step.target != "" {
			gitIn(t, root, "symbolic-ref", step.ref, step.target)
		} else {
			gitIn(t, root, "update-ref", step.ref, "HEAD")
		}
		got, err := git{ctx: t.Context(), dir: root}.defaultBranch()
		require.NoError(t, err)
		require.Equal(t, step.want, got, step.ref)
	}
}

// A change does not choose other steps by deleting the policy that is nearest.
func TestNearerPolicyOfTheBase(t *testing.T) {
	t.Parallel()
	root := project(t, twoSteps)
	for _, folder := range []string{"sub/deep", "other"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, folder), 0o755))
	}
	write(t, filepath.Join(root, "sub"), twoSteps)
	gitIn(t, root, "init", "--quiet", "--initial-branch=trunk")
	gitIn(t, root, "add", "--all")
	gitIn(t, root, "commit", "--quiet", "--message=one")
	b := Base{Commit: gitIn(t, root, "rev-parse", "HEAD")}
	for folder, want := range map[string]string{"sub/deep": "sub/.github/evidence.yml", "sub": "sub/.github/evidence.yml", "other": "", "": "", "..": ""} {
		got, err := b.Nearer(t.Context(), root, filepath.Join(root, folder))
		require.NoError(t, err, folder)
		require.Equal(t, want, got, folder)
	}
}
