package command

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/app/button"
	"github.com/evidence-gate/evidence-gate/app/store"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// pressed are the kinds of the actions that presses record.
var pressed = map[button.Name]string{button.Approve: "approve", button.AcceptContract: "accept_contract"}

// press handles one press of a button and records it: the role of who pressed is read at this moment.
func (r *run) press(ctx context.Context, p store.Press) error {
	reason, detail, action, err := r.decide(ctx, p)
	if err != nil {
		return err
	}
	r.Log.InfoContext(ctx, "a button was pressed", "button", p.Button, "by", p.Login, "refused", reason != "")
	if reason == "" {
		p.Outcome = store.Done
		deed := store.Deed{Thread: p.Number, Action: action}
		if err := r.Store.HandlePress(ctx, r.RepositoryID, p, []store.Deed{deed}); err != nil {
			return err
		}
		r.did([]store.Deed{deed})
		return nil
	}
	p.Outcome = store.Refused
	if r.Now().Sub(p.At) <= answerWithin && r.mayAnswerPress() {
		text := fmt.Sprintf("%s by %s changed nothing: %s", code("The button "+p.Button, maxQuotedCommand), code(p.Login, maxQuotedCommand), reason)
		if detail != "" {
			text += "\n\n> " + code(detail, maxQuotedDetail)
		}
		if err := r.forgive(ctx, 0, r.sayOnce(ctx, p.Number, p.At, pressMarker(p.GUID), text)); err != nil {
			return err
		}
		p.RepliedAt = r.Now()
	}
	if err := r.Store.HandlePress(ctx, r.RepositoryID, p, nil); err != nil {
		return err
	}
	at := slices.IndexFunc(r.presses, func(other store.Press) bool { return other.GUID == p.GUID })
	r.presses[at] = p
	return nil
}

// decide says what a press does, or why it does nothing.
func (r *run) decide(ctx context.Context, p store.Press) (reason, detail string, a snapshot.Action, err error) {
	a = snapshot.Action{
		Kind: pressed[button.Name(p.Button)], Via: "button", At: p.At.UTC().Format(time.RFC3339), HeadSHA: p.HeadSHA,
	}
	if a.Kind == "accept_contract" {
		a.Digest = p.Digest
	}
	head := r.Facts.PullRequest.HeadSHA
	switch {
	case a.Kind == "":
		return "there is no such button.", "", a, nil
	case p.HeadSHA != head:
		return fmt.Sprintf("that check run is of `%s`, and the head is `%s` now: look at that one.", short(p.HeadSHA), short(head)), "", a, nil
	case a.Kind == "accept_contract" && a.Digest == "":
		return "that check run does not say which contract it showed: write /accept-contract.", "", a, nil
	}
	who, missing, err := r.GitHub.Member(ctx, r.Repo, snapshot.Actor{Login: p.Login, Type: p.Type}, r.Roles)
	if err != nil {
		return "", "", a, err
	}
	if len(missing) > 0 {
		return "your role in this repository cannot be read.", missing[0].Reason, a, nil
	}
	a.Actor = &who
	reason, detail = r.discounts(a, nil)
	return reason, detail, a, nil
}

// pressMarker begins the answer to a press; GitHub shows none of it.
func pressMarker(guid string) string {
	safe := strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' {
			return c
		}
		return '_'
	}, guid)
	return "<!-- evidence-gate:press:" + safe[:min(len(safe), 64)] + " -->"
}

// mayAnswerPress bounds the answers to presses on one pull request.
func (r *run) mayAnswerPress() bool {
	recent := 0
	for _, p := range r.presses {
		if !p.RepliedAt.IsZero() && r.Now().Sub(p.RepliedAt) < replyWindow {
			recent++
		}
	}
	return recent < maxReplies
}
