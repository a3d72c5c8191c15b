package attempts

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/report"
)

var errAllowance = errors.New("the carriers and their revisions are too long to be read")

// next reads a later text within the allowance.
func (j *judge) next(before *outline, text string) (*outline, error) {
	if j.carriers.lines < 0 || j.carriers.bytes < 0 {
		return nil, errAllowance
	}
	o, read, err := before.next(text)
	j.carriers.spend(read)
	return o, err
}

// erasedDigest identifies revisions without text.
func erasedDigest(events []event) string {
	sum := sha256.New()
	for _, e := range events {
		fmt.Fprintln(sum, e.at.UTC().Format(time.RFC3339))
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// historyErased reports revisions that cannot be read (A7). A list of comments that was not read as
// a whole is no erasure.
func (j *judge) historyErased(c *comment, erased []event) {
	if j.unavailable(c.fact) && !anyErased(c) {
		j.needs(c.fact, "what was recorded of attempts")
		return
	}
	first := erased[0]
	d := report.New(report.CodeCarrierHistoryErased, fmt.Sprintf("%d of the revisions of comment %d, a carrier, cannot be read any more; the first is %s", len(erased), c.ID, described(first)))
	d.Where = &report.Where{Document: c.document()}
	d.Details = map[string]any{"comment_id": c.ID, "revisions": len(erased), "digest": erasedDigest(erased)}
	j.add(d)
}

func anyErased(c *comment) bool {
	for _, r := range c.Revisions {
		if r.Erased {
			return true
		}
	}
	return false
}

// described says when and by whom a text was written.
func described(e event) string {
	who := "an unknown hand"
	if e.editor != nil && !e.unknown {
		who = printable(e.editor.Login)
	}
	if e.at.IsZero() {
		return "by " + who
	}
	return fmt.Sprintf("of %s by %s", e.at.UTC().Format(time.RFC3339), who)
}

// How much of a lost text a message and its details show.
const (
	maxLostShown   = 300
	maxLostDetails = 4000
)

// rewritten reports history that is lost (A7).
func (j *judge) rewritten(check string, c *comment, h *history) {
	lost := h.lost()
	if len(lost) == 0 {
		return
	}
	var names []string
	var text strings.Builder
	for _, s := range lost {
		if len(names) < maxNames {
			names = append(names, s.String())
		}
		if text.Len() < maxLostDetails {
			text.WriteString(s.raw + "\n\n")
		}
	}
	raw := strings.TrimSpace(text.String())
	what := fmt.Sprintf("comment %d no longer begins with the recorded history of %s", c.ID, check)
	if c.deleted {
		what = fmt.Sprintf("comment %d with the recorded history of %s was deleted", c.ID, check)
	} else if h.broken != nil {
		what += " since the revision " + described(*h.broken)
	}
	how := "lost"
	if len(h.entries) > 0 && newShelf(h.entries).has(lost) {
		how = "out of its place"
	}
	d := report.New(report.CodeCarrierRewritten, fmt.Sprintf("%s; %s (%s): %s", what, how, strings.Join(names, ", "), bounded(strings.Join(strings.Fields(raw), " "), maxLostShown)))
	d.Check = &check
	d.Where = &report.Where{Document: c.document()}
	d.Details = map[string]any{"comment_id": c.ID, "check": check, "entries": names, "lost": bounded(raw, maxLostDetails), "digest": digest(lost)}
	j.add(d)
}

// maxNames bounds how many lost entries a message names.
const maxNames = 10
