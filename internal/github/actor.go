package github

import (
	"regexp"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

const botSuffix = "[bot]"

// actorTypes are the types that a Snapshot knows; any other, such as EnterpriseUserAccount, stays
// without a type, and nobody takes it for a User.
var actorTypes = []string{"User", "Bot", "Organization", "Mannequin"}

// actor maps an account; nil is a deleted one.
func actor(n *actorNode) *snapshot.Actor {
	if n == nil || n.Login == "" {
		return nil
	}
	a := &snapshot.Actor{Login: login(n.Login, n.Type)}
	if slices.Contains(actorTypes, n.Type) {
		a.Type = n.Type
	}
	return a
}

// login is the one place where logins of bots get the suffix that REST and webhooks give them and
// GraphQL does not.
func login(name, kind string) string {
	if kind == "Bot" && !strings.HasSuffix(name, botSuffix) {
		return name + botSuffix
	}
	return name
}

// webFlow is GitHub itself, committing what was written or merged on its pages.
const webFlow = "web-flow"

// botAddress is the noreply address that GitHub attributes commits of bots by. GraphQL names no
// account for them, since a bot is no User; REST does, from this address.
var botAddress = regexp.MustCompile(`^\d+\+([A-Za-z0-9-]+\[bot\])@users\.noreply\.(.+)$`)

// commitAuthors are the logins of authors, co-authors and committer, each once; nil stands for one
// without an account. GitHub's own committer is no author.
func (e endpoint) commitAuthors(authors []gitActorNode, committer *gitActorNode) []*string {
	logins := []*string{}
	add := func(n *gitActorNode) {
		name := e.gitLogin(n)
		if !slices.ContainsFunc(logins, func(l *string) bool { return l == name || l != nil && name != nil && *l == *name }) {
			logins = append(logins, name)
		}
	}
	for i := range authors {
		add(&authors[i])
	}
	if !e.isWebFlow(committer) {
		add(committer)
	}
	return logins
}

func (e endpoint) gitLogin(n *gitActorNode) *string {
	if n == nil {
		return nil
	}
	if n.User != nil && n.User.Login != "" {
		return &n.User.Login
	}
	if m := botAddress.FindStringSubmatch(n.Email); m != nil && strings.EqualFold(m[2], e.domain()) {
		return &m[1]
	}
	return nil
}

func (e endpoint) isWebFlow(n *gitActorNode) bool {
	if n == nil {
		return false
	}
	if n.User != nil {
		return n.User.Login == webFlow
	}
	return strings.EqualFold(n.Email, "noreply@"+e.domain())
}
