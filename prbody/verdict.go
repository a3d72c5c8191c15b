package prbody

import (
	"strings"
	"unicode"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// Verdict is one of the four words of E4.
type Verdict string

// The verdicts of E4.
const (
	Passed  Verdict = "passed"
	Failed  Verdict = "failed"
	Blocked Verdict = "blocked"
	NotRun  Verdict = "not run"
)

var verdicts = []Verdict{Passed, Failed, Blocked, NotRun}

// Verdict reads the entry's verdict: exactly one of the four words, with case, a leading emoji and
// a final full stop ignored. Emphasis and code marks are gone already.
func (v Value) Verdict() (Verdict, bool) {
	word := foldVerdict(v.Text)
	for _, known := range verdicts {
		if word == string(known) {
			return known, true
		}
	}
	return "", false
}

func foldVerdict(s string) string {
	s = strings.TrimSpace(s[markdown.LeadingEmoji(s):])
	s = strings.TrimSuffix(s, ".")
	return strings.ToLower(strings.Join(strings.Fields(markdown.StripInvisible(s)), " "))
}

// verdictSynonyms are words that people write for a verdict; they are never taken for one.
var verdictSynonyms = map[string]Verdict{
	"pass": Passed, "passes": Passed, "passing": Passed, "ok": Passed, "okay": Passed, "success": Passed, "successful": Passed,
	"succeeded": Passed, "green": Passed, "done": Passed, "yes": Passed, "verified": Passed,
	"fail": Failed, "fails": Failed, "failing": Failed, "failure": Failed, "red": Failed, "error": Failed, "broken": Failed, "no": Failed,
	"block": Blocked, "blocking": Blocked, "waiting": Blocked,
	"skipped": NotRun, "skip": NotRun, "pending": NotRun, "not": NotRun, "todo": NotRun, "n/a": NotRun, "untested": NotRun,
}

// NearestVerdict is the verdict that the text probably means, to be named in a message.
func (v Value) NearestVerdict() Verdict {
	text := foldVerdict(v.Text)
	first := strings.TrimFunc(text, unicode.IsPunct)
	if i := strings.IndexFunc(first, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) && r != '/' }); i > 0 {
		first = first[:i]
	}
	if near, ok := verdictSynonyms[first]; ok {
		return near
	}
	best, edits := Passed, len(text)+len(Passed)
	for _, known := range verdicts {
		if n := markdown.Distance(first, string(known)); n < edits {
			best, edits = known, n
		}
	}
	return best
}

// placeholders are texts that stand for evidence that was never written (E4).
var placeholders = map[string]bool{"tbd": true, "todo": true, "n/a": true, "na": true, "none": true, "pending": true, "no response": true}

// longestPlaceholder is the length of "no response".
const longestPlaceholder = 11

// maxPlaceholder is longer than every placeholder with the punctuation that may stand around it.
const maxPlaceholder = 64

// Placeholder reports whether a text is missing or only a placeholder (E4).
func Placeholder(text string) bool {
	text = strings.TrimSpace(markdown.StripInvisible(text))
	if strings.HasPrefix(text, "REPLACE") {
		return true
	}
	if strings.HasPrefix(text, "<") && strings.IndexAny(text[1:], "<>\n") == len(text)-2 && strings.HasSuffix(text, ">") {
		return true
	}
	if strings.HasPrefix(text, "[") && strings.IndexByte(text, ']') == len(text)-1 {
		return true
	}
	for _, word := range []string{"TODO", "TBD"} {
		if rest, is := strings.CutPrefix(text, word); is && strings.IndexAny(strings.TrimSpace(rest), ":-–—,") == 0 {
			return true
		}
	}
	if len(text) > maxPlaceholder && letterOrDigit(rune(text[0])) {
		return false
	}
	bare := strings.TrimFunc(text, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) })
	if bare == "" {
		return strings.IndexFunc(text, unicode.IsSymbol) < 0
	}
	return len(bare) <= longestPlaceholder && placeholders[strings.ToLower(bare)]
}

// concrete reports whether anything is left of the text once verdict words, cheers and hedges are
// taken away (E4).
func (t tokens) concrete() bool {
	for i := range t.list {
		if t.list[i].meanings&hollow == 0 && strings.IndexFunc(t.list[i].word, letterOrDigit) >= 0 {
			return true
		}
	}
	return false
}

func letterOrDigit(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// stackTokens is how many tokens of a text need no memory of their own.
const stackTokens = 48

// Observed reports whether a result says what was seen: something is left once counts, verdict
// words and cheers are taken away (section 5, rule 5).
func Observed(result string) bool {
	var buf [stackTokens]token
	for _, t := range tokenize(markdown.StripInvisible(result), buf[:0]).list {
		if t.meanings&hollow == 0 && strings.IndexFunc(t.word, unicode.IsLetter) >= 0 {
			return true
		}
	}
	return false
}
