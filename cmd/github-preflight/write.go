package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// mostCharacters is how long GitHub lets a body be.
const mostCharacters = 65536

// scaffoldWrite puts the section into the body of the live pull request.
func scaffoldWrite(ctx context.Context, p process, o scaffoldOptions) error {
	f, err := readForm(ctx, p, o.live)
	if err != nil {
		return err
	}
	if err := writable(f.live, f.snapshot.PullRequest.State); err != nil {
		return couldNotJudge(err)
	}
	if f.Section == "" {
		return printDiagnostics(p, f.Diagnostics, f.documents)
	}
	now := ""
	if f.snapshot.PullRequest.Body != nil {
		now = *f.snapshot.PullRequest.Body
	}
	renewed, err := prbody.Rewrite(now, f.Section, f.snapshot.PullRequest.HeadSHA)
	criteria := ""
	if err == nil {
		criteria = f.Criteria.Entries(renewed.Body)
		renewed.Body, err = prbody.AddToSection(renewed.Body, criteria)
	}
	if err != nil {
		return couldNotJudge(fmt.Errorf("nothing was written to %s: %w", f.live, err))
	}
	var sections []string
	if o.full {
		renewed.Body, sections = prbody.AddSummary(renewed.Body)
	}
	if renewed.Body == now {
		_, err := fmt.Fprintf(p.stdout, "%s: the Evidence section is for the head already and has every check; nothing was changed\n", f.live)
		return ended(p, f, err)
	}
	if err := f.live.replaceBody(ctx, f.snapshot, now, renewed.Body); err != nil {
		return couldNotJudge(f.live.advise(err))
	}
	_, err = io.WriteString(p.stdout, told(f, renewed, criteriaOf(f, criteria), sections))
	return ended(p, f, err)
}

// ended ends the command with what is left to say of the task.
func ended(p process, f form, err error) error {
	if err := written(err); err != nil {
		return err
	}
	return printDiagnostics(p, f.Diagnostics, f.documents)
}

// criteriaOf are the criteria that entries are for.
func criteriaOf(f form, entries string) []string {
	var ids []string
	for _, c := range f.Criteria.Criteria {
		if strings.Contains("\n"+entries, "\n- Criterion: ["+c.ID+"]") {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// told says what became of each entry.
func told(f form, r prbody.Rewritten, criteria, sections []string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: wrote the Evidence section for the head %.12s\n", f.live, f.snapshot.PullRequest.HeadSHA)
	for _, row := range []struct {
		what  string
		names []string
	}{
		{"kept, for this head already", r.Kept},
		{"set back to \"not run\", because the evidence was for another commit", r.Reset},
		{"added", r.Added},
		{"taken out, for no check of the task and for another commit", r.Dropped},
		{"added for criteria", criteria},
		{"sections added", sections},
	} {
		if len(row.names) > 0 {
			fmt.Fprintf(&out, "  %s: %s\n", row.what, oneLine(strings.Join(row.names, ", ")))
		}
	}
	return out.String()
}

// writable refuses a pull request whose body is not read any more: what was judged of a merged one is
// frozen (design section 14), and of a closed one nothing is asked.
func writable(l *live, state string) error {
	switch state {
	case "merged":
		return fmt.Errorf("nothing was written: %s is merged, and its last report stands; evidence for more work goes into a pull request of its own", l)
	case "open":
		return nil
	}
	return fmt.Errorf("nothing was written: %s is closed: reopen it first, and run it again", l)
}

// oneLine makes names from a body fit for a terminal.
func oneLine(text string) string { return strings.Join(strings.Fields(plain(text)), " ") }

// errRunAgain ends the messages of everything that another run puts right.
var errRunAgain = errors.New("run it again")

// replaceBody writes the body unless it, or the head, is not any more what was read. GitHub has no
// conditional write, so it is read once more right before, and its history right after: an edit
// that fell between the two is named instead of being lost without a word.
func (l *live) replaceBody(ctx context.Context, s snapshot.Snapshot, read, body string) error {
	if n := utf8.RuneCountInString(body); n > mostCharacters {
		return fmt.Errorf("nothing was written to %s: the body would have %d characters and GitHub takes %d: shorten it first", l, n, mostCharacters)
	}
	before, err := l.client.Description(ctx, l.repo, l.number)
	switch {
	case err != nil:
		return err
	case before.State != "open":
		return writable(l, before.State)
	case before.Body != read:
		return fmt.Errorf("nothing was written: the body of %s was edited meanwhile: %w", l, errRunAgain)
	case before.HeadSHA != s.PullRequest.HeadSHA:
		return fmt.Errorf("nothing was written: %s got the new head %.12s meanwhile: %w", l, before.HeadSHA, errRunAgain)
	}
	stored, err := l.client.WriteBody(ctx, l.repo, l.number, body)
	if err != nil {
		return err
	}
	if stored.Body != body {
		return fmt.Errorf("the body of %s is not what was written: somebody edits it at the same time: look at it, and %w", l, errRunAgain)
	}
	return l.nothingLost(ctx, read, body)
}

// nothingLost looks into the history for an edit between the last look and the write.
func (l *live) nothingLost(ctx context.Context, read, body string) error {
	after, err := l.snapshot(ctx)
	if err != nil {
		return fmt.Errorf("the body of %s was written, but its history could not be read again: %w", l, err)
	}
	history := after.PullRequest.Revisions
	for i := len(history) - 1; i > 0; i-- {
		if history[i].Body == nil || *history[i].Body != body {
			continue
		}
		if lost := history[i-1]; lost.Body != nil && *lost.Body != read {
			return fmt.Errorf("the body of %s was written over an edit of %s that was made at %s, in the same moment: restore it from the edit history of the body", l, editor(lost), lost.EditedAt)
		}
		return nil
	}
	return nil
}

func editor(r snapshot.Revision) string {
	if r.Editor == nil {
		return "somebody"
	}
	return r.Editor.Login
}
