package github

import (
	"context"
	"errors"
	"net/http"

	gogithub "github.com/google/go-github/v66/github"
)

// mostUnderWay bounds how many answers one client reads at a time, for all its callers together: GitHub
// refuses more than a hundred ("No more than 100 concurrent requests are allowed" of its rate limits for
// the REST API), what is asked otherwise included.
const mostUnderWay = 64

// get reads one REST answer. The number of the next page is 0 on the last one. What is refused is an
// Error with that permission; message is GitHub's own word for it.
func (c *Client) get(ctx context.Context, doing, needs, address string, into any) (next int, message string, err error) {
	req, err := c.rest.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return 0, "", failure(doing, needs, c.now(), err)
	}
	select {
	case c.room <- struct{}{}:
		defer func() { <-c.room }()
	case <-ctx.Done():
		return 0, "", failure(doing, needs, c.now(), ctx.Err())
	}
	resp, err := c.rest.Do(ctx, req, into)
	if err != nil {
		var refused *gogithub.ErrorResponse
		if errors.As(err, &refused) {
			message = refused.Message
		}
		return 0, message, failure(doing, needs, c.now(), err)
	}
	return resp.NextPage, "", nil
}

// refusedFor is why something cannot be read, when asking again would not help: then it is a missing
// fact. Any other failure is one of the whole Snapshot.
func refusedFor(err error) (reason string, missing bool) {
	var e *Error
	if !errors.As(err, &e) {
		return "", false
	}
	switch e.Kind {
	case Forbidden, NotFound, Invalid, TooLarge:
		return e.Message, true
	}
	return "", false
}
