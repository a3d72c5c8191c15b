package criteria

import (
	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Facts is everything that is needed to judge the criteria of one pull request.
type Facts struct {
	Criteria List
	Mode     string // of the policy: off, optional or required; anything else is judged as required
	Body     string // of the pull request
	Head     string // its head commit
	Unbound  bool   // the Evidence section names another commit, so that no entry of it proves anything

	Checks      []report.Check      // as they were judged
	Diagnostics []report.Diagnostic // reported so far; they tell which check only waits for somebody else
	Attempts    func(check string) (attempts.Standing, bool)

	Runs           []snapshot.Run // recorded results
	ContractDigest string         // runs for another contract do not count; "" when it is not known

	ChangedPaths []string
	Unavailable  func(fact string) bool // tells which facts could not be read; nil: all were

	Rules     []string // ids of business rules that exist on the base
	RulesFile string   // the file that holds them, of the policy; "" when it is not known

	// SignedOff says that a maintainer approved the head, which is the sign-off that evidence `manual`
	// waits for. Who that may be is the rule of checks+human. Where it is known only later, see
	// [Result.WithSignOff].
	SignedOff   bool
	SameCommand func(a, b string) bool // the rule of section 5; nil: equal once white space is collapsed
}

// Result is what was concluded from [Facts].
type Result struct {
	Criteria    []report.Criterion
	Diagnostics []report.Diagnostic

	// SignOff are the criteria that lack nothing but a maintainer's sign-off. No diagnostic says so:
	// whoever judges approvals must (section 10), else nothing would stop the pull request.
	SignOff []string

	// Needs are facts that could not be read and without which a criterion cannot be judged
	// (snapshot.fact_unavailable); no diagnostic says so here either.
	Needs []string
}

// WithSignOff is the result once a maintainer approved the head.
func (r Result) WithSignOff() Result {
	waited := map[string]bool{}
	for _, id := range r.SignOff {
		waited[id] = true
	}
	out := make([]report.Criterion, 0, len(r.Criteria))
	for _, c := range r.Criteria {
		c.Satisfied = c.Satisfied || waited[c.ID]
		out = append(out, c)
	}
	r.Criteria, r.SignOff = out, nil
	return r
}
