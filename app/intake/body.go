package intake

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"time"
)

// MaxBody is the limit GitHub keeps to itself (documentation, "Webhook events and payloads": 25 MB).
const MaxBody = 25 << 20

// tiers bound the memory that senders can take before their signature is checked: how many bodies may
// be held at a time that are larger than the tier before. Together they stay under 150 MiB, and slow or
// large bodies never keep the usual ones waiting: almost every payload is within the first tier.
var tiers = []tier{
	{size: 128 << 10, atOnce: 512},
	{size: 1 << 20, atOnce: 16},
	{size: MaxBody + 1, atOnce: 2},
}

type tier struct{ size, atOnce int }

// bodyReader reads bodies as sent, within the limit and the tiers.
type bodyReader struct {
	places   []chan struct{} // of each tier
	patience time.Duration   // how long a body waits for a place
}

func newBodyReader() bodyReader {
	b := bodyReader{patience: 5 * time.Second} // GitHub gives up after 10
	for _, t := range tiers {
		b.places = append(b.places, make(chan struct{}, t.atOnce))
	}
	return b
}

// read gives the body, which counts as held until release is called.
func (b bodyReader) read(r *http.Request) (body []byte, release func(), refused *answer) {
	var taken []chan struct{}
	release = func() {
		for _, places := range taken {
			<-places
		}
	}
	if r.ContentLength > MaxBody {
		return nil, release, tooLarge()
	}
	for i, t := range tiers {
		if !b.enter(r.Context(), b.places[i]) {
			return nil, release, busy()
		}
		taken = append(taken, b.places[i])
		var whole bool
		var err error
		if body, whole, err = fill(body, r, t.size); err != nil {
			return nil, release, unreadable()
		}
		if whole {
			return body, release, nil
		}
	}
	return nil, release, tooLarge()
}

func (b bodyReader) enter(ctx context.Context, places chan struct{}) bool {
	select {
	case places <- struct{}{}:
		return true
	default:
	}
	ctx, cancel := context.WithTimeout(ctx, b.patience)
	defer cancel()
	select {
	case places <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// fill reads on until the body is over or has size bytes. The space is taken at once: growing step by
// step would leave several times as much behind.
func fill(body []byte, r *http.Request, size int) (filled []byte, whole bool, err error) {
	room := size
	if r.ContentLength >= 0 && r.ContentLength < int64(size) {
		room = int(r.ContentLength) + 1 // for the end to be seen
	}
	filled = make([]byte, room)
	n := copy(filled, body)
	more, err := io.ReadFull(r.Body, filled[n:])
	n += more
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		// net/http says so itself when the body is shorter than announced: then there is no end.
		if r.ContentLength >= 0 && int64(n) < r.ContentLength {
			return nil, false, io.ErrUnexpectedEOF
		}
		return filled[:n], true, nil
	}
	return filled[:n], false, err
}

func busy() *answer {
	return &answer{http.StatusServiceUnavailable, "busy", "too many large or slow deliveries at a time: redeliver it later"}
}

func unreadable() *answer {
	return &answer{http.StatusBadRequest, "malformed", "the body ended early or could not be read"}
}

func tooLarge() *answer {
	return &answer{http.StatusRequestEntityTooLarge, "too_large", fmt.Sprintf("the body is over %d bytes", MaxBody)}
}

// payloadOf finds the JSON in the two content types that GitHub's webhooks can be set to.
func payloadOf(header http.Header, body []byte) ([]byte, *answer) {
	kind, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	switch {
	case err == nil && kind == "application/json":
		return body, nil
	case err == nil && kind == "application/x-www-form-urlencoded":
		form, err := url.ParseQuery(string(body))
		if err != nil || len(form["payload"]) != 1 {
			return nil, &answer{http.StatusBadRequest, "malformed", "expected a form with one field, payload"}
		}
		return []byte(form.Get("payload")), nil
	}
	return nil, &answer{
		http.StatusUnsupportedMediaType, "content_type",
		"expected Content-Type application/json or application/x-www-form-urlencoded",
	}
}

// guidPattern takes GitHub's GUIDs and those of its Enterprise Server, and nothing that could do harm
// in a log.
var guidPattern = regexp.MustCompile(`^[A-Za-z0-9-]{1,100}$`)

func identify(header http.Header) (name, guid string, refused *answer) {
	name, guid = header.Get("X-GitHub-Event"), header.Get("X-GitHub-Delivery")
	switch {
	case name == "":
		return "", "", &answer{http.StatusBadRequest, "malformed", "expected the header X-GitHub-Event, found none"}
	case guid == "":
		return "", "", &answer{http.StatusBadRequest, "malformed", "expected the header X-GitHub-Delivery, found none"}
	case !guidPattern.MatchString(guid):
		return "", "", &answer{http.StatusBadRequest, "malformed", "expected X-GitHub-Delivery as a GUID"}
	case len(name) > 100:
		return "", "", &answer{http.StatusBadRequest, "malformed", "expected X-GitHub-Event as the name of an event"}
	}
	return name, guid, nil
}
