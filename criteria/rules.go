package criteria

import (
	"fmt"
	"path"
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
)

// rules notes the business rules that no criterion of the task covers.
func (j *judge) rules() {
	covered := map[string]bool{}
	for i := range j.Criteria.Criteria {
		c := &j.Criteria.Criteria[i]
		if c.Broken {
			continue
		}
		for _, from := range c.From {
			file, id := splitRule(from)
			if file == "" || j.RulesFile == "" || sameFile(file, j.RulesFile) {
				covered[id] = true
			}
		}
	}
	var uncovered []string
	seen := map[string]bool{}
	for _, rule := range j.Rules {
		if _, id := splitRule(rule); id != "" && !covered[id] && !seen[id] {
			seen[id] = true
			uncovered = append(uncovered, shown(rule))
		}
	}
	if len(uncovered) == 0 {
		return
	}
	named := strings.Join(uncovered[:min(len(uncovered), maxNamed)], ", ")
	if more := len(uncovered) - maxNamed; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	verb := "business rules are"
	if len(uncovered) == 1 {
		verb = "business rule is"
	}
	file := j.RulesFile
	if file == "" {
		file = "docs/rules.md"
	}
	d := report.New(report.CodeCriterionRuleUncovered, fmt.Sprintf("%d %s covered by no criterion of the task: %s", len(uncovered), verb, named))
	_, id := splitRule(uncovered[0])
	w := j.Criteria.where
	w.Document = IssueDocument
	j.add(d, w, fmt.Sprintf("add to a criterion that covers it: (from: %s#%s)", shown(file), id), "")
	last := len(j.result.Diagnostics) - 1
	j.result.Diagnostics[last].Details = map[string]any{"rules": uncovered[:min(len(uncovered), maxListed)]}
}

// maxListed bounds how many rules the details list.
const maxListed = 200

// splitRule splits `docs/rules.md#br-3` into file and id; an id alone, as `BR-3` or `[BR-3]`, has no
// file. Ids ignore case, as anchors on GitHub are lower case.
func splitRule(s string) (file, id string) {
	s = strings.TrimSpace(s)
	if i := strings.LastIndexByte(s, '#'); i >= 0 {
		file, s = s[:i], s[i+1:]
	}
	return file, strings.ToLower(strings.Trim(s, "[] "))
}

// sameFile reports whether a written path or link names a file of the repository.
func sameFile(written, file string) bool {
	file = strings.TrimPrefix(path.Clean("/"+file), "/")
	written = path.Clean("/" + written)
	return written == "/"+file || strings.Contains(written, ":/") && strings.HasSuffix(written, "/"+file)
}
