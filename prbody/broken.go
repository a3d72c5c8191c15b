package prbody

import (
	"strconv"
	"strings"
)

// notPasses are statements that tests did not pass or did not come to their end (E4).
var notPasses = []phrase{
	words("test tests spec specs suite suites check checks case cases build", "did do does", "not", "pass succeed"),
	words("test tests spec specs suite suites check checks case cases build", "didn't don't doesn't", "pass succeed"),
	words("not", "ok"), // TAP
	words("all everything", "but", "one two three four five some a few"),
	words("all everything", "? test tests spec specs", "pass passed passes passing", "except"),
	words("test tests suite build ci pipeline", "is are", "red"),
	words("does did do", "not", "compile build"),
	words("doesn't didn't don't won't", "compile build"),
	words("test tests suite suites spec specs run job build command process it", "? has have", "timed", "out"),
	words("test tests suite suites spec specs run job build command process it", "? was were has have is got", "? been",
		"aborted interrupted killed crashed hangs hung"),
	words("command", "not", "found"),
	words("segmentation", "fault"),
	words("core", "dumped"),
}

// cutShort are the first words of a text that tells how the run ended.
var cutShort = wordSet("aborted interrupted killed crashed hangs hung")

// notPassed finds a statement that tests did not pass, unless the text puts runs in order.
func (t tokens) notPassed() (claim, bool) {
	if cutShort[t.word(0)] || t.word(0) == "timed" && t.word(1) == "out" {
		return claim{value: 1, to: 2}, true
	}
	if t.has(ordering) {
		return claim{}, false
	}
	for i := range t.list {
		if t.crashed(i) || t.crossed(i) {
			return claim{value: 1, from: i - 1, to: i + 3}, true
		}
	}
	return t.find(notPasses)
}

// crashed reports whether the word at i starts what a runtime prints when it gives up: `panic: …`,
// `error: …` at the start of a line, `TypeError: …`.
func (t tokens) crashed(i int) bool {
	if !t.colon(i + 1) {
		return false
	}
	word := t.list[i].word
	if len(word) > len("Error") && (strings.HasSuffix(word, "Error") || strings.HasSuffix(word, "Exception")) {
		return true
	}
	return t.startsLine(i) && !t.number(i+2) && (t.word(i) == "panic" || t.singularError(i))
}

// crossed reports whether the token at i is the sign by which test runners mark a failure: at the
// start of a line, or after a count.
func (t tokens) crossed(i int) bool {
	if !t.sign(i, "✗✘❌") {
		return false
	}
	if t.number(i - 1) {
		return t.list[i-1].value > 0
	}
	return t.startsLine(i)
}

func (t tokens) startsLine(i int) bool {
	before := strings.TrimRight(t.text[:t.list[i].at], " \t")
	return before == "" || strings.HasSuffix(before, "\n")
}

// partial reads shares of tests that passed, `127/128 passed`, `100 of 128 tests passed`, `99%
// passed`: the value is 0 when all did. Beside tests that were left out a share says nothing.
func (t tokens) partial() []claim {
	var out []claim
	for i := range t.list {
		missing, end, ok := t.share(i)
		for ok && t.is(end, noun|verb) {
			end++
		}
		if ok && t.is(end, passWord) {
			out = append(out, claim{value: missing, from: i, to: end})
		}
	}
	if len(out) == 0 || t.leftOut() {
		return nil
	}
	return out
}

// share reads `n/m`, `n of m` or `n%` at i: whether something is missing, and the token after it.
func (t tokens) share(i int) (missing, end int, ok bool) {
	if t.sign(i+1, "%") {
		percent, err := strconv.ParseFloat(t.list[i].word, 64)
		if err != nil {
			return 0, 0, false
		}
		if percent < 100 {
			missing = 1
		}
		return missing, i + 2, true
	}
	if !t.number(i) || !t.number(i+2) || !t.sign(i+1, "/") && t.word(i+1) != "of" {
		return 0, 0, false
	}
	return max(0, t.list[i+2].value-t.list[i].value), i + 3, true
}

// leftOut are words for tests that did not take part, which are no failures (E4).
var leftOutWords = wordSet("skipped skip ignored pending todo disabled xfailed")

func (t tokens) leftOut() bool {
	for i := range t.list {
		if leftOutWords[t.word(i)] {
			return true
		}
	}
	return false
}

// onlyLeftOut finds a count of tests that were left out, as a text has that counts nothing else.
func (t tokens) onlyLeftOut() (claim, bool) {
	for i := range t.list {
		if !t.number(i) || t.list[i].value == 0 {
			continue
		}
		j := i + 1
		for t.is(j, noun|verb) {
			j++
		}
		if leftOutWords[t.word(j)] && !t.plainWord(j+1) {
			return claim{value: 1, from: i, to: j}, true
		}
	}
	return claim{}, false
}
