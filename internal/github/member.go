package github

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Member completes an account by the role and the teams that it has at this moment, as far as a policy
// looks at them. What cannot be read stays empty and stands among the missing facts.
func (c *Client) Member(ctx context.Context, repo Repo, a snapshot.Actor, by policy.Roles) (snapshot.Actor, []snapshot.Unavailable, error) {
	if err := repo.check(); err != nil {
		return a, nil, err
	}
	who := c.census(repo)
	if err := together(ctx, append(who.ask(people{strings.ToLower(a.Login): &a}), who.joined(by)...)); err != nil {
		return a, nil, err
	}
	who.describe(&a)
	var missing []snapshot.Unavailable
	if reason := who.standings[strings.ToLower(a.Login)].reason; reason != "" {
		missing = append(missing, snapshot.Unavailable{Fact: factPermissions, Reason: fmt.Sprintf("the role of %q: %s", quote(a.Login), reason)})
	}
	for _, name := range by.Teams() {
		if reason := who.teams[name].reason; reason != "" {
			missing = append(missing, snapshot.Unavailable{Fact: factTeams, Reason: reason})
		}
	}
	return a, missing, nil
}

// MaintainersOf lists the logins, in lower case, of the people whose permission makes them maintainers by
// a policy; none where they are not shown to this token.
func (c *Client) MaintainersOf(ctx context.Context, repo Repo, by policy.Roles) ([]string, error) {
	if err := repo.check(); err != nil {
		return nil, err
	}
	who := c.census(repo)
	if err := together(ctx, who.count(by)); err != nil {
		return nil, err
	}
	least := slices.Index(roles, by.Maintainers.Permission)
	all := map[string]bool{}
	for _, list := range who.lists {
		for login, role := range list {
			if slices.Index(roles, role) >= least {
				all[login] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all)), nil
}
