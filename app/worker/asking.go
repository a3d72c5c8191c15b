package worker

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/app/ask"
	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// askAgain is how long after a failure that may pass somebody is asked again.
const askAgain = 10 * time.Minute

// ask asks for a missing approval (design section 10). It never keeps a verdict back: what fails and
// may pass is tried again later, anything else is a line of the log.
func (w *Worker) ask(ctx context.Context, to Installation, t task, s snapshot.Snapshot, p policy.Effective, r report.Report) {
	err := w.askOnce(ctx, to, t, s, p, r)
	if err == nil || ctx.Err() != nil {
		return
	}
	t.log.WarnContext(ctx, "could not ask for an approval", "error", err.Error())
	if err := w.Store.WakeAt(ctx, t.Target, w.Now().Add(askAgain)); err != nil {
		t.log.ErrorContext(ctx, "could not note to ask again", "error", err.Error())
	}
}

func (w *Worker) askOnce(ctx context.Context, to Installation, t task, s snapshot.Snapshot, p policy.Effective, r report.Report) error {
	asks, err := w.Store.Asks(ctx, t.RepositoryID, t.Number(), r.HeadSHA)
	if err != nil {
		return err
	}
	asked := map[ask.Step]time.Time{}
	for _, a := range asks {
		asked[ask.Step(a.Step)] = a.At
	}
	plan, err := ask.Next(ask.Facts{
		Snapshot: s, Policy: p, Report: r, Asked: asked, Now: w.Now(),
		Maintainers: func() ([]string, error) { return to.MaintainersOf(ctx, t.repo, p.Roles) },
	})
	if err != nil {
		return err
	}
	a := asking{Worker: w, to: to, task: t, facts: s}
	if plan.Step != "" {
		if err := a.take(ctx, plan, p.Notify, r.HeadSHA); err != nil {
			return err
		}
	}
	if !plan.Again.IsZero() {
		return w.Store.WakeAt(ctx, t.Target, plan.Again)
	}
	if r.Conclusion == report.Success {
		return a.keep(ctx, ask.Settled(r.HeadSHA), false)
	}
	return nil
}

// asking is one step of asking.
type asking struct {
	*Worker
	to    Installation
	task  task
	facts snapshot.Snapshot
}

// take asks those of a plan, and records it: killed in between, it does so again, which changes
// nothing on GitHub.
func (a asking) take(ctx context.Context, plan ask.Plan, notify, head string) error {
	done := store.Ask{HeadSHA: head, Step: string(plan.Step), Via: "nobody", Whom: append(plan.Users, plan.Teams...), At: a.Now()}
	var err error
	if len(done.Whom) > 0 {
		done.Via, err = a.notify(ctx, plan, notify, head)
	}
	switch github.KindOf(err) {
	case github.Forbidden, github.NotFound, github.Invalid, github.TooLarge:
		a.task.log.WarnContext(ctx, "nobody could be asked for an approval", "step", plan.Step, "error", err.Error())
		done.Via, err = "nobody", nil
	}
	if err != nil {
		return err
	}
	a.task.log.InfoContext(ctx, "asked for an approval", "step", plan.Step, "via", done.Via, "whom", done.Whom)
	return a.Store.Asked(ctx, a.task.RepositoryID, a.task.Number(), done)
}

// notify asks by review requests or by the comment, as the policy says. Whom GitHub does not let ask by
// a request, such as bots, the comment names.
func (a asking) notify(ctx context.Context, plan ask.Plan, notify, head string) (via string, err error) {
	names := append(slices.Clone(plan.Users), a.full(plan.Teams)...)
	if notify == policy.Request {
		if names, err = a.request(ctx, plan); err != nil || len(names) == 0 {
			return "request", err
		}
	}
	return "comment", a.keep(ctx, ask.Comment(plan.Step, head, names), true)
}

// request asks by review requests, and returns whom GitHub does not let ask. It refuses a request with
// one such name as a whole, so that then each is asked alone.
func (a asking) request(ctx context.Context, plan ask.Plan) (left []string, err error) {
	var users []string
	for _, name := range plan.Users {
		if ask.Requestable(name) {
			users = append(users, name)
		} else {
			left = append(left, name)
		}
	}
	if len(users)+len(plan.Teams) == 0 {
		return left, nil
	}
	err = a.to.RequestReviews(ctx, a.task.repo, a.task.Number(), users, a.slugs(plan.Teams))
	if github.KindOf(err) != github.Invalid {
		return left, err
	}
	each := func(name string, users, teams []string) error {
		err := a.to.RequestReviews(ctx, a.task.repo, a.task.Number(), users, teams)
		if github.KindOf(err) == github.Invalid {
			left = append(left, name)
			return nil
		}
		return err
	}
	for _, name := range users {
		if err = each(name, []string{name}, nil); err != nil {
			return left, err
		}
	}
	for _, name := range a.full(plan.Teams) {
		if err = each(name, nil, a.slugs([]string{name})); err != nil {
			return left, err
		}
	}
	return left, nil
}

// slugs are teams as a review request names them: without their organisation, which must be the
// repository's owner.
func (a asking) slugs(teams []string) []string {
	var slugs []string
	for _, name := range teams {
		slugs = append(slugs, name[strings.LastIndexByte(name, '/')+1:])
	}
	return slugs
}

// full are teams with their organisation: a slug alone is one of the repository's owner.
func (a asking) full(teams []string) []string {
	var names []string
	for _, name := range teams {
		if !strings.Contains(name, "/") {
			name = a.task.repo.Owner + "/" + name
		}
		names = append(names, name)
	}
	return names
}

// keep writes the one comment by which the App asks, or changes it.
func (a asking) keep(ctx context.Context, text string, create bool) error {
	own := a.facts.App + "[bot]"
	for _, c := range a.facts.Comments {
		if c.Author == nil || !strings.EqualFold(c.Author.Login, own) || !strings.HasPrefix(c.Body, ask.Marker) {
			continue
		}
		if strings.TrimSpace(c.Body) == strings.TrimSpace(text) {
			return nil
		}
		return a.to.EditComment(ctx, a.task.repo, c.ID, text)
	}
	if !create {
		return nil
	}
	if _, err := a.to.CreateComment(ctx, a.task.repo, a.task.Number(), text); err != nil {
		return fmt.Errorf("ask by a comment: %w", err)
	}
	return nil
}
