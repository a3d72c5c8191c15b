package approval_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/approval"
	"github.com/evidence-gate/evidence-gate/profile/policy"
)

// proofs are the weakest proofs of two checks, by the words of docs/trust.md.
var proofs = map[string][]string{
	"signed":                 {approval.SignedByVerifier, approval.SignedByVerifier},
	"read":                   {approval.PlatformChecked, approval.PlatformChecked},
	"signed and read":        {approval.SignedByVerifier, approval.PlatformChecked},
	"read and self-reported": {approval.PlatformChecked, approval.SelfReportedLabel},
	"self-reported":          {approval.SelfReportedLabel, approval.SelfReportedLabel},
}

// approvers are who approved the head, by the words of docs/trust.md.
var approvers = map[string][]change{
	"nobody":                             nil,
	"the author, of two maintainers":     with(author(lee), approves(lee)),
	"the author, the only maintainer":    with(author(lee), approves(lee), maintainers(1)),
	"an agent with no part in it":        with(approves(helper)),
	"a person without the role":          with(approves(rev)),
	"the maintainer who posted the task": with(approves(lead)),
	"a maintainer with no part in it":    with(approves(lee)),
	"an agent, then a maintainer":        with(approves(helper), reviewOf(lead, "approved", head, at("12:00"))),
}

var proofsMark = regexp.MustCompile(`^<!-- proofs: (.*) -->$`)

// Every row of the truth table of docs/trust.md is what comes out, at every level.
func TestTheTruthTable(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/trust.md")
	require.NoError(t, err)
	proof, rows := "", map[string]bool{}
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSpace(line)
		if m := proofsMark.FindStringSubmatch(line); m != nil {
			proof = m[1]
			require.Contains(t, proofs, proof)
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		if proof == "" || len(cells) != 7 {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[0] == "approved by" || strings.HasPrefix(cells[0], "---") {
			continue
		}
		require.Contains(t, approvers, cells[0])
		require.False(t, rows[proof+cells[0]], "twice: %s, %s", proof, cells[0])
		rows[proof+cells[0]] = true
		truth(t, proof, cells)
	}
	require.Len(t, rows, len(proofs)*len(approvers), "every combination has its row")
}

// truth holds one row against what is concluded.
func truth(t *testing.T, proof string, cells []string) {
	t.Helper()
	for i, level := range policy.Levels()[1:] {
		f := facts(level, approvers[cells[0]]...)
		f.SelfReported = strings.Contains(proof, "self-reported")
		got := approval.Judge(f)
		where := proof + ", " + cells[0] + ", " + string(level)

		var labels, shown []string
		for _, p := range proofs[proof] {
			l := approval.Label([]string{p}, got)
			labels = append(labels, l)
			if len(shown) == 0 || shown[len(shown)-1] != l {
				shown = append(shown, l)
			}
		}
		require.Equal(t, cells[1], strings.Join(shown, ", "), where)
		require.Equal(t, strings.Trim(cells[2], "`"), approval.Assurance(labels, got), where)
		require.Equal(t, strings.Trim(cells[2], "`"), approval.Assurance(proofs[proof], got), where)

		want := strings.Fields(cells[3+i])
		if cells[3+i] == "passes" {
			want = nil
		}
		var found []string
		for _, code := range codes(got) {
			found = append(found, strings.TrimPrefix(code, "approval."))
		}
		require.Equal(t, want, found, where)
	}
}

// The weakest proof of a check is its label.
func TestTheWeakestProofIsTheLabel(t *testing.T) {
	t.Parallel()
	nobody, agent := approval.Result{}, approval.Result{Reviewed: true}
	self := approval.Result{Person: true, SelfApproved: true}
	for _, r := range []struct {
		proofs []string
		by     approval.Result
		label  string
	}{
		{nil, nobody, ""},
		{nil, agent, ""},
		{[]string{"self_reported"}, nobody, "self_reported"},
		{[]string{"platform_checked", "self_reported"}, nobody, "self_reported"},
		{[]string{"signed_by_verifier", "platform_checked"}, nobody, "platform_checked"},
		{[]string{"signed_by_verifier", "self_reported"}, agent, "verifier_confirmed"},
		{[]string{"self_reported"}, self, "self_reported"},
		{[]string{"platform_checked"}, self, "platform_checked"},
		{[]string{"nobody knows"}, nobody, "self_reported"},
		{[]string{"signed_by_verifier", "nobody knows"}, nobody, "self_reported"},
	} {
		require.Equal(t, r.label, approval.Label(r.proofs, r.by), "%v", r)
	}
}

// Assurance is the strongest that every check reaches; a check that nothing proves reaches none.
func TestAssuranceIsWhatEveryCheckReaches(t *testing.T) {
	t.Parallel()
	person := approval.Result{Person: true, Reviewed: true}
	require.Equal(t, "self_reported", approval.Assurance(nil, person))
	require.Equal(t, "self_reported", approval.Assurance([]string{"signed_by_verifier", ""}, person))
	require.Equal(t, "person_approved", approval.Assurance([]string{"signed_by_verifier", "verifier_confirmed"}, person))
	require.Equal(t, "agent_verified", approval.Assurance([]string{"platform_checked", "verifier_confirmed"}, approval.Result{Reviewed: true}))
	require.Equal(t, "agent_verified", approval.Assurance([]string{"self_reported"}, approval.Result{Reviewed: true, Person: true, SelfApproved: true}))
	require.Equal(t, "self_reported", approval.Assurance([]string{"nobody knows"}, approval.Result{}))
}
