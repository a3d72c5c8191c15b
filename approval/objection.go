package approval

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
)

// changesRequested quotes the request that stands on the head.
func (j *judge) changesRequested(sp *speaker) report.Diagnostic {
	blocking := sp.blocking(j.head)
	latest := blocking[0]
	for _, s := range blocking[1:] {
		if !s.at.Before(latest.at) {
			latest = s
		}
	}
	message := fmt.Sprintf("%s asks for changes on commit %s", name(sp.actor), short(j.head))
	if quote := strings.Join(strings.Fields(latest.text), " "); quote != "" {
		message += ": " + bounded(quote, maxQuote)
	}
	d := report.New(report.CodeApprovalChangesRequested, message)
	d.Details = map[string]any{"actor": login(sp.actor), "head": j.head, "review": bounded(latest.text, maxQuoteDetails)}
	d.Help = fmt.Sprintf("answer it with a new commit, or %s approves commit %s or withdraws the request", name(sp.actor), short(j.head))
	if sp.actor == nil {
		d.Help = "answer it with a new commit, or a maintainer dismisses the review"
	}
	return d
}

// escalated says why only a person can approve, beside what is missing.
func (j *judge) escalated() report.Diagnostic {
	d := report.New(report.CodeApprovalEscalated, fmt.Sprintf("changes were requested %d times (max_rejections: %d): nothing passes without the approval of a person with the maintainer's role", j.result.Rejections, j.Policy.MaxRejections))
	d.Details = map[string]any{"rejections": j.result.Rejections, "max_rejections": j.Policy.MaxRejections}
	return d
}

// personRequested quotes who asked for a person.
func (j *judge) personRequested() report.Diagnostic {
	asking := j.asking()
	last := asking[len(asking)-1]
	message := fmt.Sprintf("%s asks for a person to look at this pull request", name(last.Actor))
	if reason := strings.Join(strings.Fields(last.Reason), " "); reason != "" {
		message += ": " + bounded(reason, maxQuote)
	}
	d := report.New(report.CodeApprovalPersonRequested, message+j.whyNoPerson())
	d.Details = map[string]any{"actor": login(last.Actor), "reason": bounded(last.Reason, maxQuoteDetails), "head": j.head}
	d.Help = fmt.Sprintf("a maintainer looks and approves commit %s", short(j.head))
	return d
}

// personRequired says that a check waits for a person.
func (j *judge) personRequired(check string) report.Diagnostic {
	d := report.New(report.CodeCheckPersonRequired, fmt.Sprintf("%s waits for a person: no maintainer approved commit %s", printable(check), short(j.head))+j.whyNoPerson())
	d.Check = &check
	d.Details = map[string]any{"head": j.head}
	d.Help = fmt.Sprintf("a maintainer looks at %s and approves commit %s", printable(check), short(j.head))
	return d
}

// whyNoPerson says why the approvals that there are are none of a person, and reports the facts that
// would tell.
func (j *judge) whyNoPerson() string {
	var out []string
	for _, r := range j.persons {
		for _, f := range r.faults {
			if f.lacks != nil {
				j.need(*f.lacks)
			}
		}
		out = append(out, fmt.Sprintf("%s approved, but %s", name(r.speaker.actor), r.why()))
	}
	if len(out) == 0 {
		return ""
	}
	return "; " + strings.Join(capped(out), "; ")
}

// reviewHelp says what would satisfy the rule, and who cannot.
func (j *judge) reviewHelp() string {
	help := fmt.Sprintf("somebody with write permission, or an agent that the policy lists, approves commit %s", short(j.head))
	v := j.involvement()
	if len(v.logins) > 0 {
		var out []string
		for _, l := range v.logins {
			out = append(out, printable(l))
		}
		help += "; not " + and(out) + ", who had a part in the work"
	}
	for _, rule := range []struct {
		asked bool
		what  string
	}{{j.Policy.Review.DifferentConnector, "connector"}, {j.Policy.Review.DifferentProvider, "provider"}} {
		if rule.asked {
			help += fmt.Sprintf("; the policy's agents name its %s and that of %s, another one", rule.what, name(j.Snapshot.PullRequest.Author))
		}
	}
	for _, p := range v.unknown {
		help += remedies[p.deed]
	}
	if j.level.Human() {
		help += "; a maintainer approves after that"
	}
	return help
}

// personHelp says what would satisfy the rule of a person.
func (j *judge) personHelp(who string) string {
	if j.Policy.PersonVia == policy.UI {
		return fmt.Sprintf("%s approves commit %s by the Approve button or on the report's page", who, short(j.head))
	}
	return fmt.Sprintf("%s approves commit %s: by a review, the Approve button or a comment /approve", who, short(j.head))
}

// remedies say how a deed of nobody knows whom is put right.
var remedies = map[deed]string{
	committed: "; and every author of every commit has an account: commit again with an address that belongs to one",
	edited:    "; nobody can tell who edited the evidence, which a new pull request puts right",
	attempted: "; nobody can tell who recorded all attempts, so that only an admin's /override passes this gate",
	ran:       "; nobody can tell who recorded all runs, so that only an admin's /override passes this gate",
}

// another names a maintainer who did not write the evidence.
func (j *judge) another() string {
	var out []string
	for _, l := range j.involvement().logins {
		if j.involvement().wrote(l) {
			out = append(out, printable(l))
		}
	}
	if len(out) == 0 {
		return "a maintainer"
	}
	return "a maintainer other than " + and(out)
}
