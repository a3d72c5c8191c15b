// Package policy knows the policy of a repository: it reads .github/evidence.yml and says what the
// policy asks of one pull request (design section 9, and the levels of section 10).
//
// It is pure: text and values in, values out. Whose file it is and at which commit it was read is
// left to the loader; what follows from the values is left to the judges. A file that cannot be read
// as a policy is policy.invalid with every fault in it, never a silent default.
package policy

import (
	"slices"
	"time"
)

// Path is where a policy stands, in a repository and in the organisation's repository ".github".
const Path = ".github/evidence.yml"

// Policy is everything that one policy file says, with the defaults for what it leaves out.
type Policy struct {
	Demands
	Source Source // whose file it is
	Mode   string // Enforce or Report

	Rules           []Rule
	CheckName       string
	Tasks           Tasks
	AppliesTo       AppliesTo
	Roles           Roles
	PersonVia       string // AnyWay or UI
	Review          Review
	Notify          string // Request, Comment or Off
	ContractChanges string // whose acceptance counts: Maintainers, Admins or Anyone

	Verifiers     []Verifier
	Kind          string // CLI, Library, Web or API
	Env           map[string]string
	PassEnv       []string
	Checks        []Check
	Digest        string
	Fingerprint   []string
	BusinessRules string
	Floor         Floor // of the organisation's file, also beside a repository's own one

	lines map[string]int // of the keys that the file gives, by their dotted path
}

// Demands are the keys that decide how much is asked of a pull request; a rule may set each.
type Demands struct {
	Level          Level
	StatusChecks   string // Explicit or Implied
	Contradictions string // Fail or Warn
	Unrenewed      string // Warn or Fail
	Criteria       string // Off, Optional or Required
	NoChanges      string // Flag or Allow
	MaxRejections  int
	MaxAttempts    int
}

// The words of the policy, as the file writes them.
const (
	Enforce = "enforce"
	Report  = "report"

	Explicit = "explicit"
	Implied  = "implied"

	Fail = "fail"
	Warn = "warn"

	Off      = "off"
	Optional = "optional"
	Required = "required"

	Flag  = "flag"
	Allow = "allow"

	FromIssue  = "issue"
	FromPolicy = "policy"
	FromBoth   = "both"

	AnyWay = "any"
	UI     = "ui"

	Request = "request"
	Comment = "comment"

	Maintainers = "maintainer"
	Admins      = "admin"
	Anyone      = "anyone"

	CLI     = "cli"
	Library = "library"
	Web     = "web"
	API     = "api"
)

// Rule sets demands for the pull requests it is about. The first rule that matches wins.
type Rule struct {
	When When
	Sets Demands  // of which those in Keys count
	Keys []string // the demands it sets, in their order in the file
	Line int      // where it starts in the file

	lines map[string]int // of the keys it sets
}

// When is what a rule is about. A condition that is left out holds always; all others must hold. Of
// Labels and IssueTypes one must be there, of Bases one glob must match, and of Paths one must match
// every changed path.
type When struct {
	Labels     []string
	Paths      []Glob
	Bases      []Glob
	IssueTypes []string
}

// Tasks says where the contract stands.
type Tasks struct {
	Source  string // FromIssue, FromPolicy or FromBoth
	Require bool
	ID      Pattern // of tasks; whether of their ids or titles is the judge's matter
}

// AppliesTo says which pull requests are judged at all. No Bases means every base.
type AppliesTo struct {
	Bases         []Glob
	ExemptAuthors []string
	ExemptLabels  []string
	ExemptPaths   []Glob
}

// Review says how a reviewer must differ from the author and whom the app asks.
type Review struct {
	DifferentConnector bool
	DifferentProvider  bool
	Reviewers          []string
	Wait               time.Duration // zero: no person is asked in place of an agent
}

// Verifier is a key whose signed results count, and the account that answers for it.
type Verifier struct {
	Name      string
	Owner     string
	PublicKey string
}

// Floor is what no repository of the organisation may lower. Nil or empty members set no floor.
type Floor struct {
	Mode    string
	Demands Demands
	Keys    []string // the keys it gives, in their order in the file
	Line    int      // where it stands in the organisation's file
}

// Check is one entry of `checks`: a step of `verify` (design section 12), and with an id a check of
// the contract when Tasks.Source says so.
type Check struct {
	ID   string // RC-n, upper case; empty for a step only
	Name string
	Line int

	Run  string   // through a shell; empty without a command, or when Args holds it
	Args []string // without a shell

	Text         string // of a contract check without a command
	Kind         string // manual or contract_proof; empty when it was not written
	Observations []string

	Phase        string // setup, check, serve or teardown
	Layer        string // install, lint, typecheck, test, build, serve, docs or check
	Timeout      time.Duration
	Tags         []string
	Default      bool
	Probe        string
	ProbeTimeout time.Duration
	Stage        string // app, or empty

	step bool // it has no id, or a phase or layer was written
}

// Contract lists the entries that are checks of the contract: those with an id, when the tasks'
// source is the policy or both.
func (p Policy) Contract() []Check {
	if p.Tasks.Source == FromIssue {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(p.Checks), func(c Check) bool { return c.ID == "" })
}
