package githubtest

import (
	"strings"
	"time"
)

// account is a user, a bot, an organization or a mannequin. The login of a bot carries "[bot]".
type account struct {
	id        int64
	login     string
	kind      string
	createdAt time.Time
	deleted   bool
}

const botSuffix = "[bot]"

// account finds an account by login and makes it when there is none; an empty login is nobody.
func (w *World) account(login string) *account {
	if login == "" {
		return nil
	}
	key := strings.ToLower(login)
	if a := w.accounts[key]; a != nil {
		return a
	}
	kind := "User"
	if strings.HasSuffix(key, botSuffix) {
		kind = "Bot"
	}
	a := &account{id: w.nextID("account"), login: login, kind: kind, createdAt: w.now()}
	w.accounts[key] = a
	return a
}

// AddOrganization makes an account an organization.
func (w *World) AddOrganization(login string) {
	w.change(func() { w.account(login).kind = "Organization" })
}

// AddMannequin makes an account a mannequin, the stand-in for people of an import.
func (w *World) AddMannequin(login string) {
	w.change(func() { w.account(login).kind = "Mannequin" })
}

// DeleteAccount deletes an account: what it wrote stays, its author is null in GraphQL and "ghost"
// in REST and webhooks.
func (w *World) DeleteAccount(login string) {
	w.change(func() {
		a := w.account(login)
		a.deleted = true
		delete(w.accounts, strings.ToLower(login))
	})
}

// AddUserToken makes a token (as of gh or of a personal access token) act for an account.
func (w *World) AddUserToken(token, login string) {
	w.change(func() {
		w.tokens[token] = &grant{user: w.account(login), budget: newBudget(w.limit)}
	})
}

// ghost is who GitHub shows in place of deleted accounts.
var ghost = &account{id: 10137, login: "ghost", kind: "User"}

// shown is the account as REST and webhooks show it.
func (a *account) shown() *account {
	if a == nil || a.deleted {
		return ghost
	}
	return a
}

// graphqlLogin is the login as GraphQL writes it: bots without their suffix.
func (a *account) graphqlLogin() string {
	if a.kind == "Bot" {
		return strings.TrimSuffix(a.login, botSuffix)
	}
	return a.login
}

// Roles from the strongest to the weakest.
var roles = []string{"admin", "maintain", "write", "triage", "read", "none"}

// atLeast says whether a role includes another.
func atLeast(role, wanted string) bool {
	for _, r := range roles {
		if r == role {
			return true
		}
		if r == wanted {
			return false
		}
	}
	return false
}
