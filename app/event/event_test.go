package event

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	sha       = "a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0"
	ownAppID  = 77
	foreignID = 15368
)

var self = Self{AppID: ownAppID, Slug: "evidence-gate"}

const (
	repository = `"repository":{"id":5000000001,"full_name":"acme/widgets"},"installation":{"id":9000000009}`
	person     = `"sender":{"login":"eng","type":"User"}`
	ownBot     = `"sender":{"login":"evidence-gate[bot]","type":"Bot"}`
)

func pullRequestPayload(action, sender string) string {
	return fmt.Sprintf(`{"action":%q,"number":42,"pull_request":{"number":42,"head":{"sha":%q}},%s,%s}`, action, sha, repository, sender)
}

func commentPayload(action, issue, comment, sender string) string {
	return fmt.Sprintf(`{"action":%q,"issue":%s,"comment":%s,%s,%s}`, action, issue, comment, repository, sender)
}

func checkRunPayload(action string, app int, slug, pulls, sender string) string {
	return fmt.Sprintf(`{"action":%q,"check_run":{"head_sha":%q,"external_id":"x","app":{"id":%d,"slug":%q},"pull_requests":%s},%s,%s}`,
		action, sha, app, slug, pulls, repository, sender)
}

const (
	onPullRequest = `{"number":42,"pull_request":{"url":"u"}}`
	onTask        = `{"number":7}`
	byPerson      = `{"id":1,"user":{"login":"eng","type":"User"}}`
	byOwnBot      = `{"id":1,"user":{"login":"evidence-gate[bot]","type":"Bot"},"performed_via_github_app":{"id":77}}`
	byOtherBot    = `{"id":1,"user":{"login":"helper[bot]","type":"Bot"},"performed_via_github_app":{"id":15368}}`
	otherBot      = `"sender":{"login":"helper[bot]","type":"Bot"}`
	listed        = `[{"number":42,"base":{"repo":{"id":5000000001}}},{"number":9,"base":{"repo":{"id":4}}}]`
)

type outcome struct {
	pulls, issues []int
	head          string
	rerun         bool
	reason        string
}

func TestDecode(t *testing.T) {
	t.Parallel()
	nothing := func(reason string) outcome { return outcome{reason: reason} }
	pull := outcome{pulls: []int{42}, head: sha, reason: "pull request changed"}

	rows := []struct {
		rule, event, payload string
		self                 Self
		want                 outcome
	}{
		{"an opened pull request is judged", "pull_request", pullRequestPayload("opened", person), self, pull},
		{"an edited body or base", "pull_request", pullRequestPayload("edited", person), self, pull},
		{"a pushed commit", "pull_request", pullRequestPayload("synchronize", person), self, pull},
		{"a reopened one", "pull_request", pullRequestPayload("reopened", person), self, pull},
		{"out of draft", "pull_request", pullRequestPayload("ready_for_review", person), self, pull},
		{"into draft", "pull_request", pullRequestPayload("converted_to_draft", person), self, pull},
		{"a label set", "pull_request", pullRequestPayload("labeled", person), self, pull},
		{"a label taken away by another bot", "pull_request", pullRequestPayload("unlabeled", otherBot), self, pull},
		{"a closed one, whose head others may have", "pull_request", pullRequestPayload("closed", person), self, pull},
		{"an assignment changes nothing", "pull_request", pullRequestPayload("assigned", person), self, nothing("action does not change a verdict")},
		{"an action not known yet", "pull_request", pullRequestPayload("frobnicated", person), self, nothing("action does not change a verdict")},
		{"the app's own change", "pull_request", pullRequestPayload("labeled", ownBot), self, nothing("done by the app itself")},

		{"a comment on the pull request", "issue_comment", commentPayload("created", onPullRequest, byPerson, person), self,
			outcome{pulls: []int{42}, reason: "comment on the pull request changed"}},
		{"a comment on the task", "issue_comment", commentPayload("created", onTask, byPerson, person), self,
			outcome{issues: []int{7}, reason: "comment on the task changed"}},
		{"an edited comment", "issue_comment", commentPayload("edited", onTask, byPerson, person), self,
			outcome{issues: []int{7}, reason: "comment on the task changed"}},
		{"a deleted comment", "issue_comment", commentPayload("deleted", onPullRequest, byPerson, person), self,
			outcome{pulls: []int{42}, reason: "comment on the pull request changed"}},
		{"another app's comment counts", "issue_comment", commentPayload("created", onTask, byOtherBot, otherBot), self,
			outcome{issues: []int{7}, reason: "comment on the task changed"}},
		{"the app's own comment does not", "issue_comment", commentPayload("created", onTask, byOwnBot, ownBot), self,
			nothing("done by the app itself")},
		{"nor when the slug is unknown", "issue_comment", commentPayload("created", onTask, byOwnBot, ownBot), Self{AppID: ownAppID},
			nothing("done by the app itself")},
		{"a person who edits the app's comment does", "issue_comment", commentPayload("edited", onTask, byOwnBot, person), self,
			outcome{issues: []int{7}, reason: "comment on the task changed"}},

		{"an edited task", "issues", fmt.Sprintf(`{"action":"edited","issue":{"number":7},%s,%s}`, repository, person), self,
			outcome{issues: []int{7}, reason: "task changed"}},
		{"a deleted task", "issues", fmt.Sprintf(`{"action":"deleted","issue":{"number":7},%s,%s}`, repository, person), self,
			outcome{issues: []int{7}, reason: "task changed"}},
		{"a transferred task", "issues", fmt.Sprintf(`{"action":"transferred","issue":{"number":7},%s,%s}`, repository, person), self,
			outcome{issues: []int{7}, reason: "task changed"}},
		{"a closed task changes nothing", "issues", fmt.Sprintf(`{"action":"closed","issue":{"number":7},%s,%s}`, repository, person), self,
			nothing("action does not change a verdict")},

		{"another app's finished check run", "check_run", checkRunPayload("completed", foreignID, "github-actions", listed, person), self,
			outcome{pulls: []int{42}, head: sha, reason: "check run completed"}},
		{"a fork's check run names its head only", "check_run", checkRunPayload("completed", foreignID, "github-actions", `[]`, person), self,
			outcome{head: sha, reason: "check run completed"}},
		{"a created check run says nothing yet", "check_run", checkRunPayload("created", foreignID, "github-actions", listed, person), self,
			nothing("action does not change a verdict")},
		{"the app's own finished check run", "check_run", checkRunPayload("completed", ownAppID, "evidence-gate", listed, ownBot), self,
			nothing("check run of the app itself")},
		{"the same when a person is named as sender", "check_run", checkRunPayload("completed", ownAppID, "evidence-gate", listed, person), self,
			nothing("check run of the app itself")},
		{"a person re-runs the app's check", "check_run", checkRunPayload("rerequested", ownAppID, "evidence-gate", listed, person), self,
			outcome{pulls: []int{42}, head: sha, rerun: true, reason: "a new run was asked for"}},
		{"a person presses a button on it", "check_run", checkRunPayload("requested_action", ownAppID, "evidence-gate", `[]`, person), self,
			outcome{head: sha, rerun: true, reason: "a new run was asked for"}},
		{"the app re-runs its own check", "check_run", checkRunPayload("rerequested", ownAppID, "evidence-gate", listed, ownBot), Self{AppID: ownAppID},
			nothing("done by the app itself")},

		{"ping", "ping", `{"zen":"Keep it logically awesome.","hook_id":1}`, self, nothing("ping needs no work")},
		{"an event that is not used", "fork", `{"forkee":{}}`, self, nothing("event is not used")},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			hint, err := Decode(row.event, []byte(row.payload), row.self)
			require.NoError(t, err)
			require.Equal(t, row.want, outcome{hint.PullRequests, hint.Issues, hint.HeadSHA, hint.Rerun, hint.Reason})
			require.Equal(t, row.event, hint.Event)
			if hint.OfInterest() {
				require.Equal(t, Repo{"acme", "widgets"}, hint.Repo)
				require.EqualValues(t, 5000000001, hint.RepositoryID, "ids exceed 32 bits")
				require.EqualValues(t, 9000000009, hint.InstallationID)
			}
		})
	}
}

func TestDecodeRefusesMalformedPayloads(t *testing.T) {
	t.Parallel()
	whole := pullRequestPayload("opened", person)
	many := strings.TrimSuffix(strings.Repeat(`{"number":1,"base":{"repo":{"id":5000000001}}},`, MaxPullRequests+1), ",")
	rows := []struct{ rule, event, payload, says string }{
		{"cut off", "pull_request", whole[:len(whole)/2], "cut off"},
		{"empty", "pull_request", "", "not JSON"},
		{"binary", "pull_request", "\x00\xff\xfe", "not JSON"},
		{"trailing text", "pull_request", whole + "{", "not JSON"},
		{"an array", "pull_request", "[1]", "JSON object"},
		{"null", "check_run", "null", "JSON object"},
		{"cut off, of an event that is not used", "fork", `{"a":`, "cut off"},
		{"no repository", "pull_request", `{"action":"opened","number":1}`, "repository.id"},
		{"no number", "pull_request", strings.ReplaceAll(whole, `"number":42,`, ""), "number"},
		{"a negative number", "pull_request", strings.Replace(whole, `"number":42,`, `"number":-1,`, 1), "number"},
		{"a number that is a string", "pull_request", strings.Replace(whole, `"number":42,`, `"number":"42",`, 1), "number"},
		{"a name that climbs out of its URL", "pull_request", strings.Replace(whole, "acme/widgets", "acme/..", 1), "full_name"},
		{"a name with a query", "pull_request", strings.Replace(whole, "acme/widgets", "acme/w?x=1", 1), "full_name"},
		{"a head that is no SHA", "pull_request", strings.Replace(whole, sha, "HEAD", 1), "head SHA"},
		{"a check run without a head", "check_run", fmt.Sprintf(`{"action":"completed","check_run":{},%s}`, repository), "check_run.head_sha"},
		{"too many pull requests", "check_run", checkRunPayload("completed", foreignID, "ci", "["+many+"]", person), "at most 100"},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			_, err := Decode(row.event, []byte(row.payload), self)
			require.ErrorIs(t, err, ErrMalformed)
			require.ErrorContains(t, err, row.says)
		})
	}
}

func TestAMemberOfAnotherTypeDoesNotLoseTheEvent(t *testing.T) {
	t.Parallel()
	payload := strings.Replace(pullRequestPayload("opened", person), `"pull_request":{`, `"pull_request":{"draft":"maybe","comments":"many",`, 1)
	hint, err := Decode("pull_request", []byte(payload), self)
	require.NoError(t, err)
	require.Equal(t, []int{42}, hint.PullRequests)
	require.Equal(t, sha, hint.HeadSHA)
}

func TestANullHeadRepositoryIsReadable(t *testing.T) {
	t.Parallel()
	payload := strings.Replace(pullRequestPayload("edited", person), `"head":{`, `"user":null,"head":{"repo":null,"user":null,`, 1)
	hint, err := Decode("pull_request", []byte(payload), self)
	require.NoError(t, err)
	require.Equal(t, []int{42}, hint.PullRequests)
}

// TestPublicSamples decodes every sample payload that GitHub's webhook users have published: none
// is refused, and those that can change a verdict name what changed.
func TestPublicSamples(t *testing.T) {
	t.Parallel()
	of, total := map[string]int{}, 0
	for name, payloads := range samples(t) {
		for i, payload := range payloads {
			total++
			hint, err := Decode(name, payload, self)
			require.NoError(t, err, "%s example %d", name, i)
			if hint.OfInterest() {
				of[name+"."+hint.Action]++
				requireNamed(t, hint, string(payload))
			}
		}
	}
	require.Greater(t, total, 200)
	// Counted in the sample file by action; all check runs in it belong to other apps.
	require.Equal(t, map[string]int{
		"check_run.completed": 3, "check_run.rerequested": 2, "check_run.requested_action": 1,
		"check_suite.completed": 4, "check_suite.requested": 3, "check_suite.rerequested": 2,
		"installation.created": 2, "installation.deleted": 2, "installation.unsuspend": 1, "installation.new_permissions_accepted": 1,
		"installation_repositories.added": 2, "installation_repositories.removed": 1,
		"member.added": 3, "member.edited": 1, "pull_request_review.submitted": 3, "pull_request_review.dismissed": 1,
		"repository.edited": 2, "repository.privatized": 2, "repository.publicized": 3, "repository.renamed": 1, "repository.transferred": 3,
		"status.": 4, "workflow_run.completed": 3, "push.": 2, "pull_request.closed": 2,
		"issue_comment.created": 5, "issue_comment.deleted": 2, "issue_comment.edited": 2,
		"issues.edited": 3, "issues.deleted": 1, "issues.transferred": 1,
		"pull_request.opened": 4, "pull_request.converted_to_draft": 3, "pull_request.labeled": 2,
		"pull_request.ready_for_review": 3, "pull_request.reopened": 2, "pull_request.synchronize": 1,
		"pull_request.unlabeled": 2,
	}, of)
}

func samples(t *testing.T) map[string][]json.RawMessage {
	t.Helper()
	file, err := os.Open("testdata/webhooks-examples.json.gz")
	require.NoError(t, err)
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	require.NoError(t, err)
	var list []struct {
		Name     string            `json:"name"`
		Examples []json.RawMessage `json:"examples"`
	}
	require.NoError(t, json.NewDecoder(unpacked).Decode(&list))
	byName := map[string][]json.RawMessage{}
	for _, one := range list {
		byName[one.Name] = one.Examples
	}
	return byName
}

func TestSpaceBeforeTheObjectIsNoReasonToRefuseIt(t *testing.T) {
	t.Parallel()
	_, err := Decode("pull_request", []byte(strings.Repeat(" \n", 200)+pullRequestPayload("opened", person)), self)
	require.NoError(t, err)
}

// TestAnInstallationThatCannotBeIsLookedUp: work under it would be given up at once.
func TestAnInstallationThatCannotBeIsLookedUp(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"-9", "0", "99999999999999999999999", `"9"`, "9.5"} {
		payload := `{"action":"opened","number":42,"repository":{"id":5,"full_name":"acme/widgets"},"installation":{"id":` + id + `}}`
		hint, err := Decode("pull_request", []byte(payload), self)
		require.NoError(t, err, id)
		require.Zero(t, hint.InstallationID, id)
		require.Equal(t, []int{42}, hint.PullRequests, id)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("pull_request", []byte(pullRequestPayload("opened", person)))
	f.Add("check_run", []byte(checkRunPayload("completed", foreignID, "ci", listed, person)))
	f.Add("push", []byte(pushPayload("refs/heads/main", "", `{"added":[".github/evidence.yml"]}`, person)))
	f.Add("installation_repositories", []byte(repositoriesPayload("added", `{"id":1,"full_name":"acme/one"},null`, "")))
	for _, name := range []string{"check_suite", "status", "workflow_run", "pull_request_review", "repository", "member", "installation"} {
		f.Add(name, []byte(plainPayload("completed", `"sha":"`+sha+`"`, person)))
	}
	f.Add("issue_comment", []byte(commentPayload("created", onTask, byPerson, person)))
	f.Fuzz(func(t *testing.T, name string, payload []byte) {
		hint, err := Decode(name, payload, self)
		if err != nil {
			require.ErrorIs(t, err, ErrMalformed)
			return
		}
		switch {
		case hint.Installation && hint.RepositoryID == 0:
			require.Positive(t, hint.InstallationID)
		case len(hint.Repositories) > 0:
			require.Positive(t, hint.Repositories[0].ID)
		case hint.OfInterest():
			require.Positive(t, hint.RepositoryID)
			require.NotContains(t, hint.Repo.Owner+hint.Repo.Name, "/")
		}
	})
}
