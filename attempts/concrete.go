package attempts

import (
	"strings"
	"unicode"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
)

// hedges are words that announce a longer run without saying what was seen (A4).
var hedges = setOf(`may might could maybe perhaps need needs needed needing require requires long longer more extra much
	time timeout timeouts limit slow slower slowly bit little while takes take taking took try trying retry again rerun enough larger
	bigger higher increase increased raise raised finish finishes finished complete completes completed just likely most some
	machine host runner box today than usual out ran timed because since due guess hope hopefully if when`)

// labels are words that give a failure a name or a kind without saying what happened (A6), with the
// words that stand between them.
var labels = setOf(`flaky flakey flake flakes flakiness fluke infra infrastructure network networking random randomly randomness unrelated
	known issue issues problem problems reason reasons cause causes caused glitch glitches hiccup hiccups transient intermittent
	intermittently sporadic sporadically temporary temporarily occasional occasionally sometimes spurious unstable instability weird odd
	strange noise noisy luck unlucky coincidence bug bugs ci env environment environmental pipeline job jobs build builds test tests suite
	fail fails failed failing failure failures error errors timeout timeouts happen happens happened external other another thing things
	stuff something somehow somewhere whatever nothing anything once again usual usually always old new bad broken fault change
	changes pr code one off only just here there
	a an the this that these those it its is was were are be been being of to in on at by for with and or but so as due from because since
	not no our my mine us we i you they some any kind sort probably likely maybe perhaps think thinks guess seems seemed looks like`)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// without is a text without the words of a set.
func without(text string, words map[string]bool) string {
	var kept []string
	for _, w := range strings.FieldsFunc(markdown.StripInvisible(text), parts) {
		if !words[strings.ToLower(strings.TrimFunc(w, unicode.IsPunct))] {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " ")
}

// parts reports whether a character stands between words.
func parts(r rune) bool { return unicode.IsSpace(r) || r == '/' || r == '-' || r == '_' || r == ',' }

// foreseen reads the evidence of a prediction, which must say what was seen.
func foreseen(value string) (string, string) {
	if prbody.Placeholder(value) {
		return value, "it is only a placeholder"
	}
	if !concrete(without(value, hedges)) {
		return value, "it does not say what was seen of the run"
	}
	return value, ""
}

// explains reports whether the reason of a one_off says what happened (A6): more than that the run was
// flaky, or what part is to blame.
func explains(reason string) bool { return concrete(reason) && concrete(without(reason, labels)) }

// concrete reports whether a text says anything beside verdict words, cheers and hedges (E4).
func concrete(text string) bool {
	if text == "" || prbody.Placeholder(text) {
		return false
	}
	_, ok := prbody.Weigh(text, 0)
	return ok
}

// placeholder reports whether a text is missing or stands only for one (E4).
func placeholder(text string) bool { return text == "" || prbody.Placeholder(text) }
