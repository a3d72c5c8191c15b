package githubtest

import "net/http"

// "Get the authenticated user" of "REST API endpoints for users".
var userEndpoints = []endpoint{
	{pattern: "GET /user", handle: (*call).getUser},
}

// getUser names the person whose token it is; an installation is none.
func (c *call) getUser() response {
	if c.grant.user == nil {
		return failure(http.StatusForbidden, "Resource not accessible by integration")
	}
	a := c.grant.user
	json := c.world.userJSON(a)
	for _, name := range []string{"bio", "blog", "company", "email", "hireable", "location", "name"} {
		json[name] = nil
	}
	for _, name := range []string{"followers", "following", "public_gists", "public_repos"} {
		json[name] = 0
	}
	json["created_at"], json["updated_at"], json["user_view_type"] = timestamp(a.createdAt), timestamp(a.createdAt), "public"
	return ok(json)
}
