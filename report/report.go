// Package report holds the Report, everything concluded from one Snapshot (design section 11), and
// the one table of diagnostic codes with their severity, owner, wording and examples (design
// section 8). What leads to a diagnostic is left to the judges.
package report

// Schema is the version of the JSON shape; the only one so far.
const Schema = 1

// Stage says what is asked: whether evidence is complete enough for a review, or whether the pull
// request may merge (design section 8).
type Stage string

// The stages of design section 8.
const (
	Review Stage = "review"
	Merge  Stage = "merge"
)

// Conclusion is the one word of a Report.
type Conclusion string

// The conclusions of design section 8.
const (
	Success        Conclusion = "success"
	Failure        Conclusion = "failure"
	ActionRequired Conclusion = "action_required"
	Pending        Conclusion = "pending"
	Neutral        Conclusion = "neutral"
)

// Severity of a diagnostic.
type Severity string

// The severities of design section 8. Only errors decide the conclusion.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Note    Severity = "note"
)

// Owner is who must act on a diagnostic.
type Owner string

// The owners of design section 8.
const (
	Engineer   Owner = "engineer"
	Maintainer Owner = "maintainer"
	Approver   Owner = "approver"
	Operator   Owner = "operator"
	Machine    Owner = "machine"
)

// Report is everything concluded from one Snapshot.
type Report struct {
	Schema      int          `json:"schema"`
	Conclusion  Conclusion   `json:"conclusion"`
	Stage       Stage        `json:"stage"`
	Title       string       `json:"title"` // at most 255 characters
	HeadSHA     string       `json:"head_sha"`
	Level       string       `json:"level"`
	Mode        string       `json:"mode,omitempty"`
	Assurance   string       `json:"assurance"`
	Notes       []string     `json:"notes"`
	Checks      []Check      `json:"checks"`
	Criteria    []Criterion  `json:"criteria,omitempty"`
	Episodes    []Episode    `json:"episodes"`
	Approvals   []Approval   `json:"approvals,omitempty"`
	Diagnostics []Diagnostic `json:"diagnostics"`
	Contract    Contract     `json:"contract"`
}

// Check is what was found for one required check. ID is nil for a check without one; Via, Verdict
// and Source are nil when nothing proves it.
type Check struct {
	ID           *string       `json:"id"`
	Text         string        `json:"text"`
	Kind         string        `json:"kind"`
	Command      string        `json:"command,omitempty"`
	Satisfied    bool          `json:"satisfied"`
	Via          *string       `json:"via"`
	Source       *string       `json:"source"`
	Verdict      *string       `json:"verdict"`
	TrustLabel   *string       `json:"trust_label"`
	Evidence     string        `json:"evidence,omitempty"`
	Link         string        `json:"link,omitempty"`
	Observations []Observation `json:"observations"`
	Fact         *Fact         `json:"fact,omitempty"`
}

// Fact is what the verification profile knows of a check's command (design section 7). Times are
// milliseconds, "unknown" or "none".
type Fact struct {
	ID            string `json:"id"`
	Command       string `json:"command"`
	LastOutcome   string `json:"last_outcome,omitempty"`
	DurationMS    string `json:"observed_duration_ms,omitempty"`
	TimeoutMS     string `json:"timeout_ms,omitempty"`
	HostCeilingMS string `json:"host_timeout_ceiling_ms,omitempty"`
	Strategy      string `json:"strategy,omitempty"`
	Updated       string `json:"updated,omitempty"`
}

// Name is the id of the check, or its text when it has none.
func (c Check) Name() string {
	if c.ID != nil {
		return *c.ID
	}
	return c.Text
}

// Observation is one observation record of a check's entry.
type Observation struct {
	Name     string `json:"name"`
	Level    string `json:"level,omitempty"`
	Result   string `json:"result,omitempty"`
	Artifact string `json:"artifact,omitempty"`
	Source   string `json:"source,omitempty"`
}

// Criterion is one acceptance criterion.
type Criterion struct {
	ID        string `json:"id"`
	Satisfied bool   `json:"satisfied"`
}

// Episode is the state of one check's attempts.
type Episode struct {
	Check    string  `json:"check"`
	Attempts int     `json:"attempts"`
	Latest   string  `json:"latest"`
	Triage   *string `json:"triage"`
	State    string  `json:"state"`
}

// Approval is one approval and whether it counts.
type Approval struct {
	Actor   string `json:"actor"`
	Counts  bool   `json:"counts"`
	As      string `json:"as,omitempty"`
	Because string `json:"because,omitempty"`
}

// Diagnostic is one finding.
type Diagnostic struct {
	Code     Code           `json:"code"`
	Severity Severity       `json:"severity"`
	Owner    Owner          `json:"owner"`
	Message  string         `json:"message"`
	Help     string         `json:"help,omitempty"`
	Details  map[string]any `json:"details,omitempty"`
	Check    *string        `json:"check,omitempty"`
	Where    *Where         `json:"where,omitempty"`
}

// Where is a place in a document: pull_request.body, issue.body, comment:<id>, policy, profile or
// task_file. Lines and columns are 1-based; columns count characters. Zero means unknown.
type Where struct {
	Document  string `json:"document"`
	Line      int    `json:"line,omitempty"`
	Column    int    `json:"column,omitempty"`
	EndLine   int    `json:"end_line,omitempty"`
	EndColumn int    `json:"end_column,omitempty"`
}

// Contract is the identity of the judged contract and how it differs from the remembered one.
type Contract struct {
	Digest  string   `json:"digest"`
	Changed []Change `json:"changed"`
}

// Change is one difference to the remembered contract: added, removed or edited.
type Change struct {
	Check  string `json:"check"`
	Change string `json:"change"`
	Was    string `json:"was,omitempty"`
	Is     string `json:"is,omitempty"`
}

// Conclude derives the conclusion from the owners of the errors alone (design section 8).
func Conclude(diagnostics []Diagnostic) Conclusion {
	owners := map[Owner]bool{}
	for _, d := range diagnostics {
		if d.Severity == Error {
			owners[d.Owner] = true
		}
	}
	switch {
	case owners[Engineer]:
		return Failure
	case owners[Maintainer] || owners[Approver] || owners[Operator]:
		return ActionRequired
	case owners[Machine]:
		return Pending
	default:
		return Success
	}
}
