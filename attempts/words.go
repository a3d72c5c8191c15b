package attempts

// Outcomes of an attempt (A3).
const (
	Passed   = "passed"
	Failed   = "failed"
	TimedOut = "timed_out"
	Blocked  = "blocked"
)

// Strategies of an attempt (A3).
const (
	Foreground = "foreground"
	Background = "background"
	Focused    = "focused"
	Split      = "split"
	CI         = "ci"
)

// Classifications of a triage (A6). An attempt's candidate classification is any but Pending.
const (
	Pending     = "pending"
	OneOff      = "one_off"
	ProjectFact = "project_fact"
	Decision    = "decision"
	FollowUp    = "follow_up"
	Blocker     = "blocker"
)

// Hands that record attempts and write triage.
const (
	Engineer   = "engineer"
	Maintainer = "maintainer"
)

// Words that stand where a value is not known or does not apply.
const (
	Unknown = "unknown"
	None    = "none"
)

// Values of the fields that take one of a few words.
var (
	Outcomes        = []string{Passed, Failed, TimedOut, Blocked}
	Strategies      = []string{Foreground, Background, Focused, Split, CI}
	Classifications = []string{Pending, OneOff, ProjectFact, Decision, FollowUp, Blocker}
	Candidates      = Classifications[1:]
)

// State is the state of an episode (schema/report.schema.json).
type State string

// The states of an episode.
const (
	Resolved      State = "resolved"       // the latest attempt passed
	Triaged       State = "triaged"        // the latest attempt has a final triage that is no blocker
	Active        State = "active"         // the latest attempt did not pass and has no triage
	PendingTriage State = "pending_triage" // its triage is pending
	Blocking      State = "blocker"        // its triage is a blocker
	Exhausted     State = "exhausted"      // max_attempts attempts did not pass and nobody triaged
)
