package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// What a reply is about.
const (
	aboutCommand = "answer"
	aboutEdit    = "edited"
)

// marker begins our replies: what about, and the comment that is answered. GitHub shows none of it.
func marker(about string, comment int64) string {
	return fmt.Sprintf("<!-- evidence-gate:%s:%d -->", about, comment)
}

// What a reply quotes at most, in characters.
const (
	maxQuotedCommand = 120
	maxQuotedDetail  = 600
)

// finding is what became of one command. The detail may hold text of others, the rest may not.
type finding struct {
	command Command
	reason  string // why it was not carried out, as a sentence; empty when it was
	detail  string // what more there is to say about that
	note    string // what there is to say though it was carried out
}

// reply words an answer.
func reply(about string, comment int64, paragraphs ...string) string {
	return marker(about, comment) + "\n" + strings.Join(paragraphs, "\n\n") + "\n"
}

func answerText(comment int64, findings []finding) string {
	var paragraphs []string
	refused := false
	for _, f := range findings {
		text := code(f.command.Text, maxQuotedCommand)
		if f.reason == "" {
			text += " was carried out."
		} else {
			text += " was not carried out: " + f.reason
			refused = true
		}
		if f.note != "" {
			text += " " + f.note
		}
		if f.detail != "" {
			text += "\n\n> " + code(f.detail, maxQuotedDetail)
		}
		paragraphs = append(paragraphs, text)
	}
	if refused {
		paragraphs = append(paragraphs, "Write a new comment to correct it: an edited command executes nothing.")
	}
	return reply(aboutCommand, comment, paragraphs...)
}

// code quotes a text as a code span on one line, whatever is in it: nothing in it mentions anybody,
// links anywhere or is a command.
func code(text string, most int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if fence == "`" {
		return fence + text + fence
	}
	return fence + " " + text + " " + fence
}

// replied finds our own reply among comments.
func replied(comments []snapshot.Comment, own, about string, comment int64) bool {
	for _, c := range comments {
		if isOwn(c.Author, own) && strings.HasPrefix(c.Body, marker(about, comment)) {
			return true
		}
	}
	return false
}

// isOwn says whether an account is the App's own bot.
func isOwn(a *snapshot.Actor, slug string) bool {
	return a != nil && slug != "" && a.Type == "Bot" && strings.EqualFold(a.Login, slug+"[bot]")
}

// say writes a reply unless it is there already. What was loaded may be older than a reply that was
// written just before the process was killed, so GitHub is asked once more.
func (r *run) say(ctx context.Context, c comment, about, text string) error {
	since, err := time.Parse(time.RFC3339, c.CreatedAt)
	if err != nil {
		since = time.Time{}
	}
	return r.write(ctx, c.thread.number, since, marker(about, c.ID), text)
}

// sayOnce writes an answer that is no reply to a comment, marked so that it is found again.
func (r *run) sayOnce(ctx context.Context, number int, since time.Time, mark, text string) error {
	// Our clock may be ahead of GitHub's.
	return r.write(ctx, number, since.Add(-time.Hour), mark, mark+"\n"+text+"\n")
}

func (r *run) write(ctx context.Context, number int, since time.Time, mark, text string) error {
	now, err := r.GitHub.Comments(ctx, r.Repo, number, since)
	if err != nil {
		return err
	}
	for _, c := range now {
		if isOwn(c.Author, r.App) && strings.HasPrefix(c.Body, mark) {
			return nil
		}
	}
	_, err = r.GitHub.CreateComment(ctx, r.Repo, number, text)
	return err
}

// forgive turns what a missing permission, a locked conversation or a deleted comment leaves undone
// into a line of the log: an answer that cannot be given must not keep the verdict back.
func (r *run) forgive(ctx context.Context, comment int64, err error) error {
	switch github.KindOf(err) {
	case github.Forbidden, github.NotFound, github.Invalid, github.TooLarge:
		r.Log.WarnContext(ctx, "a command could not be answered", "comment", comment, "error", err.Error())
		return nil
	}
	return err
}
