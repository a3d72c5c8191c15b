package githubtest

import (
	"slices"
	"time"
)

// CheckRun is a check run as it is now.
type CheckRun struct {
	ID         int64
	Name       string
	HeadSHA    string
	App        string // slug of the app that made it
	Status     string
	Conclusion string
	ExternalID string
	DetailsURL string
	Title      string
	Summary    string
	Text       string
	Actions    []CheckRunAction
	StartedAt  time.Time
	// CompletedAt is zero until the run is completed.
	CompletedAt time.Time
	Updates     int // how often it was changed since it was created
}

// CheckRunAction is a button of a check run.
type CheckRunAction struct {
	Label       string `json:"label"`
	Description string `json:"description"`
	Identifier  string `json:"identifier"`
}

// CheckRunOptions describe a check run of another app.
type CheckRunOptions struct {
	SHA         string
	Name        string
	App         string // slug; github-actions when empty
	Workflow    string // name of the workflow behind it
	Status      string // completed when empty
	Conclusion  string // success when empty and completed
	DetailsURL  string
	Title       string
	Summary     string
	Text        string
	StartedAt   time.Time
	CompletedAt time.Time
}

type checkRun struct {
	CheckRun
	suite *checkSuite
}

// checkSuite groups an app's check runs on one commit; GitHub Actions has one for each workflow run.
type checkSuite struct {
	id         int64
	repository *Repository
	app        *appIdentity
	sha        string
	createdAt  time.Time
	workflow   *workflow
}

type workflow struct {
	id     int64
	runID  int64
	name   string
	number int
}

// CheckRuns are all check runs on a commit, oldest first, whoever made them.
func (r *Repository) CheckRuns(sha string) []CheckRun {
	return look(r.world, func() []CheckRun {
		var runs []CheckRun
		for _, run := range r.checkRuns {
			if run.HeadSHA == sha {
				runs = append(runs, run.value())
			}
		}
		return runs
	})
}

// CheckRun is the check run with that id, and whether there is one.
func (r *Repository) CheckRun(id int64) (CheckRun, bool) {
	run := look(r.world, func() *CheckRun {
		if run := r.checkRun(id); run != nil {
			value := run.value()
			return &value
		}
		return nil
	})
	if run == nil {
		return CheckRun{}, false
	}
	return *run, true
}

func (r *checkRun) value() CheckRun {
	value := r.CheckRun
	value.Actions = slices.Clone(value.Actions)
	return value
}

func (r *Repository) checkRun(id int64) *checkRun {
	for _, run := range r.checkRuns {
		if run.ID == id {
			return run
		}
	}
	return nil
}

// AddCheckRun adds a check run of another app and returns its id.
func (r *Repository) AddCheckRun(o CheckRunOptions) int64 {
	var id int64
	r.world.change(func() {
		if o.App == "" {
			o.App = "github-actions"
		}
		if o.Status == "" {
			o.Status = "completed"
		}
		run := r.newCheckRun(r.world.appNamed(o.App), o.Workflow, CheckRun{
			Name: o.Name, HeadSHA: o.SHA, DetailsURL: o.DetailsURL, Title: o.Title, Summary: o.Summary, Text: o.Text,
			StartedAt: o.StartedAt,
		})
		r.settle(run, o.Status, o.Conclusion, o.CompletedAt)
		id = run.ID
		r.world.emitCheckRun(run, "created", nil, nil)
		if run.Status == "completed" {
			r.world.emitCheckRun(run, "completed", nil, nil)
		}
	})
	return id
}

// SetCheckRun gives a check run of another app a new status and conclusion.
func (r *Repository) SetCheckRun(id int64, status, conclusion string) {
	r.world.change(func() {
		run := r.checkRun(id)
		r.settle(run, status, conclusion, time.Time{})
		run.Updates++
		if status == "completed" {
			r.world.emitCheckRun(run, "completed", nil, nil)
		}
	})
}

func (r *Repository) settle(run *checkRun, status, conclusion string, completedAt time.Time) {
	run.Status, run.Conclusion, run.CompletedAt = status, "", time.Time{}
	if status != "completed" {
		return
	}
	if conclusion == "" {
		conclusion = "success"
	}
	if completedAt.IsZero() {
		completedAt = r.world.now()
	}
	run.Conclusion, run.CompletedAt = conclusion, completedAt
}

func (r *Repository) newCheckRun(app *appIdentity, workflow string, run CheckRun) *checkRun {
	run.ID, run.App = r.world.nextID("check_run"), app.slug
	if run.StartedAt.IsZero() {
		run.StartedAt = r.world.now()
	}
	added := &checkRun{CheckRun: run, suite: r.suite(app, run.HeadSHA, workflow)}
	r.checkRuns = append(r.checkRuns, added)
	return added
}

func (r *Repository) suite(app *appIdentity, sha, workflowName string) *checkSuite {
	for _, s := range r.suites {
		if s.app == app && s.sha == sha && (s.workflow == nil) == (workflowName == "") &&
			(s.workflow == nil || s.workflow.name == workflowName) {
			return s
		}
	}
	w := r.world
	s := &checkSuite{id: w.nextID("check_suite"), repository: r, app: app, sha: sha, createdAt: w.now()}
	if workflowName != "" {
		s.workflow = &workflow{
			id: w.nextID("workflow"), runID: w.nextID("workflow_run"), name: workflowName, number: len(r.suites) + 1,
		}
	}
	r.suites = append(r.suites, s)
	return s
}

// latestCheckRuns are the newest check runs of each suite and name on a commit, oldest first.
func (r *Repository) latestCheckRuns(sha string) []*checkRun {
	var latest []*checkRun
	for _, run := range r.checkRuns {
		if run.HeadSHA != sha {
			continue
		}
		latest = slices.DeleteFunc(latest, func(o *checkRun) bool { return o.suite == run.suite && o.Name == run.Name })
		latest = append(latest, run)
	}
	return latest
}

// Rerequest presses the check run's re-run link as the actor: a check_run webhook with the action
// rerequested to the app that made it.
func (r *Repository) Rerequest(actor string, id int64) {
	r.world.change(func() {
		r.world.emitCheckRun(r.checkRun(id), "rerequested", r.world.account(actor), nil)
	})
}

// RequestAction presses one of the check run's buttons as the actor.
func (r *Repository) RequestAction(actor string, id int64, identifier string) {
	r.world.change(func() {
		r.world.emitCheckRun(r.checkRun(id), "requested_action", r.world.account(actor), map[string]any{
			"requested_action": map[string]any{"identifier": identifier},
		})
	})
}

// RerequestSuite presses "re-run all checks" on a commit: a check_suite webhook with the action
// rerequested for the simulated app's suite there.
func (r *Repository) RerequestSuite(actor, sha string) {
	r.world.change(func() {
		app := r.world.appNamed(r.world.app.Slug)
		r.world.emitCheckSuite(r.suite(app, sha, ""), "rerequested", r.world.account(actor))
	})
}

// pullsOfCommit are the pull requests that check runs and suites name: open ones from a branch of
// the same repository with that head. Those of forks are never named.
func (r *Repository) pullsOfCommit(sha string) []*PullRequest {
	return slices.DeleteFunc(r.openPulls(), func(p *PullRequest) bool { return p.fromFork() || p.head != sha })
}
