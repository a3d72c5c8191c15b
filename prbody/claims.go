package prbody

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// A claim is one statement of a text about the outcome of a run. Claims of different kinds never
// excuse each other (E4).
type claim struct {
	value    int // a count, or an exit code that is not the expected one
	from, to int // tokens
}

// Weigh reads an evidence text once for both questions of E4: how it reports a failure, "" when it
// does not, and whether it says anything concrete. wantExit is the exit code that counts as the
// pass (C2 `expected`), usually 0.
func Weigh(text string, wantExit int) (failure string, concrete bool) {
	var buf [stackTokens]token
	t := tokenize(markdown.StripInvisible(text), buf[:0])
	return t.contradiction(wantExit), t.concrete()
}

// contradiction says how the text reports a failure, "" when it does not (E4).
func (t tokens) contradiction(wantExit int) string {
	for _, c := range []func() (claim, bool){
		func() (claim, bool) { return t.unexcused(t.counts(failWord)) },
		func() (claim, bool) { return t.unexcused(t.counts(errorWord)) },
		func() (claim, bool) { return t.unexcused(t.exits(wantExit)) },
		func() (claim, bool) { return t.unexcused(t.partial()) },
		t.notPassed,
		t.idle,
	} {
		if found, bad := c(); bad {
			return fmt.Sprintf("it says %q", t.quote(found.from, found.to))
		}
	}
	return ""
}

// unexcused finds a claim of a failure without a later zero of its kind in a text that puts runs in
// order (E4).
func (t tokens) unexcused(claims []claim) (claim, bool) {
	lastZero, bad := -1, false
	for i, c := range claims {
		if c.value == 0 {
			lastZero = i
		} else {
			bad = true
		}
	}
	if !bad {
		return claim{}, false
	}
	ordered := t.has(ordering)
	for i, c := range claims {
		if c.value != 0 && (!ordered || lastZero < i) {
			return c, true
		}
	}
	return claim{}, false
}

// counts reads the claims of one family of words, in the order of the text. The number of
// `failures: 3` stands after its word, else the one of `3 failures` before it.
func (t tokens) counts(family meaning) []claim {
	var out []claim
	for i := range t.list {
		if t.list[i].meanings&family == 0 {
			continue
		}
		if c, ok := t.count(i); ok {
			out = append(out, c)
		}
	}
	return out
}

func (t tokens) count(i int) (claim, bool) {
	if t.word(i-1) == "longer" { // "no longer fails"
		return claim{}, false
	}
	if t.colon(i + 1) {
		if t.number(i + 2) {
			return t.countAfter(i, i+2)
		}
		if t.is(i+2, noneWord) {
			return claim{from: i, to: i + 2}, true
		}
	}
	if t.sign(i+1, `"`) && t.colon(i+2) && t.number(i+3) { // JSON
		return t.countAfter(i, i+3)
	}
	if t.number(i-1) && t.colon(i-2) && t.colon(i+2) && t.number(i+3) { // "Requests: 1000 Failed requests: 0"
		return t.countAfter(i, i+3)
	}
	if c, ok := t.countBefore(i); ok {
		return c, true
	}
	if n := t.numberAfter(i); n > 0 {
		return claim{value: t.list[n].value, from: i, to: n}, true
	}
	return t.bare(i)
}

// numberAfter finds the number of `fail 3`, `failures (3)` and `failed test cases: 3`; 0 when there
// is none.
func (t tokens) numberAfter(i int) int {
	if t.singularError(i) {
		return 0
	}
	if t.number(i+1) && !t.is(i+2, passWord) {
		return i + 1
	}
	if plural := t.word(i); (plural == "failures" || plural == "errors") && t.sign(i+1, "(") && t.number(i+2) {
		return i + 2
	}
	j := i + 1
	for t.is(j, noun) {
		j++
	}
	if j > i+1 && t.colon(j) && t.number(j+1) {
		return j + 1
	}
	return 0
}

// colon reports whether the token at i parts a word from its number.
func (t tokens) colon(i int) bool { return t.sign(i, ":=：") }

func (t tokens) singularError(i int) bool {
	return strings.EqualFold(t.list[i].word, "error")
}

// countAfter reads `failures: 3`. A singular `error: 404` names an error, it does not count.
func (t tokens) countAfter(i, number int) (claim, bool) {
	if t.singularError(i) {
		return claim{}, false
	}
	return claim{value: t.list[number].value, from: i, to: number}, true
}

// countBefore reads `3 failures`, `2 of 9 tests failed`, `no unit tests failed`.
func (t tokens) countBefore(i int) (claim, bool) {
	j := i - 1
	for t.is(j, noun|verb) {
		j--
	}
	if t.is(j, noneWord) {
		return claim{from: j, to: i}, true
	}
	if t.is(j, someWord) && strings.HasPrefix(t.word(i), "failur") || t.is(j, someWord) && t.word(i) == "failing" {
		return claim{value: 1, from: j, to: i}, !t.negated(j)
	}
	if !t.number(j) {
		return claim{}, false
	}
	switch {
	case (t.sign(j-1, "/") || t.word(j-1) == "of") && t.number(j-2):
		j -= 2
	case t.word(j-1) == "of" && t.word(j-2) == "out" && t.number(j-3):
		j -= 3
	}
	value := t.list[j].value
	if t.singularError(i) && value > 1 {
		return claim{}, false // "a 500 error" is no count
	}
	return claim{value: value, from: j, to: i}, true
}

// bare reads statements without a number: `FAIL`, `the suite failed`, `with errors`.
func (t tokens) bare(i int) (claim, bool) {
	if t.shouted(i) || t.diagnosed(i) {
		return claim{value: 1, from: i, to: i + 1}, !t.negated(i)
	}
	j := i - 1
	for t.is(j, verb|article) && !t.is(j, gives) {
		j--
	}
	if t.named(j) || t.happened(i, j) {
		return claim{value: 1, from: max(0, j-1), to: i + 1}, !t.negated(i)
	}
	word := t.word(i)
	given := t.is(j, gives) && !noteOf[t.word(i+1)]
	for k := j; t.is(k, verb) && t.is(k, gives) && !t.is(k, subject); k-- {
		if t.is(k-1, subject) { // "tests have failed"
			j = k - 1
			break
		}
	}
	if t.is(j, someWord) && t.plainWord(i+1) { // "one failed login"
		return claim{}, false
	}
	stated := t.is(j, subject) || given && word != "failed"
	if !stated || word == "failure" || word == "failures" && !given {
		return claim{}, false
	}
	return claim{value: 1, from: j, to: i}, !t.negated(j) && !t.negated(i)
}

// shouted reports whether the word at i is a failure in capitals, as tools print it. `HTTP ERROR
// 404` and `level ERROR` name something that was looked at.
func (t tokens) shouted(i int) bool {
	tok := t.list[i]
	return tok.meanings&shoutingWord != 0 && tok.word == strings.ToUpper(tok.word) &&
		!(t.singularError(i) && t.number(i+1)) && t.word(i-1) != "level" && !noteOf[t.word(i+1)]
}

// noteOf are words after "error" with which it is no error but what tells of one.
var noteOf = wordSet("message messages page pages code codes text toast banner boundary handling handler response body level levels log logs")

// maxExit is the largest exit code of a process.
const maxExit = 255

// diagnosed reports whether the word at i is an error as compilers and make print it:
// `a.ts(1,2): error TS2322`, `error[E0308]`, `*** [test] Error 1`, `failed to compile`.
func (t tokens) diagnosed(i int) bool {
	if t.word(i) == "failed" {
		return t.word(i+1) == "to" && (t.word(i+2) == "compile" || t.word(i+2) == "build")
	}
	if !t.singularError(i) {
		return false
	}
	if t.number(i + 1) {
		return t.sign(i-1, "]") && t.list[i+1].value > 0 && t.list[i+1].value <= maxExit
	}
	return t.sign(i-1, ":") && t.numbered(i+1) || t.sign(i+1, "[") && t.numbered(i+2)
}

// numbered reports whether the token at i is a code such as TS2322 or E0308.
func (t tokens) numbered(i int) bool {
	if i >= len(t.list) {
		return false
	}
	word := t.list[i].word
	digits := strings.TrimLeft(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return digits != word && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// named reports whether a colon at i ends the name of a result: `status: failed`.
func (t tokens) named(i int) bool { return t.colon(i) && resultNames[t.word(i-1)] }

var resultNames = wordSet("status conclusion result outcome")

// happened reports whether the word at i is said to have come up, and not only as the quoted text of
// what was looked at: `an error occurred`, `errors were found`. before is the token before it and
// its article.
func (t tokens) happened(i, before int) bool {
	j := i + 1
	for t.is(j, verb) {
		j++
	}
	return (t.word(j) == "occurred" || j > i+1 && t.word(j) == "found") && !t.sign(before, "\"'“‘«`")
}

// negationReach is how many words before a statement a negation may stand.
const negationReach = 3

func (t tokens) negated(i int) bool {
	for j := max(0, i-negationReach); j <= i; j++ {
		if t.is(j, negation) || t.number(j) && t.list[j].value == 0 {
			return true
		}
	}
	return false
}

// exits reads exit codes; the value is 0 for the expected one.
func (t tokens) exits(want int) []claim {
	var out []claim
	for i := range t.list {
		if !t.is(i, exitWord) && !(t.is(i, returnWord) && t.word(i+1) == "code") {
			continue
		}
		if want == 0 && t.nonZero(i-1) && !t.negated(i-1) {
			out = append(out, claim{value: 1, from: i - 1, to: i})
			continue
		}
		j := i + 1
		for t.is(j, exitLink) {
			j++
		}
		if t.sign(j, "(") && t.sign(j+2, ")") { // "exit(1)"
			j++
		}
		switch {
		case t.number(j) && t.list[j].value == want:
			out = append(out, claim{from: i, to: j})
		case t.number(j):
			out = append(out, claim{value: 1, from: i, to: j})
		case want == 0 && t.nonZero(j):
			out = append(out, claim{value: 1, from: i, to: j})
		}
	}
	return out
}

func (t tokens) nonZero(i int) bool { return t.word(i) == "non-zero" || t.word(i) == "nonzero" }
