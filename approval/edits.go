package approval

import (
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// maxEditBytes bounds how much of the body's history is read to tell edits of the evidence from edits
// elsewhere; past it every edit counts as one of the evidence.
const maxEditBytes = 2 << 20

// edits reads who edited the evidence: whoever made a revision of the body whose Evidence section
// differs from the one before. What the app itself writes is nobody's word. An edit whose text is gone
// counts, as does one by a hand that is not known.
func (v *involvement) edits(s snapshot.Snapshot, isApp func(*snapshot.Actor) bool) {
	h := &history{revisions: withPresent(s.PullRequest), left: maxEditBytes}
	for i, r := range h.revisions {
		switch {
		case i == 0 && r.Editor == nil: // the account that opened the pull request is there no more
		case isApp(r.Editor) || r.Editor != nil && v.wrote(r.Editor.Login):
		case !h.changed(i):
		case r.Editor == nil:
			v.nobody(edited, "nobody knows who edited the evidence"+on(r.EditedAt))
		default:
			v.add(r.Editor.Login, edited, "edited the evidence in the body"+on(r.EditedAt))
		}
	}
}

// withPresent is the body's history with the present text at its end, by nobody who is known where the
// history does not have it.
func withPresent(pr snapshot.PullRequest) []snapshot.Revision {
	revisions := pr.Revisions
	if len(revisions) == 0 || pr.Body == nil {
		return revisions
	}
	if last := revisions[len(revisions)-1].Body; last == nil || *last == *pr.Body {
		return revisions
	}
	return append(slices.Clone(revisions), snapshot.Revision{Body: pr.Body})
}

// history is the body's history, of which no more is read than is needed.
type history struct {
	revisions []snapshot.Revision
	left      int            // bytes that may still be read
	read      map[int]string // evidence of the revisions that were read
}

// changed reports whether a revision may have changed the evidence of the one before.
func (h *history) changed(i int) bool {
	is := h.revisions[i].Body
	if is == nil || h.revisions[i].Erased {
		return true
	}
	if i == 0 {
		now, ok := h.evidence(0)
		return !ok || now != ""
	}
	was := h.revisions[i-1].Body
	if was == nil || h.revisions[i-1].Erased {
		return true
	}
	if *is == *was {
		return false
	}
	before, readBefore := h.evidence(i - 1)
	now, readNow := h.evidence(i)
	return !readBefore || !readNow || before != now
}

func (h *history) evidence(i int) (text string, ok bool) {
	if text, done := h.read[i]; done {
		return text, true
	}
	body := *h.revisions[i].Body
	if h.left -= len(body); h.left < 0 {
		return "", false
	}
	d, err := markdown.Parse(body)
	if err != nil {
		return "", false
	}
	if h.read == nil {
		h.read = map[int]string{}
	}
	h.read[i] = evidence(d)
	return h.read[i], true
}

// evidence is the text of the Evidence section, of all there are, and of the link definitions that
// decide what it links to.
func evidence(d *markdown.Document) string {
	var out strings.Builder
	blocks, sections := d.Blocks(), d.Sections(prbody.SectionName)
	end := strings.Count(d.Text(), "\n") + 1
	for i, b := range blocks {
		if len(sections) == 0 {
			break
		}
		s := sections[0]
		if b.Kind() != markdown.Heading || b.Position() != s.Heading.Position() {
			continue
		}
		sections = sections[1:]
		to := end
		if next := i + 1 + len(s.Blocks); next < len(blocks) {
			to = blocks[next].Position().Line - 1
		}
		for line := b.Position().Line; line <= to; line++ {
			out.WriteString(strings.TrimRight(d.LineText(line), " \t") + "\n")
		}
	}
	text := strings.TrimRight(out.String(), "\n")
	if text == "" {
		return ""
	}
	return text + definitions(blocks)
}

func definitions(blocks []markdown.Block) string {
	var out strings.Builder
	for _, b := range blocks {
		switch b.Kind() {
		case markdown.Definition:
			out.WriteString("\n" + b.Raw())
		case markdown.List, markdown.Item, markdown.Quote:
			out.WriteString(definitions(b.Children()))
		}
	}
	return out.String()
}
