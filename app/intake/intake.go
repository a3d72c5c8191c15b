// Package intake answers GitHub's webhooks (design section 14, Intake): it checks the signature, reads
// the hint, has it written to disk and only then answers 202. It never calls GitHub. What a hint leads
// to is left to the queue.
package intake

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/evidence-gate/evidence-gate/app/event"
	"github.com/evidence-gate/evidence-gate/app/metrics"
	"github.com/evidence-gate/evidence-gate/app/store"
)

// storeTimeout is under the 10 seconds after which GitHub counts a delivery as failed.
const storeTimeout = 8 * time.Second

// Store is where deliveries are recorded.
type Store interface {
	// Accept returns once the delivery and its work are on disk.
	Accept(ctx context.Context, d store.Delivery) (store.Receipt, error)
}

// Config is what a Handler needs.
type Config struct {
	Secrets []string // any of them may have signed; none may be empty
	// Self tells the app's own doing apart. It is asked for at every delivery: the slug may become
	// known later.
	Self    func() event.Self
	Store   Store
	Metrics *metrics.Metrics
	Log     *slog.Logger
	Now     func() time.Time
}

// Handler answers POST requests with webhook deliveries. It is safe for concurrent use.
type Handler struct {
	config  Config
	secrets [][]byte
	bodies  bodyReader
}

// New refuses a configuration that would accept unsigned deliveries.
func New(config Config) (*Handler, error) {
	secrets, err := checkSecrets(config.Secrets)
	if err != nil {
		return nil, err
	}
	return &Handler{config: config, secrets: secrets, bodies: newBodyReader()}, nil
}

// answer is what the sender gets; GitHub shows it in its list of deliveries.
type answer struct {
	status  int
	outcome string // for metrics, from a closed set
	message string
}

// ServeHTTP answers one delivery.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := h.config.Now()
	a := h.take(r, start)
	switch a.status {
	case http.StatusMethodNotAllowed:
		w.Header().Set("Allow", http.MethodPost)
	case http.StatusServiceUnavailable:
		w.Header().Set("Retry-After", "10")
	case http.StatusRequestEntityTooLarge:
		// The rest of the body is not read.
		w.Header().Set("Connection", "close")
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(a.status)
	_, _ = w.Write([]byte(a.message + "\n"))
	h.config.Metrics.Delivery(label(r.Header.Get("X-GitHub-Event")), a.outcome, h.config.Now().Sub(start))
}

// label keeps the names that anybody may send out of the metrics' labels.
func label(name string) string {
	if event.Known(name) {
		return name
	}
	return "other"
}

// take checks, reads and records one delivery.
func (h *Handler) take(r *http.Request, at time.Time) answer {
	if r.Method != http.MethodPost {
		return answer{http.StatusMethodNotAllowed, "method", "expected POST: this is the address for GitHub's webhooks"}
	}
	signature, refused := signatureOf(r.Header)
	if refused != nil {
		return h.refuse(r, *refused)
	}
	body, release, refused := h.bodies.read(r)
	defer release()
	if refused != nil {
		return h.refuse(r, *refused)
	}
	if refused := verify(signature, body, h.secrets); refused != nil {
		return h.refuse(r, *refused)
	}
	// From here on the sender knows the secret.
	name, guid, refused := identify(r.Header)
	if refused != nil {
		return h.refuse(r, *refused)
	}
	payload, refused := payloadOf(r.Header, body)
	if refused != nil {
		return h.refuse(r, *refused)
	}
	hint, err := event.Decode(name, payload, h.config.Self())
	if err != nil {
		return h.refuse(r, answer{http.StatusBadRequest, "malformed", "cannot read the payload: " + err.Error()})
	}
	log := h.config.Log.With("delivery", guid, "event", name, "action", hint.Action, "repository_id", hint.RepositoryID)
	if !hint.OfInterest() {
		log.DebugContext(r.Context(), "delivery needs no work", "reason", hint.Reason)
		return answer{http.StatusAccepted, "no_interest", "nothing to do: " + hint.Reason}
	}
	return h.record(r.Context(), delivery(guid, hint, at), hint, log)
}

// record answers 202 only when the delivery is on disk.
func (h *Handler) record(ctx context.Context, d store.Delivery, hint event.Hint, log *slog.Logger) answer {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	receipt, err := h.config.Store.Accept(ctx, d)
	if err != nil {
		log.ErrorContext(ctx, "delivery not recorded", "error", err.Error())
		return answer{http.StatusServiceUnavailable, "store_down", "the delivery could not be stored: redeliver it later"}
	}
	if receipt == store.AlreadyDone {
		log.InfoContext(ctx, "delivery was done before")
		return answer{http.StatusAccepted, "already_done", "nothing to do: this delivery's work is done"}
	}
	log.InfoContext(ctx, "delivery accepted", "reason", hint.Reason,
		"pull_requests", hint.PullRequests, "issues", hint.Issues, "head", hint.HeadSHA)
	return answer{http.StatusAccepted, "accepted", "accepted: " + hint.Reason}
}

// refuse logs what was refused, with nothing of what was sent but its bounded id.
func (h *Handler) refuse(r *http.Request, a answer) answer {
	h.config.Log.WarnContext(r.Context(), "delivery refused", "delivery", bounded(r.Header.Get("X-GitHub-Delivery")),
		"status", a.status, "outcome", a.outcome, "why", bounded(a.message))
	return a
}

// delivery says which targets the hint touches.
func delivery(guid string, hint event.Hint, at time.Time) store.Delivery {
	d := store.Delivery{
		GUID: guid, Event: hint.Event, Action: hint.Action,
		InstallationID: hint.InstallationID, RepositoryID: hint.RepositoryID, ReceivedAt: at,
	}
	if p := hint.Press; p != nil {
		d.Press = &store.Press{
			GUID: guid, Number: p.Number, Button: string(p.Button), Login: p.Login, Type: p.Type,
			HeadSHA: p.HeadSHA, Digest: p.Digest, At: at,
		}
	}
	add := func(subject store.Subject, head string) {
		d.Changes = append(d.Changes, store.Change{
			Subject: subject, InstallationID: hint.InstallationID, Owner: hint.Repo.Owner, Repository: hint.Repo.Name,
			HeadSHA: head, HeadSince: hint.HeadSince, Rerun: hint.Rerun, At: at,
		})
	}
	announced := ""
	if hint.Event == "pull_request" {
		announced = hint.HeadSHA // a check run's commit may be an older one
	}
	for _, number := range hint.PullRequests {
		add(store.Numbered(hint.RepositoryID, store.PullRequest, number), announced)
	}
	for _, number := range hint.Issues {
		add(store.Numbered(hint.RepositoryID, store.Issue, number), "")
	}
	if hint.Base != "" {
		add(store.Subject{RepositoryID: hint.RepositoryID, Kind: store.Base, Name: hint.Base}, "")
	}
	if hint.Whole {
		add(store.Subject{RepositoryID: hint.RepositoryID, Kind: store.Whole}, "")
	}
	if hint.Installation {
		add(store.Subject{Kind: store.Installation, Name: strconv.FormatInt(hint.InstallationID, 10)}, "")
	}
	for _, r := range hint.Repositories {
		d.Changes = append(d.Changes, store.Change{
			Subject: store.Subject{RepositoryID: r.ID, Kind: store.Whole}, InstallationID: hint.InstallationID,
			Owner: r.Repo.Owner, Repository: r.Repo.Name, At: at,
		})
	}
	if len(hint.PullRequests) == 0 && hint.HeadSHA != "" {
		add(store.Subject{RepositoryID: hint.RepositoryID, Kind: store.Head, Name: hint.HeadSHA}, "")
	}
	return d
}

func bounded(text string) string {
	const limit = 200
	if len(text) <= limit {
		return text
	}
	return text[:limit] + "..."
}
