package githubtest

import "time"

// ReviewOptions describe a review.
type ReviewOptions struct {
	Author string
	State  string // approved, changes_requested or commented (the default)
	Body   string
	Commit string // the head when empty
}

// Review is one submitted review.
type Review struct {
	pull        *PullRequest
	id          int64
	body        document
	state       string
	commit      string
	submittedAt time.Time
}

// Review submits a review.
func (p *PullRequest) Review(o ReviewOptions) *Review {
	w := p.repository.world
	var r *Review
	w.change(func() {
		if o.State == "" {
			o.State = "commented"
		}
		if o.Commit == "" {
			o.Commit = p.head
		}
		r = &Review{
			pull: p, id: w.nextID("review"), body: w.newDocument(w.account(o.Author), o.Body),
			state: o.State, commit: o.Commit, submittedAt: w.now(),
		}
		p.reviews = append(p.reviews, r)
		w.nodes[nodeID("PRR", r.id)] = r
		w.emitReview(r, "submitted", r.body.author, nil)
	})
	return r
}

// Edit changes the review's text.
func (r *Review) Edit(actor, text string) {
	w := r.pull.repository.world
	w.change(func() {
		before := r.body.text()
		if w.edit(&r.body, w.account(actor), text) {
			w.emitReview(r, "edited", w.account(actor), map[string]any{
				"changes": map[string]any{"body": map[string]any{"from": before}},
			})
		}
	})
}

// Dismiss dismisses the review.
func (r *Review) Dismiss(actor string) {
	w := r.pull.repository.world
	w.change(func() {
		r.state = "dismissed"
		w.emitReview(r, "dismissed", w.account(actor), nil)
	})
}
