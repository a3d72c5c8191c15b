package githubtest

import (
	"context"
	"fmt"

	"github.com/graph-gophers/graphql-go"
)

type rollupResolver struct {
	commit   *commitResolver
	runs     []*checkRun
	statuses []*commitStatus
}

func (r *rollupResolver) ID() graphql.ID          { return graphql.ID("SCR_" + r.commit.commit.sha) }
func (r *rollupResolver) Commit() *commitResolver { return r.commit }

// State is the worst of all: FAILURE or ERROR, then PENDING, then SUCCESS.
func (r *rollupResolver) State() string {
	pending := false
	for _, s := range r.statuses {
		switch s.State {
		case "failure", "error":
			return upper(s.State)
		case "pending":
			pending = true
		}
	}
	for _, run := range r.runs {
		switch {
		case run.Status != "completed":
			pending = true
		case !passing(run.Conclusion):
			return "FAILURE"
		}
	}
	if pending {
		return "PENDING"
	}
	return "SUCCESS"
}

// Contexts are the newest check runs and statuses. Without the checks permission the runs are null,
// with an error beside the data.
func (r *rollupResolver) Contexts(ctx context.Context, args pageArgs) (*contextsResolver, error) {
	var all []any
	for _, run := range r.runs {
		all = append(all, run)
	}
	for _, s := range r.statuses {
		all = append(all, s)
	}
	run := executionOf(ctx)
	page, err := connect(all, args, func(element any) *contextResolver {
		if check, isRun := element.(*checkRun); isRun {
			if !run.grant.reads(r.commit.repository, "checks") {
				run.hidden.Store(true)
				return nil
			}
			return &contextResolver{run: &checkRunResolver{r.commit, check}}
		}
		return &contextResolver{status: &statusResolver{r.commit, element.(*commitStatus)}}
	})
	if err != nil {
		return nil, err
	}
	return &contextsResolver{page, r}, nil
}

type contextsResolver struct {
	*connection[*contextResolver]
	rollup *rollupResolver
}

// CheckRunCount counts all check runs, not only those of the page.
func (c *contextsResolver) CheckRunCount() int32 { return int32(len(c.rollup.runs)) }

// StatusContextCount counts all statuses.
func (c *contextsResolver) StatusContextCount() int32 { return int32(len(c.rollup.statuses)) }

type contextResolver struct {
	run    *checkRunResolver
	status *statusResolver
}

func (c *contextResolver) ToCheckRun() (*checkRunResolver, bool)    { return c.run, c.run != nil }
func (c *contextResolver) ToStatusContext() (*statusResolver, bool) { return c.status, c.status != nil }

type checkRunResolver struct {
	commit *commitResolver
	run    *checkRun
}

func (c *checkRunResolver) ID() graphql.ID      { return globalID("CR", c.run.ID) }
func (c *checkRunResolver) DatabaseID() *int32  { return databaseID(c.run.ID) }
func (c *checkRunResolver) Name() string        { return c.run.Name }
func (c *checkRunResolver) Status() string      { return upper(c.run.Status) }
func (c *checkRunResolver) StartedAt() *text    { return optionalTime(c.run.StartedAt) }
func (c *checkRunResolver) CompletedAt() *text  { return optionalTime(c.run.CompletedAt) }
func (c *checkRunResolver) ExternalID() *string { return optionalString(c.run.ExternalID) }
func (c *checkRunResolver) Title() *string      { return optionalString(c.run.Title) }
func (c *checkRunResolver) Summary() *string    { return optionalString(c.run.Summary) }
func (c *checkRunResolver) Text() *string       { return optionalString(c.run.Text) }
func (c *checkRunResolver) URL() text           { return c.Permalink() }
func (c *checkRunResolver) Repository() *repositoryResolver {
	return c.commit.Repository()
}
func (c *checkRunResolver) CheckSuite() *suiteResolver { return &suiteResolver{c.commit, c.run.suite} }

// Conclusion is null until the run is completed.
func (c *checkRunResolver) Conclusion() *string { return optionalString(upper(c.run.Conclusion)) }

// Permalink of the run's page.
func (c *checkRunResolver) Permalink() text {
	return text(fmt.Sprintf("%s/%s/runs/%d", webURL, c.commit.repository.fullName(), c.run.ID))
}

// DetailsURL is the run's page when its app gave none.
func (c *checkRunResolver) DetailsURL() *text {
	if c.run.DetailsURL == "" {
		link := c.Permalink()
		return &link
	}
	return optionalText(c.run.DetailsURL)
}

type suiteResolver struct {
	commit *commitResolver
	suite  *checkSuite
}

func (s *suiteResolver) ID() graphql.ID          { return globalID("CS", s.suite.id) }
func (s *suiteResolver) DatabaseID() *int32      { return databaseID(s.suite.id) }
func (s *suiteResolver) App() *appResolver       { return &appResolver{s.suite.app} }
func (s *suiteResolver) Commit() *commitResolver { return s.commit }
func (s *suiteResolver) Repository() *repositoryResolver {
	return s.commit.Repository()
}

// Status of the suite.
func (s *suiteResolver) Status() string {
	status, _ := s.suite.state()
	return upper(status)
}

// Conclusion is null until all runs are completed.
func (s *suiteResolver) Conclusion() *string {
	_, conclusion := s.suite.state()
	text, _ := conclusion.(string)
	return optionalString(upper(text))
}

// WorkflowRun is null for suites of apps other than GitHub Actions. It needs the actions permission.
func (s *suiteResolver) WorkflowRun(ctx context.Context) (*workflowRunResolver, error) {
	if s.suite.workflow == nil {
		return nil, nil
	}
	if err := permit(ctx, s.commit.repository, "actions"); err != nil {
		return nil, err
	}
	return &workflowRunResolver{s.suite.workflow}, nil
}

type appResolver struct{ app *appIdentity }

func (a *appResolver) ID() graphql.ID     { return globalID("A", a.app.id) }
func (a *appResolver) DatabaseID() *int32 { return databaseID(a.app.id) }
func (a *appResolver) Name() string       { return a.app.name }
func (a *appResolver) Slug() string       { return a.app.slug }

type workflowRunResolver struct{ workflow *workflow }

func (r *workflowRunResolver) ID() graphql.ID              { return globalID("WFR", r.workflow.runID) }
func (r *workflowRunResolver) DatabaseID() *int32          { return databaseID(r.workflow.runID) }
func (r *workflowRunResolver) RunNumber() int32            { return int32(r.workflow.number) }
func (r *workflowRunResolver) Workflow() *workflowResolver { return &workflowResolver{r.workflow} }

type workflowResolver struct{ workflow *workflow }

func (w *workflowResolver) ID() graphql.ID     { return globalID("W", w.workflow.id) }
func (w *workflowResolver) DatabaseID() *int32 { return databaseID(w.workflow.id) }
func (w *workflowResolver) Name() string       { return w.workflow.name }

type statusResolver struct {
	commitOf *commitResolver
	status   *commitStatus
}

func (s *statusResolver) ID() graphql.ID          { return globalID("SC", s.status.id) }
func (s *statusResolver) Commit() *commitResolver { return s.commitOf }
func (s *statusResolver) Context() string         { return s.status.StatusOptions.Context }
func (s *statusResolver) State() string           { return upper(s.status.State) }
func (s *statusResolver) CreatedAt() text         { return dateTime(s.status.createdAt) }
func (s *statusResolver) Creator() *actorResolver { return actor(s.status.creator) }
func (s *statusResolver) Description() *string    { return optionalString(s.status.Description) }
func (s *statusResolver) TargetURL() *text        { return optionalText(s.status.TargetURL) }
