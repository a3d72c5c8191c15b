package githubtest

import (
	"time"

	"github.com/graph-gophers/graphql-go"
)

// actorResolver is an account: Actor, RepositoryOwner and each of their kinds.
type actorResolver struct{ account *account }

// actor resolves an account; nobody and deleted accounts are null.
func actor(a *account) *actorResolver {
	if a == nil || a.deleted {
		return nil
	}
	return &actorResolver{a}
}

// Login is without the suffix that REST gives bots.
func (a *actorResolver) Login() string { return a.account.graphqlLogin() }

// ID is the global id.
func (a *actorResolver) ID() graphql.ID { return graphql.ID(accountNodeID(a.account)) }

// DatabaseID is the number that REST knows.
func (a *actorResolver) DatabaseID() *int32 { return databaseID(a.account.id) }

// URL of the account's page.
func (a *actorResolver) URL() text {
	if a.account.kind == "Bot" {
		return text(webURL + "/apps/" + a.account.graphqlLogin())
	}
	return text(webURL + "/" + a.account.login)
}

func (a *actorResolver) as(kind string) (*actorResolver, bool) { return a, a.account.kind == kind }

func (a *actorResolver) ToUser() (*actorResolver, bool)         { return a.as("User") }
func (a *actorResolver) ToBot() (*actorResolver, bool)          { return a.as("Bot") }
func (a *actorResolver) ToOrganization() (*actorResolver, bool) { return a.as("Organization") }
func (a *actorResolver) ToMannequin() (*actorResolver, bool)    { return a.as("Mannequin") }
func (a *actorResolver) ToEnterpriseUserAccount() (*actorResolver, bool) {
	return a.as("EnterpriseUserAccount")
}

type gitActorResolver struct {
	actor gitActor
	at    time.Time
}

// Date of the commit.
func (g *gitActorResolver) Date() *text { return optionalTime(g.at) }

// Email as written in the commit.
func (g *gitActorResolver) Email() *string { return optionalString(g.actor.email) }

// Name as written in the commit.
func (g *gitActorResolver) Name() *string { return optionalString(g.actor.name) }

// User whose address it is; null without an account.
func (g *gitActorResolver) User() *actorResolver { return actor(g.actor.user()) }
