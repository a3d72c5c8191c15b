package demo

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMarkdownOnATerminal(t *testing.T) {
	t.Parallel()
	rows := []struct {
		rule     string
		markdown string
		room     int
		lines    []string
	}{
		{"emphasis goes", "**May merge.** all *is* well", 40, []string{"May merge. all is well"}},
		{"escapes and entities are resolved", `\[RC-1\] a \| b \<c\> &amp; &#35; 3 \* 4`, 40, []string{"[RC-1] a | b <c> & # 3 * 4"}},
		{"comments part nothing", "@<!-- -->octocat \\#<!-- -->1 http:<!-- -->//x.example", 60, []string{"@octocat #1 http://x.example"}},
		{"code keeps backticks without colour", "run `npm  test \\ x`, now", 40, []string{"run `npm test \\ x`, now"}},
		{"links show where they go", "[Full report](<https://x.example/1>)", 60, []string{"Full report (https://x.example/1)"}},
		{"lines break at spaces", "one two three four", 9, []string{"one two", "three", "four"}},
		{"a long word has its own line", "a incomprehensibilities b", 8, []string{"a", "incomprehensibilities", "b"}},
		{"wide characters count twice", "✅✅ ✅✅ a", 9, []string{"✅✅ ✅✅", "a"}},
		{"list items hang", "- one two three\n- four\n  - five", 9, []string{"- one two", "  three", "- four", "  - five"}},
		{"help is not wrapped", "- a\n\n  ```text\n  write this line as it is\n    inner\n  ```\n", 10,
			[]string{"- a", "", "    write this line as it is", "      inner"}},
		{"headings and paragraphs are apart", "### For you\n\none\n\n> two three\n\n---\n", 7,
			[]string{"For you", "", "one", "", "> two", "> three", "", "───────"}},
		{"HTML is not shown", "<details>\n\nshown\n\n</details>", 20, []string{"shown"}},
		{"tables align", "| | Check | Proof |\n| --- | --- | --- |\n| ✅ | `a` | yes |\n| ❌ | \\[RC-2\\] b |  |\n", 40,
			[]string{"    Check     Proof", "✅  `a`       yes", "❌  [RC-2] b"}},
		{"wide cells wrap, the widest first", "| a | b |\n| --- | --- |\n| one two three four | five |\n", 15,
			[]string{"a          b", "one two    five", "three", "four"}},
		{"a table that cannot fit keeps its words", "| a | b |\n| --- | --- |\n| incomprehensibilities | b |\n", 5,
			[]string{"a                      b", "incomprehensibilities  b"}},
		{"terminals obey nothing", "a &#27;[31m b \u202e c", 40, []string{"a \ufffd[31m b \ufffd c"}},
		{"nothing", "", 40, nil},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, row.lines, drawer{}.document(row.markdown, row.room))
		})
	}
}

func TestColour(t *testing.T) {
	t.Parallel()
	d := drawer{paint: true}
	require.Equal(t, []string{"\x1b[1mMay not merge.\x1b[0m run \x1b[36mnpm test\x1b[0m"}, d.document("**May not merge.** run `npm test`", 40), "a style is set once")
	require.Equal(t, []string{"\x1b[1mMay not\x1b[0m", "\x1b[1mmerge.\x1b[0m"}, d.document("**May not merge.**", 8), "and for each line anew")
	require.Equal(t, []string{"\x1b[2ma\x1b[0m    \x1b[2mb\x1b[0m", "\x1b[36mc d\x1b[0m  e"},
		d.document("| a | b |\n| --- | --- |\n| `c d` | e |\n", 40), "colours take no room in a table")
}
