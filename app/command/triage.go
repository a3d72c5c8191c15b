package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// maxWrites bounds how often a triage is written anew because others edit the carrier meanwhile.
const maxWrites = 5

// judged is what package attempts says of the Snapshot's carriers.
func (r *run) judged() attempts.Result {
	s := r.Facts
	facts := attempts.Facts{
		Stage: report.Merge, Conversation: s.Comments, Actions: s.Actions, Author: s.PullRequest.Author,
		Maintainers: s.Repository.Maintainers, Maintainer: r.Roles.Maintainer, Trusted: r.Roles.Trusted, Unavailable: r.unread,
	}
	if s.Issue != nil {
		facts.Task = s.Issue.Comments
	}
	if s.Memory != nil {
		facts.Remembered = s.Memory.Carriers
	}
	return attempts.Judge(facts)
}

// triage appends the triage of a /triage line to the carrier of its check, in canonical form and with
// the id of the comment (A12).
func (r *run) triage(ctx context.Context, c comment, command Command, done *effect) (finding, error) {
	line, err := attempts.ReadCommand(command.Text)
	if err != nil {
		return finding{command: command, reason: "the line cannot be read.", detail: err.Error()}, nil
	}
	standing, ok := r.judged().Of(line.Check)
	if !ok {
		return finding{command: command, reason: fmt.Sprintf("%s has no carrier that counts, with an attempt in it.", line.Check)}, nil
	}
	at, err := time.Parse(time.RFC3339, c.CreatedAt)
	if err != nil {
		return finding{}, fmt.Errorf("when comment %d was written: %w", c.ID, err)
	}
	a := appending{run: r, carrier: standing.Comment, triage: line.Triage(at, c.ID)}
	found, err := a.write(ctx)
	if err != nil {
		return finding{}, err
	}
	found.command = command
	if found.reason == "" {
		done.anywhere = true
		done.onTask = done.onTask || r.onTask(standing.Comment)
		done.deeds = append(done.deeds, r.onTasks(snapshot.Action{
			Kind: "triage", Actor: c.Author, Via: "comment", At: c.CreatedAt, HeadSHA: r.Facts.PullRequest.HeadSHA,
			CommentID: standing.Comment, Check: line.Check, Attempt: int(line.Attempt), Reason: line.Reason,
		}))
	}
	return found, nil
}

// onTask says whether a comment stands on the task.
func (r *run) onTask(id int64) bool {
	if r.Facts.Issue == nil {
		return false
	}
	for _, c := range r.Facts.Issue.Comments {
		if c.ID == id {
			return true
		}
	}
	return false
}

// appending is one triage on its way into one carrier.
type appending struct {
	*run
	carrier int64
	triage  attempts.Triage
}

// write reads, writes and reads again until the carrier holds the triage and nobody's text was lost by
// it. GitHub has no conditional write: an edit that lands between reading and writing is overwritten
// and found in the history afterwards, and then the triage is appended to that text.
func (a appending) write(ctx context.Context) (finding, error) {
	note := ""
	for range maxWrites {
		now, err := a.GitHub.ReadComment(ctx, a.Repo, a.carrier)
		if reason := unreachable(err); reason != "" {
			return finding{reason: reason, detail: err.Error()}, nil
		}
		if err != nil {
			return finding{}, err
		}
		next := a.next(now)
		if note = cmp.Or(next.note, note); next.done {
			return finding{note: note}, nil
		}
		draft, err := attempts.AppendTriage(next.base, a.triage, a.Known)
		if err != nil {
			return refusal(err), nil
		}
		if len([]rune(draft.Body)) > github.CommentLimit {
			return finding{reason: fmt.Sprintf("the carrier has no room left: GitHub takes %d characters in a comment.", github.CommentLimit)}, nil
		}
		err = a.GitHub.EditComment(ctx, a.Repo, a.carrier, draft.Body)
		if reason := unreachable(err); reason != "" {
			return finding{reason: reason, detail: err.Error()}, nil
		}
		if err != nil {
			return finding{}, err
		}
	}
	return finding{}, &github.Error{Kind: github.Unavailable, Operation: fmt.Sprintf("append a triage to the comment %d", a.carrier),
		Message: fmt.Sprintf("others edited it at the same time, %d times: try again", maxWrites)}
}

// unreachable is why a carrier cannot be changed, for what will not pass by itself.
func unreachable(err error) string {
	switch github.KindOf(err) {
	case github.NotFound:
		return "the carrier was deleted meanwhile."
	case github.Forbidden:
		return "the App may not read and edit that comment."
	case github.Invalid, github.TooLarge:
		return "GitHub does not take the changed comment."
	}
	return ""
}

// refusal words what the rules of section 6 have against a triage.
func refusal(err error) finding {
	var refused *attempts.Refusal
	if errors.As(err, &refused) {
		return finding{reason: fmt.Sprintf("it breaks the rule `%s`.", refused.Diagnostic.Code), detail: err.Error()}
	}
	return finding{reason: "the carrier cannot be read.", detail: err.Error()}
}
