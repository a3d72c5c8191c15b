package approval

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// FindOverride finds the override that passes the gate for the head (section 9): an admin's, who is a
// person and gave a reason, for this very commit. refused says why the last one that was tried does
// not count; it is empty where one does. It stands apart from [Judge] because an override holds where
// nothing else can be judged.
func FindOverride(s snapshot.Snapshot, roles policy.Roles) (found *snapshot.Action, refused string) {
	for i := range s.Actions {
		a := &s.Actions[i]
		if a.Kind != "override" {
			continue
		}
		if why := mayNotOverride(a, s.PullRequest.HeadSHA, roles); why != "" {
			refused = "the override by " + name(a.Actor) + " does not count: " + why
		} else {
			found = a
		}
	}
	if found != nil {
		refused = ""
	}
	return found, refused
}

func mayNotOverride(a *snapshot.Action, head string, roles policy.Roles) string {
	switch {
	case a.Actor == nil:
		return "nobody can be asked for it any more"
	case !person(roles, a.Actor):
		return "it takes a person"
	case a.Actor.Permission != "admin":
		return "it takes an admin, and " + hasPermission(a.Actor)
	case !same(a.HeadSHA, head):
		return fmt.Sprintf("it was given for %s, and the head is %s", short(a.HeadSHA), short(head))
	case prbody.Placeholder(a.Reason):
		return "it gives no reason: /override REASON"
	}
	return ""
}

// Overridden is the note that an override leaves for ever in the report.
func Overridden(a snapshot.Action) report.Diagnostic {
	reason := bounded(strings.Join(strings.Fields(a.Reason), " "), maxQuote)
	d := report.New(report.CodeOverrideActive, fmt.Sprintf("%s passed the gate for commit %s%s: %s", name(a.Actor), short(a.HeadSHA), on(a.At), reason))
	d.Details = map[string]any{"actor": login(a.Actor), "head": a.HeadSHA, "at": a.At, "reason": bounded(a.Reason, maxQuoteDetails)}
	return d
}
