package closing

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Rows from GitHub's documentation, "Linking a pull request to an issue using a keyword", and what
// GitHub does not link.
func TestReferences(t *testing.T) {
	t.Parallel()
	own := func(n int) Reference { return Reference{Number: n} }
	for _, row := range []struct {
		body string
		want []Reference
	}{
		{"Closes #10", []Reference{own(10)}},
		{"Closes: #10", []Reference{own(10)}},
		{"CLOSES #10", []Reference{own(10)}},
		{"Fixes octo-org/octo-repo#100", []Reference{{Repository: "octo-org/octo-repo", Number: 100}}},
		{"Resolves #10, resolves #123, resolves octo-org/octo-repo#100", []Reference{own(10), own(123), {Repository: "octo-org/octo-repo", Number: 100}}},
		{"fix #1 fixed #2 close #3 closed #4 resolve #5 resolved #6", []Reference{own(1), own(2), own(3), own(4), own(5), own(6)}},
		{"Closes https://github.com/acme/widgets/issues/7.", []Reference{{Host: "github.com", Repository: "acme/widgets", Number: 7}}},
		{"closes GH-26", []Reference{own(26)}},
		{"- item that fixes #7\n  and fixes #7 again", []Reference{own(7)}},
		{"**Closes #7**", []Reference{own(7)}},
		{"Closes [#7](https://github.com/acme/widgets/issues/7)", []Reference{own(7)}},
		// not links
		{"Closes#10", nil},
		{"closes 10", nil},
		{"discloses #10", nil},
		{"pre-closes #10", nil},
		{"closing #10", nil},
		{"see #10", nil},
		{"Closes #0", nil},
		{"Closes #12a", nil},
		{"Closes #99999999999999999999", nil},
		// not live (M4)
		{"`Closes #10`", nil},
		{"```\nCloses #10\n```", nil},
		{"<!-- Closes #10 -->", nil},
		{"> Closes #10", nil},
		{"", nil},
	} {
		got, more, err := References(row.body)
		require.NoError(t, err)
		require.False(t, more)
		require.Equal(t, row.want, got, row.body)
	}
	_, _, err := References(strings.Repeat("x", 2<<20))
	require.Error(t, err)
}

func TestMoreReferencesThanAreRead(t *testing.T) {
	t.Parallel()
	var body strings.Builder
	for i := range 50 {
		fmt.Fprintf(&body, "Closes #%d, closes #1\n", i+1)
	}
	got, more, err := References(body.String())
	require.NoError(t, err)
	require.Len(t, got, 50)
	require.False(t, more, "one that is named again is none more")
	got, more, err = References(body.String() + "Closes #51")
	require.NoError(t, err)
	require.Len(t, got, 50)
	require.True(t, more, "never silence")
}

func FuzzReferences(f *testing.F) {
	for _, seed := range []string{"Closes #1", "fixes a/b#2", "resolves https://x/y/z/issues/3", "> close #4"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		got, _, err := References(body)
		if err != nil {
			return
		}
		if len(got) > Most {
			t.Fatalf("%d references", len(got))
		}
		for _, r := range got {
			if r.Number <= 0 || r.Host == "" && r.Repository != "" && !fullName(r.Repository) {
				t.Fatalf("%+v", r)
			}
		}
	})
}
