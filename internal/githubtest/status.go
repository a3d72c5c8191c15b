package githubtest

import (
	"slices"
	"time"
)

// StatusOptions describe a commit status.
type StatusOptions struct {
	SHA         string
	Context     string
	State       string // success, failure, error or pending; success when empty
	Creator     string // the repository's owner when empty
	Description string
	TargetURL   string
}

type commitStatus struct {
	StatusOptions
	id        int64
	creator   *account
	createdAt time.Time
}

// AddStatus sets a commit status; a later one of the same context replaces it in the rollup.
func (r *Repository) AddStatus(o StatusOptions) {
	r.world.change(func() {
		if o.State == "" {
			o.State = "success"
		}
		if o.Creator == "" {
			o.Creator = r.owner.login
		}
		s := &commitStatus{
			StatusOptions: o, id: r.world.nextID("status"), creator: r.world.account(o.Creator), createdAt: r.world.now(),
		}
		r.statuses = append(r.statuses, s)
		r.world.emitStatus(r, s)
	})
}

// latestStatuses are the newest statuses of each context on a commit, oldest first.
func (r *Repository) latestStatuses(sha string) []*commitStatus {
	var latest []*commitStatus
	for _, s := range r.statuses {
		if s.SHA != sha {
			continue
		}
		latest = slices.DeleteFunc(latest, func(o *commitStatus) bool { return o.Context == s.Context })
		latest = append(latest, s)
	}
	return latest
}
