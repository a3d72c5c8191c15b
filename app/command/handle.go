package command

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const (
	// maxPerRun bounds the comments that one run handles; the rest is left to a next run.
	maxPerRun = 20
	// maxReplies bounds the answers in words on one issue or pull request, in each replyWindow.
	// Reactions are not bounded: they notify nobody.
	maxReplies  = 10
	replyWindow = time.Hour
	// answerWithin: what was refused longer ago than GitHub redelivers is not worth an answer, such as
	// on old comments of a repository that was enrolled today. It is carried out all the same.
	answerWithin = 3 * 24 * time.Hour
)

// GitHub is what commands need of it; [github.Client] has it.
type GitHub interface {
	ReadComment(ctx context.Context, repo github.Repo, id int64) (snapshot.Comment, error)
	EditComment(ctx context.Context, repo github.Repo, id int64, body string) error
	Comments(ctx context.Context, repo github.Repo, number int, since time.Time) ([]snapshot.Comment, error)
	CreateComment(ctx context.Context, repo github.Repo, number int, body string) (int64, error)
	React(ctx context.Context, repo github.Repo, id int64, with github.Reaction) error
	Member(ctx context.Context, repo github.Repo, a snapshot.Actor, by policy.Roles) (snapshot.Actor, []snapshot.Unavailable, error)
}

// Store is where handled commands are recorded.
type Store interface {
	Commands(ctx context.Context, repositoryID int64, threads ...int) (map[int64]store.Handled, error)
	HandleCommand(ctx context.Context, repositoryID int64, c store.Command, effect store.Effect) error
	Presses(ctx context.Context, repositoryID int64, number int) ([]store.Press, error)
	HandlePress(ctx context.Context, repositoryID int64, p store.Press, done []store.Deed) error
}

// Handler carries commands out. One Handler serves all repositories of a process.
type Handler struct {
	Store    Store
	Evaluate func(snapshot.Snapshot, report.Stage) report.Report // the engine
	Now      func() time.Time

	locks [64]sync.Mutex // one run at a time for a repository: its pull requests share tasks
}

// Request is one judged pull request whose comments are looked through.
type Request struct {
	GitHub         GitHub
	Log            *slog.Logger
	Repo           github.Repo
	RepositoryID   int64
	InstallationID int64
	App            string // slug of the App
	Facts          snapshot.Snapshot
	Missed         []store.Carrier // texts of carriers that the memory had no room for
	Policy         policy.Effective
	Known          *attempts.Known // what references may point at; nil: not known
	Heads          []store.HeadAt  // since when which commit was the pull request's head
	PublishedTask  int             // the task of the last published report, 0 for none
}

// Handle carries out the commands of the comments that were not handled before. changed says that the
// Snapshot is no longer what GitHub and the store hold, by this run or by another one meanwhile.
//
// A failure that may pass is returned, and everything can be done again: nothing happens twice.
func (h *Handler) Handle(ctx context.Context, request Request) (changed bool, err error) {
	r := &run{Handler: h, Request: request, Roles: request.Policy.Roles}
	before, err := r.pending(ctx)
	if err != nil {
		return false, err
	}
	unanswered, err := r.pendingPresses(ctx)
	if err != nil || len(before) == 0 && len(unanswered) == 0 {
		return false, err
	}
	lock := &h.locks[uint64(request.RepositoryID)%uint64(len(h.locks))]
	lock.Lock()
	defer lock.Unlock()
	now, err := r.pending(ctx)
	if err != nil {
		return false, err
	}
	presses, err := r.pendingPresses(ctx)
	if err != nil {
		return false, err
	}
	r.changed = len(now) < len(before) || len(presses) < len(unanswered)
	for _, p := range presses {
		if err := r.press(ctx, p); err != nil {
			return r.changed, fmt.Errorf("handle a press of %s: %w", p.Button, err)
		}
	}
	for i, c := range now {
		if i == maxPerRun {
			break
		}
		r.last = i == maxPerRun-1 && len(now) > maxPerRun
		if err := r.handle(ctx, c); err != nil {
			return r.changed, fmt.Errorf("handle the commands of comment %d: %w", c.ID, err)
		}
	}
	return r.changed, nil
}

// run is one Handle.
type run struct {
	*Handler
	Request
	Roles   policy.Roles
	known   map[int64]store.Handled
	presses []store.Press // those that are kept
	changed bool
	last    bool // of those that this run handles, and there are more
}

// thread is an issue or a pull request with its comments.
type thread struct {
	number   int
	comments []snapshot.Comment
}

// comment is a comment of a thread with its commands.
type comment struct {
	snapshot.Comment
	thread   thread
	commands []Command
}

func (r *run) threads() []thread {
	all := []thread{{r.Facts.PullRequest.Number, r.Facts.Comments}}
	if r.Facts.Issue != nil {
		all = append([]thread{{r.Facts.Issue.Number, r.Facts.Issue.Comments}}, all...)
	}
	return all
}

// pending are the comments that are to be handled, in the order in which they were written.
func (r *run) pending(ctx context.Context) ([]comment, error) {
	var candidates []comment
	var numbers []int
	for _, t := range r.threads() {
		numbers = append(numbers, t.number)
		for _, c := range t.comments {
			if c.Author == nil || isOwn(c.Author, r.App) {
				continue
			}
			candidates = append(candidates, comment{c, t, Find(c.Body)})
		}
	}
	known, err := r.Store.Commands(ctx, r.RepositoryID, numbers...)
	if err != nil {
		return nil, err
	}
	r.known = known
	pending := slices.DeleteFunc(candidates, func(c comment) bool {
		if handled, ok := known[c.ID]; ok {
			return handled.Unchanged(c.Body)
		}
		if len(c.commands) > 0 && r.standing(c.Author) == unknown {
			r.Log.WarnContext(ctx, "commands wait until the role of their author can be read", "comment", c.ID)
			return true
		}
		return len(c.commands) == 0
	})
	slices.SortStableFunc(pending, func(a, b comment) int { return strings.Compare(a.CreatedAt, b.CreatedAt) })
	return pending, nil
}

// pendingPresses are the presses that are to be handled.
func (r *run) pendingPresses(ctx context.Context) (pending []store.Press, err error) {
	if r.presses, err = r.Store.Presses(ctx, r.RepositoryID, r.Facts.PullRequest.Number); err != nil {
		return nil, err
	}
	for _, p := range r.presses {
		if p.Outcome == "" {
			pending = append(pending, p)
		}
	}
	return pending, nil
}

// standing is what somebody may do here.
type standing int

const (
	unknown  standing = iota // the role could not be read
	stranger                 // nothing
	engineer                 // writes evidence: asks for an evaluation
	writer                   // an engineer with write permission, or listed as trusted or as an agent
	maintainer
)

func (r *run) standing(a *snapshot.Actor) standing {
	isAuthor := isSame(a, r.Facts.PullRequest.Author)
	switch {
	case r.Roles.Maintainer(a):
		return maintainer
	case len(r.Roles.Teams()) > 0 && r.unread("teams"):
		return unknown
	case r.Roles.Trusted(a) || isAgent(r.Roles, a):
		return writer
	case isAuthor:
		return engineer
	case a.Permission == "":
		return unknown
	}
	return stranger
}

func isAgent(roles policy.Roles, a *snapshot.Actor) bool {
	_, agent := roles.Agent(a)
	return agent
}

func (r *run) unread(fact string) bool {
	return slices.ContainsFunc(r.Facts.Unavailable, func(u snapshot.Unavailable) bool { return u.Fact == fact })
}

func isSame(a, b *snapshot.Actor) bool {
	return a != nil && b != nil && strings.EqualFold(a.Login, b.Login)
}

// wasEdited is the rule of A12: an edited comment executes nothing.
func wasEdited(c snapshot.Comment) bool {
	return len(c.Revisions) > 1 || c.CreatedAt != "" && c.UpdatedAt != "" && c.CreatedAt != c.UpdatedAt
}

// handle handles one comment and records it.
func (r *run) handle(ctx context.Context, c comment) error {
	if before, ok := r.known[c.ID]; ok {
		return r.editedSince(ctx, c, before)
	}
	who := r.standing(c.Author)
	if who == stranger {
		return r.ignore(ctx, c)
	}
	if replied(c.thread.comments, r.App, aboutCommand, c.ID) {
		// Killed between the reply and its record.
		return r.record(ctx, c, store.Refused, true, effect{})
	}
	var findings []finding
	var done effect
	for i, command := range c.commands {
		f := finding{command: command, reason: fmt.Sprintf("one comment carries out %d commands at most.", maxPerComment)}
		if i < maxPerComment {
			var err error
			if f, err = r.execute(ctx, c, who, command, &done); err != nil {
				return err
			}
		}
		findings = append(findings, f)
	}
	return r.answer(ctx, c, findings, done)
}

// execute does one command, or says why not.
func (r *run) execute(ctx context.Context, c comment, who standing, command Command, done *effect) (finding, error) {
	refuse := func(reason string) (finding, error) { return finding{command: command, reason: reason}, nil }
	switch {
	case wasEdited(c.Comment):
		return refuse("the comment was edited.")
	case command.Name == Evaluate:
		return finding{command: command}, nil // every comment leads to an evaluation
	case verbs[command.Name].kind != "":
		return r.stand(c, command, done), nil
	case who < maintainer:
		return refuse("it takes the maintainer's role of the repository's policy.")
	case isSame(c.Author, r.Facts.PullRequest.Author) && r.Facts.Repository.Maintainers != 1:
		return refuse("the author of the pull request cannot decide this while the repository has another maintainer.")
	case command.Name == Triage:
		return r.triage(ctx, c, command, done)
	}
	return r.acceptLoss(c, command, done)
}

// answer tells the author what became of the commands, and records it.
func (r *run) answer(ctx context.Context, c comment, findings []finding, done effect) error {
	refused := slices.ContainsFunc(findings, func(f finding) bool { return f.reason != "" })
	worded := slices.ContainsFunc(findings, func(f finding) bool { return f.reason != "" || f.note != "" })
	reaction, outcome := github.ThumbsUp, store.Done
	if refused {
		reaction, outcome = github.Confused, store.Refused
	}
	r.Log.InfoContext(ctx, "commands handled", "comment", c.ID, "commands", len(findings), "outcome", outcome)
	if refused && r.isOld(c) {
		return r.record(ctx, c, outcome, false, done)
	}
	if err := r.forgive(ctx, c.ID, r.GitHub.React(ctx, r.Repo, c.ID, reaction)); err != nil {
		return err
	}
	inWords := worded && r.mayReply(c.thread)
	if inWords {
		if err := r.forgive(ctx, c.ID, r.say(ctx, c, aboutCommand, answerText(c.ID, findings))); err != nil {
			return err
		}
	}
	return r.record(ctx, c, outcome, inWords, done)
}

// ignore takes no notice of a stranger's commands, and says so once on each issue and pull request:
// else anybody could make the App write as many comments as they like.
func (r *run) ignore(ctx context.Context, c comment) error {
	told := slices.ContainsFunc(r.handledIn(c.thread), func(h store.Handled) bool {
		return h.Outcome == store.Ignored && !h.RepliedAt.IsZero()
	})
	r.Log.InfoContext(ctx, "commands of a stranger ignored", "comment", c.ID, "commands", len(c.commands))
	inWords := !told && !r.isOld(c) && r.mayReply(c.thread)
	if inWords {
		text := reply(aboutCommand, c.ID, code(c.commands[0].Text, maxQuotedCommand)+" was not carried out: commands are for the maintainers of this repository. Others like it are ignored here without a word.")
		if err := r.forgive(ctx, c.ID, r.say(ctx, c, aboutCommand, text)); err != nil {
			return err
		}
	}
	return r.record(ctx, c, store.Ignored, inWords, effect{})
}

// editedSince says once that an edit of a handled comment executes nothing.
func (r *run) editedSince(ctx context.Context, c comment, before store.Handled) error {
	inWords := before.Outcome == store.Done && before.RepliedAt.IsZero() && r.mayReply(c.thread)
	if inWords {
		text := reply(aboutEdit, c.ID, "The commands of this comment had been carried out before it was edited. The edit executes nothing, and a triage does not count while its comment says something else or was edited: write a new comment.")
		if err := r.forgive(ctx, c.ID, r.say(ctx, c, aboutEdit, text)); err != nil {
			return err
		}
	}
	return r.record(ctx, c, before.Outcome, inWords, effect{})
}

func (r *run) isOld(c comment) bool {
	at, err := time.Parse(time.RFC3339, c.CreatedAt)
	return err == nil && r.Now().Sub(at) > answerWithin
}

func (r *run) handledIn(t thread) []store.Handled {
	var found []store.Handled
	for _, h := range r.known {
		if h.Thread == t.number {
			found = append(found, h)
		}
	}
	return found
}

// mayReply bounds the replies on one thread.
func (r *run) mayReply(t thread) bool {
	recent := 0
	for _, h := range r.handledIn(t) {
		if !h.RepliedAt.IsZero() && r.Now().Sub(h.RepliedAt) < replyWindow {
			recent++
		}
	}
	return recent < maxReplies
}

// effect is what the commands of a comment did.
type effect struct {
	deeds    []store.Deed
	onTask   bool // something of the task changed, which other pull requests share
	anywhere bool // something changed that the Snapshot does not show
}

// record notes that a comment was handled, in the store and in what this run knows.
func (r *run) record(ctx context.Context, c comment, outcome store.Outcome, inWords bool, done effect) error {
	command := store.Command{
		CommentID: c.ID, Thread: c.thread.number, Author: c.Author.Login, Outcome: outcome, Body: c.Body, HandledAt: r.Now(),
	}
	if inWords {
		command.RepliedAt = r.Now()
	}
	recorded := store.Effect{Actions: done.deeds}
	if done.onTask {
		recorded.Changes = append(recorded.Changes, r.change(store.Issue, r.threads()[0].number))
	}
	if r.last {
		recorded.Changes = append(recorded.Changes, r.change(store.PullRequest, r.Facts.PullRequest.Number))
	}
	if err := r.Store.HandleCommand(ctx, r.RepositoryID, command, recorded); err != nil {
		return err
	}
	r.known[c.ID] = store.Handled{Command: command}
	r.changed = r.changed || done.anywhere
	r.did(done.deeds)
	return nil
}

// did adds what was done to what this run knows: later commands are judged with it.
func (r *run) did(deeds []store.Deed) {
	r.Facts.Actions = slices.Clone(r.Facts.Actions)
	for _, d := range deeds {
		r.Facts.Actions = append(r.Facts.Actions, d.Action)
		r.changed = true
	}
}

// onTasks are the deeds that are looked for on the task, where there is one.
func (r *run) onTasks(a snapshot.Action) store.Deed {
	return store.Deed{Thread: r.threads()[0].number, Action: a}
}

func (r *run) change(kind store.Kind, number int) store.Change {
	return store.Change{
		Subject: store.Numbered(r.RepositoryID, kind, number), InstallationID: r.InstallationID,
		Owner: r.Repo.Owner, Repository: r.Repo.Name, At: r.Now(),
	}
}
