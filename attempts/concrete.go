package attempts

import (
	"strings"
	"unicode"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
)

// hedges are words that announce a longer run without saying what was seen (A4).
var hedges = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`may might could maybe perhaps need needs needed needing require requires long longer more extra much
		time timeout timeouts limit slow slower slowly bit little while takes take taking took try trying retry again rerun enough larger
		bigger higher increase increased raise raised finish finishes finished complete completes completed just likely more most some
		machine host runner box today than usual out ran timed because since due guess hope hopefully if when`) {
		set[w] = true
	}
	return set
}()

// foreseen reads the evidence of a prediction, which must say what was seen.
func foreseen(value string) (string, string) {
	if prbody.Placeholder(value) {
		return value, "it is only a placeholder"
	}
	var kept []string
	for _, w := range strings.Fields(markdown.StripInvisible(value)) {
		if !hedges[strings.ToLower(strings.TrimFunc(w, unicode.IsPunct))] {
			kept = append(kept, w)
		}
	}
	if !concrete(strings.Join(kept, " ")) {
		return value, "it does not say what was seen of the run"
	}
	return value, ""
}

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
