package event

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/published"
)

func TestPressesOfButtons(t *testing.T) {
	t.Parallel()
	digest := "sha256:" + strings.Repeat("0f", 32)
	about := published.State{RepositoryID: 5000000001, PullRequest: 42, HeadSHA: sha, Digest: digest}
	payload := func(app int, button, login string, about published.State, more string) string {
		block, err := published.Encode(about)
		require.NoError(t, err)
		text, err := json.Marshal("# Report\n\n" + block + more)
		require.NoError(t, err)
		return fmt.Sprintf(`{"action":"requested_action","requested_action":{"identifier":%q},"check_run":{"head_sha":%q,"app":{"id":%d,"slug":"evidence-gate"},"output":{"text":%s},"pull_requests":[]},%s,"sender":{"login":%q,"type":"User"}}`,
			button, sha, app, text, repository, login)
	}
	elsewhere, older := about, about
	elsewhere.RepositoryID = 4
	older.HeadSHA = strings.Repeat("0", 40)
	for rule, row := range map[string]struct {
		payload string
		want    *Press
	}{
		"approve":                       {payload(ownAppID, "approve", "lead", about, ""), &Press{"approve", "lead", "User", 42, sha, digest}},
		"accept the contract":           {payload(ownAppID, "accept-contract", "lead", about, "\n"), &Press{"accept-contract", "lead", "User", 42, sha, digest}},
		"re-evaluate only judges again": {payload(ownAppID, "re-evaluate", "lead", about, ""), nil},
		"a button there is not":         {payload(ownAppID, "merge", "lead", about, ""), nil},
		"of another app":                {payload(foreignID, "approve", "lead", about, ""), nil},
		"a text that was cut":           {payload(ownAppID, "approve", "lead", about, "\nmore"), nil},
		"about another repository":      {payload(ownAppID, "approve", "lead", elsewhere, ""), nil},
		"about another commit":          {payload(ownAppID, "approve", "lead", older, ""), nil},
		"without an identifier":         {strings.Replace(payload(ownAppID, "approve", "lead", about, ""), `"requested_action":{"identifier":"approve"},`, "", 1), nil},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			hint, err := Decode("check_run", []byte(row.payload), self)
			require.NoError(t, err)
			require.Equal(t, row.want, hint.Press)
			require.True(t, hint.OfInterest(), "it is judged anew in any case")
			if row.want != nil {
				require.Equal(t, []int{42}, hint.PullRequests, "the one that the check run showed")
			}
		})
	}
	_, err := Decode("check_run", []byte(payload(ownAppID, "approve", "../admin", about, "")), self)
	require.ErrorIs(t, err, ErrMalformed)
	own := strings.Replace(payload(ownAppID, "approve", "lead", about, ""), `{"login":"lead","type":"User"}`, `{"login":"evidence-gate[bot]","type":"Bot"}`, 1)
	hint, err := Decode("check_run", []byte(own), self)
	require.NoError(t, err)
	require.False(t, hint.OfInterest(), "the app presses no buttons")
}

func TestTheHeadOfAPullRequestIsDated(t *testing.T) {
	t.Parallel()
	text := strings.Replace(pullRequestPayload("synchronize", person), `"head"`, `"updated_at":"2026-11-30T10:00:00Z","head"`, 1)
	hint, err := Decode("pull_request", []byte(text), self)
	require.NoError(t, err)
	require.Equal(t, time.Date(2026, 11, 30, 10, 0, 0, 0, time.UTC), hint.HeadSince.UTC())
	hint, err = Decode("pull_request", []byte(pullRequestPayload("synchronize", person)), self)
	require.NoError(t, err)
	require.True(t, hint.HeadSince.IsZero())
}
