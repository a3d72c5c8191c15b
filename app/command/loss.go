package command

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/evidence-gate/evidence-gate/app/memory"
	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// acceptLine is the form of /accept-loss.
var acceptLine = regexp.MustCompile(`(?i)^/accept-loss[ \t]+\[?([a-z]+-[0-9]+)\]?[ \t]+because:?[ \t]+(.*\S)`)

const acceptForm = "expected /accept-loss RC-1 because, and then why the loss is acceptable."

// minReason is the shortest reason that is taken for one, in characters.
const minReason = 8

// acceptLoss accepts that recorded history of a check is lost (A7): what is lost at this moment, and
// nothing that is lost later.
func (r *run) acceptLoss(c comment, command Command, done *effect) (finding, error) {
	parts := acceptLine.FindStringSubmatch(command.Text)
	if parts == nil || checkline.ID(parts[1]) == "" || len([]rune(parts[2])) < minReason {
		return finding{command: command, reason: "the line cannot be read: " + acceptForm}, nil
	}
	check := checkline.ID(parts[1])
	lost := r.lost(check)
	if len(lost) == 0 {
		return finding{command: command, reason: fmt.Sprintf("no recorded history of %s is lost.", check)}, nil
	}
	for _, l := range lost {
		done.deeds = append(done.deeds, r.onTasks(snapshot.Action{
			Kind: "accept_loss", Actor: c.Author, Via: "comment", At: c.CreatedAt, HeadSHA: r.Facts.PullRequest.HeadSHA,
			CommentID: l.comment, Check: check, Digest: l.digest, Reason: parts[2],
		}))
	}
	done.anywhere, done.onTask = true, r.Facts.Issue != nil
	return finding{command: command}, nil
}

// loss is what is lost of one comment.
type loss struct {
	comment int64
	digest  string
}

// lost lists what the judge misses of a check's history, and the texts that the memory had no room for.
func (r *run) lost(check string) []loss {
	var found []loss
	for _, d := range r.judged().Diagnostics {
		comment, _ := d.Details["comment_id"].(int64)
		digest, _ := d.Details["digest"].(string)
		switch {
		case comment == 0 || digest == "":
		case d.Code == report.CodeCarrierRewritten && d.Check != nil && strings.EqualFold(*d.Check, check),
			d.Code == report.CodeCarrierHistoryErased && r.checkOf(comment) == check:
			found = append(found, loss{comment, digest})
		}
	}
	for _, m := range r.Missed {
		if m.Check == check {
			found = append(found, loss{m.CommentID, m.Digest})
		}
	}
	return found
}

// checkOf is the check of a carrier among the comments.
func (r *run) checkOf(id int64) string {
	for _, t := range r.threads() {
		for _, c := range t.comments {
			if c.ID == id {
				return memory.Check(c.Body)
			}
		}
	}
	return ""
}
