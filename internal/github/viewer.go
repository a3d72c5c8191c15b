package github

import (
	"context"
	"strings"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Maintainers counts the accounts that hold the maintainer's role; 0 when GitHub does not show them to
// this token.
func (c *Client) Maintainers(ctx context.Context, repo Repo, by policy.Roles) (int, error) {
	if err := repo.check(); err != nil {
		return 0, err
	}
	who := c.census(repo)
	if err := together(ctx, append(who.count(by), who.joined(by)...)); err != nil {
		return 0, err
	}
	return who.maintainers(by), nil
}

// Viewer is the account that the token belongs to, with its role in a repository and those of the
// given teams that it is in. What GitHub does not show stays empty; a token that belongs to no
// account, as an installation's, is an Error of the kind Forbidden.
func (c *Client) Viewer(ctx context.Context, repo Repo, teams []string) (*snapshot.Actor, error) {
	if err := repo.check(); err != nil {
		return nil, err
	}
	var user struct {
		Login string `json:"login"`
		Type  string `json:"type"`
	}
	if _, _, err := c.get(ctx, "read whose token this is", "a token of a person", "user", &user); err != nil {
		return nil, err
	}
	a := actor(&actorNode{Type: user.Type, Login: user.Login})
	if a == nil {
		return nil, unreadable("read whose token this is")
	}
	role, err := c.standing(ctx, repo, a.Login)
	if err != nil {
		return nil, err
	}
	if a.Permission = role.role; role.reason != "" {
		a.Permission = "read" // GitHub shows roles to whoever may write
	}
	for _, name := range teams {
		of, err := c.team(ctx, repo.Owner, name)
		if err != nil {
			return nil, err
		}
		if of.members[strings.ToLower(a.Login)] {
			a.Teams = append(a.Teams, name)
		}
	}
	return a, nil
}
