package github

import (
	"context"
	"errors"
	"fmt"
	"time"

	gogithub "github.com/google/go-github/v66/github"
)

// Delivery is one sending of a webhook. One that is sent again has the same GUID and another id.
type Delivery struct {
	ID     int64
	GUID   string
	At     time.Time
	Status int // what the receiver answered; 0 when it did not
	Event  string
}

// Delivered reports whether the receiver took it.
func (d Delivery) Delivered() bool { return d.Status >= 200 && d.Status < 300 }

// Deliveries is a page of the App's deliveries, newest first, and the cursor of the next one, empty on
// the last. GitHub keeps deliveries for some days.
func (a *App) Deliveries(ctx context.Context, cursor string) (page []Delivery, next string, err error) {
	const doing = "list the App's deliveries"
	listed, resp, err := a.rest.Apps.ListHookDeliveries(ctx, &gogithub.ListCursorOptions{PerPage: pageSize, Cursor: cursor})
	if err != nil {
		return nil, "", a.failure(doing, err)
	}
	for _, d := range listed {
		if d.GetID() == 0 || d.GetGUID() == "" {
			return nil, "", unreadable(doing)
		}
		page = append(page, Delivery{ID: d.GetID(), GUID: d.GetGUID(), At: d.GetDeliveredAt().Time, Status: d.GetStatusCode(), Event: d.GetEvent()})
	}
	if resp.Cursor == cursor && cursor != "" {
		return nil, "", &Error{Kind: Incomplete, Operation: doing, Message: "GitHub promises a further page and does not lead to it: try again"}
	}
	return page, resp.Cursor, nil
}

// Redeliver asks for a delivery to be sent again. It returns before that happens.
func (a *App) Redeliver(ctx context.Context, id int64) error {
	_, _, err := a.rest.Apps.RedeliverHookDelivery(ctx, id)
	var accepted *gogithub.AcceptedError
	if err == nil || errors.As(err, &accepted) {
		return nil
	}
	return a.failure(fmt.Sprintf("ask for the delivery %d again", id), err)
}
