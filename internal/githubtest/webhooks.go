package githubtest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Delivery is one webhook: what is or was sent.
type Delivery struct {
	GUID         string
	Event        string
	Action       string
	Installation int64
	Payload      []byte // the JSON, also when it is sent as a form
	Answers      []Answer
}

// Answer is what the target said to one sending.
type Answer struct {
	Status int // 0 when there was no answer
	Body   string
	Err    error
	Took   time.Duration
}

// Webhooks sends the app's webhooks: in the background, one after the other, in the order in which
// things happened. GitHub does not promise that order and never sends again by itself; Hold,
// Reorder, Duplicate and Redeliver make what GitHub may do.
type Webhooks struct {
	app      App
	clock    func() time.Time
	notifier *notifier
	client   *http.Client
	wake     chan struct{}
	ctx      context.Context
	cancel   context.CancelFunc
	workers  sync.WaitGroup

	mu        sync.Mutex
	target    string
	held      bool
	copies    int
	signature Signature
	form      bool
	queue     []*Delivery
	busy      int
	log       []*Delivery
	attempts  []attempt
	lastGUID  int64
}

const deliveryTimeout = 10 * time.Second // "Respond within 10 seconds" in GitHub's best practices

func newWebhooks(app App, clock func() time.Time, n *notifier) *Webhooks {
	h := &Webhooks{
		app: app, clock: clock, notifier: n, wake: make(chan struct{}, 1), copies: 1,
		client: &http.Client{
			Timeout:       deliveryTimeout,
			Transport:     &http.Transport{MaxIdleConnsPerHost: 64},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	h.ctx, h.cancel = context.WithCancel(context.Background())
	h.workers.Add(1)
	go h.work()
	return h
}

func (h *Webhooks) close() {
	h.cancel()
	h.workers.Wait()
	h.client.CloseIdleConnections()
}

// update changes the sender's settings and lets it look at its queue again.
func (h *Webhooks) update(f func()) {
	h.mu.Lock()
	f()
	h.mu.Unlock()
	select {
	case h.wake <- struct{}{}:
	default:
	}
	h.notifier.broadcast()
}

// SetTarget says where webhooks go. Without a target nothing is sent, and what happens meanwhile is
// not kept, unless the sender is held.
func (h *Webhooks) SetTarget(url string) { h.update(func() { h.target = url }) }

// SetSignature chooses how deliveries are signed from now on; properly at first.
func (h *Webhooks) SetSignature(s Signature) { h.update(func() { h.signature = s }) }

// SetForm sends application/x-www-form-urlencoded instead of JSON, GitHub's other content type.
func (h *Webhooks) SetForm(form bool) { h.update(func() { h.form = form }) }

// Hold keeps deliveries back until Release or Flush.
func (h *Webhooks) Hold() { h.update(func() { h.held = true }) }

// Release lets deliveries go again, the held ones first.
func (h *Webhooks) Release() { h.update(func() { h.held = false }) }

// Reorder puts the waiting deliveries into the order that f returns; it may leave some out.
func (h *Webhooks) Reorder(f func([]Delivery) []Delivery) {
	h.update(func() {
		byGUID := map[string]*Delivery{}
		for _, d := range h.queue {
			byGUID[d.GUID] = d
		}
		ordered := f(values(h.queue))
		h.queue = nil
		for _, d := range ordered {
			if known := byGUID[d.GUID]; known != nil {
				h.queue = append(h.queue, known)
			}
		}
	})
}

// Duplicate sends every later delivery so many times, with the same GUID.
func (h *Webhooks) Duplicate(times int) { h.update(func() { h.copies = max(1, times) }) }

// Pending are the deliveries that wait to be sent.
func (h *Webhooks) Pending() []Delivery {
	h.mu.Lock()
	defer h.mu.Unlock()
	return values(h.queue)
}

// Deliveries are all deliveries that were sent at least once, oldest first.
func (h *Webhooks) Deliveries() []Delivery {
	h.mu.Lock()
	defer h.mu.Unlock()
	return values(h.log)
}

func values(list []*Delivery) []Delivery {
	copied := make([]Delivery, 0, len(list))
	for _, d := range list {
		v := *d
		v.Answers = slices.Clone(d.Answers)
		copied = append(copied, v)
	}
	return copied
}

// Flush sends what waits, held or not, and returns once all of it was answered.
func (h *Webhooks) Flush(ctx context.Context) error {
	held := false
	h.update(func() { held, h.held = h.held, false })
	err := h.notifier.wait(ctx, func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return h.target == "" || len(h.queue)+h.busy == 0
	})
	if held {
		h.Hold()
	}
	return err
}

// enqueue takes an event of the world. The payload is encoded at once, since the world goes on.
func (h *Webhooks) enqueue(w webhook) {
	h.mu.Lock()
	dropped := h.target == "" && !h.held
	h.mu.Unlock()
	if dropped {
		return
	}
	payload, err := json.Marshal(w.payload)
	if err != nil {
		panic(fmt.Sprintf("githubtest: a webhook cannot be encoded: %v", err))
	}
	action, _ := w.payload["action"].(string)
	h.update(func() {
		d := &Delivery{GUID: h.newGUID(), Event: w.event, Action: action, Installation: w.installation.id, Payload: payload}
		for range h.copies {
			h.queue = append(h.queue, d)
		}
	})
}

func (h *Webhooks) work() {
	defer h.workers.Done()
	for {
		d := h.take()
		if d == nil {
			select {
			case <-h.wake:
				continue
			case <-h.ctx.Done():
				return
			}
		}
		h.deliver(h.ctx, d)
		h.update(func() { h.busy-- })
	}
}

func (h *Webhooks) take() *Delivery {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.held || h.target == "" || len(h.queue) == 0 || h.ctx.Err() != nil {
		return nil
	}
	d := h.queue[0]
	h.queue = h.queue[1:]
	h.busy++
	return d
}

// Redeliver sends a delivery again, as the button in the app's settings does: same GUID and payload.
func (h *Webhooks) Redeliver(ctx context.Context, guid string) (Answer, error) {
	h.mu.Lock()
	var found *Delivery
	for _, d := range h.log {
		if d.GUID == guid {
			found = d
		}
	}
	h.mu.Unlock()
	if found == nil {
		return Answer{}, fmt.Errorf("githubtest: no delivery %s was sent so far", guid)
	}
	return h.deliver(ctx, found), nil
}

// Send signs and sends one made-up event now and returns the answer. The payload is encoded as JSON
// unless it is a []byte, which is sent as it is.
func (h *Webhooks) Send(ctx context.Context, event string, payload any) (Delivery, error) {
	body, raw := payload.([]byte)
	if !raw {
		var err error
		if body, err = json.Marshal(payload); err != nil {
			return Delivery{}, fmt.Errorf("githubtest: encoding the payload of %s: %w", event, err)
		}
	}
	h.mu.Lock()
	d := &Delivery{GUID: h.newGUID(), Event: event, Payload: body}
	h.mu.Unlock()
	h.deliver(ctx, d)
	h.mu.Lock()
	defer h.mu.Unlock()
	return values([]*Delivery{d})[0], nil
}

// Ping sends the event that GitHub sends when a webhook is set up.
func (h *Webhooks) Ping(ctx context.Context) (Delivery, error) {
	h.mu.Lock()
	target := h.target
	h.mu.Unlock()
	return h.Send(ctx, "ping", object{
		"zen": "Design for failure.", "hook_id": hookID,
		"hook": object{
			"type": "App", "id": hookID, "name": "web", "active": true, "events": h.app.Events, "app_id": h.app.ID,
			"config":     object{"content_type": "json", "insecure_ssl": "0", "secret": "********", "url": target},
			"updated_at": timestamp(h.clock()), "created_at": timestamp(h.clock()),
			"deliveries_url": fmt.Sprintf("https://api.github.com/app/hook/deliveries?app_id=%d", h.app.ID),
		},
	})
}
