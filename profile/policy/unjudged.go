package policy

import (
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Key is a key of the policy that is read and that no judge acts on yet. It stands in
// [Effective.Unjudged] only where it would matter, and then nothing may pass (design section 1):
//
//   - verifiers: where the Snapshot has attestations; without one nothing is signed.
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
	{"verifiers", "results signed by the keys listed", "", func(e Effective, s snapshot.Snapshot) bool {
		return len(e.Verifiers) > 0 && len(s.Attestations) > 0
	}},
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
