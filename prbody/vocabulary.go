package prbody

import "strings"

// meaning is what a word can say in an evidence text; a word may have several (E4).
type meaning uint32

const (
	failWord     meaning = 1 << iota // counts or states failures
	errorWord                        // counts or states errors
	passWord                         // counts passes
	noun                             // may stand between a count and its word
	verb                             // likewise, and between a subject and its word
	noneWord                         // counts as zero
	subject                          // what "failed" can be said of
	negation                         // turns a statement around, or makes it a condition
	gives                            // "with errors", "reported an error"
	article                          // "an", "some"
	exitWord                         // "exit", "rc"
	exitLink                         // between it and its code
	returnWord                       // "return code"
	ordering                         // puts runs in order
	ranWord                          // counts executed tests
	hollow                           // says nothing about what was seen
	phraseWord                       // starts a phrase of idle.go
	shoutingWord                     // a failure when written in capitals
	testWord                         // what is run and counted
	condition                        // what follows it is told of a case, not of this run
	someWord                         // counts failures without a number
)

// vocabulary gives every word its meanings.
var vocabulary = func() map[string]meaning {
	v := map[string]meaning{}
	for _, row := range []struct {
		m     meaning
		words string
	}{
		{failWord, "failing failed failure failures fail fails broken numfailedtests"},
		{shoutingWord, "failed failure failures fail fails errored error errors err"},
		{errorWord, "error errors errored err"},
		{passWord, "passing passed pass passes ok succeeded successful"},
		{noun, `unit integration e2e end-to-end regression lint type compile compiler build runtime console test tests spec specs
			case cases example examples suite suites check checks assertion assertions file files
			new unexpected critical fatal hard serious previous`},
		{testWord, "test tests spec specs example examples item items scenario scenarios case cases suite suites check checks"},
		{condition, "if when whenever while until during once"},
		{someWord, "one two three four five six seven eight nine ten few several multiple many pre-existing preexisting known existing unrelated"},
		{verb, "is are was were be been being has have had still also now keeps"},
		{noneWord, "no zero without none nothing never any nil"},
		{subject, `test tests suite suites spec specs build job run command check checks it lint one two three four five some several
			many most all both ci pipeline which they`},
		{negation, `no not none nothing never without neither nor zero isn't aren't wasn't weren't don't doesn't didn't hasn't haven't
			if when whether would expected used that`},
		{gives, "with has have had got gave gives threw throws reports reported shows showed there"},
		{article, "an some several"},
		{exitWord, "exit exits exited exit-code exitcode returncode rc"},
		{exitLink, "code status with was is of value a the : = - ："},
		{returnWord, "return returned"},
		{ordering, "before after afterwards first then final finally now fixed rerun re-run reran re-ran -> => → ⇒ ➜ ➔ ⟶"},
		{ranWord, "run ran collected executed"},
		{hollow, hollowWords},
	} {
		for _, w := range strings.Fields(row.words) {
			v[w] |= row.m
		}
	}
	for _, phrases := range [][]phrase{nothingRan, stillWaiting, notPasses, {noTestsToRun, noTestFiles}} {
		for _, p := range phrases {
			for w := range p[0] {
				v[w] |= phraseWord
			}
		}
	}
	return v
}()

// hollowWords are the words that say nothing about what was seen: verdict words, cheers and hedges,
// and the small words between them (E4).
const hollowWords = `passed pass passes passing failed fail fails failing blocked not run ran running runs
	ok okay green success successful successfully succeeded succeeds done verified verify confirmed checked tested fine good great
	perfect perfectly excellent nice awesome works work worked working lgtm ship shipit yes yep yeah yay all everything every each any
	should seems seem seemed looks look looked appears appear probably likely presumably hopefully maybe think thinks believe guess
	sure pretty quite very really totally completely fully right correct correctly properly well expected intended
	earlier before previously already again still now just above below here there see link linked comment
	it its it's is are was were be been being has have had do does did will would can could must may might
	the a an and or but so on in at of for to with as by my our your i we you he she they this that these those me
	machine locally local laptop computer test tests suite check checks checking ci pipeline build result results evidence verdict
	waiting queued scheduled pending skipped untested currently yet
	manually approved same later soon wip log logs pr trust expect reviewer ditto coming
	without no issue issues problem problems trouble nothing broke broken change changes code feature fix fixed`

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}
