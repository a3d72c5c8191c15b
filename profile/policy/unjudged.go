package policy

import (
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Key is a key of the policy that is read and that no judge acts on yet. It stands in
// [Effective.Unjudged] only where it would matter, and then nothing may pass (design section 1):
//
//   - level with review or human: at stage merge. At stage review no approval is asked for.
//   - criteria required: at both stages.
//   - approval.person_via ui: at stage merge, where the level asks for a person.
//   - review.different_connector and different_provider: at stage merge, where the level asks for a review.
//   - floor: at both stages, whenever the organisation sets one.
//   - verifiers: where the Snapshot has attestations; without one nothing is signed.
//   - max_rejections other than 3: at stage merge, where a review requests changes.
//
// The other keys that nothing acts on decide no verdict, so that they never stand there:
// review.reviewers, review.wait and notify say whom the app asks; business_rules lead to notes only;
// kind, env, pass_env, digest, fingerprint and the steps among checks belong to `verify`.
type Key struct {
	Name     string       // its dotted path
	Value    string       // as the file writes it
	Document string       // the file that it stands in, as diagnostics name it
	Line     int          // in that file
	Why      string       // what it asks for, as in "the policy asks for …"
	Stage    report.Stage // the stage that it matters at; empty for both
}

// UnjudgedAt lists the keys that would matter at a stage.
func (e Effective) UnjudgedAt(stage report.Stage) []Key {
	var keys []Key
	for _, k := range e.Unjudged {
		if k.Stage == "" || k.Stage == stage {
			keys = append(keys, k)
		}
	}
	return keys
}

// later is a key whose judge is not there yet.
type later struct {
	name    string
	why     string
	stage   report.Stage
	matters func(Effective, snapshot.Snapshot) bool
}

var laters = []later{
	{"level", "an approval", report.Merge, func(e Effective, _ snapshot.Snapshot) bool {
		return e.Level.Review() || e.Level.Human()
	}},
	{"criteria", "evidence of every acceptance criterion", "", func(e Effective, _ snapshot.Snapshot) bool {
		return e.Criteria == Required
	}},
	{"approval.person_via", "an approval by the button or the signed-in page", report.Merge, func(e Effective, _ snapshot.Snapshot) bool {
		return e.PersonVia != AnyWay && e.Level.Human()
	}},
	{"review.different_connector", "a reviewer of another connector", report.Merge, func(e Effective, _ snapshot.Snapshot) bool {
		return e.Policy.Review.DifferentConnector && e.Level.Review()
	}},
	{"review.different_provider", "a reviewer of another provider", report.Merge, func(e Effective, _ snapshot.Snapshot) bool {
		return e.Policy.Review.DifferentProvider && e.Level.Review()
	}},
	{"floor", "limits that no repository may lower", "", func(e Effective, _ snapshot.Snapshot) bool {
		return len(e.Floor.Keys) > 0
	}},
	{"verifiers", "results signed by the keys listed", "", func(e Effective, s snapshot.Snapshot) bool {
		return len(e.Verifiers) > 0 && len(s.Attestations) > 0
	}},
	{"max_rejections", "the approval of a person after so many rejections", report.Merge, func(e Effective, s snapshot.Snapshot) bool {
		return e.MaxRejections != Default().MaxRejections && rejected(s.Reviews)
	}},
}

func rejected(reviews []snapshot.Review) bool {
	for _, r := range reviews {
		if r.State == "changes_requested" {
			return true
		}
	}
	return false
}

func unjudged(e Effective, s snapshot.Snapshot) []Key {
	var keys []Key
	values := e.Values()
	for _, l := range laters {
		if !l.matters(e, s) {
			continue
		}
		k := Key{Name: l.name, Why: l.why, Stage: l.stage}
		for _, v := range values {
			if v.Key == l.name {
				k.Value, k.Document, k.Line = v.Text(), v.From.Source.document(), v.From.Line
			}
		}
		keys = append(keys, k)
	}
	return keys
}
