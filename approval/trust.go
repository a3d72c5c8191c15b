package approval

// Trust labels of a check (design section 10).
const (
	SelfReportedLabel = "self_reported"
	VerifierConfirmed = "verifier_confirmed"
	ApprovedByPerson  = "approved_by_person"
	PlatformChecked   = "platform_checked"
	SignedByVerifier  = "signed_by_verifier"
)

// Assurances of a pull request. The one of PlatformChecked has the label's name.
const (
	SelfReportedAssurance = "self_reported"
	SelfApprovedAssurance = "self_approved"
	AgentVerified         = "agent_verified"
	PersonApproved        = "person_approved"
	CustomerVerified      = "customer_verified"
)

// rung is one step of the order of assurances, the weakest first. An empty label is none of its own:
// who approves his own work vouches for it a second time, which proves no check any better.
type rung struct{ assurance, label string }

var ladder = []rung{
	{SelfReportedAssurance, SelfReportedLabel},
	{SelfApprovedAssurance, ""},
	{AgentVerified, VerifierConfirmed},
	{PersonApproved, ApprovedByPerson},
	{PlatformChecked, PlatformChecked},
	{CustomerVerified, SignedByVerifier},
}

// rank is the place of a label, the lowest for one that is not known.
func rank(label string) int {
	for i, r := range ladder {
		if label != "" && r.label == label {
			return i
		}
	}
	return 0
}

// raised is the place to which the approvals of the head raise every check.
func (r Result) raised() int {
	switch {
	case r.Person && !r.SelfApproved:
		return rank(ApprovedByPerson)
	case r.Reviewed:
		return rank(VerifierConfirmed)
	case r.Person:
		return 1 // self-approved
	}
	return 0
}

// Label is the trust label of a check: the weakest of its proofs, raised by the approvals of the head.
// A check without a proof has none.
func Label(proofs []string, r Result) string {
	if len(proofs) == 0 {
		return ""
	}
	weakest := len(ladder)
	for _, p := range proofs {
		weakest = min(weakest, rank(p))
	}
	at := max(weakest, r.raised())
	if ladder[at].label == "" {
		at = weakest
	}
	return ladder[at].label
}

// Assurance is the strongest that every check reaches, given their labels or weakest proofs; an empty
// label is of a check that nothing proves.
func Assurance(labels []string, r Result) string {
	weakest := len(ladder) - 1
	for _, l := range labels {
		if l == "" {
			return SelfReportedAssurance
		}
		weakest = min(weakest, max(rank(l), r.raised()))
	}
	if len(labels) == 0 {
		return SelfReportedAssurance
	}
	return ladder[weakest].assurance
}
