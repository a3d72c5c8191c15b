package checks

import (
	"fmt"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// outcome is what one producer says of a check.
type outcome int

const (
	inconclusive outcome = iota // neutral, skipped, cancelled, stale
	running
	green
	red // failure, timed_out, action_required
)

// producer is one app and workflow (or one creator of commit statuses) that reports on a name; its
// newest run decides (section 5, rule 8).
type producer struct {
	app     string
	kind    string // which app and workflow, or whose commit status
	newest  snapshot.StatusCheck
	outcome outcome
}

// statusIndex finds the producers of a status by its folded name.
type statusIndex map[string][]producer

func foldName(s string) string { return strings.ToLower(checkline.Squeeze(s)) }

// indexStatuses groups the statuses on the head by name and producer. This product's own check
// run is no evidence.
func indexStatuses(s snapshot.Snapshot) statusIndex {
	index := statusIndex{}
	known := map[[2]string]int{} // name and kind -> where in the index
	for _, st := range s.StatusChecks {
		p := producer{newest: st}
		name := st.Name
		if st.Context != "" {
			name = st.Context
			p.app = strings.TrimSuffix(strings.ToLower(st.Creator), "[bot]")
			p.kind = "status " + p.app
		} else {
			p.app = strings.ToLower(st.App)
			p.kind = "run " + p.app + " " + st.Workflow
		}
		if s.App != "" && p.app == strings.ToLower(s.App) {
			continue
		}
		p.outcome = outcomeOf(st)
		name = foldName(name)
		if i, again := known[[2]string{name, p.kind}]; again {
			index[name][i] = newer(index[name][i], p)
			continue
		}
		known[[2]string{name, p.kind}] = len(index[name])
		index[name] = append(index[name], p)
	}
	return index
}

// newer is the producer with the run that decides: one still running, else the one that started
// later, else completed later, else the worse one.
func newer(a, b producer) producer {
	if (a.outcome == running) != (b.outcome == running) {
		if b.outcome == running {
			return b
		}
		return a
	}
	for _, at := range []func(snapshot.StatusCheck) time.Time{started, completed} {
		if order := at(a.newest).Compare(at(b.newest)); order < 0 {
			return b
		} else if order > 0 {
			return a
		}
	}
	if a.outcome == green || b.outcome == red {
		return b
	}
	return a
}

func started(s snapshot.StatusCheck) time.Time {
	if s.Context != "" {
		return moment(&s.CreatedAt)
	}
	return moment(s.StartedAt)
}

func completed(s snapshot.StatusCheck) time.Time { return moment(s.CompletedAt) }

// moment is an RFC 3339 time; one that is absent or cannot be read is the earliest.
func moment(s *string) time.Time {
	if s == nil {
		return time.Time{}
	}
	at, err := time.Parse(time.RFC3339, *s)
	if err != nil {
		return time.Time{}
	}
	return at
}

func outcomeOf(s snapshot.StatusCheck) outcome {
	word := strings.ToLower(s.State)
	if s.Context == "" {
		if !strings.EqualFold(s.Status, "completed") {
			return running
		}
		word = ""
		if s.Conclusion != nil {
			word = strings.ToLower(*s.Conclusion)
		}
	}
	switch word {
	case "success":
		return green
	case "failure", "timed_out", "action_required", "error":
		return red
	case "pending", "expected":
		return running
	default:
		return inconclusive
	}
}

// statusName is the name of the status that can prove the check.
func (p *proof) statusName() string {
	if p.check.Status != "" {
		return p.check.Status
	}
	return p.check.Command
}

// producers are those of the check's status: of the pinned app when one is named. others tells
// whether some other app reports on that name.
func (p *proof) producers() (own []producer, others bool) {
	all := p.m.statuses[foldName(p.statusName())]
	if p.check.App == "" {
		return all, false
	}
	for _, pr := range all {
		if pr.app == p.check.App {
			own = append(own, pr)
		} else {
			others = true
		}
	}
	return own, others
}

// withoutEntry is rule 8: a status check may stand in for an entry.
func (p *proof) withoutEntry() bool {
	if p.m.e.contract != nil && p.check.ID != "" {
		if _, there := p.m.byKey[p.check.line.Key]; there {
			return false // the entry leaves its id out, which leftovers reports; no status replaces it
		}
	}
	if !p.check.allows(StatusCheck) || len(p.check.Observations) > 0 || p.check.needsEntry() {
		return p.unsatisfied("has no entry")
	}
	if p.m.e.unavailable("status_checks") {
		return false
	}
	own, others := p.producers()
	switch {
	case len(own) == 0 && others:
		return p.wrongApp()
	case len(own) == 0:
		return p.unsatisfied("has no entry, and no status of that name stands on the head")
	case len(own) > 1:
		return p.ambiguous(own)
	}
	st := own[0].newest
	p.out.Via, p.out.Source, p.out.Link = pointer("status_check"), pointer(StatusCheck), st.URL
	switch own[0].outcome {
	case green:
		return true
	case running:
		return p.pending(own[0])
	}
	p.out.Via = nil
	return p.unsatisfied(fmt.Sprintf("has no entry, and its status concluded %s", conclusionOf(st)))
}

func conclusionOf(s snapshot.StatusCheck) string {
	switch {
	case s.Context != "":
		return s.State
	case s.Conclusion != nil:
		return *s.Conclusion
	default:
		return "nothing"
	}
}

// unsatisfied reports that the check has no proof. While the section itself is missing or doubled
// that says it all, and one finding for every check would bury it.
func (p *proof) unsatisfied(why string) bool {
	if !p.m.ev.Found && why == "has no entry" {
		return false
	}
	d := report.New(report.CodeCheckUnsatisfied, fmt.Sprintf("%s %s", p.check.Name(), why))
	d.Help = entryTemplate(*p.check, p.m.head)
	if p.check.statusOnly() {
		d.Help = fmt.Sprintf("let CI report the status %q on the head commit", p.statusName())
	}
	w := p.m.ev.Heading
	if w.Document == "" {
		w = p.check.where
	}
	if like, ok := p.m.lookalike(p.check.ID); ok {
		d.Message += fmt.Sprintf("; line %d names it but is no entry: it %s", like.Where.Line, like.Why)
		w = like.Where
	}
	return p.refuse(d, w)
}

// lookalike is a line that names a check and starts no entry.
func (m *matcher) lookalike(id string) (prbody.Lookalike, bool) {
	if m.lookalikes == nil {
		m.lookalikes = m.ev.Lookalikes()
	}
	like, ok := m.lookalikes[id]
	return like, ok
}

func (p *proof) wrongApp() bool {
	d := report.New(report.CodeStatusWrongApp, fmt.Sprintf("the status of %s must come from the app %s, and only others report it", p.check.Name(), p.check.App))
	d.Help = "let " + p.check.App + " run the check on the head commit"
	return p.refuse(d, p.check.where)
}

func (p *proof) ambiguous(own []producer) bool {
	var who []string
	for _, pr := range own {
		if len(who) < maxNames {
			who = append(who, pr.kind)
		}
	}
	d := report.New(report.CodeStatusAmbiguous, fmt.Sprintf("%d producers report the status of %s: %s", len(own), p.check.Name(), strings.Join(who, ", ")))
	d.Help = "pin the producer in the task: [source: status_check; app: <slug>]"
	return p.refuse(d, p.check.where)
}

func (p *proof) pending(pr producer) bool {
	d := report.New(report.CodeCheckPending, fmt.Sprintf("%s waits for its status on the head", p.check.Name()))
	if pr.newest.URL != "" {
		d.Details = map[string]any{"link": pr.newest.URL}
	}
	return p.refuse(d, p.check.where)
}

// sourceVerified looks up the status that an entry with `Source: status_check` rests on (section 5,
// rule 8).
func (p *proof) sourceVerified() bool {
	if p.source != StatusCheck {
		return true
	}
	if p.m.e.unavailable("status_checks") {
		return false
	}
	own, _ := p.producers()
	if len(own) == 1 && own[0].outcome == green {
		p.out.Link = own[0].newest.URL
		return true
	}
	p.contradicted(own)
	d := report.New(report.CodeEvidenceSourceUnverified, fmt.Sprintf("the entry for %s rests on a status check, and no such status succeeded on the head", p.check.Name()))
	d.Help = "wait for the status, or prove the check yourself: Source: pr_body"
	return p.refuse(d, p.entry.Source.Where)
}

// contradicted reports a passed entry whose status failed on the head.
func (p *proof) contradicted(own []producer) bool {
	if p.out.Verdict == nil || *p.out.Verdict != string(prbody.Passed) {
		return false
	}
	for _, pr := range own {
		if pr.outcome != red {
			continue
		}
		d := report.New(report.CodeEvidenceContradictsStatus, fmt.Sprintf("the entry for %s says passed, but its status on the head concluded %s", p.check.Name(), conclusionOf(pr.newest)))
		if pr.newest.URL != "" {
			d.Details = map[string]any{"link": pr.newest.URL}
			d.Message += ": " + pr.newest.URL
		}
		p.refuse(d, p.entry.Where)
		return true
	}
	return false
}

// status judges what CI says beside a passed entry (section 5, rule 8).
func (p *proof) status() bool {
	p.out.Via = pointer("pr_body")
	if p.source == StatusCheck {
		p.out.Via = pointer("status_check")
		return true
	}
	if p.triaged {
		p.out.Via = pointer("triage")
	}
	if p.check.Kind != Command || p.m.e.unavailable("status_checks") {
		return true
	}
	own, _ := p.producers()
	if p.contradicted(own) {
		return false
	}
	if p.m.e.stage == report.Merge && p.check.allows(StatusCheck) {
		for _, pr := range own {
			if pr.outcome == running {
				return p.pending(pr)
			}
		}
	}
	return true
}
