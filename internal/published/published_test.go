package published

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

const head = "b7d41e9f02c36a58d1f4e07b9c8a25630fe1d794"

var digest = "sha256:" + strings.Repeat("0f", 32)

func state() State {
	id := "RC-1"
	return State{
		RepositoryID: 9007199254740993, PullRequest: 42, HeadSHA: head, Digest: digest,
		Contract: &snapshot.RememberedContract{
			Issue: 7, Digest: digest, RecordedAt: "2026-11-30T10:00:00Z",
			Checks: []snapshot.RememberedCheck{{ID: &id, Text: "[RC-1] `npm test --> <!-- x`"}, {Text: "the theme is kept\u2028"}},
		},
		Actions: []snapshot.Action{{
			Kind: "override", Actor: &snapshot.Actor{Login: "boss", Type: "User", Permission: "admin", Teams: []string{"core"}},
			Via: "comment", At: "2026-11-30T11:00:00Z", HeadSHA: head, CommentID: 5, Digest: digest, Reason: "--> it is late <script>",
		}},
	}
}

func written(t require.TestingT, s State) string {
	block, err := Encode(s)
	require.NoError(t, err)
	return block
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	t.Parallel()
	block := written(t, state())
	require.NotContains(t, block, "\n")
	require.Equal(t, 1, strings.Count(block, "-->"), "no text in it ends the comment")
	for _, text := range []string{block, "# Report\n\n" + block, "# Report\n\n" + block + "\n", "x\r\n" + block + "\r\n \n"} {
		read, err := Decode(text)
		require.NoError(t, err)
		require.Equal(t, state(), read)
	}
	read, err := From("Evidence-Gate", "evidence-gate", block)
	require.NoError(t, err)
	require.Equal(t, state(), read)
}

func TestOnlyTheAppsOwnCheckRunCounts(t *testing.T) {
	t.Parallel()
	block := written(t, state())
	for _, row := range [][2]string{{"evidence-gate-2", "evidence-gate"}, {"", "evidence-gate"}, {"", ""}, {"evidence-gate", ""}} {
		_, err := From(row[0], row[1], block)
		require.ErrorIs(t, err, ErrForeign, "%q", row)
	}
}

// Section 10: a memory that was cut is none.
func TestACutTextIsNeverHalfAMemory(t *testing.T) {
	t.Parallel()
	block := written(t, state())
	for n := 1; n < len(block); n++ {
		for _, text := range []string{block[:n], block[n+1:], "report\n" + block[:n] + "\n", block[:n] + " -->", block[:n] + "\n" + block[n:]} {
			if text == block { // its own end was put back
				continue
			}
			_, err := Decode(text)
			require.Error(t, err, "cut at byte %d", n)
		}
	}
}

func TestRefusedMemories(t *testing.T) {
	t.Parallel()
	block := written(t, state())
	signed := func(body string) string {
		sum := sha256.Sum256([]byte(body))
		return opening + hex.EncodeToString(sum[:]) + ":" + body + closing
	}
	small := fmt.Sprintf(`{"repository_id":5,"pull_request":42,"head_sha":%q}`, head)
	_, err := Decode(signed(small))
	require.NoError(t, err)
	action := func(members string) string {
		return signed(strings.TrimSuffix(small, "}") + `,"actions":[{` + members + `}]}`)
	}
	for rule, row := range map[string]struct {
		text string
		want error
	}{
		"no memory":                  {"# Report", ErrNone},
		"nothing":                    {"", ErrNone},
		"something after it":         {block + "\nmore", ErrNone},
		"something before it":        {"> " + block, ErrNone},
		"another version":            {strings.Replace(block, "memory:1", "memory:2", 1), ErrNone},
		"another text, the old sum":  {strings.Replace(block, "boss", "evil", 1), ErrDamaged},
		"an unknown member":          {signed(strings.TrimSuffix(small, "}") + `,"x":1}`), ErrDamaged},
		"a member twice":             {signed(strings.TrimSuffix(small, "}") + `,"pull_request":42}`), ErrDamaged},
		"another order":              {signed(fmt.Sprintf(`{"pull_request":42,"repository_id":5,"head_sha":%q}`, head)), ErrDamaged},
		"white space":                {signed(strings.Replace(small, ":", ": ", 1)), ErrDamaged},
		"two values":                 {signed(small + small), ErrDamaged},
		"no object":                  {signed(`[]`), ErrDamaged},
		"no pull request":            {signed(strings.Replace(small, "42", "0", 1)), ErrDamaged},
		"an abbreviated head":        {signed(strings.Replace(small, head, head[:12], 1)), ErrDamaged},
		"a memory that was left out": {signed(strings.TrimSuffix(small, "}") + `,"left":true,"contract":{}}`), ErrDamaged},
		"an action of another kind":  {action(`"kind":"delete","actor":{"login":"boss"},"at":"2026-11-30T11:00:00Z"`), ErrDamaged},
		"an action by nobody":        {action(`"kind":"approve","actor":null,"at":"2026-11-30T11:00:00Z"`), ErrDamaged},
		"an action at no time":       {action(`"kind":"approve","actor":{"login":"boss"}`), ErrDamaged},
		"a permission there is not":  {action(`"kind":"approve","actor":{"login":"boss","permission":"root"},"at":"2026-11-30T11:00:00Z"`), ErrDamaged},
		"more than is read":          {opening + strings.Repeat("x", MaxBytes) + closing, ErrDamaged},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			_, err := Decode(row.text)
			require.ErrorIs(t, err, row.want)
		})
	}
}

func TestAMemoryThatIsTooLargeIsLeftOutWhole(t *testing.T) {
	t.Parallel()
	large := state()
	large.Actions[0].Reason = strings.Repeat("<", MaxBytes/6)
	many := state()
	for range maxActions {
		many.Actions = append(many.Actions, many.Actions[0])
	}
	for _, s := range []State{large, many} {
		read, err := Decode(written(t, s))
		require.NoError(t, err)
		require.Equal(t, State{RepositoryID: s.RepositoryID, PullRequest: 42, HeadSHA: head, Digest: digest, Left: true}, read)
	}
	broken := state()
	broken.HeadSHA = "HEAD"
	_, err := Encode(broken)
	require.Error(t, err)
}

func TestAnyTextRoundTrips(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := state()
		s.Contract.Checks[1].Text = strings.ToValidUTF8(rapid.String().Draw(t, "text"), "?")
		s.Actions[0].Reason = strings.ToValidUTF8(rapid.String().Draw(t, "reason"), "?")
		read, err := Decode("report\n\n" + written(t, s))
		require.NoError(t, err)
		require.Equal(t, s, read)
	})
}
