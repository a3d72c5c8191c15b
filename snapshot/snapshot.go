// Package snapshot holds the Snapshot: every fact that a verdict is decided from, as one value
// (design section 11). It knows the shape of the facts and how to read them from JSON; where they
// come from is left to the loader, and what they mean to the judges.
//
// A member that no judge reads yet never passes (design section 1); package checks lists them.
package snapshot

// Schema is the version of the JSON shape; the only one so far.
const Schema = 1

// Times are RFC 3339 in UTC and SHAs are 40 or 64 lower-case hexadecimal digits throughout; both
// stay strings because a fact that cannot be read as one is a finding, not a decoding error.

// Snapshot is every fact about one pull request at one moment.
type Snapshot struct {
	Schema             int           `json:"schema"`
	Now                string        `json:"now"`
	App                string        `json:"app,omitempty"` // slug of this product's GitHub App
	Repository         Repository    `json:"repository"`
	PullRequest        PullRequest   `json:"pull_request"`
	Linked             []Linked      `json:"linked,omitempty"`
	Issue              *Issue        `json:"issue"`
	Comments           []Comment     `json:"comments,omitempty"`
	Reviews            []Review      `json:"reviews,omitempty"`
	StatusChecks       []StatusCheck `json:"status_checks,omitempty"`
	Policy             *File         `json:"policy,omitempty"`
	OrganisationPolicy *File         `json:"organisation_policy,omitempty"`
	Profile            *File         `json:"profile,omitempty"`
	References         *References   `json:"references,omitempty"`
	Memory             *Memory       `json:"memory,omitempty"`
	Attestations       []Attestation `json:"attestations,omitempty"`
	URLChecks          []URLCheck    `json:"url_checks,omitempty"`
	Runs               []Run         `json:"runs,omitempty"`
	Actions            []Action      `json:"actions,omitempty"`
	MergeGroup         *MergeGroup   `json:"merge_group,omitempty"`
	Unavailable        []Unavailable `json:"unavailable,omitempty"`
}

// Repository is the repository of the pull request's base.
type Repository struct {
	ID            int64  `json:"id,omitempty"`
	Owner         string `json:"owner"`
	Name          string `json:"name"`
	DefaultBranch string `json:"default_branch,omitempty"`
	Private       bool   `json:"private,omitempty"`
	Maintainers   int    `json:"maintainers,omitempty"` // how many accounts hold the maintainer role
}

// FullName is "owner/name", GitHub's full name of the repository.
func (r Repository) FullName() string { return r.Owner + "/" + r.Name }

// PullRequest is the pull request under judgement. A null body is the empty document (M1).
type PullRequest struct {
	Number       int         `json:"number"`
	Title        string      `json:"title,omitempty"`
	Body         *string     `json:"body"`
	State        string      `json:"state,omitempty"` // open, closed or merged
	Draft        bool        `json:"draft,omitempty"`
	Fork         bool        `json:"fork,omitempty"`
	Author       *Actor      `json:"author,omitempty"` // nil: deleted account
	HeadSHA      string      `json:"head_sha"`
	BaseSHA      string      `json:"base_sha,omitempty"` // tip of the base branch when the snapshot was taken
	BaseRef      string      `json:"base_ref,omitempty"`
	CreatedAt    string      `json:"created_at,omitempty"`
	PushedAt     string      `json:"pushed_at,omitempty"`
	ChangedFiles *int        `json:"changed_files,omitempty"` // nil: not read
	ChangedPaths []string    `json:"changed_paths,omitempty"` // old and new names
	Labels       []Label     `json:"labels,omitempty"`
	Commits      []Commit    `json:"commits,omitempty"`
	Revisions    []Revision  `json:"revisions,omitempty"`
	StackedOn    []StackedOn `json:"stacked_on,omitempty"`
}

// Label is a label and who set it.
type Label struct {
	Name string `json:"name"`
	By   *Actor `json:"by,omitempty"`
}

// Commit is one commit of the pull request. Authors are the logins of author, committer and
// co-authors; nil stands for one without an account.
type Commit struct {
	SHA         string    `json:"sha"`
	Authors     []*string `json:"authors"`
	CommittedAt string    `json:"committed_at,omitempty"`
}

// StackedOn is a pull request whose head branch is this one's base.
type StackedOn struct {
	Number int    `json:"number"`
	Author *Actor `json:"author,omitempty"`
}

// Actor is an account. Logins of bots carry the suffix "[bot]"; Permission is the effective role
// (admin, maintain, write, triage, read, none), empty when it was not read.
type Actor struct {
	Login      string   `json:"login"`
	Type       string   `json:"type,omitempty"` // User, Bot, Organization or Mannequin
	Permission string   `json:"permission,omitempty"`
	Teams      []string `json:"teams,omitempty"`
}

// Revision is one state of a text; a history is oldest first and ends with the current text. The
// body of an erased revision is nil.
type Revision struct {
	Editor   *Actor  `json:"editor"`
	EditedAt string  `json:"edited_at"`
	Body     *string `json:"body,omitempty"`
	Erased   bool    `json:"erased,omitempty"`
}

// Linked is a task that the pull request closes or names. Source is closing, keyword or flag.
type Linked struct {
	Repository string `json:"repository"`
	Number     int    `json:"number"`
	Source     string `json:"source"`
	Readable   bool   `json:"readable"`
	HasChecks  bool   `json:"has_checks,omitempty"`
}

// Issue is the linked task.
type Issue struct {
	Number    int        `json:"number"`
	Title     string     `json:"title,omitempty"`
	Body      *string    `json:"body"`
	Author    *Actor     `json:"author,omitempty"`
	Type      string     `json:"type,omitempty"`
	Labels    []string   `json:"labels,omitempty"`
	Revisions []Revision `json:"revisions,omitempty"`
	Comments  []Comment  `json:"comments,omitempty"`
}

// Comment is a comment of the task or of the pull request's conversation.
type Comment struct {
	ID        int64      `json:"id"`
	Author    *Actor     `json:"author"`
	Body      string     `json:"body"`
	CreatedAt string     `json:"created_at,omitempty"`
	UpdatedAt string     `json:"updated_at,omitempty"`
	Revisions []Revision `json:"revisions,omitempty"`
}

// Review is one review. State is approved, changes_requested, commented, dismissed or pending.
type Review struct {
	Author      *Actor `json:"author"`
	State       string `json:"state"`
	CommitSHA   string `json:"commit_sha"`
	SubmittedAt string `json:"submitted_at,omitempty"`
	Body        string `json:"body,omitempty"`
}

// StatusCheck is one check run (Name set) or one commit status (Context set) on the head commit.
type StatusCheck struct {
	Name        string  `json:"name,omitempty"`
	App         string  `json:"app,omitempty"` // slug of the app that made the check run
	Workflow    string  `json:"workflow,omitempty"`
	Status      string  `json:"status,omitempty"`
	Conclusion  *string `json:"conclusion,omitempty"`
	StartedAt   *string `json:"started_at,omitempty"`
	CompletedAt *string `json:"completed_at,omitempty"`

	Context   string `json:"context,omitempty"`
	State     string `json:"state,omitempty"` // success, failure, error, pending or expected
	Creator   string `json:"creator,omitempty"`
	CreatedAt string `json:"created_at,omitempty"`

	URL string `json:"url,omitempty"`
}

// File is a file of the base branch.
type File struct {
	Path                 string `json:"path"`
	Text                 string `json:"text"`
	ChangedInPullRequest bool   `json:"changed_in_pull_request,omitempty"`
}

// References lists what references may point at on the base.
type References struct {
	Decisions []string `json:"decisions,omitempty"`
	Tasks     []string `json:"tasks,omitempty"`
	Rules     []string `json:"rules,omitempty"`
}

// Memory is what the service remembers of the pull request.
type Memory struct {
	Contract *RememberedContract `json:"contract,omitempty"`
	Carriers []RememberedCarrier `json:"carriers,omitempty"`
}

// RememberedContract is the contract at first sight.
type RememberedContract struct {
	Checks     []RememberedCheck `json:"checks,omitempty"`
	Issue      int               `json:"issue,omitempty"`
	Digest     string            `json:"digest,omitempty"`
	RecordedAt string            `json:"recorded_at,omitempty"`
}

// RememberedCheck is one check of a remembered contract; ID is nil for a check without one.
type RememberedCheck struct {
	ID   *string `json:"id"`
	Text string  `json:"text"`
}

// RememberedCarrier is a carrier as the service saw it.
type RememberedCarrier struct {
	CommentID int64  `json:"comment_id"`
	Check     string `json:"check,omitempty"`
	Body      string `json:"body,omitempty"`
	Author    string `json:"author,omitempty"`
	SeenAt    string `json:"seen_at,omitempty"`
}

// Attestation is a signed result; Envelope is a DSSE envelope.
type Attestation struct {
	Envelope   map[string]any `json:"envelope"`
	Job        string         `json:"job,omitempty"`
	ClaimedAt  string         `json:"claimed_at,omitempty"`
	ReceivedAt string         `json:"received_at,omitempty"`
}

// URLCheck is the outcome of a URL check. State is pending, answered or unchecked.
type URLCheck struct {
	Check  string `json:"check,omitempty"`
	URL    string `json:"url"`
	State  string `json:"state"`
	Status int    `json:"status,omitempty"`
	Tries  int    `json:"tries,omitempty"`
	Reason string `json:"reason,omitempty"`
	At     string `json:"at,omitempty"`
}

// Run is a recorded result of a declared check.
type Run struct {
	Check          string `json:"check,omitempty"`
	Command        string `json:"command,omitempty"`
	Outcome        string `json:"outcome,omitempty"`
	ExitCode       *int   `json:"exit_code,omitempty"`
	HeadSHA        string `json:"head_sha,omitempty"`
	Tree           string `json:"tree,omitempty"`
	Topology       string `json:"topology,omitempty"` // baseline, lane_final, integrated or post_merge
	Fingerprint    string `json:"fingerprint,omitempty"`
	ContractDigest string `json:"contract_digest,omitempty"`
	OutputSHA256   string `json:"output_sha256,omitempty"`
	By             *Actor `json:"by,omitempty"`
	At             string `json:"at,omitempty"`
}

// Action is a button press or a slash command.
type Action struct {
	Kind      string `json:"kind"`
	Actor     *Actor `json:"actor"`
	Via       string `json:"via,omitempty"` // button, page or comment
	At        string `json:"at,omitempty"`
	HeadSHA   string `json:"head_sha,omitempty"`
	CommentID int64  `json:"comment_id,omitempty"`
	Check     string `json:"check,omitempty"`
	Attempt   int    `json:"attempt,omitempty"`
	Digest    string `json:"digest,omitempty"`
	Reason    string `json:"reason,omitempty"`
}

// MergeGroup is the merge queue entry that the pull request is part of.
type MergeGroup struct {
	HeadSHA      string        `json:"head_sha"`
	BaseSHA      string        `json:"base_sha"`
	Tree         string        `json:"tree,omitempty"`
	PullRequests []GroupedPR   `json:"pull_requests,omitempty"`
	StatusChecks []StatusCheck `json:"status_checks,omitempty"`
}

// GroupedPR is one pull request of a merge group.
type GroupedPR struct {
	Number  int    `json:"number"`
	HeadSHA string `json:"head_sha"`
}

// Unavailable names a fact that could not be read, and why.
type Unavailable struct {
	Fact   string `json:"fact"`
	Reason string `json:"reason"`
}
