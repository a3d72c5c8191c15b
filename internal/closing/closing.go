// Package closing reads the issues that a pull request body closes by GitHub's keywords (GitHub
// docs, "Linking a pull request to an issue"; design section 14, Loading). GitHub itself links them
// only when the base is the default branch; on other bases the loader falls back to this.
package closing

import (
	"strconv"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// Reference is an issue that the body closes. Repository is "owner/name", "" for the pull request's
// own; Host is "" unless the reference is a URL.
type Reference struct {
	Host       string
	Repository string
	Number     int
}

// Most bounds how many different issues are returned; nobody closes more at once.
const Most = 50

// keywords are GitHub's closing keywords.
var keywords = map[string]bool{
	"close": true, "closes": true, "closed": true,
	"fix": true, "fixes": true, "fixed": true,
	"resolve": true, "resolves": true, "resolved": true,
}

// References are the issues that the live text of a body closes, each once, in order; more says that
// there are further ones than Most. Code, quotes and comments close nothing. The error is that of a
// document that cannot be read (M1).
func References(body string) (found []Reference, more bool, err error) {
	d, err := markdown.Parse(body)
	if err != nil {
		return nil, false, err
	}
	seen := map[Reference]bool{}
	for _, line := range d.LiveLines() {
		for _, r := range inLine(line) {
			switch {
			case seen[r]:
			case len(found) == Most:
				return found, true, nil
			default:
				seen[r] = true
				found = append(found, r)
			}
		}
	}
	return found, false, nil
}

func inLine(l markdown.Line) []Reference {
	var out []Reference
	text := l.Text
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && letter(text[end]) {
			end++
		}
		if end == i {
			i++
			continue
		}
		if keywords[strings.ToLower(text[i:end])] && !l.InCode(i) && (i == 0 || !wordByte(text[i-1])) {
			if r, length := reference(text[end:]); length > 0 && !l.InCode(end+length-1) {
				out = append(out, r)
				end += length
			}
		}
		i = end
	}
	return out
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func wordByte(c byte) bool { return letter(c) || c >= '0' && c <= '9' || c == '_' || c == '-' }

// reference reads `: #12`, ` owner/name#12`, ` GH-12` or ` https://HOST/owner/name/issues/12` after a
// keyword, and how long it is; 0 when there is none.
func reference(s string) (Reference, int) {
	rest := strings.TrimPrefix(s, ":")
	trimmed := strings.TrimLeft(rest, " ")
	if len(trimmed) == len(rest) {
		return Reference{}, 0 // a space must follow the keyword
	}
	word := trimmed
	if i := strings.IndexAny(word, " \t"); i >= 0 {
		word = word[:i]
	}
	r, used, ok := parse(word)
	if !ok {
		return Reference{}, 0
	}
	return r, len(s) - len(trimmed) + used
}

func parse(word string) (r Reference, used int, ok bool) {
	for _, scheme := range []string{"https://", "http://"} {
		if rest, is := strings.CutPrefix(word, scheme); is {
			r, used, ok = url(rest)
			return r, used + len(scheme), ok
		}
	}
	if len(word) > 3 && strings.EqualFold(word[:3], "gh-") {
		r.Number, used, ok = number(word[3:])
		return r, used + 3, ok
	}
	before, after, is := strings.Cut(word, "#")
	if !is || before != "" && !fullName(before) {
		return r, 0, false
	}
	r.Repository = before
	r.Number, used, ok = number(after)
	return r, len(before) + 1 + used, ok
}

func url(rest string) (r Reference, used int, ok bool) {
	parts := strings.SplitN(rest, "/", 5)
	if len(parts) < 5 || parts[3] != "issues" && parts[3] != "pull" {
		return r, 0, false
	}
	r.Host, r.Repository = strings.ToLower(parts[0]), parts[1]+"/"+parts[2]
	if !fullName(r.Repository) {
		return r, 0, false
	}
	r.Number, used, ok = number(parts[4])
	return r, len(rest) - len(parts[4]) + used, ok
}

// maxDigits bounds a number; GitHub's stay far below.
const maxDigits = 10

// number reads the digits at the start of s; a word may not go on after them.
func number(s string) (n, used int, ok bool) {
	for used < len(s) && s[used] >= '0' && s[used] <= '9' {
		used++
	}
	if used == 0 || used > maxDigits || used < len(s) && wordByte(s[used]) {
		return 0, 0, false
	}
	n, err := strconv.Atoi(s[:used])
	return n, used, err == nil && n > 0
}

// fullName reports whether s has the form of "owner/name".
func fullName(s string) bool {
	owner, name, ok := strings.Cut(s, "/")
	return ok && owner != "" && name != "" && strings.Trim(strings.ToLower(owner+name), "abcdefghijklmnopqrstuvwxyz0123456789-_.") == ""
}
