package intake

import (
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
)

// MaxBody is the limit GitHub keeps to itself (documentation, "Webhook events and payloads": 25 MB).
const MaxBody = 25 << 20

const (
	// usualBody is more than almost every payload has.
	usualBody = 1 << 20
	// largeAtOnce bounds the memory that senders can take before their signature is checked.
	largeAtOnce = 4
)

// bodyReader reads bodies as sent, within the limit, few large ones at a time.
type bodyReader struct{ large chan struct{} }

func newBodyReader() bodyReader { return bodyReader{make(chan struct{}, largeAtOnce)} }

func (b bodyReader) read(r *http.Request) ([]byte, *answer) {
	if r.ContentLength > MaxBody {
		return nil, tooLarge()
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, usualBody))
	if err == nil && len(body) == usualBody {
		select {
		case b.large <- struct{}{}:
			defer func() { <-b.large }()
		case <-r.Context().Done():
			return nil, unreadable()
		}
		var rest []byte
		rest, err = io.ReadAll(io.LimitReader(r.Body, MaxBody-usualBody+1))
		body = append(body, rest...)
	}
	if err != nil {
		return nil, unreadable()
	}
	if len(body) > MaxBody {
		return nil, tooLarge()
	}
	return body, nil
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
