package githubtest

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// "REST API endpoints for check runs".
var checkEndpoints = []endpoint{
	{
		pattern: "GET /repos/{owner}/{repo}/commits/{ref}/check-runs", paged: true, accepts: "checks=read",
		query: []string{"check_name", "status", "filter", "app_id"}, handle: (*call).listCheckRuns,
	},
	{pattern: "GET /repos/{owner}/{repo}/check-runs/{id}", accepts: "checks=read", handle: (*call).getCheckRun},
	{pattern: "POST /repos/{owner}/{repo}/check-runs", writes: true, accepts: "checks=write", handle: (*call).createCheckRun},
	{pattern: "PATCH /repos/{owner}/{repo}/check-runs/{id}", writes: true, accepts: "checks=write", handle: (*call).updateCheckRun},
}

// Limits of a check run.
const (
	maxOutput      = 65535 // bytes of summary and of text
	maxTitle       = 255
	maxActions     = 3
	maxLabel       = 20
	maxIdentifier  = 20
	maxDescription = 40
)

var (
	shaPattern  = regexp.MustCompile(`^[0-9a-f]{40}$`)
	statuses    = []string{"queued", "in_progress", "completed"}
	conclusions = []string{"action_required", "cancelled", "failure", "neutral", "success", "skipped", "timed_out"}
)

type checkRunRequest struct {
	Name        *string          `json:"name"`
	HeadSHA     *string          `json:"head_sha"`
	DetailsURL  *string          `json:"details_url"`
	ExternalID  *string          `json:"external_id"`
	Status      *string          `json:"status"`
	StartedAt   *time.Time       `json:"started_at"`
	Conclusion  *string          `json:"conclusion"`
	CompletedAt *time.Time       `json:"completed_at"`
	Output      *outputRequest   `json:"output"`
	Actions     []CheckRunAction `json:"actions"`
}

type outputRequest struct {
	Title   *string `json:"title"`
	Summary *string `json:"summary"`
	Text    *string `json:"text"`
}

func (c *call) listCheckRuns() response {
	sha := c.request.PathValue("ref")
	if tip := c.repository.branches[sha]; tip != "" {
		sha = tip
	}
	if c.repository.commits[sha] == nil {
		return unprocessable("No commit found for SHA: " + sha)
	}
	query := c.request.URL.Query()
	runs := c.repository.latestCheckRuns(sha)
	switch query.Get("filter") {
	case "", "latest":
	case "all":
		runs = slices.DeleteFunc(slices.Clone(c.repository.checkRuns), func(r *checkRun) bool { return r.HeadSHA != sha })
	default:
		return invalid(problem{Resource: "CheckRun", Field: "filter", Code: "invalid"})
	}
	runs = slices.DeleteFunc(runs, func(r *checkRun) bool {
		return differs(query.Get("check_name"), r.Name) || differs(query.Get("status"), r.Status) ||
			differs(query.Get("app_id"), strconv.FormatInt(r.suite.app.id, 10))
	})
	slices.Reverse(runs) // newest first
	return wrapped(c, "check_runs", runs, c.world.checkRunJSON)
}

func differs(wanted, value string) bool { return wanted != "" && wanted != value }

func (c *call) getCheckRun() response {
	if run := c.repository.checkRun(c.number("id")); run != nil {
		return ok(c.world.checkRunJSON(run))
	}
	return notFound()
}

func (c *call) createCheckRun() response {
	if c.grant.user != nil {
		return failure(http.StatusForbidden, "You must authenticate via a GitHub App.")
	}
	var asked checkRunRequest
	if refused := c.decode(&asked); refused != nil {
		return *refused
	}
	switch {
	case asked.Name == nil || *asked.Name == "":
		return unprocessable("Invalid request.\n\n\"name\" wasn't supplied.")
	case asked.HeadSHA == nil || *asked.HeadSHA == "":
		return unprocessable("Invalid request.\n\n\"head_sha\" wasn't supplied.")
	case !shaPattern.MatchString(*asked.HeadSHA):
		return invalid(problem{Resource: "CheckRun", Field: "head_sha", Code: "invalid"})
	}
	if refused := asked.check(true); refused != nil {
		return *refused
	}
	if c.repository.commits[*asked.HeadSHA] == nil {
		return unprocessable("No commit found for SHA: " + *asked.HeadSHA)
	}
	run := c.repository.newCheckRun(c.world.appNamed(c.world.app.Slug), "", CheckRun{HeadSHA: *asked.HeadSHA, Status: "queued"})
	c.apply(run, asked)
	c.world.emitCheckRun(run, "created", nil, nil)
	if run.Status == "completed" {
		c.world.emitCheckRun(run, "completed", nil, nil)
	}
	return created(c.world.checkRunJSON(run))
}

func (c *call) updateCheckRun() response {
	if c.grant.user != nil {
		return failure(http.StatusForbidden, "You must authenticate via a GitHub App.")
	}
	run := c.repository.checkRun(c.number("id"))
	if run == nil {
		return notFound()
	}
	if run.suite.app.slug != c.world.app.Slug {
		return failure(http.StatusForbidden, "Invalid app_id `"+strconv.FormatInt(run.suite.app.id, 10)+"` - check run can only be modified by the GitHub App that created it.")
	}
	var asked checkRunRequest
	if refused := c.decode(&asked); refused != nil {
		return *refused
	}
	if asked.HeadSHA != nil {
		c.server.reporter.Errorf("githubtest: the request field \"head_sha\" of %s is not modelled", c.endpoint.pattern)
		return unprocessable("Invalid request.\n\n\"head_sha\" is not a permitted key.")
	}
	if refused := asked.check(false); refused != nil {
		return *refused
	}
	c.apply(run, asked)
	run.Updates++
	if asked.completes() {
		c.world.emitCheckRun(run, "completed", nil, nil)
	}
	return ok(c.world.checkRunJSON(run))
}

// completes says whether the request sets the status completed, outright or by a conclusion.
func (a checkRunRequest) completes() bool {
	return a.Conclusion != nil || (a.Status != nil && *a.Status == "completed")
}

func (c *call) apply(run *checkRun, a checkRunRequest) {
	set(&run.Name, a.Name)
	set(&run.DetailsURL, a.DetailsURL)
	set(&run.ExternalID, a.ExternalID)
	if a.StartedAt != nil {
		run.StartedAt = a.StartedAt.UTC()
	}
	if a.completes() {
		var at time.Time
		if a.CompletedAt != nil {
			at = a.CompletedAt.UTC()
		}
		c.repository.settle(run, "completed", *a.Conclusion, at)
	} else if a.Status != nil {
		c.repository.settle(run, *a.Status, "", time.Time{})
	}
	if a.Output != nil {
		set(&run.Title, a.Output.Title)
		set(&run.Summary, a.Output.Summary)
		set(&run.Text, a.Output.Text)
	}
	if a.Actions != nil {
		run.Actions = a.Actions
	}
}

func set(field *string, value *string) {
	if value != nil {
		*field = *value
	}
}

// check refuses what GitHub refuses. Only a new check run needs a title in its output.
func (a checkRunRequest) check(isNew bool) *response {
	var problems []problem
	add := func(field, code, message string) {
		problems = append(problems, problem{Resource: "CheckRun", Field: field, Code: code, Message: message})
	}
	if a.Status != nil && !slices.Contains(statuses, *a.Status) {
		add("status", "invalid", "status is not included in the list")
	}
	if a.Conclusion != nil && !slices.Contains(conclusions, *a.Conclusion) {
		add("conclusion", "invalid", "conclusion is not included in the list")
	}
	if a.Conclusion == nil && (a.completes() || a.CompletedAt != nil) {
		add("conclusion", "missing_field", "conclusion is required when the status is completed")
	}
	if a.DetailsURL != nil && *a.DetailsURL != "" && !strings.HasPrefix(*a.DetailsURL, "http://") && !strings.HasPrefix(*a.DetailsURL, "https://") {
		add("details_url", "custom", "details_url must use http or https scheme")
	}
	a.checkOutput(isNew, add)
	a.checkActions(add)
	if len(problems) == 0 {
		return nil
	}
	answer := invalid(problems...)
	return &answer
}

func (a checkRunRequest) checkOutput(isNew bool, add func(field, code, message string)) {
	if a.Output == nil {
		return
	}
	if isNew && (a.Output.Title == nil || *a.Output.Title == "") {
		add("title", "missing_field", "title is required in output")
	}
	if a.Output.Title != nil && len([]rune(*a.Output.Title)) > maxTitle {
		add("title", "custom", "title is too long (maximum is 255 characters)")
	}
	if a.Output.Summary == nil {
		add("summary", "missing_field", "summary is required in output")
	} else if len(*a.Output.Summary) > maxOutput {
		add("summary", "custom", "summary exceeds a maximum bytesize of 65535")
	}
	if a.Output.Text != nil && len(*a.Output.Text) > maxOutput {
		add("text", "custom", "text exceeds a maximum bytesize of 65535")
	}
}

func (a checkRunRequest) checkActions(add func(field, code, message string)) {
	if len(a.Actions) > maxActions {
		add("actions", "custom", "actions exceeds a maximum of 3")
	}
	for _, action := range a.Actions {
		for _, limit := range []struct {
			field, text string
			most        int
		}{
			{"label", action.Label, maxLabel},
			{"description", action.Description, maxDescription},
			{"identifier", action.Identifier, maxIdentifier},
		} {
			if limit.text == "" {
				add(limit.field, "missing_field", limit.field+" is required in actions")
			}
			if len([]rune(limit.text)) > limit.most {
				add(limit.field, "custom", limit.field+" is too long (maximum is "+strconv.Itoa(limit.most)+" characters)")
			}
		}
	}
}
