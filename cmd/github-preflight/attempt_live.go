package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// liveCarrier is the carrier of a check on GitHub: a comment of the task, or of the pull request's
// conversation.
type liveCarrier struct {
	live     *live
	engine   engine
	check    string
	snapshot snapshot.Snapshot
	viewer   *snapshot.Actor // whose token it is
	comment  *snapshot.Comment
	thread   int // number of the task or pull request that the comment stands on
	command  string
	carrier  attempts.Carrier
}

// openLiveCarrier reads the pull request with everything the rules ask for, and finds the carrier.
func openLiveCarrier(ctx context.Context, p process, e engine, o carrierOptions) (keeper, error) {
	l, err := connect(ctx, p, o.live)
	if err != nil {
		return nil, err
	}
	s, err := l.snapshot(ctx)
	if err != nil {
		return nil, l.advise(err)
	}
	if s.Issue == nil {
		return nil, &refusal{diagnostics: noTask(s)}
	}
	roles := rolesOf(s)
	viewer, err := l.viewer(ctx, roles)
	if err != nil {
		return nil, l.advise(err)
	}
	c := &liveCarrier{live: l, engine: e, check: o.check, snapshot: s, viewer: viewer, thread: s.Issue.Number}
	if o.maintainer {
		if err := c.onlyMaintainers(ctx, roles); err != nil {
			return nil, err
		}
	}
	if err := c.find(roles); err != nil {
		return nil, err
	}
	return c, c.declared()
}

// noTask says why there is no task whose carriers could be looked at.
func noTask(s snapshot.Snapshot) []report.Diagnostic {
	if linking := checks.FormOf(s).Diagnostics; len(linking) > 0 {
		return linking
	}
	return []report.Diagnostic{report.New(report.CodeTaskMissing, "")}
}

// rolesOf are the roles by the policy that the pull request is judged by.
func rolesOf(s snapshot.Snapshot) policy.Roles {
	p, _ := policy.Resolve(s.Policy, s.OrganisationPolicy)
	return p.For(s).Roles
}

// actionsBot is the account behind the token of a workflow, which GitHub names to nobody.
const actionsBot = "github-actions[bot]"

// viewer is the account that will have written the comment.
func (l *live) viewer(ctx context.Context, roles policy.Roles) (*snapshot.Actor, error) {
	a, err := l.client.Viewer(ctx, l.repo, roles.Teams())
	if github.KindOf(err) == github.Forbidden {
		return &snapshot.Actor{Login: actionsBot, Type: "Bot"}, nil
	}
	return a, err
}

// onlyMaintainers refuses a triage of somebody whose word would not count (A6).
func (c *liveCarrier) onlyMaintainers(ctx context.Context, roles policy.Roles) error {
	if !roles.Maintainer(c.viewer) {
		return refusedBy(report.CodeTriageNotMaintainer, "ask a maintainer to triage it",
			"%s is no maintainer of %s, so that the triage would not count", c.viewer.Login, c.live.repo)
	}
	author := c.snapshot.PullRequest.Author
	if author == nil || !strings.EqualFold(author.Login, c.viewer.Login) {
		return nil
	}
	n, err := c.live.client.Maintainers(ctx, c.live.repo, roles)
	if err != nil {
		return c.live.advise(err)
	}
	switch c.snapshot.Repository.Maintainers = n; n {
	case 0:
		return refusedBy(report.CodeTriageNotMaintainer, "ask another maintainer to triage it",
			"%s is the author of %s, and this token may not see whether the repository has another maintainer, without whom alone the triage would count", c.viewer.Login, c.live)
	case 1:
		return nil
	}
	return refusedBy(report.CodeTriageNotMaintainer, "ask another maintainer to triage it",
		"%s is the author of %s, and the repository has another maintainer, so that the triage would not count", c.viewer.Login, c.live)
}

// find looks for the carrier among the comments whose authors count (A2).
func (c *liveCarrier) find(roles policy.Roles) error {
	for _, thread := range []struct {
		number   int
		comments []snapshot.Comment
	}{{c.snapshot.Issue.Number, c.snapshot.Issue.Comments}, {c.snapshot.PullRequest.Number, c.snapshot.Comments}} {
		for i := range thread.comments {
			comment := &thread.comments[i]
			if !c.counts(roles, comment.Author) {
				continue
			}
			read, err := attempts.Parse(comment.Body)
			if err != nil || read.Check != c.check {
				continue
			}
			if c.comment != nil {
				return refusedBy(report.CodeCarrierDuplicate, "move the attempts of one into the other and delete it",
					"the comments %d and %d are both carriers of %s", c.comment.ID, comment.ID, c.check)
			}
			c.comment, c.thread, c.carrier = comment, thread.number, read
		}
	}
	return nil
}

// counts reports whether attempts of an account count: of the pull request's author always (A2).
func (c *liveCarrier) counts(roles policy.Roles, a *snapshot.Actor) bool {
	author := c.snapshot.PullRequest.Author
	return roles.Trusted(a) || a != nil && author != nil && strings.EqualFold(a.Login, author.Login)
}

// declared finds the check in the task. A new carrier for a check that the task does not have is
// probably one for a mistyped id.
func (c *liveCarrier) declared() error {
	body := ""
	if b := c.snapshot.Issue.Body; b != nil {
		body = *b
	}
	contract, _ := checks.ReadContract(body)
	var ids []string
	for _, check := range contract.Checks {
		if check.ID == c.check {
			c.command = check.Command
			return nil
		}
		if check.ID != "" {
			ids = append(ids, check.ID)
		}
	}
	if c.comment != nil || len(ids) == 0 {
		return nil
	}
	return refusedBy(report.CodeCarrierUnknownCheck, "name one of: "+strings.Join(ids, ", "), "the task declares no check %s", c.check)
}

func (c *liveCarrier) basis() basis {
	known, _ := profile.Judge(c.snapshot)
	b := basis{check: c.check, carrier: c.carrier, head: c.snapshot.PullRequest.HeadSHA, command: c.command, now: c.live.process.now()}
	b.known = &attempts.Known{Facts: known.IDs()}
	if c.snapshot.References != nil {
		b.known.References = *c.snapshot.References
	}
	if len(c.snapshot.Unavailable) > 0 {
		b.known = nil // the judge knows which of them it needs
	}
	if c.comment != nil {
		b.body = c.comment.Body
	}
	return b
}

func (c *liveCarrier) whole(body string) (string, error) {
	if n := utf8.RuneCountInString(body); n > github.CommentLimit {
		return "", fmt.Errorf("the carrier would have %d characters, and GitHub takes %d in a comment: link to long text instead", n, github.CommentLimit)
	}
	return body, nil
}

// newComment is the id of a comment that is not written yet.
const newComment = 1<<63 - 1

// refused asks the judge what it would say of the changed carrier, as an edit of the caller now.
func (c *liveCarrier) refused(text string) []report.Diagnostic {
	after := c.snapshot
	now := c.live.process.now().UTC().Format(time.RFC3339)
	comment := snapshot.Comment{ID: newComment, Author: c.viewer, CreatedAt: now}
	if c.comment != nil {
		comment = *c.comment
	}
	if len(comment.Revisions) == 0 && c.comment != nil {
		comment.Revisions = []snapshot.Revision{{Editor: comment.Author, EditedAt: comment.CreatedAt, Body: &comment.Body}}
	}
	comment.Revisions = append(slices.Clone(comment.Revisions), snapshot.Revision{Editor: c.viewer, EditedAt: now, Body: &text})
	comment.Body, comment.UpdatedAt = text, now
	if c.thread == after.Issue.Number {
		issue := *after.Issue
		issue.Comments = withComment(issue.Comments, comment)
		after.Issue = &issue
	} else {
		after.Comments = withComment(after.Comments, comment)
	}
	refusals := newRefusals(c.engine.evaluate(c.snapshot, report.Merge), c.engine.evaluate(after, report.Merge), fmt.Sprintf("comment:%d", comment.ID))
	for i := range refusals {
		refusals[i].Where = c.where(*refusals[i].Where)
	}
	return refusals
}

// withComment are comments with one replaced or added.
func withComment(comments []snapshot.Comment, comment snapshot.Comment) []snapshot.Comment {
	out := slices.Clone(comments)
	for i := range out {
		if out[i].ID == comment.ID {
			out[i] = comment
			return out
		}
	}
	return append(out, comment)
}

// refusingAreas are the areas of codes that are about a carrier's text.
var refusingAreas = []string{"carrier", "attempt", "prediction", "retry", "triage", "text", "section", "document"}

// newRefusals are the findings about a comment that were not there before and for which it, or what
// was added to it, does not count.
func newRefusals(before, after report.Report, document string) []report.Diagnostic {
	old := map[string]int{}
	for _, d := range before.Diagnostics {
		old[string(d.Code)+d.Message]++
	}
	var out []report.Diagnostic
	for _, d := range after.Diagnostics {
		if old[string(d.Code)+d.Message]--; old[string(d.Code)+d.Message] >= 0 {
			continue
		}
		area, _, _ := strings.Cut(string(d.Code), ".")
		about := d.Where != nil && d.Where.Document == document && slices.Contains(refusingAreas, area)
		void := area == "triage" && d.Code != report.CodeTriageRepeated || d.Code == report.CodeCarrierUntrusted
		if about && (d.Severity == report.Error || void) {
			d.Severity = report.Error
			out = append(out, d)
		}
	}
	return out
}

func (c *liveCarrier) where(w report.Where) *report.Where {
	w.Document = fmt.Sprintf("%s#%d", c.live.repo, c.thread)
	if c.comment != nil {
		w.Document = fmt.Sprintf("comment:%d", c.comment.ID)
	}
	return &w
}

func (c *liveCarrier) place() place {
	at := place{Place: fmt.Sprintf("%s#%d", c.live.repo, c.thread), Created: c.comment == nil}
	if c.comment != nil {
		at.Comment = c.comment.ID
	}
	return at
}

// store writes the comment. GitHub has no conditional write, so it is read once more right before, and
// its history right after: an edit that fell between the two is named instead of being lost without a
// word.
func (c *liveCarrier) store(ctx context.Context, text string) (place, error) {
	at, client, repo := c.place(), c.live.client, c.live.repo
	if c.comment == nil {
		id, err := c.create(ctx, text)
		at.Comment = id
		return at, err
	}
	now, err := client.ReadComment(ctx, repo, c.comment.ID)
	if err != nil {
		return at, c.live.advise(err)
	}
	if now.Body != c.comment.Body {
		return at, fmt.Errorf("nothing was written: the comment %d was edited meanwhile: %w", c.comment.ID, errRunAgain)
	}
	if err := client.EditComment(ctx, repo, c.comment.ID, text); err != nil {
		return at, c.live.advise(err)
	}
	return at, c.nothingLost(ctx, text)
}

// create makes the carrier, unless somebody made one in the meantime; one that was made in the same
// moment is named.
func (c *liveCarrier) create(ctx context.Context, text string) (int64, error) {
	other, err := c.another(ctx, 0)
	if err != nil {
		return 0, c.live.advise(err)
	}
	if other != 0 {
		return 0, fmt.Errorf("nothing was written: the comment %d was made meanwhile, a carrier of %s: %w", other, c.check, errRunAgain)
	}
	id, err := c.live.client.CreateComment(ctx, c.live.repo, c.thread, text)
	if err != nil {
		return 0, c.live.advise(err)
	}
	other, err = c.another(ctx, id)
	if err != nil {
		return id, fmt.Errorf("the comment %d was written, but it could not be seen whether somebody made a carrier of %s in the same moment: %w", id, c.check, c.live.advise(err))
	}
	if other != 0 {
		return id, fmt.Errorf("the comment %d was written, but the comment %d, made in the same moment, is a carrier of %s too: delete %d, and %w", id, other, c.check, id, errRunAgain)
	}
	return id, nil
}

// another looks for a carrier of the check that was not there when the pull request was read.
func (c *liveCarrier) another(ctx context.Context, own int64) (int64, error) {
	since, err := time.Parse(time.RFC3339, c.snapshot.Now)
	if err != nil {
		since = c.live.process.now()
	}
	comments, err := c.live.client.Comments(ctx, c.live.repo, c.thread, since.Add(-time.Minute))
	if err != nil {
		return 0, err
	}
	known := map[int64]bool{own: true}
	for _, comment := range slices.Concat(c.snapshot.Issue.Comments, c.snapshot.Comments) {
		known[comment.ID] = true
	}
	for _, comment := range comments {
		if known[comment.ID] {
			continue
		}
		if read, err := attempts.Parse(comment.Body); err == nil && read.Check == c.check {
			return comment.ID, nil
		}
	}
	return 0, nil
}

// nothingLost looks into the history for an edit between the last look and the write.
func (c *liveCarrier) nothingLost(ctx context.Context, text string) error {
	after, err := c.live.client.ReadComment(ctx, c.live.repo, c.comment.ID)
	if err != nil {
		return fmt.Errorf("the comment %d was written, but its history could not be read again: %w", c.comment.ID, c.live.advise(err))
	}
	for i := len(after.Revisions) - 1; i > 0; i-- {
		if body := after.Revisions[i].Body; body == nil || *body != text {
			continue
		}
		if lost := after.Revisions[i-1]; lost.Body != nil && *lost.Body != c.comment.Body {
			return fmt.Errorf("the comment %d was written over an edit of %s that was made at %s, in the same moment: put that text back from the edit history of the comment, and %w", c.comment.ID, editor(lost), lost.EditedAt, errRunAgain)
		}
		break
	}
	return nil
}
