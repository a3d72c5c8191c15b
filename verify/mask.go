package verify

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// masked stands where a secret stood.
const masked = "***"

// longestSecret bounds how far a secret may reach in an output that is not kept whole: a private key
// of 4096 bits has 3 kB. shortestSecret keeps values such as 1 and true from blanking the output.
const (
	longestSecret  = 8 << 10
	shortestSecret = 6
)

// shape is how the secrets of one kind look: what they begin with, and what follows.
type shape struct {
	prefix string
	rest   *regexp.Regexp
	word   bool // the prefix is one only at the start of a word
	from   int  // the group of rest that is the secret; 0 is all, with the prefix
}

func shaped(prefix, rest string) shape {
	return shape{prefix: prefix, rest: regexp.MustCompile(`^(?:` + rest + `)`)}
}

func shapedWord(prefix, rest string) shape {
	s := shaped(prefix, rest)
	s.word = true
	return s
}

func shapedIn(prefix, rest string) shape {
	s := shaped(prefix, rest)
	s.from = 1
	return s
}

// shapes are the common forms of tokens, as their issuers describe them.
var shapes = []shape{
	shaped("ghp_", `[A-Za-z0-9]{20,}`),
	shaped("gho_", `[A-Za-z0-9]{20,}`),
	shaped("ghu_", `[A-Za-z0-9]{20,}`),
	shaped("ghs_", `[A-Za-z0-9._-]{20,}`),
	shaped("ghr_", `[A-Za-z0-9]{20,}`),
	shaped("github_pat_", `[A-Za-z0-9_]{20,}`),
	shaped("glpat-", `[A-Za-z0-9_.-]{20,}`),
	shaped("npm_", `[A-Za-z0-9]{36,}`),
	shaped("pypi-", `[A-Za-z0-9_-]{50,}`),
	shaped("hf_", `[A-Za-z0-9]{30,}`),
	shaped("xoxb-", `[A-Za-z0-9-]{10,}`),
	shaped("xoxp-", `[A-Za-z0-9-]{10,}`),
	shaped("xoxa-", `[A-Za-z0-9-]{10,}`),
	shaped("xapp-", `[A-Za-z0-9-]{10,}`),
	shapedWord("AKIA", `[A-Z0-9]{16}`),
	shapedWord("ASIA", `[A-Z0-9]{16}`),
	shaped("AIza", `[A-Za-z0-9_-]{35}`),
	shapedWord("sk-", `[A-Za-z0-9_-]{20,}`),
	shaped("sk_live_", `[A-Za-z0-9]{16,}`),
	shaped("rk_live_", `[A-Za-z0-9]{16,}`),
	shapedWord("SG.", `[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`),
	shaped("dop_v1_", `[a-f0-9]{32,}`),
	shaped("dckr_pat_", `[A-Za-z0-9_-]{20,}`),
	shapedWord("eyJ", `[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*`), // a JSON Web Token
	shaped("-----BEGIN ", `(?s:[A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|\z))`),
	shapedIn("earer ", `([A-Za-z0-9._~+/=-]{16,})`),
	shapedIn("uthorization: Basic ", `([A-Za-z0-9+/=]{8,})`),
	shapedIn("://", `[^\s/@:]*:([^\s/@]+)@`), // the password in an address
}

// masker finds secrets: known values, and what looks like one.
type masker struct{ values [][]byte }

// newMasker takes the values that nothing may show. Of a value of several lines each line is one,
// since outputs indent and wrap them.
func newMasker(secrets []string) masker {
	var m masker
	for _, secret := range secrets {
		for _, part := range append(strings.FieldsFunc(secret, func(c rune) bool { return c == '\n' || c == '\r' }), secret) {
			part = strings.TrimSpace(part)
			if len(part) < shortestSecret {
				continue
			}
			part = part[:min(len(part), longestSecret)]
			m.values = append(m.values, []byte(part))
			for _, written := range []string{asJSON(part), url.QueryEscape(part)} {
				if written != part {
					m.values = append(m.values, []byte(written))
				}
			}
		}
	}
	return m
}

// asJSON is a value as it stands between the quotes of a JSON text.
func asJSON(value string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return value
	}
	return strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(out.String()), `"`), `"`)
}

// span is a part of a text.
type span struct{ from, to int }

// spans are the secrets of a text, in order and without overlaps.
func (m masker) spans(text []byte) []span {
	var found []span
	for _, value := range m.values {
		for at := range occurrences(text, value) {
			found = append(found, span{at, at + len(value)})
		}
	}
	for _, s := range shapes {
		end := 0 // of the last one: what repeats its prefix is looked at once
		for at := range occurrences(text, []byte(s.prefix)) {
			if at < end {
				continue
			}
			if secret, ok := s.at(text, at); ok {
				found, end = append(found, secret), secret.to
			}
		}
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Or(a.from-b.from, a.to-b.to) })
	var joined []span
	for _, s := range found {
		if last := len(joined) - 1; last >= 0 && s.from <= joined[last].to {
			joined[last].to = max(joined[last].to, s.to)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// at is the secret of this shape whose prefix stands at a place.
func (s shape) at(text []byte, at int) (span, bool) {
	if s.word && at > 0 && isWord(text[at-1]) {
		return span{}, false
	}
	rest := at + len(s.prefix)
	m := s.rest.FindSubmatchIndex(text[rest:min(len(text), rest+longestSecret)])
	switch {
	case m == nil:
		return span{}, false
	case s.from > 0:
		return span{rest + m[2*s.from], rest + m[2*s.from+1]}, true
	}
	return span{at, rest + m[1]}, true
}

func isWord(c byte) bool {
	return c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

// occurrences are the places where a part begins; they do not overlap.
func occurrences(text, part []byte) func(func(int) bool) {
	return func(yield func(int) bool) {
		for from := 0; ; {
			at := bytes.Index(text[from:], part)
			if at < 0 || !yield(from+at) {
				return
			}
			from += at + len(part)
		}
	}
}

// mask is the part of a text from one place to another, with the secrets of the whole text masked:
// one that only reaches into the part is masked there.
func (m masker) mask(text []byte, from, to int) []byte {
	var out []byte
	at := from
	for _, s := range m.spans(text) {
		if s.to <= at || s.from >= to {
			continue
		}
		out = append(out, text[at:max(at, s.from)]...)
		out = append(out, masked...)
		at = s.to
	}
	if at < to {
		out = append(out, text[at:to]...)
	}
	return out
}

// text masks a text that is not an output.
func (m masker) text(s string) string { return string(m.mask([]byte(s), 0, len(s))) }
