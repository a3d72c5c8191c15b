package githubtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// "REST API endpoints for GitHub App webhooks", as far as deliveries are concerned.
var deliveryEndpoints = []endpoint{
	{pattern: "GET /app/hook/deliveries", query: []string{"per_page", "cursor"}, app: true, handle: (*call).listDeliveries},
	{pattern: "POST /app/hook/deliveries/{delivery}/attempts", app: true, writes: true, handle: (*call).redeliver},
}

const firstDeliveryID = 12_345_678_900

// attempt is one sending of a delivery. GitHub gives each an id; the GUID is the delivery's.
type attempt struct {
	id       int64
	delivery *Delivery
	answer   Answer
	at       time.Time
	again    bool
}

// attempted notes a sending; the caller holds the lock.
func (h *Webhooks) attempted(d *Delivery, answer Answer) {
	h.attempts = append(h.attempts, attempt{
		id: firstDeliveryID + int64(len(h.attempts)), delivery: d, answer: answer, at: h.clock(), again: len(d.Answers) > 1,
	})
}

// listDeliveries lists sendings, newest first. The cursor is the id below which the page begins.
func (c *call) listDeliveries() response {
	query := c.request.URL.Query()
	size := min(pageNumber(query, "per_page", defaultPage), maxPage)
	below, err := strconv.ParseInt(query.Get("cursor"), 10, 64)
	if query.Get("cursor") != "" && err != nil {
		return unprocessable("Invalid cursor")
	}
	h := c.server.webhooks
	h.mu.Lock()
	defer h.mu.Unlock()
	page, more := []object{}, false
	for i := len(h.attempts) - 1; i >= 0; i-- {
		a := h.attempts[i]
		if below != 0 && a.id >= below {
			continue
		}
		if more = len(page) == size; more {
			break
		}
		page = append(page, a.json())
	}
	answer := ok(page)
	if more {
		next := page[len(page)-1]["id"].(int64)
		answer.header = map[string]string{"Link": fmt.Sprintf(`<%s/app/hook/deliveries?per_page=%d&cursor=%d>; rel="next"`, c.world.apiURL, size, next)}
	}
	return answer
}

func (a attempt) json() object {
	var named struct {
		Repository struct{ ID int64 }
	}
	_ = json.Unmarshal(a.delivery.Payload, &named)
	status := http.StatusText(a.answer.Status)
	switch {
	case a.answer.Status == 0:
		status = "failed to connect to host"
	case a.answer.Status >= 400:
		status = fmt.Sprintf("Invalid HTTP Response: %d", a.answer.Status)
	}
	return object{
		"id": a.id, "guid": a.delivery.GUID, "delivered_at": timestamp(a.at), "redelivery": a.again,
		"duration": a.answer.Took.Seconds(), "status": status, "status_code": a.answer.Status, "event": a.delivery.Event,
		"action": orNull(a.delivery.Action), "installation_id": numberOrNull(a.delivery.Installation),
		"repository_id": numberOrNull(named.Repository.ID), "throttled_at": nil,
	}
}

func numberOrNull(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

// redeliver sends in the background: GitHub answers before it does.
func (c *call) redeliver() response {
	h := c.server.webhooks
	var found *Delivery
	h.update(func() {
		for _, a := range h.attempts {
			if a.id == c.number("delivery") {
				found = a.delivery
				h.queue = append(h.queue, found)
			}
		}
	})
	if found == nil {
		return notFound()
	}
	return response{status: http.StatusAccepted, body: object{}}
}
