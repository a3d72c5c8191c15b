package approval_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/approval"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// An editor of the evidence is whoever changed the Evidence section, not the rest of the body.
func TestWhichEditsAreOnesOfTheEvidence(t *testing.T) {
	t.Parallel()
	const text = "## Summary\n\nTidies.\n\n## Evidence\n\n- Required check: [RC-1] `npm test`\n  Verdict: passed\n\n## Notes\n\nx\n"
	replaced := func(old, with string) string {
		require.Contains(t, text, old)
		return strings.Replace(text, old, with, 1)
	}
	gate := &snapshot.Actor{Login: "Evidence-Gate[bot]", Type: "Bot"}
	erased := snapshot.Revision{Editor: eng, EditedAt: at("08:00"), Erased: true}
	for rule, r := range map[string]struct {
		revisions []snapshot.Revision
		edited    bool
	}{
		"the summary":                          {[]snapshot.Revision{revision(eng, text), revision(rev, replaced("Tidies.", "Tidies up."))}, false},
		"what follows the section":             {[]snapshot.Revision{revision(eng, text), revision(rev, replaced("x\n", "y\n"))}, false},
		"the same text again":                  {[]snapshot.Revision{revision(eng, text), revision(rev, text)}, false},
		"line ends":                            {[]snapshot.Revision{revision(eng, text), revision(rev, strings.ReplaceAll(text, "\n", "\r\n"))}, false},
		"a verdict":                            {[]snapshot.Revision{revision(eng, text), revision(rev, replaced("passed", "failed"))}, true},
		"and back":                             {[]snapshot.Revision{revision(eng, text), revision(rev, replaced("passed", "failed")), revision(eng, text)}, true},
		"the heading":                          {[]snapshot.Revision{revision(eng, text), revision(rev, replaced("## Evidence", "### Evidence"))}, true},
		"the whole section out":                {[]snapshot.Revision{revision(eng, text), revision(rev, "## Summary\n")}, true},
		"a comment around it away":             {[]snapshot.Revision{revision(eng, "<!--\n"+text+"-->\n"), revision(rev, text)}, true},
		"a second section":                     {[]snapshot.Revision{revision(eng, text), revision(rev, text+"\n## Evidence\n\nmore\n")}, true},
		"where its links lead":                 {[]snapshot.Revision{revision(eng, text), revision(rev, text+"\n[log]: https://example.org/\n")}, true},
		"where they lead, in a quote":          {[]snapshot.Revision{revision(eng, text), revision(rev, text+"\n> [log]: https://example.org/\n")}, true},
		"from a text that is gone":             {[]snapshot.Revision{erased, revision(rev, text)}, true},
		"to a text that is gone":               {[]snapshot.Revision{revision(eng, text), {Editor: rev, EditedAt: at("09:00"), Erased: true}}, true},
		"a text that is too large":             {[]snapshot.Revision{revision(eng, text), revision(rev, text+strings.Repeat("x", 1<<20))}, true},
		"by the app":                           {[]snapshot.Revision{revision(eng, text), revision(gate, replaced("passed", "failed"))}, false},
		"by the author":                        {[]snapshot.Revision{revision(eng, text), revision(eng, replaced("passed", "failed"))}, false},
		"an evidence-free text as it was made": {[]snapshot.Revision{revision(rev, "## Summary\n"), revision(eng, text)}, false},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			got := approval.Judge(facts(withReview, revisions(r.revisions...), approves(rev)))
			if r.edited {
				require.Equal(t, []string{"approval.not_independent"}, codes(got))
				require.Contains(t, got.Diagnostics[0].Message, "edited the evidence")
			} else {
				require.Empty(t, codes(got), "%v", got.Diagnostics)
			}
		})
	}
}

// No history is too long to be judged: past the bound, every edit counts as one of the evidence.
func TestALongHistoryIsReadInBoundedTime(t *testing.T) {
	t.Parallel()
	var long []snapshot.Revision
	for i := range 2000 {
		long = append(long, revision(rev, fmt.Sprintf("%s\n%d\n", strings.Repeat("## Evidence\n", 1000), i)))
	}
	long[0].Editor = eng
	start := time.Now()
	got := approval.Judge(facts(withReview, revisions(long...), approves(rev)))
	require.Less(t, time.Since(start), 5*time.Second)
	require.Equal(t, []string{"approval.not_independent"}, codes(got))

	many := []snapshot.Revision{revision(eng, "a")}
	for i := range 40 {
		many = append(many, revision(user(fmt.Sprintf("e%d", i), "read"), strings.Repeat("word\n", 15_000)+fmt.Sprint(i)))
	}
	got = approval.Judge(facts(withReview, revisions(many...), approves(user("e39", "write"))))
	require.Equal(t, []string{"approval.not_independent"}, codes(got))
	got = approval.Judge(facts(withReview, revisions(many[:5]...), approves(user("e3", "write"))))
	require.Empty(t, codes(got))
}

// However many accounts approve, it takes bounded time, and the message stays short.
func TestManyApprovals(t *testing.T) {
	t.Parallel()
	changes := []change{}
	for i := range 5000 {
		changes = append(changes, approves(user(fmt.Sprintf("r%d", i), "read")))
	}
	start := time.Now()
	got := approval.Judge(facts(withReview, changes...))
	require.Less(t, time.Since(start), 5*time.Second)
	d := message(t, got, "approval.missing")
	require.Less(t, len(d.Message), 4000)
	require.Contains(t, d.Message, "and 4990 more")
}

// Evidence that is none of the history's was edited by nobody who is known.
func TestEvidenceThatTheHistoryDoesNotHave(t *testing.T) {
	t.Parallel()
	const first = "## Evidence\n\n- Required check: [RC-1] `npm test`\n  Verdict: failed\n"
	for now, code := range map[string]string{
		"## Evidence\n\n- Required check: [RC-1] `npm test`\n  Verdict: passed\n": "approval.not_independent",
		"A word.\n\n" + first: "",
	} {
		got := approval.Judge(facts(withReview, approves(rev), revisions(revision(eng, first)), func(f *approval.Facts) { f.Snapshot.PullRequest.Body = &now }))
		if code == "" {
			require.Empty(t, codes(got), now)
			continue
		}
		require.Equal(t, []string{code}, codes(got), now)
		require.Contains(t, got.Diagnostics[0].Message, "nobody knows who edited the evidence")
	}
}
