package github

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// The ids of the business rules come from the file that the policy names, at the base (sections 9 and
// 10). One that cannot be read is a missing fact, never a file without rules.
func TestBusinessRules(t *testing.T) {
	t.Parallel()
	const rules = "# Rules\n\n- [BR-2] Totals add up\n- [BR-1] Refunds\n"
	for name, c := range map[string]struct {
		named  string // by the policy
		file   string // where the rules are
		text   string
		change func(*world)
		want   []string
		reason string
	}{
		"named by nobody":        {file: "docs/rules.md", text: rules},
		"named":                  {named: "docs/rules.md", file: "docs/rules.md", text: rules, want: []string{"BR-2", "BR-1"}},
		"without rules":          {named: "docs/rules.md", file: "docs/rules.md", text: "# Rules\n"},
		"a name to be escaped":   {named: "docs/50% #1? rules.md", file: "docs/50% #1? rules.md", text: rules, want: []string{"BR-2", "BR-1"}},
		"absent":                 {named: "docs/rules.md", reason: "docs/rules.md: the policy names it as business_rules, and there is no such file on the base branch"},
		"a folder":               {named: "docs", file: "docs/rules.md", text: rules, reason: "docs: it is a folder"},
		"too complex to be read": {named: "docs/rules.md", file: "docs/rules.md", text: rules + strings.Repeat(">", 5000), reason: "docs/rules.md: the document is too complex"},
		"refused": {named: "docs/rules.md", file: "docs/rules.md", text: rules, change: func(w *world) { w.forbid("/repos/acme/widgets/contents/docs/rules.md") },
			reason: `docs/rules.md: the permission is missing`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if c.named != "" {
				w.repo.SetFile("main", ".github/evidence.yml", fmt.Sprintf("version: 1\nbusiness_rules: %q\n", c.named))
			}
			if c.file != "" {
				w.repo.SetFile("main", c.file, c.text)
			}
			if c.change != nil {
				c.change(w)
			}
			// The head's text does not count.
			s := w.load(t, w.open(githubtest.PullRequestOptions{Commits: []githubtest.Commit{{Files: []githubtest.File{{Path: "docs/rules.md", Text: "- [BR-9] x\n"}}}}}))
			if c.reason != "" {
				require.Nil(t, s.References)
				require.Equal(t, "references", unreadFact(t, s).Fact)
				require.Contains(t, unreadFact(t, s).Reason, c.reason)
				return
			}
			require.Empty(t, s.Unavailable)
			if c.want == nil {
				require.Nil(t, s.References)
				return
			}
			require.Equal(t, &snapshot.References{Rules: c.want}, s.References)
		})
	}
}

func TestPathsInsideTheRepository(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"rules.md", "docs/rules.md", ".docs/a b.md", "..rules.md", "a%2Fb.md"} {
		require.True(t, insideRepository(name), name)
	}
	for _, name := range []string{"/etc/passwd", "../x", "a/../x", "a//b", "a/", ".", "./a", "a\nb", "a\x00b"} {
		require.False(t, insideRepository(name), "%q", name)
	}
	l := &loading{client: newWorld(t).client}
	s := &snapshot.Snapshot{PullRequest: snapshot.PullRequest{BaseSHA: baseSHA}}
	rules := l.rules(s, "a/../../../user")
	require.Empty(t, rules.read(), "never asked for")
	rules.fill(s, &l.holes)
	require.Equal(t, []snapshot.Unavailable{{Fact: "references", Reason: "a/../../../user: it is no path inside the repository"}}, l.holes.found)
	require.Equal(t, "docs/a%20b%3Fref=x%23y.md", escaped("docs/a b?ref=x#y.md"))
}

func TestTheRulesOfTheOrganisationsPolicy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.World().AddRepository("acme/.github", githubtest.RepositoryOptions{}).SetFile("main", ".github/evidence.yml", "version: 1\nbusiness_rules: rules.md\n")
	w.repo.SetFile("main", "rules.md", "- [BR-3] x\n")
	require.Equal(t, []string{"BR-3"}, w.load(t, w.open(githubtest.PullRequestOptions{})).References.Rules, "the file is the repository's")
}
