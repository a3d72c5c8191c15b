package publish

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
)

// Sharing is one of several open pull requests with one head commit, and what was found for it.
type Sharing struct {
	Number     int               `json:"number"`
	Conclusion report.Conclusion `json:"conclusion"`
	Mode       string            `json:"mode"`
}

// maxNamed bounds how many pull requests the summary names.
const maxNamed = 20

// withSharing puts into the summary, behind the verdict, which pull requests share the check run and
// whose verdict it shows (design section 14, Publishing).
func withSharing(summary string, counts int, sharing []Sharing) string {
	if len(sharing) < 2 {
		return summary
	}
	named := make([]string, 0, maxNamed)
	for _, one := range sharing[:min(len(sharing), maxNamed)] {
		named = append(named, fmt.Sprintf("#%d: %s", one.Number, one.words()))
	}
	if more := len(sharing) - maxNamed; more > 0 {
		named = append(named, fmt.Sprintf("and %d more", more))
	}
	note := fmt.Sprintf("This commit is the head of %d open pull requests, which share this check run. The worst verdict counts, and this is that of #%d (%s).",
		len(sharing), counts, strings.Join(named, ", "))
	verdict, rest, _ := strings.Cut(summary, "\n\n")
	return strings.TrimRight(verdict+"\n\n"+note+"\n\n"+rest, "\n") + "\n"
}

func (s Sharing) words() string {
	word := strings.ReplaceAll(string(s.Conclusion), "_", " ")
	if s.Mode == ReportOnly {
		return word + ", not enforced"
	}
	return word
}
