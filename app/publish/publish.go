// Package publish puts a Report on GitHub as one check run per head commit (design section 14,
// Publishing; the conclusions are those of design section 8): created once, found again by name,
// app and commit, updated in place, and left alone while nothing changed.
//
// It knows what GitHub takes and how its conclusions work. The words come from a renderer, and when
// to publish is left to the worker.
package publish

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/report"
)

// GitHub is what publishing needs of GitHub; [github.Client] has it.
type GitHub interface {
	CheckRuns(ctx context.Context, repo github.Repo, sha, name string) ([]github.CheckRun, error)
	CreateCheckRun(ctx context.Context, repo github.Repo, run github.CheckRun) (github.CheckRun, error)
	UpdateCheckRun(ctx context.Context, repo github.Repo, run github.CheckRun) (github.CheckRun, error)
}

// Publisher writes check runs through one installation. It holds no state and is cheap to make.
type Publisher struct {
	GitHub    GitHub
	CheckName string // of targets that name none
	// Render words the check run: title in plain text, summary and text in Markdown.
	Render func(report.Report) (title, summary, text string)
	// RenderVersion changes when the wording does, so that unchanged reports are sent once more.
	RenderVersion string
	// DetailsURL is the page with the full report; nil, or an empty answer: none.
	DetailsURL func(Target) string
	Now        func() time.Time
}

// Target is where a report goes.
type Target struct {
	Repo    github.Repo
	Number  int // the pull request whose report it is
	HeadSHA string
	// CheckName is what the policy calls the check run; empty: the publisher's own name for it.
	CheckName string
	// Former is the name under which a report was last put on this head, empty when there was none.
	// When it is another one, what stands under it is concluded.
	Former string
	// Sharing are all open pull requests with that head when there are several, in order of their
	// numbers; the report is that of the one whose verdict counts.
	Sharing []Sharing
	// Memory is the machine-readable block that ends the text; empty: none. It is never cut.
	Memory string
	// Known is the run as last published, when the caller remembers it: it saves the search. One
	// of another commit or name is no use and is ignored.
	Known *Published
	// Rerequested says that somebody asked GitHub for the run again. GitHub then resets the run's
	// suite and waits for an update, even for one that changes nothing.
	Rerequested bool
}

// Published is a check run as it stands on GitHub, for a caller to remember.
type Published struct {
	ID         int64
	Name       string
	HeadSHA    string
	ExternalID string
	Status     string
	Conclusion string
}

// What Publish did.
const (
	Created   = "created"
	Updated   = "updated"
	Unchanged = "unchanged"
)

// Outcome is what Publish did, and the run as it now stands.
type Outcome struct {
	Did string // Created, Updated or Unchanged
	Run Published
}

// Publish puts a report on the target's head commit.
func (p Publisher) Publish(ctx context.Context, target Target, r report.Report) (Outcome, error) {
	wanted, err := p.run(target, r)
	if err != nil {
		return Outcome{}, err
	}
	outcome, err := p.put(ctx, target, wanted)
	if err != nil || target.Former == "" || target.Former == wanted.Name {
		return outcome, err
	}
	return outcome, p.retire(ctx, target, wanted, outcome.Run.ID)
}

// put places the report on the run that the caller remembers, else on one that it searches.
func (p Publisher) put(ctx context.Context, target Target, wanted github.CheckRun) (Outcome, error) {
	if known := target.Known; known != nil && known.ID != 0 && known.Name == wanted.Name && known.HeadSHA == wanted.HeadSHA {
		outcome, err := p.place(ctx, target, wanted, *known)
		if !gone(err) {
			return outcome, err
		}
	}
	return p.search(ctx, target, wanted)
}

// retire concludes the runs that stand under the former name: the policy calls the check run
// something else since.
func (p Publisher) retire(ctx context.Context, target Target, wanted github.CheckRun, id int64) error {
	runs, err := p.GitHub.CheckRuns(ctx, target.Repo, target.HeadSHA, target.Former)
	if err != nil {
		return err
	}
	name := wanted.Name
	wanted.Name = target.Former
	return p.supersede(ctx, target, wanted, fmt.Sprintf("The policy calls the check run `%s` now. The check run %d of that name", strings.ReplaceAll(name, "`", "'"), id), runs)
}

// search finds the runs that this app made earlier, puts the report on the newest and concludes the
// others, or makes one.
func (p Publisher) search(ctx context.Context, target Target, wanted github.CheckRun) (Outcome, error) {
	runs, err := p.GitHub.CheckRuns(ctx, target.Repo, target.HeadSHA, wanted.Name)
	if err != nil {
		return Outcome{}, err
	}
	for len(runs) > 0 {
		newest, others := split(runs)
		outcome, err := p.place(ctx, target, wanted, published(newest))
		if gone(err) {
			runs = others
			continue
		}
		if err != nil {
			return Outcome{}, err
		}
		return outcome, p.supersede(ctx, target, wanted, fmt.Sprintf("The check run %d of the same name", outcome.Run.ID), others)
	}
	made, err := p.GitHub.CreateCheckRun(ctx, target.Repo, wanted)
	if err != nil {
		return Outcome{}, err
	}
	return Outcome{Did: Created, Run: remembered(made.ID, wanted)}, nil
}

// place puts the report on a run that exists.
func (p Publisher) place(ctx context.Context, target Target, wanted github.CheckRun, at Published) (Outcome, error) {
	want := remembered(at.ID, wanted)
	if at == want && !target.Rerequested {
		return Outcome{Did: Unchanged, Run: want}, nil
	}
	wanted.ID = at.ID
	if _, err := p.GitHub.UpdateCheckRun(ctx, target.Repo, wanted); err != nil {
		return Outcome{}, err
	}
	return Outcome{Did: Updated, Run: want}, nil
}

// supersede concludes runs beside the one that holds the report, so that none stays in progress and
// none says otherwise. While that one waits they block: a run that is concluded must not pass.
func (p Publisher) supersede(ctx context.Context, target Target, newest github.CheckRun, holder string, others []github.CheckRun) error {
	wanted := newest
	wanted.Title = "Superseded by a newer run"
	wanted.Summary = fmt.Sprintf("%s holds the report: %s", holder, newest.Title)
	wanted.Text = ""
	wanted.Buttons = nil
	if wanted.Status != completed {
		wanted.Status, wanted.Conclusion, wanted.CompletedAt = completed, actionRequired, p.Now()
	}
	target.Rerequested = false
	for _, other := range others {
		if _, err := p.place(ctx, target, wanted, published(other)); err != nil && !gone(err) {
			return err
		}
	}
	return nil
}

// split separates the newest run, the one with the highest id.
func split(runs []github.CheckRun) (newest github.CheckRun, others []github.CheckRun) {
	at := 0
	for i, run := range runs {
		if run.ID > runs[at].ID {
			at = i
		}
	}
	others = append(others, runs[:at]...)
	return runs[at], append(others, runs[at+1:]...)
}

// gone reports that a run is there no more: GitHub answers 404, or 422 when its suite was deleted.
func gone(err error) bool {
	kind := github.KindOf(err)
	return kind == github.NotFound || kind == github.Invalid
}

func published(run github.CheckRun) Published {
	return Published{ID: run.ID, Name: run.Name, HeadSHA: run.HeadSHA, ExternalID: run.ExternalID, Status: run.Status, Conclusion: run.Conclusion}
}

func remembered(id int64, run github.CheckRun) Published {
	run.ID = id
	return published(run)
}
