package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCommandsStandAtTheStartOfALineOfLiveText(t *testing.T) {
	t.Parallel()
	const triage = "/triage RC-1 attempt 1 one_off because the runner died"
	for rule, row := range map[string]struct {
		body  string
		found []Command
	}{
		"alone":                     {triage, []Command{{Triage, triage, 1}}},
		"after other text":          {"I looked at it.\n" + triage + "\n\nThanks", []Command{{Triage, triage, 2}}},
		"several":                   {"/evaluate\n\n" + triage + "\n/override it is late", []Command{{Evaluate, "/evaluate", 1}, {Triage, triage, 3}, {Override, "/override it is late", 4}}},
		"with CRLF":                 {"One.\r\n/evaluate\r\n", []Command{{Evaluate, "/evaluate", 2}}},
		"its word ignores case":     {"/Evaluate", []Command{{Evaluate, "/Evaluate", 1}}},
		"indented a little":         {"  /evaluate", []Command{{Evaluate, "/evaluate", 1}}},
		"in the middle of a line":   {"Please /evaluate", nil},
		"of another program":        {"/lgtm\n/assign @eng\n/", nil},
		"a longer word":             {"/evaluated", nil},
		"quoted":                    {"> /evaluate", nil},
		"in a list":                 {"- /evaluate", nil},
		"fenced":                    {"```\n/evaluate\n```", nil},
		"indented as code":          {"x\n\n    /evaluate", nil},
		"as code":                   {"`/evaluate`", nil},
		"in a comment of HTML":      {"<!--\n/evaluate\n-->", nil},
		"as a heading":              {"# /evaluate", nil},
		"in text that is refused":   {strings.Repeat("/evaluate\n", 200_000), nil},
		"in text without any slash": {"evaluate", nil},
		"in details that GitHub parses as Markdown": {"<details>\n\n/evaluate\n\n</details>", []Command{{Evaluate, "/evaluate", 3}}},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, row.found, Find(row.body))
		})
	}
}
