package github

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

const membersRead = "members: read"

// slugForm is what a team's slug is made of; anything else would end up in a request path.
var slugForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$`)

// team is who is in a team, or why that could not be read.
type team struct {
	members map[string]bool // logins in lower case
	reason  string
}

// team reads the members of a team, those of its child teams included. It is named by its slug, or by
// organisation/slug; a team without an organisation is one of the repository's owner.
func (c *Client) team(ctx context.Context, owner, name string) (team, error) {
	organisation, slug, found := strings.Cut(name, "/")
	if !found {
		organisation, slug = owner, name
	}
	if !ownerForm.MatchString(organisation) || !slugForm.MatchString(slug) {
		return team{reason: fmt.Sprintf("%q is no name of a team: expected its slug, or organisation/slug", quote(name))}, nil
	}
	key := strings.Join([]string{"team", strings.ToLower(organisation), strings.ToLower(slug)}, "\n")
	if known, ok := recall[map[string]bool](c.cache, key); ok {
		return team{members: known}, nil
	}
	doing := fmt.Sprintf("list the members of the team %s/%s", organisation, slug)
	members, bytes := map[string]bool{}, 0
	for page, pages := 1, 0; page != 0; pages++ {
		if pages == mostPages {
			return team{reason: fmt.Sprintf("the team %s has more than %d members", quote(name), mostPages*pageSize)}, nil
		}
		var list []struct {
			Login string `json:"login"`
		}
		address := fmt.Sprintf("orgs/%s/teams/%s/members?per_page=%d&page=%d", organisation, url.PathEscape(slug), pageSize, page)
		next, _, err := c.get(ctx, doing, membersRead, address, &list)
		if reason, missing := refusedFor(err); missing {
			return team{reason: fmt.Sprintf("the team %s: %s", quote(name), reason)}, nil
		}
		if err != nil {
			return team{}, err
		}
		for _, m := range list {
			members[strings.ToLower(m.Login)], bytes = true, bytes+len(m.Login)+32
		}
		page = next
	}
	c.cache.keep(key, members, bytes, peopleLife)
	return team{members: members}, nil
}
