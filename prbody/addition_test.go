package prbody_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/prbody"
)

func TestAddToSection(t *testing.T) {
	t.Parallel()
	const entry = "- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: 128 passing (exit 0)\n"
	const item = "- Criterion: [AC-1] the cache is emptied\n  Evidence: check:RC-1\n"
	for about, row := range map[string]struct{ before, after string }{
		"at the end of the body": {"## Evidence\nCurrent PR head: x\n\n" + entry, "## Evidence\nCurrent PR head: x\n\n" + entry + "\n" + item},
		"before the next section": {
			"## Evidence\nCurrent PR head: x\n\n" + entry + "\n\n## Notes\n\nMore.\n",
			"## Evidence\nCurrent PR head: x\n\n" + entry + "\n" + item + "\n\n## Notes\n\nMore.\n"},
		"with other line ends": {
			strings.ReplaceAll("## Evidence\n\n"+entry, "\n", "\r\n"), strings.ReplaceAll("## Evidence\n\n"+entry+"\n"+item, "\n", "\r\n")},
		"in an empty section": {"## Evidence\n", "## Evidence\n\n" + item},
	} {
		got, err := prbody.AddToSection(row.before, item)
		require.NoError(t, err, about)
		require.Equal(t, row.after, got, about)
		again, err := prbody.AddToSection(got, "\n")
		require.NoError(t, err)
		require.Equal(t, got, again, "nothing to add")
	}
	for _, body := range []string{"no section", "## Evidence\n\n" + entry + "\n```\nan open fence\n"} {
		_, err := prbody.AddToSection(body, entry)
		require.Error(t, err, body)
	}
}
