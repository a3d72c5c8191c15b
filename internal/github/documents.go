package github

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
)

// The queries. Each request carries one operation with just the fragments it uses: some servers
// check the variables of every operation in a document, whichever is asked for.
var (
	//go:embed pull_request.graphql
	pullRequestText string
	//go:embed find.graphql
	findText string

	pullRequestQueries = parseDocument(pullRequestText)
	findQueries        = parseDocument(findText)
)

var (
	definitionForm = regexp.MustCompile(`(?m)^(query|fragment) (\w+)`)
	spreadForm     = regexp.MustCompile(`\.\.\.(\w+)`) // "... on Type" has a space
)

// document is a .graphql file: the text of each operation and fragment by its name. In the file
// each definition starts at the beginning of a line.
type document map[string]string

func parseDocument(text string) document {
	d := document{}
	starts := definitionForm.FindAllStringSubmatchIndex(text, -1)
	for i, at := range starts {
		end := len(text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		d[text[at[4]:at[5]]] = strings.TrimSpace(text[at[0]:end])
	}
	return d
}

// operation is one operation with every fragment that it spreads, directly or through another.
func (d document) operation(name string) string {
	names := []string{name}
	for i := 0; i < len(names); i++ {
		for _, spread := range spreadForm.FindAllStringSubmatch(d[names[i]], -1) {
			if !slices.Contains(names, spread[1]) {
				names = append(names, spread[1])
			}
		}
	}
	texts := make([]string, len(names))
	for i, n := range names {
		texts[i] = d[n]
	}
	return strings.Join(texts, "\n\n")
}
