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
}

// stillWaiting are texts that announce a result instead of giving it (E4).
var stillWaiting = []phrase{
	words("waiting", "for on"),
	words("awaiting"),
	words("still", "running waiting pending queued"),
	words("in", "progress"),
	words("will", "update follow post"),
	words("will", "be", "run updated added posted"),
	words("to", "be", "run added updated"),
	words("yet", "to", "run finish be"),
	words("not", "? yet", "finished completed"),
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

func (t tokens) find(phrases []phrase) (claim, bool) {
	for i := range t.list {
		if t.list[i].meanings&phraseWord == 0 {
			continue
		}
		for _, p := range phrases {
			if n := p.match(t, i); n > 0 {
				return claim{value: 1, from: i, to: i + n - 1}, true
			}
		}
	}
	return claim{}, false
}

// idle finds text that says that nothing ran, or that the result is still awaited. A text that
// counts passes did run.
func (t tokens) idle() (claim, bool) {
	passed, zero := false, -1
	for i := range t.list {
		if !t.list[i].number {
			continue
		}
		if !t.countsPasses(i) {
			if t.list[i].value == 0 && t.countsRuns(i) {
				zero = i
			}
			continue
		}
		if t.list[i].value > 0 {
			passed = true
		} else {
			zero = i
		}
	}
	switch {
	case passed:
		return claim{}, false
	case zero >= 0:
		return claim{value: 1, from: zero - 2, to: zero + 1}, true
	}
	if found, ok := t.find(nothingRan); ok {
		return found, true
	}
	return t.find(stillWaiting)
}

// countsPasses reports whether the number at i counts passes: `128 tests passed`, `pass: 128`,
// `pass 128`, `12/12 passed`.
func (t tokens) countsPasses(i int) bool {
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
		return t.is(i-2, passWord)
	}
	return t.is(i-1, passWord) && !t.is(i+1, noun|failWord)
}

// countsRuns reports whether the number at i counts executed tests: `Tests run: 0`, `ran 0 tests`,
// `0 tests run`.
func (t tokens) countsRuns(i int) bool {
	before := i - 1
	if t.colon(before) {
		before--
	}
	if t.is(before, ranWord) {
		return true
	}
	j := i + 1
	for t.is(j, noun|verb) {
		j++
	}
	return j > i+1 && t.is(j, ranWord)
}
