package intake

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// checkSecrets refuses an empty secret: anybody could sign with it.
func checkSecrets(secrets []string) ([][]byte, error) {
	if len(secrets) == 0 {
		return nil, errors.New("webhook_secret: expected at least one secret, found none: set the one from the App's settings")
	}
	var checked [][]byte
	for i, secret := range secrets {
		if strings.TrimSpace(secret) == "" {
			return nil, fmt.Errorf("webhook_secret: secret %d of %d is empty: remove the stray comma or set it", i+1, len(secrets))
		}
		checked = append(checked, []byte(secret))
	}
	return checked, nil
}

// signatureOf reads X-Hub-Signature-256, before the body is read: what is not signed is not worth it.
func signatureOf(header http.Header) ([]byte, *answer) {
	given := header.Get("X-Hub-Signature-256")
	if given == "" {
		if header.Get("X-Hub-Signature") != "" {
			return nil, unauthorized("sha1_only", "only a SHA-1 signature was sent (X-Hub-Signature): expected X-Hub-Signature-256")
		}
		return nil, unauthorized("unsigned", "no signature was sent: expected X-Hub-Signature-256; set the webhook's secret on GitHub")
	}
	digits, ok := strings.CutPrefix(given, "sha256=")
	signature, err := hex.DecodeString(digits)
	if !ok || err != nil || len(signature) != sha256.Size {
		return nil, unauthorized("bad_signature", "the signature has the wrong form: expected X-Hub-Signature-256: sha256= and 64 hexadecimal digits")
	}
	return signature, nil
}

// verify checks the signature over the bytes as sent. Every secret is tried, so that the time taken
// does not tell which one matched.
func verify(signature, body []byte, secrets [][]byte) *answer {
	matches := 0
	for _, secret := range secrets {
		mac := hmac.New(sha256.New, secret)
		mac.Write(body)
		if hmac.Equal(signature, mac.Sum(nil)) {
			matches++
		}
	}
	if matches == 0 {
		return unauthorized("bad_signature", "the signature is wrong: webhook_secret here and the secret in the App's settings differ, or the body was changed on its way")
	}
	return nil
}

func unauthorized(outcome, message string) *answer {
	return &answer{http.StatusUnauthorized, outcome, message}
}
