// Package config is the configuration of the service (design section 14, Configuration): which keys
// there are, where their values come from, and what is wrong with them. Flags win over environment
// variables, those over the file. Every mistake is reported at once, by name.
package config

import (
	"crypto/rsa"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/github"
)

// The values of enrol: in which repositories anything is published (design section 9).
const (
	EnrolByPolicy = "policy" // those with a policy of their own or their organisation's
	EnrolAll      = "all"    // every one that the App is installed on
)

// Config is a checked configuration.
type Config struct {
	Listen         string
	AdminListen    string
	DatabasePath   string // of the SQLite file
	GitHubURL      string // REST; GraphQL is beside it
	PublicURL      string // empty: not known
	AppID          int64
	PrivateKey     *rsa.PrivateKey
	WebhookSecrets []string
	Enrol          string // EnrolByPolicy or EnrolAll
	CheckName      string
	LogLevel       slog.Level
	SweepEvery     time.Duration // how often lost events are looked for

	OAuthClientID     string
	OAuthClientSecret string
}

// Key is one setting.
type Key struct {
	Name    string // in the file; the flag has dashes, the variable is EVIDENCE_GATE_ and capitals
	Default string
	Secret  bool // may also be given as a file, by NAME_file; never shown
	Help    string
}

// Keys lists every setting.
func Keys() []Key {
	return []Key{
		{Name: "listen", Default: "127.0.0.1:8080", Help: "address for webhooks, at /webhooks/github"},
		{Name: "admin_listen", Default: "127.0.0.1:9090", Help: "address for /healthz, /readyz and /metrics; keep it private"},
		{Name: "database_url", Default: "sqlite:evidence-gate.db", Help: "sqlite:PATH; postgres:// is not supported yet"},
		{Name: "github_url", Default: github.DefaultURL, Help: "REST address of GitHub; https://HOST/api/v3 on Enterprise Server"},
		{Name: "public_url", Help: "address under which people reach this service; checked here, used once there are pages"},
		{Name: "app_id", Help: "id of the GitHub App, from its settings page"},
		{Name: "private_key", Secret: true, Help: "private key of the GitHub App: PEM text (line breaks may be \\n), base64 of it, or the path of its file"},
		{Name: "webhook_secret", Secret: true, Help: "secret of the App's webhook; several, separated by commas, while it is being changed"},
		{Name: "enrol", Default: EnrolByPolicy, Help: "policy: publish only in repositories with a policy (.github/evidence.yml), or whose organisation has one. all: everywhere the App is installed, by the defaults where there is no policy"},
		{Name: "check_name", Default: "evidence-gate", Help: "name of the published check run where no policy names it"},
		{Name: "sweep_every", Default: "5m", Help: "how often open pull requests without a verdict and failed deliveries are looked for, as 5m or 1h; at start too"},
		{Name: "log_level", Default: "info", Help: "debug, info, warn or error"},
		{Name: "oauth_client_id", Help: "client id for signing in; checked here, used once there are pages"},
		{Name: "oauth_client_secret", Secret: true, Help: "client secret that goes with oauth_client_id"},
	}
}

// mistakes collects what is wrong, the first mistake of each setting.
type mistakes struct {
	list  []error
	named map[string]bool
}

func (m *mistakes) add(name, format string, args ...any) {
	setting := strings.TrimSuffix(name, fromFile)
	if m.named[setting] {
		return
	}
	if m.named == nil {
		m.named = map[string]bool{}
	}
	m.named[setting] = true
	m.list = append(m.list, fmt.Errorf(name+": "+format, args...))
}

// check turns values into a Config.
func check(wrong *mistakes, values map[string]string) Config {
	c := Config{
		Listen:            address(wrong, "listen", values),
		AdminListen:       address(wrong, "admin_listen", values),
		DatabasePath:      database(wrong, values["database_url"]),
		GitHubURL:         webAddress(wrong, "github_url", values["github_url"]),
		PublicURL:         webAddress(wrong, "public_url", values["public_url"]),
		AppID:             appID(wrong, values["app_id"]),
		PrivateKey:        privateKey(wrong, values["private_key"]),
		WebhookSecrets:    secrets(wrong, values["webhook_secret"]),
		Enrol:             values["enrol"],
		CheckName:         values["check_name"],
		OAuthClientID:     values["oauth_client_id"],
		OAuthClientSecret: values["oauth_client_secret"],
	}
	if c.Enrol != EnrolByPolicy && c.Enrol != EnrolAll {
		wrong.add("enrol", "expected policy or all, found %q", c.Enrol)
	}
	if strings.TrimSpace(c.CheckName) == "" || len(c.CheckName) > 100 {
		wrong.add("check_name", "expected a name of 1 to 100 bytes, found %q", c.CheckName)
	}
	c.SweepEvery = pause(wrong, "sweep_every", values["sweep_every"])
	if err := c.LogLevel.UnmarshalText([]byte(values["log_level"])); err != nil {
		wrong.add("log_level", "expected debug, info, warn or error, found %q", values["log_level"])
	}
	if (c.OAuthClientID == "") != (c.OAuthClientSecret == "") {
		wrong.add("oauth_client_id", "expected it together with oauth_client_secret, found only one of them")
	}
	if c.Listen != "" && c.Listen == c.AdminListen && !strings.HasSuffix(c.Listen, ":0") {
		wrong.add("admin_listen", "expected another address than listen, found %s for both", c.Listen)
	}
	return c
}

func address(wrong *mistakes, name string, values map[string]string) string {
	value := values[name]
	_, port, err := net.SplitHostPort(value)
	if err != nil {
		wrong.add(name, "expected host:port such as 127.0.0.1:8080, found %q", value)
		return ""
	}
	if number, err := strconv.ParseUint(port, 10, 16); err != nil || strconv.FormatUint(number, 10) != port {
		wrong.add(name, "expected a port from 0 to 65535, found %q", port)
		return ""
	}
	return value
}

// leastPause and mostPause bound sweep_every: GitHub's budget, and what people wait for at most.
const (
	leastPause = 10 * time.Second
	mostPause  = 24 * time.Hour
)

func pause(wrong *mistakes, name, value string) time.Duration {
	every, err := time.ParseDuration(value)
	if err != nil || every < leastPause || every > mostPause {
		wrong.add(name, "expected a time from 10s to 24h, such as 5m, found %q", value)
	}
	return every
}

// database takes sqlite:PATH; the value of another scheme is not quoted, it may hold a password.
func database(wrong *mistakes, value string) string {
	scheme, path, ok := strings.Cut(value, ":")
	switch {
	case ok && (scheme == "postgres" || scheme == "postgresql"):
		wrong.add("database_url", "PostgreSQL is not supported yet: use sqlite:PATH")
	case !ok || scheme != "sqlite":
		wrong.add("database_url", "expected sqlite:PATH, such as sqlite:evidence-gate.db, found the scheme %q", scheme)
	case strings.TrimSpace(path) == "" || strings.HasPrefix(path, ":"):
		wrong.add("database_url", "expected the path of a file after sqlite:, found %q: what was accepted must be on disk", path)
	default:
		if rest, ok := strings.CutPrefix(path, "//"); ok {
			path = rest // sqlite:///var/lib/x.db and sqlite://x.db
		}
		return path
	}
	return ""
}

func webAddress(wrong *mistakes, name, value string) string {
	if value == "" {
		return ""
	}
	u, err := url.Parse(value)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		wrong.add(name, "expected an address such as https://example.org, without user, query or fragment")
		return ""
	}
	return strings.TrimRight(value, "/")
}

func appID(wrong *mistakes, value string) int64 {
	if value == "" {
		wrong.add("app_id", "expected the App's id from its settings page, found none")
		return 0
	}
	id, err := strconv.ParseInt(value, 10, 64)
	if err != nil || id <= 0 {
		wrong.add("app_id", "expected a positive number, found %q", value)
		return 0
	}
	return id
}

func privateKey(wrong *mistakes, value string) *rsa.PrivateKey {
	if value == "" {
		wrong.add("private_key", "expected the App's private key, or private_key_file, found none")
		return nil
	}
	if isPath(value) {
		text, err := readFile(value)
		if err != nil {
			// Not quoted: it may be a damaged key after all.
			wrong.add("private_key", "expected a key or the path of its file, found what looks like a path and cannot be read")
			return nil
		}
		value = text
	}
	key, err := github.ParsePrivateKey(value)
	if err != nil {
		wrong.add("private_key", "%s", strings.TrimPrefix(err.Error(), "private key: "))
		return nil
	}
	return key
}

// isPath tells the path of a key file from a key. Base64 of PEM starts with LS0t, which is "---".
func isPath(value string) bool {
	return len(value) < 1024 && !strings.Contains(value, "-----BEGIN") && !strings.HasPrefix(value, "LS0t") &&
		(strings.ContainsAny(value, `/\`) || strings.HasSuffix(value, ".pem"))
}

// secrets splits the list. A secret is taken as written, but for spaces around it.
func secrets(wrong *mistakes, value string) []string {
	if strings.TrimSpace(value) == "" {
		wrong.add("webhook_secret", "expected the secret from the App's settings, or webhook_secret_file, found none")
		return nil
	}
	var list []string
	for i, secret := range strings.Split(value, ",") {
		if secret = strings.TrimSpace(secret); secret == "" {
			wrong.add("webhook_secret", "expected secrets separated by commas, found an empty one in place %d", i+1)
			continue
		}
		list = append(list, secret)
	}
	return list
}
