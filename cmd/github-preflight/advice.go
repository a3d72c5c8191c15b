package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkout"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/internal/render"
)

// advised is a failure with what the caller of this program can do about it.
type advised struct {
	error
	help string
}

func (a *advised) Error() string { return a.error.Error() + "\nhelp: " + a.help }

func (a *advised) Unwrap() error { return a.error }

// advise adds to a failure of GitHub what the caller of this program can do about it.
func (l *live) advise(err error) error {
	var told *advised
	if errors.As(err, &told) {
		return err
	}
	if what := advice(err, l.server); what != "" {
		return &advised{err, what}
	}
	return err
}

// parted are the two parts of a failure that is shown in a Report.
func parted(err error) (message, help string) {
	message, help = err.Error(), "correct what the message says, and run it again"
	var told *advised
	if errors.As(err, &told) {
		help = told.help
		message = strings.TrimSuffix(message, "\nhelp: "+help)
	}
	return plain(message), plain(help)
}

// plain makes a message fit for a terminal: it may quote a server, a task or an address with a
// password.
func plain(text string) string { return render.Plain(github.HideLogins(text)) }

// readAccess is what judging needs.
const readAccess = "read access to the repository's contents, issues, pull requests, checks and commit statuses"

func advice(err error, s checkout.Server) string {
	var failed *github.Error
	if !errors.As(err, &failed) {
		return ""
	}
	switch failed.Kind {
	case github.Unauthorized:
		return fmt.Sprintf("the token is from %s: renew it, or run %s", tokenSource(s), login(s))
	case github.Forbidden:
		return fmt.Sprintf("the token is from %s: give it %s (and authorise it for single sign-on where the organisation asks for that)", tokenSource(s), access(failed.Permission))
	case github.NotFound:
		return fmt.Sprintf("check the number and the name (--pr N, --repo OWNER/NAME), and that the token from %s may see the repository", tokenSource(s))
	case github.RateLimited:
		return "wait, or use a token of your own instead of a shared one; --wait waits by itself when its time is long enough"
	case github.Unavailable:
		return unreachable(err, s)
	case github.Incomplete:
		return "run it again: it changed while it was read"
	}
	return ""
}

// access is what a token needs to be given. Who may read may still not write.
func access(permission string) string {
	what, is := strings.CutSuffix(permission, ": write")
	if !is {
		return readAccess
	}
	return "write access to the repository's " + what + ", or have somebody write who has it"
}

// unreachable tells the ways in which a network stands between.
func unreachable(err error, s checkout.Server) string {
	switch text := err.Error(); {
	case strings.Contains(text, "a redirect leads"):
		return "set GITHUB_API_URL (or GH_HOST, or the remote) to the address that GitHub has now, if you trust the host that it leads to"
	case strings.Contains(text, "certificate"):
		return "the certificate of " + s.API + " is not trusted here: set SSL_CERT_FILE to the certificates of your network"
	case strings.Contains(text, "the address of the proxy"):
		return "correct HTTPS_PROXY (or unset it)"
	case strings.Contains(text, "proxyconnect"):
		return "the proxy refused the connection: check HTTPS_PROXY and NO_PROXY"
	case strings.Contains(text, "no such host"):
		return "there is no host of that name: check GITHUB_API_URL, GH_HOST or the remote, and the network"
	}
	return "try again; when it stays so, check the network, HTTPS_PROXY and githubstatus.com"
}

// tokenSource names the place that a token was found in, in words.
func tokenSource(s checkout.Server) string {
	switch s.TokenFrom {
	case "oauth_token", "gh":
		return "gh's own login"
	}
	return s.TokenFrom
}

func login(s checkout.Server) string {
	if s.Host == "" || s.Host == "github.com" {
		return "gh auth login"
	}
	return "gh auth login --hostname " + s.Host
}
