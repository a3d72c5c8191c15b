package prbody

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

const (
	headA = "b7d41e9f02c36a58d1f4e07b9c8a25630fe1d794"
	headB = "64c0f2a8917be35d0d8e4a61f7b3925c1a08de6f"
)

func formFor(head string) string {
	return "## Evidence\nCurrent PR head: " + head + `

- Required check: [RC-1] ` + "`npm test`" + `
  Verdict: not run
  Evidence: REPLACE: what the final run showed

- Required check: [RC-2] Settings page keeps the chosen theme
  Kind: manual
  Implementation head: ` + head + `
  Verdict: not run
  Evidence: REPLACE: what the final run showed
`
}

const (
	first  = "- Required check: [RC-1] `npm test`\n  Verdict: not run\n  Evidence: REPLACE: what the final run showed\n"
	second = "- Required check: [RC-2] Settings page keeps the chosen theme\n  Kind: manual\n  Implementation head: " + headA + "\n  Verdict: not run\n  Evidence: REPLACE: what the final run showed\n"
)

func TestRewrite(t *testing.T) {
	t.Parallel()
	mine := "- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: 128 passing\n"
	for _, c := range []struct {
		name, body, want         string
		kept, reset, added, gone int
		refused                  string
	}{
		{name: "an empty body", body: "", want: formFor(headA), added: 2},
		{name: "no section", body: "Closes #7", want: "Closes #7\n\n" + formFor(headA), added: 2},
		{name: "no section, a line end", body: "Closes #7\n", want: "Closes #7\n\n" + formFor(headA), added: 2},
		{name: "no section, a blank line", body: "Closes #7\n\n", want: "Closes #7\n\n" + formFor(headA), added: 2},
		{
			name: "an entry for this head stays, the missing one is added",
			body: "Closes #7\n\n## Evidence\nCurrent PR head: " + headA + "\n\n" + mine + "\n## Notes\n\ntext\n",
			want: "Closes #7\n\n## Evidence\nCurrent PR head: " + headA + "\n\n" + mine + "\n" + second + "\n## Notes\n\ntext\n",
			kept: 1, added: 1,
		},
		{
			name:  "an entry for another head is taken back",
			body:  "Closes #7\n\n## Evidence\nCurrent PR head: " + headB + "\n\n" + mine + "\n## Notes\n\ntext",
			want:  "Closes #7\n\n## Evidence\nCurrent PR head: " + headA + "\n\n" + first + "\n" + second + "\n## Notes\n\ntext",
			reset: 1, added: 1,
		},
		{
			name:  "without a head marker no entry is for this head",
			body:  "## Evidence\n\n" + mine,
			want:  "## Evidence\nCurrent PR head: " + headA + "\n\n" + first + "\n" + second,
			reset: 1, added: 1,
		},
		{
			name:  "two markers that differ",
			body:  "## Evidence\nCurrent PR head: " + headA + "\nHead commit: " + headB + "\n\n" + mine,
			want:  "## Evidence\nCurrent PR head: " + headA + "\nCurrent PR head: " + headA + "\n\n" + first + "\n" + second,
			reset: 1, added: 1,
		},
		{
			name:  "an entry whose own head is another one is taken back, whatever the marker says",
			body:  "## Evidence\nCurrent PR head: " + headA + "\n\n- Required check: [RC-2] Settings page keeps the chosen theme\n  Implementation head: " + headB + "\n  Verdict: passed\n",
			want:  "## Evidence\nCurrent PR head: " + headA + "\n\n" + second + "\n" + first,
			reset: 1, added: 1,
		},
		{
			name:  "an observation of another commit",
			body:  "## Evidence\nCurrent PR head: " + headA + "\n\n- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: x\n  Observation: y\n  Artifact: " + headB + "\n",
			want:  "## Evidence\nCurrent PR head: " + headA + "\n\n" + first + "\n" + second,
			reset: 1, added: 1,
		},
		{
			name: "an entry for no check stays while it is for this head",
			body: "## Evidence\nCurrent PR head: " + headA + "\n\n- Required check: [RC-9] other\n  Verdict: passed\n",
			want: "## Evidence\nCurrent PR head: " + headA + "\n\n- Required check: [RC-9] other\n  Verdict: passed\n\n" + first + "\n" + second,
			kept: 1, added: 2,
		},
		{
			name:  "and goes with another head",
			body:  "## Evidence\nCurrent PR head: " + headB + "\n\n- Required check: [RC-9] other\n  Verdict: passed\n\n" + mine,
			want:  "## Evidence\nCurrent PR head: " + headA + "\n\n" + first + "\n" + second,
			reset: 1, added: 1, gone: 1,
		},
		{
			name:  "an entry without its id",
			body:  "## Evidence\nCurrent PR head: " + headB + "\n\n- Required check: `npm test`\n  Verdict: passed\n",
			want:  "## Evidence\nCurrent PR head: " + headA + "\n\n" + first + "\n" + second,
			reset: 1, added: 1,
		},
		{
			name:  "other text of the section is not touched",
			body:  "## Evidence\nSee CI.\n\n* Head commit: `" + headB + "`\n* other\n\n" + mine + "\n  more of it\n\n[link]: https://example.com\n\n### Bot\n\n<!-- bot -->\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n<sub>footer</sub>\n",
			want:  "## Evidence\nSee CI.\n\n* Current PR head: " + headA + "\n* other\n\n" + first + "\n" + second + "\n[link]: https://example.com\n\n### Bot\n\n<!-- bot -->\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n<sub>footer</sub>\n",
			reset: 1, added: 1,
		},
		{
			name:  "a heading with an underline and a byte order mark",
			body:  "\ufeffEvidence\n--------\n\n" + mine,
			want:  "\ufeffEvidence\n--------\nCurrent PR head: " + headA + "\n\n" + first + "\n" + second,
			reset: 1, added: 1,
		},
		{
			name:  "line ends as the body has them",
			body:  strings.ReplaceAll("## Evidence\nCurrent PR head: "+headB+"\n\n"+mine+"\nmore\n", "\n", "\r\n"),
			want:  strings.ReplaceAll("## Evidence\nCurrent PR head: "+headA+"\n\n"+first+"\n"+second+"\nmore\n", "\n", "\r\n"),
			reset: 1, added: 1,
		},
		{name: "two sections", body: "## Evidence\n\n## Evidence\n", refused: "delete all but one"},
		{name: "a fence that is never closed", body: "```\ntext\n", refused: "paste the new section by hand"},
		{name: "a comment that is never closed", body: "<!-- text\n", refused: "paste the new section by hand"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, err := Rewrite(c.body, formFor(headA), headA)
			if c.refused != "" {
				require.ErrorContains(t, err, c.refused)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, got.Body)
			require.Equal(t, []int{c.kept, c.reset, c.added, c.gone}, []int{len(got.Kept), len(got.Reset), len(got.Added), len(got.Dropped)})
			again, err := Rewrite(got.Body, formFor(headA), headA)
			require.NoError(t, err)
			require.Equal(t, got.Body, again.Body, "a second time changes nothing")
		})
	}
}

// Whatever a body looks like: when it names another head, no verdict of it is left, and the text
// around the section is the same to the byte.
func TestNoVerdictIsCarriedOver(t *testing.T) {
	t.Parallel()
	pieces := []string{
		"## Evidence\n", "### Evidence\n", "## Notes\n", "text\n", "\n", "\n\n", "  indented\n", "\tTab\n", "> quote\n", "```\n", "<!-- -->\n", "<details>\n", "---\n",
		"Current PR head: " + headB + "\n", "- Current PR head: " + headB + "\n", "**PR head**: `" + headB + "`\n",
		"- Required check: [RC-1] `npm test`\n", "1. Required check: [RC-2] Settings page keeps the chosen theme\n", "* Required check: other\n", "- item\n",
		"  Verdict: passed\n", "  Evidence: 128 passing\n", "  - Verdict: failed\n", "Verdict: passed\n", "  Implementation head: " + headB + "\n", "[a]: b\n", "\r\n", "no end",
	}
	rapid.Check(t, func(t *rapid.T) {
		body := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 24).Draw(t, "pieces"), "")
		got, err := Rewrite(body, formFor(headA), headA)
		if err != nil {
			return
		}
		ev, err := Read(got.Body)
		if err != nil || !ev.Found {
			t.Fatalf("not found in %q: %v", got.Body, err)
		}
		for _, e := range ev.Entries {
			if e.Verdict == nil || e.Verdict.Text != "not run" {
				t.Fatalf("%s keeps a verdict in %q", e.Name(), got.Body)
			}
		}
		for _, m := range ev.Markers {
			if m.Value.Text != headA {
				t.Fatalf("a marker stays in %q", got.Body)
			}
		}
		before, _, found := strings.Cut(body, "Evidence\n")
		if found && strings.Count(body, "Evidence\n") == 1 && !strings.HasPrefix(got.Body, before) {
			t.Fatalf("text before the section changed: %q to %q", body, got.Body)
		}
		again, err := Rewrite(got.Body, formFor(headA), headA)
		if err != nil || again.Body != got.Body {
			t.Fatalf("a second time changes %q to %q (%v)", got.Body, again.Body, err)
		}
	})
}

func TestSplitLines(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "a", "a\n", "a\r\nb", "a\rb\r", "\n\n", "\ufeffa\n", "a\n\r\nb\r\r\n"} {
		l := splitLines(text)
		require.Equal(t, text, l.String(), fmt.Sprintf("%q", text))
	}
	require.Equal(t, 4, splitLines("a\n\r\nb\r\r\n").count())
}
