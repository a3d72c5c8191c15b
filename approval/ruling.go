package approval

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// ruling is whether the approval of the head by one account holds by one rule.
type ruling struct {
	speaker *speaker
	ok      bool
	self    bool     // of a person: it approves its own work, and there is no other maintainer
	by      []saying // the approvals that hold
	faults  []fault  // why none does
}

// fault is one reason why an approval does not hold. Its text is the rest of a sentence that begins
// with the account. Lacks is the fact that would decide.
type fault struct {
	code  report.Code
	text  string
	lacks *snapshot.Unavailable
}

func (r ruling) why() string {
	var out []string
	for _, f := range r.faults {
		out = append(out, f.text)
	}
	return and(out)
}

// byHand are the ways to approve that a token cannot go.
var byHand = map[string]bool{"button": true, "page": true}

// review rules on an approval by the rule of checks+review: by a reviewer who had no part in the work
// and, where the policy asks for it, has another connector and provider than its author.
func (j *judge) review(sp *speaker) ruling {
	r := ruling{speaker: sp}
	for _, s := range sp.approvals(j.head) {
		if f := j.noReviewer(s.actor); f != nil {
			r.faults = []fault{*f}
			continue
		}
		r.by = append(r.by, s)
	}
	if len(r.by) > 0 {
		r.faults = j.dependent(sp.actor)
	}
	r.ok = len(r.by) > 0 && len(r.faults) == 0
	return r
}

// noReviewer says why an account is no reviewer, nil when it is one.
func (j *judge) noReviewer(a *snapshot.Actor) *fault {
	f := &fault{code: report.CodeApprovalMissing}
	switch u, unknown := j.roleUnknown(a, false); {
	case a != nil && strings.EqualFold(a.Login, actionsBot):
		return j.workflow(a, f)
	case j.mayReview(a):
		return nil
	case a == nil:
		f.text = "is there no more to be asked"
	case j.isApp(a):
		f.text = "is the gate itself"
	case a.Permission == "":
		f.text = "is not known to have write permission"
		if unknown {
			f.lacks = &u
		}
	default:
		f.text = fmt.Sprintf("has the permission %s, not write, and is no agent that the policy lists", printable(a.Permission))
	}
	return f
}

// actionsBot is the account as which every workflow of a repository acts.
const actionsBot = "github-actions[bot]"

// workflow says why GitHub Actions is no reviewer, nil when it is one: the policy lists it as an agent,
// and the pull request changes nothing that decides what its workflows say.
func (j *judge) workflow(a *snapshot.Actor, f *fault) *fault {
	_, agent := j.roles.Agent(a)
	switch {
	case !agent:
		f.text = "says what a workflow tells it to, and is no agent that the policy lists"
	case WorkflowTouched(j.Snapshot.PullRequest):
		f.text = "says what a workflow tells it to, and this pull request may change the workflows"
	default:
		return nil
	}
	return f
}

// WorkflowTouched reports whether a pull request may change what GitHub Actions runs, or the policy
// (section 10). Paths that were not read may be any.
func WorkflowTouched(pr snapshot.PullRequest) bool {
	for _, path := range pr.ChangedPaths {
		if strings.HasPrefix(path, ".github/workflows/") || strings.HasPrefix(path, ".github/actions/") || path == ".github/evidence.yml" {
			return true
		}
	}
	return len(pr.ChangedPaths) == 0 && (pr.ChangedFiles == nil || *pr.ChangedFiles > 0)
}

// dependent says why an account is not independent of the work.
func (j *judge) dependent(a *snapshot.Actor) []fault {
	v := j.involvement()
	if why := v.why(a.Login, false); why != "" {
		return []fault{{code: report.CodeApprovalNotIndependent, text: why}}
	}
	if why := v.whyUnknown(); why != "" {
		return []fault{{code: report.CodeApprovalNotIndependent, text: "may be one of who did the work: " + why}}
	}
	if len(v.missing) > 0 {
		return []fault{cannotTell(v.missing)}
	}
	var faults []fault
	if j.Policy.Review.DifferentConnector {
		faults = append(faults, j.alike(a, "connector", report.CodeApprovalSameConnector, func(a policy.Agent) string { return a.Connector })...)
	}
	if j.Policy.Review.DifferentProvider {
		faults = append(faults, j.alike(a, "provider", report.CodeApprovalSameProvider, func(a policy.Agent) string { return a.Provider })...)
	}
	return faults
}

func cannotTell(missing []snapshot.Unavailable) fault {
	var facts []string
	for _, u := range missing {
		facts = append(facts, u.Fact)
	}
	return fault{code: report.CodeApprovalMissing, text: "may have had a part in the work, which cannot be told without " + and(facts)}
}

// alike says whether a reviewer has what must differ in common with the pull request's author or with
// an agent that did the work: wrote a commit, edited the evidence, recorded attempts or runs. So it
// does where that is not known of one of them.
func (j *judge) alike(a *snapshot.Actor, what string, code report.Code, of func(policy.Agent) string) []fault {
	value := func(a *snapshot.Actor) string {
		agent, _ := j.roles.Agent(a)
		return strings.TrimSpace(of(agent))
	}
	mine, author := value(a), j.Snapshot.PullRequest.Author
	switch theirs := value(author); {
	case mine == "":
		return []fault{{code: code, text: "has no " + what + " in the policy"}}
	case theirs == "":
		return []fault{{code: code, text: fmt.Sprintf("reviews the work of %s, which has no %s in the policy", name(author), what)}}
	case strings.EqualFold(mine, theirs):
		return []fault{{code: code, text: fmt.Sprintf("has the %s %s, as %s has", what, printable(mine), name(author))}}
	}
	v := j.involvement()
	for _, login := range v.logins {
		theirs := &snapshot.Actor{Login: login}
		if _, agent := j.roles.Agent(theirs); !agent || !v.wrote(login) {
			continue
		}
		if value(theirs) == "" || strings.EqualFold(mine, value(theirs)) {
			return []fault{{code: code, text: fmt.Sprintf("has the %s %s, and that of %s, which %s, is the same or not known", what, printable(mine), name(theirs), v.why(login, true))}}
		}
	}
	return nil
}

// person rules on an approval by the rule of checks+human: by a person with the maintainer's role, in
// the way that the policy asks for, who did not write the evidence unless there is no other
// maintainer.
func (j *judge) person(sp *speaker) ruling {
	r := ruling{speaker: sp}
	for _, s := range sp.approvals(j.head) {
		if f := j.noPerson(s); f != nil {
			r.faults = []fault{*f}
			continue
		}
		r.by = append(r.by, s)
	}
	if len(r.by) == 0 {
		return r
	}
	r.faults = nil
	own := j.ownWork(sp.actor)
	switch {
	case own == nil:
		r.ok = true
	case j.Snapshot.Repository.Maintainers == 1:
		r.ok, r.self = true, true
	default:
		r.faults = []fault{*own}
	}
	return r
}

// noPerson says why an approval is not one by a person with the maintainer's role, nil when it is.
func (j *judge) noPerson(s saying) *fault {
	f := &fault{code: report.CodeApprovalPersonMissing}
	switch u, unknown := j.roleUnknown(s.actor, true); {
	case s.actor == nil:
		f.text = "is there no more to be asked"
	case !person(j.roles, s.actor):
		f.text = "is no person"
		if _, agent := j.roles.Agent(s.actor); agent {
			f.text = "is an agent that the policy lists, no person"
		}
	case !j.roles.Maintainer(s.actor) && unknown:
		f.text, f.lacks = "is not known to be a maintainer", &u
	case !j.roles.Maintainer(s.actor):
		f.text = "is no maintainer"
	case j.Policy.PersonVia != policy.AnyWay && j.Policy.PersonVia != "" && !byHand[s.via]:
		f.text = "approved by " + firstOf(ways[s.via], "a way that is not known") + ", and the policy (approval.person_via: ui) asks for the button or the signed-in page"
	default:
		return nil
	}
	return f
}

var ways = map[string]string{viaReview: "a review", "comment": "a comment"}

// ownWork says why a person would approve its own evidence, nil when it would not. What rests on
// nobody's word is nobody's own; what waits for a person rests on that person.
func (j *judge) ownWork(a *snapshot.Actor) *fault {
	if !j.SelfReported && len(j.PersonChecks) == 0 && len(j.SignOff) == 0 {
		return nil
	}
	v := j.involvement()
	if why := v.why(a.Login, true); why != "" {
		return &fault{code: report.CodeApprovalOwnWork, text: why}
	}
	if why := v.whyUnknown(); why != "" {
		return &fault{code: report.CodeApprovalOwnWork, text: "may be one of who wrote the evidence: " + why}
	}
	if len(v.missing) > 0 {
		f := cannotTell(v.missing)
		f.code = report.CodeApprovalPersonMissing
		return &f
	}
	return nil
}
