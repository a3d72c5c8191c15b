package criteria_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/criteria"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// A business rule is an item that carries [BR-n] (design sections 9 and 10).
func TestRuleIDs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"":                       nil,
		"# Rules\n\nNone.\n":     nil,
		"- [BR-1] Totals add up": {"BR-1"},
		"1. [br-2] Discounts\n2. [BR-10] Refunds\n":         {"BR-2", "BR-10"},
		"- Totals add up [BR-3]\n":                          {"BR-3"},
		"- **[BR-4]** bold\n- [x] [BR-5] a task\n":          {"BR-4", "BR-5"},
		"- Billing\n  - [BR-6] nested\n":                    {"BR-6"},
		"## [BR-7] Refunds\n\nWithin 30 days.\n":            {"BR-7"},
		"- [BR-8]\n\n[BR-8]: https://example.org/8\n":       {"BR-8"},
		"- [BR-9](#nine) as [BR-1] says\n":                  {"BR-9"},
		"- [BR-2] instead of [BR-1]\n- [BR-2] again\n":      {"BR-2"},
		"- [BR-1] a\r\n- [BR-2] b\r\n":                      {"BR-1", "BR-2"},
		"- <!-- old -->\n  [BR-3] after a comment\n":        {"BR-3"},
		"- [ BR-11 ] spaces\n":                              {"BR-11"},
		"As [BR-1] says, nothing is an item.\n":             nil,
		"- see `[BR-1]`\n":                                  nil,
		"```\n- [BR-1] code\n```\n":                         nil,
		"> - [BR-1] quoted\n":                               nil,
		"<!--\n- [BR-1] gone\n-->\n":                        nil,
		"- BR-1 without brackets\n":                         nil,
		"- [BR-] [BR-x] [BRX-1] [ABR-1] [BR-1a] [BR 1]\n":   nil,
		"- [BR-" + strings.Repeat("9", 19) + "] too long\n": nil,
		"- \\[BR-12\\] escaped reads the same\n":            {"BR-12"},
	} {
		got, err := criteria.RuleIDs(text)
		require.NoError(t, err, "%q", text)
		require.Equal(t, want, got, "%q", text)
	}
}

func TestRuleIDsOfAFileThatIsRefused(t *testing.T) {
	t.Parallel()
	_, err := criteria.RuleIDs("- [BR-1] x\n" + strings.Repeat("x", markdown.MaxBytes))
	require.ErrorIs(t, err, markdown.ErrTooLarge)
	_, err = criteria.RuleIDs("- [BR-1] x\n" + strings.Repeat(">", 5000) + "\n")
	require.ErrorIs(t, err, markdown.ErrTooComplex)
}

func TestRuleIDsOfALargeFileAreReadInBoundedTime(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"- [BR-1] x\n", "- [x](#y) `[BR-1]` [ [ [\n", "- " + strings.Repeat("[BR-x] `a` ", 50) + "\n"} {
		start := time.Now()
		_, _ = criteria.RuleIDs("- [BR-1] x\n" + strings.Repeat(unit, markdown.MaxBytes/len(unit)-1))
		require.Less(t, time.Since(start), 10*time.Second, "%.20q", unit)
	}
}
