package githubtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// endpoint is one modelled REST endpoint.
type endpoint struct {
	pattern string   // as http.ServeMux reads it
	query   []string // modelled query parameters
	paged   bool     // takes page and per_page as well
	accepts string   // permissions as GitHub names them: "issues=write; pull_requests=write"
	app     bool     // asks for the app's JWT instead of a token
	free    bool     // is not charged to the hourly budget
	writes  bool
	handle  func(*call) response
}

// call is one request to an endpoint. The world stands still while it is handled.
type call struct {
	server     *Server
	world      *World
	request    *http.Request
	endpoint   *endpoint
	grant      *grant
	repository *Repository
}

// endpoints are all that are modelled.
func endpoints() []endpoint {
	return slices.Concat(
		appEndpoints, deliveryEndpoints, repositoryEndpoints, contentsEndpoints, peopleEndpoints, pullEndpoints, reviewRequestEndpoints, threadEndpoints,
		commentEndpoints, checkEndpoints, userEndpoints,
	)
}

func (s *Server) newRoutes() *http.ServeMux {
	mux := http.NewServeMux()
	for _, e := range endpoints() {
		mux.HandleFunc(e.pattern, func(w http.ResponseWriter, r *http.Request) {
			answer := s.call(&e, r)
			w.(*answerHolder).answer = &answer
		})
	}
	mux.HandleFunc("POST /graphql", func(w http.ResponseWriter, r *http.Request) {
		answer := s.answerGraphQL(r)
		w.(*answerHolder).answer = &answer
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		answer := s.unrouted(r)
		w.(*answerHolder).answer = &answer
	})
	return mux
}

// unmodelled reports a request by name and answers like GitHub for an address that it lacks.
func (s *Server) unmodelled(r *http.Request) response {
	s.reporter.Errorf("githubtest: the endpoint %s %s is not modelled", r.Method, r.URL.Path)
	return notFound()
}

// call answers a request, with the world locked for reading or writing meanwhile.
func (s *Server) call(e *endpoint, r *http.Request) response {
	for name := range r.URL.Query() {
		if !slices.Contains(e.query, name) && !(e.paged && (name == "page" || name == "per_page")) {
			s.reporter.Errorf("githubtest: the query parameter %q of %s is not modelled", name, e.pattern)
		}
	}
	c := &call{server: s, world: s.world, request: r, endpoint: e}
	var answer response
	if e.writes {
		s.world.change(func() { answer = c.answer().frozen() })
	} else {
		answer = look(s.world, func() response { return c.answer().frozen() })
	}
	if c.grant != nil {
		answer.budget, answer.resource = c.grant.rate(), "core"
	}
	return answer
}

// frozen encodes the body while the world stands still.
func (r response) frozen() response {
	if r.body == nil {
		return r
	}
	encoded, err := json.Marshal(r.body)
	if err != nil {
		panic(fmt.Sprintf("githubtest: an answer cannot be encoded: %v", err))
	}
	r.body = json.RawMessage(encoded)
	return r
}

func (c *call) answer() response {
	if c.endpoint.app {
		if refused := c.world.authenticateApp(c.request); refused != nil {
			return *refused
		}
	} else {
		grant, refused := c.world.authenticate(c.request)
		if refused != nil {
			return *refused
		}
		c.grant = grant
		if !c.endpoint.free && !grant.rate().spend(c.world.clock(), "core", 1) {
			return failure(http.StatusForbidden, "API rate limit exceeded for "+grant.describe()+".")
		}
	}
	if c.request.PathValue("owner") != "" {
		if refused := c.findRepository(); refused != nil {
			return *refused
		}
	}
	return c.endpoint.handle(c)
}

func (g *grant) rate() *budget {
	if g.installation != nil {
		return g.installation.budget
	}
	return g.budget
}

func (g *grant) describe() string {
	if g.installation != nil {
		return fmt.Sprintf("installation ID %d", g.installation.id)
	}
	return fmt.Sprintf("user ID %d", g.user.id)
}

// findRepository looks the repository up and checks the permission: 404 for what the token does not
// see, 301 after a rename, 403 with the permission's name.
func (c *call) findRepository() *response {
	name := c.request.PathValue("owner") + "/" + c.request.PathValue("repo")
	c.repository = c.world.repository(name)
	if c.repository == nil {
		if moved := c.world.renamedRepository(name); moved != nil {
			return c.redirect(moved)
		}
	}
	answer := notFound()
	switch {
	case c.repository == nil:
		return &answer
	case c.endpoint.app:
		return nil
	case !c.grant.sees(c.repository):
		return &answer
	case !c.permitted():
		answer = missingPermission(c.endpoint.accepts)
		return &answer
	}
	return nil
}

// permitted says whether one of the accepted permissions is granted. Public repositories can be
// read without: "This endpoint can be used without authentication or the aforementioned
// permissions if only public resources are requested".
func (c *call) permitted() bool {
	if c.endpoint.accepts == "" || (!c.endpoint.writes && c.repository.public) {
		return true
	}
	for accepted := range strings.SplitSeq(c.endpoint.accepts, "; ") {
		permission, level, _ := strings.Cut(accepted, "=")
		if strength(c.grant.level(c.repository, permission)) >= strength(level) {
			return true
		}
	}
	return false
}

func (c *call) redirect(to *Repository) *response {
	old := "/repos/" + c.request.PathValue("owner") + "/" + c.request.PathValue("repo")
	url := fmt.Sprintf("%s/repositories/%d%s", c.world.apiURL, to.id, strings.TrimPrefix(c.request.URL.Path, old))
	if c.request.URL.RawQuery != "" {
		url += "?" + c.request.URL.RawQuery
	}
	answer := permanently(url)
	if c.request.Method != http.MethodGet {
		answer.status = http.StatusTemporaryRedirect
	}
	return answer
}

// permanently sends on to another address.
func permanently(url string) *response {
	return &response{status: http.StatusMovedPermanently, header: map[string]string{"Location": url}, body: object{
		"message": "Moved Permanently", "url": url, "documentation_url": docsURL + "/rest",
	}}
}

var repositoryByID = regexp.MustCompile(`^/repositories/(\d+)(/.*)?$`)

// followRepositoryID maps /repositories/{id}, which GitHub's redirects and Link headers use, to the
// repository's name.
func (s *Server) followRepositoryID(r *http.Request) {
	m := repositoryByID.FindStringSubmatch(r.URL.Path)
	if m == nil {
		return
	}
	id, _ := strconv.ParseInt(m[1], 10, 64)
	look(s.world, func() any {
		for _, repository := range s.world.repositories {
			if repository.id == id && !repository.deleted {
				r.URL.Path, r.URL.RawPath = "/repos/"+repository.fullName()+m[2], ""
			}
		}
		return nil
	})
}

// number is a number of the path, 0 when it is none.
func (c *call) number(name string) int64 {
	n, err := strconv.ParseInt(c.request.PathValue(name), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// decode reads the request's JSON into a struct. A member that the struct lacks is not modelled.
func (c *call) decode(into any) *response {
	body, _ := io.ReadAll(c.request.Body)
	if len(bytes.TrimSpace(body)) == 0 {
		body = []byte("{}")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil {
		return nil
	}
	if field, unknown := strings.CutPrefix(err.Error(), "json: unknown field "); unknown {
		c.server.reporter.Errorf("githubtest: the request field %s of %s is not modelled", field, c.endpoint.pattern)
		answer := unprocessable("Invalid request.\n\n" + field + " is not a permitted key.")
		return &answer
	}
	if _, wrongType := err.(*json.UnmarshalTypeError); wrongType {
		answer := unprocessable("Invalid request.\n\n" + err.Error())
		return &answer
	}
	answer := failure(http.StatusBadRequest, "Problems parsing JSON")
	return &answer
}
