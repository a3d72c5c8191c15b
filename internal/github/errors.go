package github

import (
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// Kind says what went wrong, so that a caller can choose between trying again, waiting and giving
// up.
type Kind string

// The kinds of failure.
const (
	NotFound     Kind = "not_found"    // no such thing, or hidden from this token
	Unauthorized Kind = "unauthorized" // the key, the token or the clock is wrong
	Forbidden    Kind = "forbidden"    // a permission is missing; Permission names it
	RateLimited  Kind = "rate_limited" // RetryAfter says how long to wait
	Suspended    Kind = "suspended"    // the installation is suspended
	Unavailable  Kind = "unavailable"  // 5xx, network, timeout, unreadable answer
	Incomplete   Kind = "incomplete"   // what was read does not add up: read again
	Invalid      Kind = "invalid"      // GitHub, or this package, refuses the request itself
	TooLarge     Kind = "too_large"    // the answer is over this package's limits
)

// Error is every failure of this package.
type Error struct {
	Kind       Kind
	Operation  string        // what was being done: "read the check runs of acme/widgets"
	Status     int           // HTTP status; 0 when there was no answer
	Permission string        // the missing permission, such as "checks: write"
	RetryAfter time.Duration // how long GitHub asks to wait; 0 when it does not say
	Message    string        // what was found and what to do; never a token
	cause      error
	unknown    []string // fields that this GitHub's schema lacks, as Type.field
}

// Error is "could not <operation>: <message>".
func (e *Error) Error() string {
	if e.Operation == "" {
		return e.Message
	}
	return "could not " + e.Operation + ": " + e.Message
}

// Unwrap gives the network's or context's own error.
func (e *Error) Unwrap() error { return e.cause }

// Temporary reports whether the same request may succeed later without anybody acting.
func (e *Error) Temporary() bool {
	return e.Kind == RateLimited || e.Kind == Unavailable || e.Kind == Incomplete
}

// KindOf is the Kind of an error of this package, and "" for any other.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return ""
}

// quote makes text that GitHub or the network sent fit for a message: one line, bounded, nothing that
// a terminal obeys or a reader does not see, and no password of an address.
func quote(text string) string {
	const most = 300
	text = strings.Join(strings.FieldsFunc(HideLogins(strings.ToValidUTF8(text, "?")), unseen), " ")
	runes := []rune(text)
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// unseen are white space, control characters and what shows nothing or turns text around.
func unseen(r rune) bool {
	return unicode.IsSpace(r) || !unicode.IsGraphic(r) || unicode.In(r, unicode.Zl, unicode.Zp) || markdown.IsInvisible(r)
}
