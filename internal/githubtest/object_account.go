package githubtest

import (
	"fmt"
	"strings"
	"time"
)

const webURL = "https://github.com"

// object is a JSON object of the REST API or of a webhook.
type object = map[string]any

// timestamp writes a time as GitHub does; null when there is none.
func timestamp(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339)
}

// orNull is the text, or null when there is none.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (w *World) userJSON(a *account) object {
	a = a.shown()
	u := w.apiURL + "/users/" + strings.ReplaceAll(strings.ReplaceAll(a.login, "[", "%5B"), "]", "%5D")
	html := webURL + "/" + a.login
	if a.kind == "Bot" {
		html = webURL + "/apps/" + strings.TrimSuffix(a.login, botSuffix)
	}
	return object{
		"login": a.login, "id": a.id, "node_id": accountNodeID(a),
		"avatar_url":  fmt.Sprintf("https://avatars.githubusercontent.com/u/%d?v=4", a.id),
		"gravatar_id": "", "url": u, "html_url": html,
		"followers_url": u + "/followers", "following_url": u + "/following{/other_user}",
		"gists_url": u + "/gists{/gist_id}", "starred_url": u + "/starred{/owner}{/repo}",
		"subscriptions_url": u + "/subscriptions", "organizations_url": u + "/orgs",
		"repos_url": u + "/repos", "events_url": u + "/events{/privacy}",
		"received_events_url": u + "/received_events", "type": a.kind,
		"site_admin": false,
	}
}

// nullableUser is the account as fields show it that hold null rather than ghost.
func (w *World) nullableUser(a *account) any {
	if a == nil {
		return nil
	}
	return w.userJSON(a)
}

func accountNodeID(a *account) string {
	prefix := map[string]string{"User": "U", "Bot": "BOT", "Organization": "O", "Mannequin": "M"}[a.kind]
	return nodeID(prefix, a.id)
}

func (w *World) appJSON(a *appIdentity) object {
	permissions, events := object{"metadata": "read", "checks": "write"}, []string{}
	if a.slug == w.app.Slug {
		for name, level := range w.app.Permissions {
			permissions[name] = level
		}
		events = w.app.Events
	}
	return object{
		"id": a.id, "slug": a.slug, "node_id": nodeID("A", a.id),
		"owner": w.userJSON(&account{id: 9919, login: "github", kind: "Organization"}),
		"name":  a.name, "description": "", "external_url": "https://example.com/" + a.slug,
		"html_url":   webURL + "/apps/" + a.slug,
		"created_at": timestamp(a.at), "updated_at": timestamp(a.at),
		"permissions": permissions, "events": events,
	}
}

func (w *World) installationJSON(i *Installation) object {
	selection := "all"
	if i.selected != nil {
		selection = "selected"
	}
	permissions := object{}
	for name, level := range i.permissions {
		permissions[name] = level
	}
	u := fmt.Sprintf("%s/app/installations/%d", w.apiURL, i.id)
	json := object{
		"id": i.id, "account": w.userJSON(i.account), "repository_selection": selection,
		"access_tokens_url": u + "/access_tokens",
		"repositories_url":  w.apiURL + "/installation/repositories",
		"html_url":          fmt.Sprintf("%s/organizations/%s/settings/installations/%d", webURL, i.account.login, i.id),
		"app_id":            w.app.ID, "app_slug": w.app.Slug,
		"target_id": i.account.id, "target_type": i.account.kind, "permissions": permissions, "events": i.events,
		"created_at": timestamp(i.createdAt), "updated_at": timestamp(i.createdAt),
		"single_file_name": nil, "has_multiple_single_files": false, "single_file_paths": []string{},
		"suspended_by": nil, "suspended_at": timestamp(i.suspendedAt),
	}
	if !i.suspendedAt.IsZero() {
		json["suspended_by"] = w.userJSON(i.account)
	}
	return json
}
