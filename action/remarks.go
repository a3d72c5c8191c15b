package action

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
)

// remarks explain what only a workflow can get wrong. On the events of a pull request GITHUB_SHA is
// the test merge (or the base), never the head, so evidence written with it is for a commit that no
// reviewer sees.
func remarks(getenv func(string) string, on runner, r report.Report) []string {
	sha := getenv("GITHUB_SHA")
	if sha == "" || sha == r.HeadSHA || !strings.HasPrefix(on.event, "pull_request") {
		return nil
	}
	for _, d := range r.Diagnostics {
		if d.Details["found_head"] == sha {
			return []string{fmt.Sprintf("the evidence names %s, which is GITHUB_SHA of this run: a merge that GitHub makes to test, or the base, not the head. "+
				"A workflow that writes evidence takes github.event.pull_request.head.sha, here %s", sha, r.HeadSHA)}
		}
	}
	return nil
}
