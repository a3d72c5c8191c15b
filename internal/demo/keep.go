package demo

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
)

// stay leaves everything running until somebody stops it.
func (s *stage) stay(t *story) error {
	curl, err := s.curl(t)
	if err != nil {
		return err
	}
	t.page.places(s)
	t.page.commandLine(s, t.pull.Number())
	t.page.webhook(s, t.pull.Number(), curl)
	if t.page.err != nil {
		return fmt.Errorf("write the output: %w", t.page.err)
	}
	<-s.ctx.Done()
	return s.broken()
}

// places says what runs where.
func (p *page) places(s *stage) {
	admin := s.service.AdminURL()
	p.lines("", p.paint.text(bold, "Running until Ctrl-C"))
	for _, place := range [][2]string{
		{"GitHub, simulated", s.github.URL()},
		{"webhooks", s.service.WebhookURL()},
		{"health", admin + "/healthz"},
		{"metrics", admin + "/metrics"},
		{"database", s.database},
	} {
		p.lines(fmt.Sprintf("%s%-18s %s", indent, place[0], place[1]))
	}
}

// commandLine says how to use the command line on what stays. The accounts' tokens are good for the
// simulator only.
func (p *page) commandLine(s *stage, number int) {
	asks := fmt.Sprintf("go run ./cmd/github-preflight --repo %s --pr %d --stage merge", repositoryName, number)
	p.lines("", p.paint.text(bold, fmt.Sprintf("Ask the command line about #%d, as %s, from a second terminal in this folder", number, engineer)),
		"export GITHUB_API_URL="+s.github.URL()+" GITHUB_GRAPHQL_URL="+s.github.GraphQLURL(),
		"export GH_TOKEN="+s.token(engineer), asks)
	p.lines("", "Be "+maintainer+", who may triage and approve, with:", "export GH_TOKEN="+s.token(maintainer))
}

// token makes a token of an account.
func (s *stage) token(login string) string {
	token := "demo-" + login + "-" + rand.Text()
	s.github.World().AddUserToken(token, login)
	return token
}

// webhook says how to send one by hand.
func (p *page) webhook(s *stage, number int, curl string) {
	p.lines("", p.paint.text(bold, fmt.Sprintf("Have #%d judged again, by a signed webhook", number)), curl)
	p.lines("", p.paint.text(bold, "See that it was: the numbers grow half a second later"),
		"curl -s "+s.service.AdminURL()+"/metrics | grep -e ^evidence_gate_evaluations_total -e ^evidence_gate_published_total")
}

// curl is a command that sends the webhook of an edited body as GitHub would, with what the service
// reads of it. Each time it is pasted it is another delivery: one that was done is not done twice.
func (s *stage) curl(t *story) (string, error) {
	payload, err := json.Marshal(map[string]any{
		"action": "edited",
		"number": t.pull.Number(),
		"pull_request": map[string]any{
			"number": t.pull.Number(), "head": map[string]any{"sha": t.pull.HeadSHA()},
		},
		"repository":   map[string]any{"id": t.repository.ID(), "full_name": repositoryName},
		"installation": map[string]any{"id": s.github.World().Installation(owner()).ID()},
		"sender":       map[string]any{"login": engineer, "type": "User"},
	})
	if err != nil {
		return "", fmt.Errorf("encode the payload of a webhook: %w", err)
	}
	return strings.Join([]string{
		"curl -i " + s.service.WebhookURL(),
		"-H 'Content-Type: application/json'",
		"-H 'X-GitHub-Event: pull_request'",
		`-H "X-GitHub-Delivery: by-hand-$(date +%s)"`,
		"-H 'X-Hub-Signature-256: " + signature(s.github.App(), payload) + "'",
		"--data-binary " + quoted(string(payload)),
	}, " \\\n  "), nil
}

func owner() string {
	name, _, _ := strings.Cut(repositoryName, "/")
	return name
}

// signature is the value of X-Hub-Signature-256 for a payload.
func signature(a githubtest.App, payload []byte) string {
	mac := hmac.New(sha256.New, []byte(a.WebhookSecret))
	mac.Write(payload)
	return "sha256=" + hex.EncodeToString(mac.Sum(nil))
}

// quoted is a text as one word of a POSIX shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
