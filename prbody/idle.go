package prbody

// phrase is a sequence of words; each element lists the words that may stand there, and one that
// starts with "?" may be left out.
type phrase []map[string]bool

const optional = "?"

func words(elements ...string) phrase {
	p := make(phrase, 0, len(elements))
	for _, e := range elements {
		p = append(p, wordSet(e))
	}
	return p
}

// nothingRan are texts that say that no check was executed (E4).
var nothingRan = []phrase{
	words("no zero", "test tests spec specs example examples", "? were was are is", "run ran found collected executed matched"),
	words("no zero", "test", "files", "? were was", "found matched"),
	words("nothing", "? was were", "run ran executed"),
	words("was were is are has have", "not", "? been yet actually", "run executed tested"),
	words("wasn't weren't isn't hasn't haven't", "? been yet actually", "run executed tested"),
	words("did could can cannot couldn't didn't can't", "? not", "? be", "run"),
	words("not", "? yet", "run"),
	words("not", "executed"),
	words("no none zero", "? test tests specs checks", "passed"),
	words("haven't didn't couldn't", "? yet", "test tested verify verified"),
	words("was were is are has have", "never", "? been", "run executed"),
	words("unable", "to", "run execute", "? the this these", "test tests suite suites it specs check checks command locally here"),
}

// The words of `go test` for a package in which nothing ran. Beside packages that are ok they say
// nothing of the run.
var (
	noTestsToRun = words("no", "tests", "to", "run")
	noTestFiles  = words("no", "test", "files")
)

// stillWaiting are texts that announce a result instead of giving it (E4).
var stillWaiting = []phrase{
	words("waiting", "for on"),
	words("awaiting"),
	words("still", "running waiting pending queued"),
	words("in", "progress"),
	words("will", "update follow post"),
	words("will", "be", "run updated added posted verified tested confirmed"),
	words("will", "run", "later tomorrow soon after once when"),
	words("job jobs run runs ci workflow pipeline build check checks", "is are", "queued"),
	words("to", "be", "run added updated"),
	words("yet", "to", "run finish be"),
	words("not", "? yet", "finished completed"),
	words("run runs test tests suite job build it", "did", "not", "finish complete"),
	words("results result rest log logs output", "to", "follow"),
	words("pending", "hosted ci review result results run the a"),
	words("is are ci still result results", "pending"),
}

// match is the number of tokens that the phrase takes at i, 0 when it does not stand there.
func (p phrase) match(t tokens, i int) int {
	at := i
	for k, element := range p {
		if at < len(t.list) && !t.list[at].number && element[t.word(at)] {
			at++
			continue
		}
		if element[optional] && k > 0 {
			continue
		}
		return 0
	}
	return at - i
}

// find is the first of the phrases that the text states of this run: not in quotes, and not of a
// case ("while a save is in progress").
func (t tokens) find(phrases []phrase) (claim, bool) {
	for i := range t.list {
		if t.list[i].meanings&phraseWord == 0 {
			continue
		}
		for _, p := range phrases {
			if n := p.match(t, i); n > 0 && !t.ofCase(i) {
				return claim{value: 1, from: i, to: i + n - 1}, true
			}
		}
	}
	return claim{}, false
}

// conditionReach is how many words before a phrase the word that makes it a case may stand.
const conditionReach = 5

func (t tokens) ofCase(i int) bool {
	for j := max(0, i-conditionReach); j < i; j++ {
		if t.is(j, condition) {
			return true
		}
	}
	return t.sign(i-1, "\"“‘«") && i > 1
}

// foundNothing finds a package without tests in a text that tells of no other that ran. `go test`
// says ok also of a package in which no test was to be run.
func (t tokens) foundNothing() (claim, bool) {
	found, empty, ok := claim{}, 0, 0
	for i := range t.list {
		switch {
		case t.is(i, passWord) && t.word(i) == "ok":
			ok++
		case !t.is(i, phraseWord):
		case noTestsToRun.match(t, i) > 0:
			found = claim{value: 1, from: i, to: i + len(noTestsToRun) - 1}
			empty++
		case noTestFiles.match(t, i) > 0:
			found = claim{value: 1, from: i, to: i + len(noTestFiles) - 1}
		}
	}
	return found, found.value > 0 && ok <= empty
}

// idle finds text that says that nothing ran, or that the result is still awaited. A text that
// counts passes did run.
func (t tokens) idle() (claim, bool) {
	ran, noPass, noRun := false, -1, -1
	for i := range t.list {
		if !t.list[i].number {
			continue
		}
		some := t.list[i].value > 0
		switch {
		case t.countsPasses(i) && some:
			return claim{}, false
		case t.countsPasses(i):
			noPass = i
		case t.countsRuns(i) && some:
			ran = true
		case t.countsRuns(i):
			noRun = i
		}
	}
	if noPass < 0 && !ran {
		noPass = noRun // of several modules, some may have no tests
	}
	if noPass >= 0 {
		return claim{value: 1, from: noPass - 2, to: noPass + 1}, true
	}
	if found, ok := t.foundNothing(); ok {
		return found, true
	}
	if found, ok := t.onlyLeftOut(); ok && !ran {
		return found, true
	}
	if found, ok := t.find(nothingRan); ok {
		return found, true
	}
	return t.find(stillWaiting)
}

// countsPasses reports whether the number at i counts passes: `128 tests passed`, `pass: 128`,
// `pass 128`, `12/12 passed`.
func (t tokens) countsPasses(i int) bool {
	if (t.sign(i-1, "/") || t.word(i-1) == "of") && t.number(i-2) {
		return false // the total of "0/128 passed"
	}
	j := i + 1
	if (t.sign(j, "/") || t.word(j) == "of") && t.number(j+1) {
		j += 2
	}
	for t.is(j, noun|verb) {
		j++
	}
	if t.is(j, passWord) {
		return true
	}
	if t.colon(i - 1) {
		other := t.plainWord(i+1) && !t.colon(i+2) && !t.number(i+2) // "quality gate passed: 0 bugs"
		return t.is(i-2, passWord) && !other
	}
	return t.is(i-1, passWord) && !t.is(i+1, noun|failWord)
}

// countsRuns reports whether the number at i counts executed tests: `Tests run: 0`, `ran 0 tests`,
// `0 tests run`, `Total tests: 0`, `0 examples, 0 failures`.
func (t tokens) countsRuns(i int) bool {
	before := i - 1
	if t.colon(before) {
		before--
	}
	tests := t.is(i+1, testWord)
	for t.is(before, testWord) {
		before, tests = before-1, true
	}
	if t.word(before) == "total" && tests || t.is(before, ranWord) && (tests || !t.plainWord(i+1)) {
		return true
	}
	j := i + 1
	for t.is(j, noun|verb) {
		j++
	}
	return j > i+1 && (t.is(j, ranWord) || t.word(j) == "total") && !t.colon(j+1) || j == i+2 && summed[t.word(i+1)] && t.sign(j, ",")
}

// summed are the words with which a closing line counts what ran.
var summed = wordSet("tests specs examples scenarios")

// plainWord reports whether the token at i is a word for something that is not run, as in "0 issues".
func (t tokens) plainWord(i int) bool {
	return i < len(t.list) && letter(t.list[i].word[0]) && !t.is(i, failWord|passWord|noun|verb|exitLink)
}
