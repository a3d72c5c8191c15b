package github

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"
)

const (
	// hiddenSecret stands where a secret stood.
	hiddenSecret = "[hidden]"
	// leastSecret is how short a token may be to be looked for: hiding every "a" of a text helps nobody.
	leastSecret = 4
	// refusalLimit bounds what is read of an answer outside 2xx, of which only the message counts.
	refusalLimit = 1 << 20
)

// redacting lets no answer and no failure say the token that its request was signed with: a GitHub or
// a proxy that quotes the token back would carry it into messages, reports and logs. Facts in a 2xx
// answer are not touched; of GraphQL's errors in such an answer, post takes care.
type redacting struct{ next http.RoundTripper }

func (r redacting) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := r.next.RoundTrip(req)
	secret := secretOf(req)
	switch {
	case secret == "":
		return resp, err
	case err != nil:
		return nil, withoutSecret(err, secret)
	}
	if resp.Request == nil {
		resp.Request = req
	}
	for name, values := range resp.Header {
		for i, value := range values {
			resp.Header[name][i] = strings.ReplaceAll(value, secret, hiddenSecret)
		}
	}
	if resp.StatusCode/100 == 2 {
		return resp, nil
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, refusalLimit))
	_ = resp.Body.Close()
	if err != nil {
		return nil, withoutSecret(err, secret)
	}
	text = bytes.ReplaceAll(text, []byte(secret), []byte(hiddenSecret))
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	return resp, nil
}

// secretOf is the token or signature that a request carries, empty when it carries none that could
// be told from ordinary text.
func secretOf(req *http.Request) string {
	if req == nil {
		return ""
	}
	_, secret, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	if secret = strings.TrimSpace(secret); len(secret) < leastSecret {
		return ""
	}
	return secret
}

// signedByToken reports whether a request was made with a ready token, a person's or a workflow
// run's, rather than by the App: an installation's token is announced as "token", and the App's own
// signature is a JWT.
func signedByToken(req *http.Request) bool {
	if req == nil {
		return false
	}
	scheme, value, _ := strings.Cut(req.Header.Get("Authorization"), " ")
	return scheme == "Bearer" && strings.Count(value, ".") != 2
}

// secretive is an error whose words held a secret.
type secretive struct {
	words string
	cause error
}

func withoutSecret(err error, secret string) error {
	if words := err.Error(); strings.Contains(words, secret) {
		return &secretive{strings.ReplaceAll(words, secret, hiddenSecret), err}
	}
	return err
}

func (e *secretive) Error() string { return e.words }

// Is and As of the cause still work; its words are not handed out.
func (e *secretive) Unwrap() error { return e.cause }

// hide takes a secret out of the errors of a GraphQL answer.
func (a *answer) hide(secret string) {
	if secret == "" {
		return
	}
	for i := range a.Errors {
		e := &a.Errors[i]
		e.Type = strings.ReplaceAll(e.Type, secret, hiddenSecret)
		e.Message = strings.ReplaceAll(e.Message, secret, hiddenSecret)
		for j := range e.Path {
			e.Path[j] = strings.ReplaceAll(e.Path[j], secret, hiddenSecret)
		}
	}
}

// Plain makes a text of somebody else fit for a message: one line, bounded, nothing that a terminal
// obeys or a reader does not see, and no password of an address.
func Plain(text string) string { return quote(text) }

// HideAddress is an address, or what was given for one, fit to be shown: without user, password and
// query. It need not be one that can be parsed.
func HideAddress(text string) string {
	scheme, rest, is := strings.Cut(text, "://")
	if !is {
		scheme, rest = "", text
	} else {
		scheme += "://"
	}
	if at := strings.LastIndexByte(rest, '@'); at >= 0 && rest[:at] != "git" {
		rest = "…" + rest[at:]
	}
	if before, _, is := strings.Cut(rest, "?"); is {
		rest = before + "?…"
	}
	return scheme + rest
}

// credentials are the user and password of an address inside a text: up to the last @ before white
// space or quotes, or before a slash.
var credentials = regexp.MustCompile(`://(?:[^\s"'<>]*|[^/"\n]*)@`)

// HideLogins hides the users and passwords of all addresses in a text.
func HideLogins(text string) string { return credentials.ReplaceAllString(text, "://…@") }
