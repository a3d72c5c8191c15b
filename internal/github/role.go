package github

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

const (
	metadataRead = "metadata: read"
	// peopleLife is how long roles, teams and lists of collaborators are believed (section 14).
	peopleLife = 5 * time.Minute
	noRole     = "none"
)

// roles are GitHub's own, the least first; a custom role includes one of them.
var roles = []string{noRole, "read", "triage", "write", "maintain", "admin"}

// collaborator is an account as REST lists it with its role.
type collaborator struct {
	Login       string          `json:"login"`
	RoleName    string          `json:"role_name"`
	Permissions map[string]bool `json:"permissions"`
}

// role is the account's role. A custom one counts as its base, which only the permissions tell.
func (c collaborator) role() string {
	if name := strings.ToLower(c.RoleName); slices.Contains(roles, name) {
		return name
	}
	for _, p := range []struct{ permission, role string }{
		{"admin", "admin"}, {"maintain", "maintain"}, {"push", "write"}, {"triage", "triage"}, {"pull", "read"},
	} {
		if c.Permissions[p.permission] {
			return p.role
		}
	}
	return ""
}

// hasRole reports whether GitHub can know a role of an account: it knows none of bots.
func hasRole(a *snapshot.Actor) bool {
	return (a.Type == "User" || a.Type == "") && !strings.HasSuffix(a.Login, botSuffix)
}

// standing is the role of an account, or why it could not be read.
type standing struct{ role, reason string }

// standing reads the role of an account in the repository. The endpoint folds maintain into write and
// triage into read; role_name tells them apart (section 18).
func (c *Client) standing(ctx context.Context, repo Repo, login string) (standing, error) {
	key := strings.Join([]string{"role", strings.ToLower(repo.String()), strings.ToLower(login)}, "\n")
	if known, ok := recall[string](c.cache, key); ok {
		return standing{role: known}, nil
	}
	doing := fmt.Sprintf("read the role of %q in %s", quote(login), repo)
	var answer struct {
		Permission string       `json:"permission"`
		RoleName   string       `json:"role_name"`
		User       collaborator `json:"user"`
	}
	address := fmt.Sprintf("repos/%s/%s/collaborators/%s/permission", repo.Owner, repo.Name, url.PathEscape(login))
	_, _, err := c.get(ctx, doing, metadataRead, address, &answer)
	read := standing{}
	if KindOf(err) == NotFound { // "… is not a user"
		read.role = noRole
	} else if reason, missing := refusedFor(err); missing {
		return standing{reason: reason}, nil
	} else if err != nil {
		return standing{}, err
	} else {
		answer.User.RoleName = answer.RoleName
		if read.role = answer.User.role(); read.role == "" && slices.Contains(roles, answer.Permission) {
			read.role = answer.Permission
		}
	}
	if read.role == "" {
		return standing{reason: fmt.Sprintf("GitHub names a role that is not known: %q", quote(answer.RoleName))}, nil
	}
	c.cache.keep(key, read.role, len(read.role), peopleLife)
	return read, nil
}

// mostCollaboratorPages bounds how many people one list holds. A longer one is as good as hidden: the
// maintainers may be among those behind it.
const mostCollaboratorPages = 10

// filters of the list of collaborators by the role that each is for. It is not said whether a filter
// includes the roles above, so each of those is asked for by its own.
var filters = []struct{ role, filter string }{{"triage", "triage"}, {"write", "push"}, {"maintain", "maintain"}, {"admin", "admin"}}

// collaborators are the roles of the people that one filter lists, by their login in lower case; nil
// when they are not shown to this token, or not whole.
func (c *Client) collaborators(ctx context.Context, repo Repo, filter string) (map[string]string, error) {
	key := strings.Join([]string{"collaborators", strings.ToLower(repo.String()), filter}, "\n")
	if known, ok := recall[map[string]string](c.cache, key); ok {
		return known, nil
	}
	doing := fmt.Sprintf("list the collaborators of %s", repo)
	people, bytes := map[string]string{}, 0
	for page, pages := 1, 0; page != 0; pages++ {
		if pages == mostCollaboratorPages {
			return nil, nil
		}
		var list []collaborator
		address := fmt.Sprintf("repos/%s/%s/collaborators?permission=%s&per_page=%d&page=%d", repo.Owner, repo.Name, filter, pageSize, page)
		next, _, err := c.get(ctx, doing, metadataRead, address, &list)
		if _, missing := refusedFor(err); missing {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		for _, one := range list {
			role := one.role()
			if role == "" {
				return nil, nil // a role that is not known may be a maintainer's
			}
			people[strings.ToLower(one.Login)], bytes = role, bytes+len(one.Login)+32
		}
		page = next
	}
	c.cache.keep(key, people, bytes, peopleLife)
	return people, nil
}
