package prbody

import (
	"fmt"
	"strings"
)

// A claim is one statement of a text about the outcome of a run. Claims of different kinds never
// excuse each other (E4).
type claim struct {
	value    int // a count, or an exit code that is not the expected one
	from, to int // tokens
}

var (
	failWords  = wordSet("failing failed failure failures fail fails")
	errorWords = wordSet("error errors errored")
	passWords  = wordSet("passing passed pass passes ok succeeded successful")
	// nouns may stand between a count and its word, and so may helping verbs.
	nouns    = wordSet("unit integration e2e end-to-end regression lint type compile compiler build runtime console test tests spec specs case cases example examples suite suites check checks assertion assertions file files")
	verbs    = wordSet("is are was were be been being has have had still also now")
	noneWord = wordSet("no zero without none nothing never any nil")
	subjects = wordSet("test tests suite suites spec specs build job run command check checks it lint one two three four five some several many most all both ci pipeline which they")
	// negations before a statement turn it around, and so do words that make it a condition.
	negations = wordSet("no not none nothing never without neither nor zero isn't aren't wasn't weren't don't doesn't didn't hasn't haven't if when whether would expected used that")
	gives     = wordSet("with has have had got gave gives threw throws reports reported shows showed")
	exitWords = wordSet("exit exits exited exit-code exitcode returncode rc")
	exitLinks = wordSet("code status with was is of value a the : = -")
	orderWord = wordSet("before after afterwards first then final finally now fixed rerun re-run reran re-ran → ⇒ ➜ ➔ ⟶")
)

// Contradiction says how a text reports a failure although its verdict is passed; "" when it does
// not. wantExit is the exit code that counts as the pass (C2 `expected`), usually 0.
func Contradiction(text string, wantExit int) string {
	t := tokens{text: text, list: tokenize(text)}
	ordered := t.has(orderWord)
	for _, claims := range [][]claim{t.counts(failWords), t.counts(errorWords), t.exits(wantExit)} {
		if c, bad := unexcused(claims, ordered); bad {
			return fmt.Sprintf("it says %q", t.quote(c.from, c.to))
		}
	}
	if from, to, ok := t.idle(); ok {
		return fmt.Sprintf("it says %q", t.quote(from, to))
	}
	return ""
}

// unexcused finds a claim of a failure without a later zero of its kind in a text that puts runs in
// order (E4).
func unexcused(claims []claim, ordered bool) (claim, bool) {
	lastZero := -1
	for i, c := range claims {
		if c.value == 0 {
			lastZero = i
		}
	}
	for i, c := range claims {
		if c.value != 0 && (!ordered || lastZero < i) {
			return c, true
		}
	}
	return claim{}, false
}

type tokens struct {
	text string
	list []token
}

func (t tokens) word(i int) string {
	if i < 0 || i >= len(t.list) {
		return ""
	}
	return t.list[i].word
}

func (t tokens) number(i int) bool { return i >= 0 && i < len(t.list) && t.list[i].number }

func (t tokens) has(words map[string]bool) bool {
	for _, tok := range t.list {
		if words[tok.word] {
			return true
		}
	}
	return false
}

// quote is the text between two tokens, both included.
func (t tokens) quote(from, to int) string {
	from, to = max(0, from), min(to, len(t.list)-1)
	return printable(t.text[t.list[from].at : t.list[to].at+len(t.list[to].text)])
}

// counts reads the claims of one family of words, in the order of the text. The number of
// `failures: 3` stands after its word, else the one of `3 failures` before it.
func (t tokens) counts(family map[string]bool) []claim {
	var out []claim
	for i := range t.list {
		if !family[t.list[i].word] {
			continue
		}
		if c, ok := t.count(i); ok {
			out = append(out, c)
		}
	}
	return out
}

func (t tokens) count(i int) (claim, bool) {
	if sep := t.word(i + 1); sep == ":" || sep == "=" || sep == "：" {
		if t.number(i + 2) {
			return t.countAfter(i, i+2)
		}
		if noneWord[t.word(i+2)] {
			return claim{from: i, to: i + 2}, true
		}
	}
	if c, ok := t.countBefore(i); ok {
		return c, true
	}
	if t.number(i+1) && t.list[i].word != "error" && !passWords[t.word(i+2)] {
		return claim{value: t.list[i+1].value, from: i, to: i + 1}, true
	}
	return t.bare(i)
}

// countAfter reads `failures: 3`. A singular `error: 404` names an error, it does not count.
func (t tokens) countAfter(i, number int) (claim, bool) {
	if t.list[i].word == "error" {
		return claim{}, false
	}
	return claim{value: t.list[number].value, from: i, to: number}, true
}

// countBefore reads `3 failures`, `2 of 9 tests failed`, `no unit tests failed`.
func (t tokens) countBefore(i int) (claim, bool) {
	j := i - 1
	for nouns[t.word(j)] || verbs[t.word(j)] {
		j--
	}
	if noneWord[t.word(j)] {
		return claim{from: j, to: i}, true
	}
	if !t.number(j) {
		return claim{}, false
	}
	if (t.word(j-1) == "/" || t.word(j-1) == "of") && t.number(j-2) {
		j -= 2
	} else if t.word(j-1) == "of" && t.word(j-2) == "out" && t.number(j-3) {
		j -= 3
	}
	value := t.list[j].value
	if t.list[i].word == "error" && value > 1 {
		return claim{}, false // "a 500 error" is no count
	}
	return claim{value: value, from: j, to: i}, true
}

// bare reads statements without a number: `FAIL`, `the suite failed`, `with errors`.
func (t tokens) bare(i int) (claim, bool) {
	tok := t.list[i]
	if tok.text == strings.ToUpper(tok.text) && (strings.HasPrefix(tok.word, "fail") || tok.word == "errored") {
		return claim{value: 1, from: i, to: i + 1}, !t.negated(i)
	}
	j := i - 1
	for verbs[t.word(j)] || t.word(j) == "some" || t.word(j) == "several" || t.word(j) == "an" {
		if gives[t.word(j)] {
			break
		}
		j--
	}
	subject := subjects[t.word(j)] || gives[t.word(j)] && tok.word != "failed"
	if !subject || tok.word == "failure" || tok.word == "failures" && !gives[t.word(j)] {
		return claim{}, false
	}
	return claim{value: 1, from: j, to: i}, !t.negated(j) && !t.negated(i)
}

// negationReach is how many words before a statement a negation may stand.
const negationReach = 3

func (t tokens) negated(i int) bool {
	for j := max(0, i-negationReach); j <= i; j++ {
		if negations[t.word(j)] || t.number(j) && t.list[j].value == 0 {
			return true
		}
	}
	return false
}

// exits reads exit codes; the value is 0 for the expected one.
func (t tokens) exits(want int) []claim {
	var out []claim
	for i := range t.list {
		if !exitWords[t.list[i].word] && !(t.list[i].word == "return" || t.list[i].word == "returned") {
			continue
		}
		j := i + 1
		for exitLinks[t.word(j)] {
			j++
		}
		if w := t.list[i].word; (w == "return" || w == "returned") && t.word(i+1) != "code" {
			continue
		}
		switch {
		case t.number(j) && t.list[j].value == want:
			out = append(out, claim{from: i, to: j})
		case t.number(j):
			out = append(out, claim{value: 1, from: i, to: j})
		case want == 0 && (t.word(j) == "non-zero" || t.word(j) == "nonzero"):
			out = append(out, claim{value: 1, from: i, to: j})
		}
	}
	return out
}
