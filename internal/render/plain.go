package render

import "strings"

// Plain makes a text of several lines fit for a terminal, whoever wrote it: what a terminal would obey
// or a reader would not see is written out.
func Plain(text string) string { return strings.Join(visibleLines(text), "\n") }
