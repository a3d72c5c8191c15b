package github

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	gogithub "github.com/google/go-github/v66/github"
)

const (
	// clockTolerance is how far apart two clocks may be before they explain a refused JWT.
	clockTolerance = 30 * time.Second
	// secondaryWait is what GitHub asks for when a secondary limit names no time of its own.
	secondaryWait = time.Minute
	// longestWait bounds what an answer can make a caller wait.
	longestWait = 2 * time.Hour
)

// A 404 does not say whether a thing is absent or hidden. What to check depends on who asks.
const (
	noSuchThing        = "there is none, or this token may not see it: check the name, and that the App is installed on the repository"
	noSuchThingByToken = "there is none, or this token may not see it: check the name, and that the token may read the repository"
)

// absent words a 404 for whoever this client acts as.
func (c *Client) absent() string {
	if c.appID == 0 {
		return noSuchThingByToken
	}
	return noSuchThing
}

// refusal is an answer outside 2xx, however it was read.
type refusal struct {
	status  int
	header  http.Header
	message string
	token   bool // the request was made with a ready token, not by the App
}

// failure turns whatever a request ended in into an Error. needs is the permission that the
// operation needs, named when GitHub itself does not name one.
func failure(operation, needs string, now time.Time, err error) *Error {
	e := classify(needs, now, err)
	e.Operation = operation
	if e.cause == nil {
		e.cause = plainCause(err)
	}
	return e
}

func classify(needs string, now time.Time, err error) *Error {
	var own *Error
	if errors.As(err, &own) {
		e := *own
		return &e
	}
	if r, ok := refusalOf(err); ok {
		return r.classify(needs, now)
	}
	var accepted *gogithub.AcceptedError
	var syntax *json.SyntaxError
	var shape *json.UnmarshalTypeError
	switch {
	case errors.As(err, &accepted):
		return &Error{Kind: Unavailable, Status: http.StatusAccepted, Message: "GitHub has the answer not ready yet: try again"}
	case errors.As(err, &syntax), errors.As(err, &shape), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &Error{Kind: Unavailable, Message: "GitHub's answer ended early or is no JSON of the expected shape: try again"}
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Kind: Unavailable, Message: "no answer in time: try again; if it stays so, check the network and githubstatus.com"}
	}
	return &Error{Kind: Unavailable, Message: "no answer from GitHub: " + network(err)}
}

// network words a failure below HTTP. What net/http says of a proxy's address it cannot read may hold
// a part of its password.
func network(err error) string {
	if strings.Contains(err.Error(), "invalid proxy address") {
		return "the address of the proxy, in HTTPS_PROXY or HTTP_PROXY, is no URL such as http://HOST:PORT"
	}
	return quote(err.Error())
}

// plainCause keeps a caller's own cancellation recognisable. Other causes are not kept: their
// response holds the request, and the request holds the token.
func plainCause(err error) error {
	for _, known := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, known) {
			return known
		}
	}
	return nil
}

func refusalOf(err error) (refusal, bool) {
	var token *ghinstallation.HTTPError
	var primary *gogithub.RateLimitError
	var secondary *gogithub.AbuseRateLimitError
	var otp *gogithub.TwoFactorAuthError
	var other *gogithub.ErrorResponse
	switch {
	case errors.As(err, &token) && token.Response != nil:
		defer token.Response.Body.Close()
		return readRefusal(token.Response), true
	case errors.As(err, &primary):
		return refusal{status: http.StatusForbidden, header: rateHeader(primary), message: primary.Message}, true
	case errors.As(err, &secondary):
		return refusal{status: http.StatusForbidden, header: waitHeader(secondary), message: secondary.Message + " (secondary rate limit)"}, true
	case errors.As(err, &otp):
		return refusal{http.StatusUnauthorized, otp.Response.Header, otp.Message, signedByToken(otp.Response.Request)}, true
	case errors.As(err, &other) && other.Response != nil:
		return refusal{other.Response.StatusCode, other.Response.Header, detailed(other), signedByToken(other.Response.Request)}, true
	}
	return refusal{}, false
}

// readRefusal reads an answer outside 2xx; its body is bounded.
func readRefusal(resp *http.Response) refusal {
	text, _ := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	var body struct {
		Message string `json:"message"`
	}
	_ = json.Unmarshal(text, &body)
	return refusal{resp.StatusCode, resp.Header, body.Message, signedByToken(resp.Request)}
}

// rateHeader restores the headers of a limit that go-github refused by itself, without a request.
func rateHeader(e *gogithub.RateLimitError) http.Header {
	h := e.Response.Header.Clone()
	h.Set("X-RateLimit-Remaining", "0")
	h.Set("X-RateLimit-Reset", strconv.FormatInt(e.Rate.Reset.Unix(), 10))
	return h
}

func waitHeader(e *gogithub.AbuseRateLimitError) http.Header {
	h := e.Response.Header.Clone()
	if e.RetryAfter != nil {
		h.Set("Retry-After", strconv.FormatInt(int64((*e.RetryAfter+time.Second-1)/time.Second), 10))
	}
	return h
}

func detailed(e *gogithub.ErrorResponse) string {
	message := e.Message
	for i, one := range e.Errors {
		if i == 3 {
			break
		}
		message += "; " + strings.TrimSpace(one.Resource+" "+one.Field+" "+one.Code+" "+one.Message)
	}
	return message
}

func (r refusal) classify(needs string, now time.Time) *Error {
	said := quote(r.message)
	if said == "" {
		said = "no reason given"
	}
	e := &Error{Status: r.status}
	switch {
	case r.limited():
		e.Kind, e.RetryAfter = RateLimited, r.wait(now)
		e.Message = fmt.Sprintf("GitHub's rate limit is used up; it asks to wait %s (%s)", e.RetryAfter, said)
	case r.status == http.StatusUnauthorized:
		e.Kind, e.Message = Unauthorized, r.unauthorized(said, now)
	case r.status == http.StatusForbidden && strings.Contains(strings.ToLower(r.message), "suspended"):
		e.Kind = Suspended
		e.Message = "the App's installation is suspended: an owner of the account must unsuspend it (" + said + ")"
	case r.status == http.StatusForbidden && r.unpermitted():
		e.Kind, e.Permission = Forbidden, needs
		if named := permissionNames(r.header.Get("X-Accepted-GitHub-Permissions")); named != "" {
			e.Permission = named
		}
		e.Message = r.forbidden(e.Permission, said)
	case r.status == http.StatusForbidden || r.status == http.StatusUnavailableForLegalReasons:
		e.Kind, e.Message = Forbidden, forbidden("", said)
	case r.status == http.StatusNotFound || r.status == http.StatusGone:
		e.Kind, e.Message = NotFound, noSuchThing
		if r.token {
			e.Message = noSuchThingByToken
		}
	case r.status == http.StatusRequestTimeout || r.status >= 500 || r.status < 400:
		e.Kind = Unavailable
		if r.header.Get("Retry-After") != "" {
			e.RetryAfter = r.wait(now)
		}
		e.Message = fmt.Sprintf("GitHub answered %d %s (%s): try again", r.status, http.StatusText(r.status), said)
	default:
		e.Kind = Invalid
		e.Message = fmt.Sprintf("GitHub refused the request with %d %s (%s)", r.status, http.StatusText(r.status), said)
	}
	return e
}

// limited reads a primary or secondary rate limit from status, headers and text: GitHub uses all
// three, and not always together.
func (r refusal) limited() bool {
	if r.status == http.StatusTooManyRequests {
		return true
	}
	if r.status != http.StatusForbidden {
		return false
	}
	text := strings.ToLower(r.message)
	return r.header.Get("Retry-After") != "" ||
		r.header.Get("X-RateLimit-Remaining") == "0" ||
		strings.Contains(text, "rate limit") || strings.Contains(text, "abuse detection")
}

// unpermitted reports a 403 for want of a permission, rather than for single sign-on, an address
// list or a block.
func (r refusal) unpermitted() bool {
	return r.header.Get("X-Accepted-GitHub-Permissions") != "" || strings.Contains(r.message, "Resource not accessible")
}

func (r refusal) wait(now time.Time) time.Duration {
	wait := secondaryWait
	after := r.header.Get("Retry-After")
	if seconds, err := strconv.ParseInt(after, 10, 32); err == nil {
		wait = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(after); err == nil {
		wait = at.Sub(now)
	} else if reset, err := strconv.ParseInt(r.header.Get("X-RateLimit-Reset"), 10, 64); err == nil && r.header.Get("X-RateLimit-Remaining") == "0" {
		wait = time.Unix(reset, 0).Sub(now)
	}
	return min(max(wait.Round(time.Second), time.Second), longestWait)
}

func (r refusal) unauthorized(said string, now time.Time) string {
	if r.token {
		return "GitHub does not accept the token: it has expired, was revoked, or is for another GitHub (" + said + ")"
	}
	if skew, ok := r.skew(now); ok {
		return fmt.Sprintf("this machine's clock is %s GitHub's, so the App's signature is not valid there: set the clock, for example by NTP (%s)", skew, said)
	}
	return "GitHub does not accept the App's key or the token: check that app id and private key belong together and that the token has not expired (" + said + ")"
}

// skew compares this clock with the Date of the answer.
func (r refusal) skew(now time.Time) (string, bool) {
	theirs, err := http.ParseTime(r.header.Get("Date"))
	if err != nil {
		return "", false
	}
	by := now.Sub(theirs).Round(time.Second)
	switch {
	case by > clockTolerance:
		return by.String() + " ahead of", true
	case by < -clockTolerance:
		return (-by).String() + " behind", true
	}
	return "", false
}

// forbidden words a missing permission for whoever this client acts as.
func (c *Client) forbidden(permission, said string) string {
	return refusal{token: c.appID == 0}.forbidden(permission, said)
}

func (r refusal) forbidden(permission, said string) string {
	if r.token && permission != "" {
		return fmt.Sprintf("the token lacks the permission %q: use one that has it (%s)", permission, said)
	}
	return forbidden(permission, said)
}

func forbidden(permission, said string) string {
	if permission == "" {
		return "GitHub refused it (" + said + ")"
	}
	return fmt.Sprintf("the permission is missing: grant the App %q in its settings, accept the change on the installation, and try again; for a token, one with that permission (%s)", permission, said)
}

// permissionNames turns GitHub's header ("checks=write,contents=read; issues=read") into words.
func permissionNames(header string) string {
	var sets []string
	for set := range strings.SplitSeq(header, ";") {
		var names []string
		for one := range strings.SplitSeq(set, ",") {
			if name, level, ok := strings.Cut(strings.TrimSpace(one), "="); ok {
				names = append(names, strings.ReplaceAll(name, "_", " ")+": "+level)
			}
		}
		if len(names) > 0 {
			sets = append(sets, strings.Join(names, " and "))
		}
	}
	return quote(strings.Join(sets, ", or "))
}

// unreadable is a 2xx answer without what it must hold.
func unreadable(operation string) *Error {
	return &Error{Kind: Unavailable, Operation: operation, Status: http.StatusOK,
		Message: "GitHub's answer lacks what it must hold: a proxy may have answered instead; try again"}
}
