package githubtest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// Signature is how a delivery is signed.
type Signature int

// How deliveries can be signed: as GitHub does, and what a service must refuse.
const (
	Signed       Signature = iota // X-Hub-Signature-256, and X-Hub-Signature beside it
	Unsigned                      // no signature, as from a webhook without a secret
	SHA1Only                      // only the old X-Hub-Signature
	WrongSecret                   // signed with another secret
	WrongPayload                  // signature of another payload
)

const hookID = 512_345_678

// newGUID makes a delivery id; the caller holds the lock.
func (h *Webhooks) newGUID() string {
	h.lastGUID++
	sum := sha1.Sum(fmt.Appendf(nil, "delivery %d of %p", h.lastGUID, h))
	sum[6], sum[8] = sum[6]&0x0f|0x10, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// deliver sends once and notes the answer.
func (h *Webhooks) deliver(ctx context.Context, d *Delivery) Answer {
	started := time.Now()
	answer := h.post(ctx, d)
	answer.Took = time.Since(started)
	h.update(func() {
		if len(d.Answers) == 0 {
			h.log = append(h.log, d)
		}
		d.Answers = append(d.Answers, answer)
		h.attempted(d, answer)
	})
	return answer
}

func (h *Webhooks) post(ctx context.Context, d *Delivery) Answer {
	request, err := h.request(ctx, d)
	if err != nil {
		return Answer{Err: err}
	}
	response, err := h.client.Do(request)
	if err != nil {
		return Answer{Err: err}
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	return Answer{Status: response.StatusCode, Body: string(body), Err: err}
}

// request writes a delivery as GitHub does: "Webhook events and payloads", delivery headers.
func (h *Webhooks) request(ctx context.Context, d *Delivery) (*http.Request, error) {
	h.mu.Lock()
	target, form, signature := h.target, h.form, h.signature
	h.mu.Unlock()
	body, contentType := d.Payload, "application/json"
	if form {
		body = []byte(url.Values{"payload": {string(d.Payload)}}.Encode())
		contentType = "application/x-www-form-urlencoded"
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("githubtest: the webhook target %q: %w", target, err)
	}
	r.Header.Set("Accept", "*/*")
	r.Header.Set("Content-Type", contentType)
	r.Header.Set("User-Agent", "GitHub-Hookshot/f1c4a2e")
	r.Header.Set("X-GitHub-Delivery", d.GUID)
	r.Header.Set("X-GitHub-Event", d.Event)
	r.Header.Set("X-GitHub-Hook-ID", strconv.Itoa(hookID))
	r.Header.Set("X-GitHub-Hook-Installation-Target-ID", strconv.FormatInt(h.app.ID, 10))
	r.Header.Set("X-GitHub-Hook-Installation-Target-Type", "integration")
	h.sign(r.Header, body, signature)
	return r, nil
}

func (h *Webhooks) sign(header http.Header, body []byte, how Signature) {
	secret := h.app.WebhookSecret
	switch how {
	case Unsigned:
		return
	case WrongSecret:
		secret = "not " + secret
	case WrongPayload:
		body = append(slices.Clone(body), ' ')
	}
	header.Set("X-Hub-Signature", "sha1="+mac(sha1.New, secret, body))
	if how != SHA1Only {
		header.Set("X-Hub-Signature-256", "sha256="+mac(sha256.New, secret, body))
	}
}

func mac(algorithm func() hash.Hash, secret string, body []byte) string {
	m := hmac.New(algorithm, []byte(secret))
	m.Write(body)
	return hex.EncodeToString(m.Sum(nil))
}
