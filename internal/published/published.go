// Package published is the machine-readable end of a check run's text (design sections 10 and 11): what
// the App remembers of a pull request, so that a command line without the App's store can read it back,
// and so that a press of a button says which contract its reader saw.
//
// What is read back is hostile until it is shown not to be: it counts only from a check run of the
// App's own, only where it is the last line, whole, within the limits and word for word what [Encode]
// writes. Whatever was cut, joined or edited is no memory at all, never half of one.
package published

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// MaxBytes is the most that the block takes of the 65,535 bytes of a check run's text (section 14).
const MaxBytes = 24 << 10

const (
	maxChecks  = 500
	maxActions = 100
)

// State is what the App says of one pull request.
type State struct {
	RepositoryID int64  `json:"repository_id"`
	PullRequest  int    `json:"pull_request"`
	HeadSHA      string `json:"head_sha"`
	Digest       string `json:"digest,omitempty"` // of the contract that was judged
	// Left says that the memory was too much to publish: Contract and Actions are not in it, and
	// nobody may judge as if there were none.
	Left     bool                         `json:"left,omitempty"`
	Contract *snapshot.RememberedContract `json:"contract,omitempty"`
	Actions  []snapshot.Action            `json:"actions,omitempty"` // those that count
}

// The reasons why there is no State.
var (
	ErrNone    = errors.New("the text does not end in the App's memory")
	ErrForeign = errors.New("the check run is not the App's own")
	ErrDamaged = errors.New("the App's memory at the end of the text is damaged")
)

const (
	opening = "<!-- evidence-gate:memory:1:"
	closing = " -->"
)

// Encode writes the block, one line that GitHub shows nobody. A memory that is too large is left out
// of it, and the block says so.
func Encode(s State) (string, error) {
	if err := s.check(); err != nil {
		return "", err
	}
	if block, err := encode(s); err != nil || len(block) <= MaxBytes && len(s.Actions) <= maxActions && s.checks() <= maxChecks {
		return block, err
	}
	s.Left, s.Contract, s.Actions = true, nil, nil
	return encode(s)
}

// encode relies on encoding/json, which writes < and > as escapes: no text in it ends the comment.
func encode(s State) (string, error) {
	text, err := json.Marshal(s)
	if err != nil {
		return "", fmt.Errorf("write the published memory: %w", err)
	}
	sum := sha256.Sum256(text)
	return opening + hex.EncodeToString(sum[:]) + ":" + string(text) + closing, nil
}

// Decode reads the block at the end of a check run's text. Whose check run it is must be known to be
// right: see [From].
func Decode(text string) (State, error) {
	text = strings.TrimRight(text, "\r\n \t")
	line := text[strings.LastIndexByte(text, '\n')+1:]
	switch {
	case !strings.HasPrefix(line, opening):
		return State{}, ErrNone
	case len(line) > MaxBytes:
		return State{}, fmt.Errorf("%w: %d bytes, at most %d are read", ErrDamaged, len(line), MaxBytes)
	case !strings.HasSuffix(line, closing):
		return State{}, fmt.Errorf("%w: it is cut off", ErrDamaged)
	}
	_, body, found := strings.Cut(strings.TrimSuffix(line[len(opening):], closing), ":")
	if !found {
		return State{}, fmt.Errorf("%w: it is cut off", ErrDamaged)
	}
	var s State
	if err := json.Unmarshal([]byte(body), &s); err != nil {
		return State{}, fmt.Errorf("%w: it is not the JSON that is written", ErrDamaged)
	}
	if err := s.check(); err != nil {
		return State{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	// What is not written like this was not written by Encode: unknown and doubled members, another
	// order, a sum that is not that of the text.
	if again, err := encode(s); err != nil || again != line {
		return State{}, fmt.Errorf("%w: it is not word for word what the App writes", ErrDamaged)
	}
	return s, nil
}

// From reads the block of a check run, given the slug of the app that made it and the App's own.
func From(app, own, text string) (State, error) {
	if own == "" || !strings.EqualFold(app, own) {
		return State{}, ErrForeign
	}
	return Decode(text)
}

func (s State) checks() int {
	if s.Contract == nil {
		return 0
	}
	return len(s.Contract.Checks)
}

var (
	shaForm    = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64})$`)
	digestForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
)

// Kinds are the actions that are published.
var Kinds = []string{"approve", "accept_contract", "confirm_contract", "needs_human", "override", "accept_loss"}

var (
	permissions = []string{"", "none", "read", "triage", "write", "maintain", "admin"}
	types       = []string{"", "User", "Bot", "Organization", "Mannequin"}
)

func (s State) check() error {
	switch {
	case s.RepositoryID <= 0 || s.PullRequest <= 0:
		return errors.New("expected the repository's id and the pull request's number")
	case !shaForm.MatchString(s.HeadSHA):
		return errors.New("expected a head commit of 40 or 64 lower-case hexadecimal digits")
	case s.Digest != "" && !digestForm.MatchString(s.Digest):
		return errors.New("expected the contract's digest as sha256: and 64 hexadecimal digits")
	case s.Left && (s.Contract != nil || len(s.Actions) > 0):
		return errors.New("expected no memory where it is said to be left out")
	}
	for _, a := range s.Actions {
		if err := checkAction(a); err != nil {
			return err
		}
	}
	return nil
}

func checkAction(a snapshot.Action) error {
	_, err := time.Parse(time.RFC3339, a.At)
	switch {
	case !slices.Contains(Kinds, a.Kind):
		return fmt.Errorf("expected one of the actions %s", strings.Join(Kinds, ", "))
	case a.Actor == nil || a.Actor.Login == "" || !slices.Contains(types, a.Actor.Type) || !slices.Contains(permissions, a.Actor.Permission):
		return errors.New("expected who did it, with a type and a permission that GitHub knows")
	case err != nil:
		return errors.New("expected when it was done")
	case a.HeadSHA != "" && !shaForm.MatchString(a.HeadSHA):
		return errors.New("expected the commit that it was done for")
	case a.Digest != "" && !digestForm.MatchString(a.Digest):
		return errors.New("expected the digest that it was done for")
	}
	return nil
}
