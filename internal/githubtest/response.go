package githubtest

import (
	"net/http"
	"strconv"
)

const docsURL = "https://docs.github.com"

// response is an answer before it is written.
type response struct {
	status   int
	header   map[string]string
	body     any
	budget   *budget // what the request was charged to, nil when nobody was known
	resource string  // core or graphql
}

func ok(body any) response { return response{status: http.StatusOK, body: body} }

func created(body any) response { return response{status: http.StatusCreated, body: body} }

func errorBody(message, docs string, status int) object {
	if docs == "" {
		docs = "/rest"
	}
	return object{"message": message, "documentation_url": docsURL + docs, "status": strconv.Itoa(status)}
}

func failure(status int, message string) response {
	return response{status: status, body: errorBody(message, "", status)}
}

func notFound() response { return failure(http.StatusNotFound, "Not Found") }

func unauthorized(message string) *response {
	r := failure(http.StatusUnauthorized, message)
	return &r
}

func suspended() *response {
	r := failure(http.StatusForbidden, "This installation has been suspended")
	return &r
}

// missingPermission names what the endpoint accepts, as GitHub does in a header.
func missingPermission(accepted string) response {
	r := failure(http.StatusForbidden, "Resource not accessible by integration")
	r.header = map[string]string{"X-Accepted-GitHub-Permissions": accepted}
	return r
}

// problem is one entry of a validation error.
type problem struct {
	Resource string `json:"resource"`
	Field    string `json:"field"`
	Code     string `json:"code"`
	Message  string `json:"message,omitempty"`
}

func invalid(problems ...problem) response {
	r := failure(http.StatusUnprocessableEntity, "Validation Failed")
	r.body.(object)["errors"] = problems
	return r
}

func unprocessable(message string) response { return failure(http.StatusUnprocessableEntity, message) }
