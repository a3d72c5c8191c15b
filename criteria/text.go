package criteria

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// occurs reports whether the name of a test stands in a text as a whole and was not left out. When it
// only stands where the text says that it did not run, why is that part of the text.
func occurs(text, name string) (ran bool, why string) {
	for at := 0; at <= len(text)-len(name); {
		i := strings.Index(text[at:], name)
		if i < 0 {
			break
		}
		start := at + i
		end := start + len(name)
		at = end
		if !apart(text[:start], text[end:]) {
			continue
		}
		from := strings.LastIndexAny(text[:start], partEnds) + 1
		to := len(text)
		if k := strings.IndexAny(text[end:], partEnds); k >= 0 {
			to = end + k
		}
		if !leftOut(text[from:start]) && !leftOut(text[end:to]) {
			return true, ""
		}
		why, at = text[from:to], to
	}
	return false, strings.TrimSpace(why)
}

// partEnds part the statements of an evidence text.
const partEnds = "\n;,"

// apart reports whether a name is no part of a longer word.
func apart(before, after string) bool {
	prev, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	return !inWord(prev) && !inWord(next)
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '-'
}

// leftOut reports whether words say that a test did not run.
func leftOut(text string) bool {
	words := wordsOf(text)
	for i, w := range words {
		if skipWords[w] && !(i > 0 && nothing[words[i-1]]) {
			return true
		}
		if runWords[w] && denied(words, i) {
			return true
		}
	}
	return false
}

var (
	skipWords   = set("skipped skip skips ignored disabled todo xfail xfailed pending untested excluded omitted")
	runWords    = set("run ran executed tested started included")
	failWords   = set("failed failing fails fail failure failures errored crashed panicked red")
	passWords   = set("passed passes passing pass green ok succeeded succeeds")
	nothing     = set("0 no zero without none")
	negations   = set("not no never none nothing neither nor zero 0 cannot")
	hedges      = set("would should could might may will if unless expected expect probably")
	beforeWords = set("before first initially previously earlier originally baseline base main without")
	afterWords  = set("after afterwards now then finally final fixed rerun re-run")
	clauseWords = set("then and but while whereas")
)

func set(words string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(words) {
		out[w] = true
	}
	return out
}

// wordsOf are the words and numbers of a text in lower case.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(strings.ReplaceAll(text, "’", "'")), func(r rune) bool { return !inWord(r) && r != '\'' })
}

// deniedReach is how many words before a statement its negation may stand.
const deniedReach = 4

// denied reports whether a negation or a hedge stands before a word.
func denied(words []string, i int) bool {
	for _, w := range words[max(0, i-deniedReach):i] {
		if negations[w] || hedges[w] || strings.HasSuffix(w, "n't") {
			return true
		}
	}
	return false
}

// clause is what one statement says about a run.
type clause struct {
	fails, passes, before, after bool
}

// failedThenPassed reports whether a text tells of a run that failed before the change: a failure that
// is placed before it, or one that a pass is placed after (E4). Whether the pass holds is not its to say.
func failedThenPassed(text string) bool {
	failed := false
	for _, c := range clauses(text) {
		switch {
		case c.fails && !c.after && c.before:
			return true
		case c.fails && !c.after:
			failed = true
		case failed && c.passes && c.after:
			return true
		}
	}
	return false
}

// clauses splits a text into statements.
func clauses(text string) []clause {
	var out []clause
	for _, part := range strings.FieldsFunc(arrows.Replace(text), func(r rune) bool { return strings.ContainsRune("\n;,.!?()", r) }) {
		words := wordsOf(part)
		start := 0
		for i, w := range words {
			if i > start && clauseWords[w] {
				out = append(out, clauseOf(words[start:i]))
				start = i
			}
		}
		if start < len(words) {
			out = append(out, clauseOf(words[start:]))
		}
	}
	return out
}

// arrows read as the word that they stand for.
var arrows = strings.NewReplacer("->", "\nthen ", "=>", "\nthen ", "→", "\nthen ", "⇒", "\nthen ", "➜", "\nthen ", "➔", "\nthen ", "⟶", "\nthen ")

// clauseOf reads one statement. Of a failure and a pass in one statement the first is what it is about.
func clauseOf(words []string) clause {
	c := clause{}
	for i, w := range words {
		c.before = c.before || beforeWords[w]
		c.after = c.after || afterWords[w]
		said, bad := outcome(words, i)
		if said && !c.fails && !c.passes {
			c.fails, c.passes = bad, !bad
		}
	}
	return c
}

// outcome reads whether the word at i states how a run ended.
func outcome(words []string, i int) (said, failed bool) {
	switch w := words[i]; {
	case failWords[w] && i > 0 && nothing[words[i-1]]:
		return true, false // "0 failed"
	case failWords[w]:
		return !denied(words, i), true
	case passWords[w]:
		return !denied(words, i), false
	case w == "exit" || w == "exited":
		for _, next := range words[i+1 : min(len(words), i+4)] {
			if strings.Trim(next, "0123456789") == "" {
				return true, strings.Trim(next, "0") != ""
			}
		}
	}
	return false, false
}
