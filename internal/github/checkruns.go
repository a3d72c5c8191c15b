package github

import (
	"context"
	"fmt"
	"net/http"
	"time"

	gogithub "github.com/google/go-github/v66/github"
)

// pageSize is the most GitHub lists on one page; mostPages bounds every listing.
const (
	pageSize  = 100
	mostPages = 100
)

const checksWrite = "checks: write"

// CheckRun is one check run. Status is queued, in_progress or completed; Conclusion is set when it
// is completed. Times are zero when GitHub gave none or none is to be sent.
type CheckRun struct {
	ID          int64
	Name        string
	HeadSHA     string
	Status      string
	Conclusion  string
	ExternalID  string
	Title       string
	Summary     string
	Text        string
	DetailsURL  string
	App         string   // slug of the app that made it
	Buttons     []Button // at most three; not read back
	StartedAt   time.Time
	CompletedAt time.Time
}

// Button is a button of a check run: GitHub takes 20 characters of identifier and label and 40 of
// description.
type Button struct {
	Identifier  string
	Label       string
	Description string
}

// CheckRuns lists the check runs of that name on a commit, older reruns included. A client of an
// App lists that App's own only.
func (c *Client) CheckRuns(ctx context.Context, repo Repo, sha, name string) ([]CheckRun, error) {
	operation := fmt.Sprintf("read the check runs named %q of %s at %s", name, repo, sha)
	if err := checkCommit(repo, sha); err != nil {
		return nil, err
	}
	options := &gogithub.ListCheckRunsOptions{CheckName: &name, Filter: new("all"), ListOptions: gogithub.ListOptions{PerPage: pageSize}}
	if c.appID != 0 {
		options.AppID = &c.appID
	}
	var runs []CheckRun
	seen := 0
	for range mostPages {
		page, resp, err := c.rest.Checks.ListCheckRunsForRef(ctx, repo.Owner, repo.Name, sha, options)
		if err != nil {
			return nil, failure(operation, "checks: read", c.now(), err)
		}
		for _, run := range page.CheckRuns {
			seen++
			if run.GetName() == name && (c.appID == 0 || run.GetApp().GetID() == c.appID) {
				runs = append(runs, checkRun(run))
			}
		}
		if resp.NextPage == 0 {
			if seen < page.GetTotal() {
				return nil, &Error{Kind: Incomplete, Operation: operation, Message: fmt.Sprintf("GitHub counts %d check runs and listed %d: try again", page.GetTotal(), seen)}
			}
			return runs, nil
		}
		options.Page = resp.NextPage
	}
	return nil, tooMany(operation, "check runs")
}

// CreateCheckRun makes a check run and returns it with its ID.
func (c *Client) CreateCheckRun(ctx context.Context, repo Repo, run CheckRun) (CheckRun, error) {
	operation := fmt.Sprintf("create the check run %q of %s at %s", run.Name, repo, run.HeadSHA)
	if err := checkCommit(repo, run.HeadSHA); err != nil {
		return CheckRun{}, err
	}
	made, _, err := c.rest.Checks.CreateCheckRun(ctx, repo.Owner, repo.Name, gogithub.CreateCheckRunOptions{
		Name:        run.Name,
		HeadSHA:     run.HeadSHA,
		DetailsURL:  optional(run.DetailsURL),
		ExternalID:  optional(run.ExternalID),
		Status:      optional(run.Status),
		Conclusion:  optional(run.Conclusion),
		StartedAt:   timestamp(run.StartedAt),
		CompletedAt: timestamp(run.CompletedAt),
		Output:      output(run),
		Actions:     buttons(run),
	})
	return c.written(operation, made, err)
}

// UpdateCheckRun changes the check run with that ID in place.
func (c *Client) UpdateCheckRun(ctx context.Context, repo Repo, run CheckRun) (CheckRun, error) {
	operation := fmt.Sprintf("update the check run %q (%d) of %s", run.Name, run.ID, repo)
	if err := repo.check(); err != nil {
		return CheckRun{}, err
	}
	changed := new(gogithub.CheckRun)
	err := c.patch(ctx, fmt.Sprintf("repos/%s/%s/check-runs/%d", repo.Owner, repo.Name, run.ID), checkRunUpdate{buttons(run), gogithub.UpdateCheckRunOptions{
		Name:        run.Name,
		DetailsURL:  optional(run.DetailsURL),
		ExternalID:  optional(run.ExternalID),
		Status:      optional(run.Status),
		Conclusion:  optional(run.Conclusion),
		CompletedAt: timestamp(run.CompletedAt),
		Output:      output(run),
	}}, changed)
	return c.written(operation, changed, err)
}

// checkRunUpdate sends the buttons always: left out, an update would keep the old ones. go-github leaves
// an empty list out.
type checkRunUpdate struct {
	Actions []*gogithub.CheckRunAction `json:"actions"`
	gogithub.UpdateCheckRunOptions
}

func buttons(run CheckRun) []*gogithub.CheckRunAction {
	list := []*gogithub.CheckRunAction{}
	for _, b := range run.Buttons {
		list = append(list, &gogithub.CheckRunAction{Identifier: b.Identifier, Label: b.Label, Description: b.Description})
	}
	return list
}

func (c *Client) patch(ctx context.Context, address string, body, into any) error {
	request, err := c.rest.NewRequest(http.MethodPatch, address, body)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "application/vnd.github+json")
	_, err = c.rest.Do(ctx, request, into)
	return err
}

func (c *Client) written(operation string, run *gogithub.CheckRun, err error) (CheckRun, error) {
	if err != nil {
		return CheckRun{}, failure(operation, checksWrite, c.now(), err)
	}
	if run.GetID() == 0 {
		return CheckRun{}, unreadable(operation)
	}
	return checkRun(run), nil
}

func checkCommit(repo Repo, sha string) error {
	if err := repo.check(); err != nil {
		return err
	}
	return checkSHA(sha)
}

func checkRun(run *gogithub.CheckRun) CheckRun {
	return CheckRun{
		ID:          run.GetID(),
		Name:        run.GetName(),
		HeadSHA:     run.GetHeadSHA(),
		Status:      run.GetStatus(),
		Conclusion:  run.GetConclusion(),
		ExternalID:  run.GetExternalID(),
		Title:       run.GetOutput().GetTitle(),
		Summary:     run.GetOutput().GetSummary(),
		Text:        run.GetOutput().GetText(),
		DetailsURL:  run.GetDetailsURL(),
		App:         run.GetApp().GetSlug(),
		StartedAt:   run.GetStartedAt().Time,
		CompletedAt: run.GetCompletedAt().Time,
	}
}

// output is what people see; GitHub takes none without a title and a summary.
func output(run CheckRun) *gogithub.CheckRunOutput {
	if run.Title == "" && run.Summary == "" {
		return nil
	}
	// An empty text is sent too: left out, an update would keep the old one.
	return &gogithub.CheckRunOutput{Title: &run.Title, Summary: &run.Summary, Text: &run.Text}
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func timestamp(t time.Time) *gogithub.Timestamp {
	if t.IsZero() {
		return nil
	}
	return &gogithub.Timestamp{Time: t.UTC()}
}
