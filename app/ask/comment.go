package ask

import (
	"fmt"
	"strings"
)

// Marker begins the one comment of the App by which it asks; GitHub shows none of it.
const Marker = "<!-- evidence-gate:asking -->"

// Comment words the comment: who is asked for what, of which commit.
func Comment(step Step, head string, names []string) string {
	what := "a review"
	if step == Person {
		what = "the approval of a person with the maintainer's role"
	}
	mentions := make([]string, 0, len(names))
	for _, name := range names {
		mentions = append(mentions, "@"+strings.TrimSuffix(name, "[bot]"))
	}
	return fmt.Sprintf("%s\n%s: commit `%s` waits for %s. Review it, press **Approve** on its check run, or write `/approve`. What is missing, and who cannot give it, stands in the check run.\n",
		Marker, strings.Join(mentions, ", "), head, what)
}

// Settled is the same comment once nothing is asked for any more.
func Settled(head string) string {
	return fmt.Sprintf("%s\nNobody is asked for anything: commit `%s` does not wait for an approval.\n", Marker, head)
}

// Requestable says whether a name can be asked by GitHub's review requests: bots cannot.
func Requestable(name string) bool { return !strings.HasSuffix(name, "[bot]") }
