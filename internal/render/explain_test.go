package render_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/report"
)

//go:generate go test . -run TestReferenceIsUpToDate -update

const referencePath = "../../docs/diagnostics.md"

func TestReferenceIsUpToDate(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	require.NoError(t, render.Reference(&b, report.Definitions()))
	if *update {
		require.NoError(t, os.MkdirAll("../../docs", 0o755))
		require.NoError(t, os.WriteFile(referencePath, []byte(b.String()), 0o644))
	}
	have, err := os.ReadFile(referencePath)
	require.NoError(t, err)
	require.Equal(t, b.String(), string(have), "docs/diagnostics.md is stale: go generate ./internal/render")
}

func TestReferenceHasEveryCode(t *testing.T) {
	t.Parallel()
	have, err := os.ReadFile(referencePath)
	require.NoError(t, err)
	for _, d := range report.Definitions() {
		require.Equal(t, 1, strings.Count(string(have), "\n### `"+string(d.Code)+"`\n"), d.Code)
	}
}

func TestExplain(t *testing.T) {
	t.Parallel()
	for _, code := range []report.Code{report.CodeHeadStale, report.CodeTextInvisibleCharacter, report.CodeStatusAmbiguous, report.CodeCarrierRewritten, report.CodeDocumentTooLarge,
		report.CodeEvidenceNotRenewed, report.CodeEpisodeActive, report.CodeTriageNotMaintainer, report.CodePolicyInvalid, report.CodeApprovalPersonRequested, report.CodeAttestationExpired} {
		t.Run(string(code), func(t *testing.T) {
			t.Parallel()
			d, ok := report.Lookup(code)
			require.True(t, ok)
			var b strings.Builder
			require.NoError(t, render.Explain(&b, d, render.Options{Width: 90}))
			golden(t, "explain/"+string(code)+".txt", b.String())
		})
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	require.NoError(t, render.List(&b, report.Definitions()))
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	require.Len(t, lines, len(report.Definitions()))
	require.Regexp(t, `^document\.too_complex +error +a document is nested`, lines[0])
}

// Every part of every example has a title that says where it stands and whose it is.
func TestExplainNamesEveryPlace(t *testing.T) {
	t.Parallel()
	explained := 0
	for _, d := range report.Definitions() {
		e, ok := d.Code.Examples()
		if !ok {
			continue
		}
		var b strings.Builder
		require.NoError(t, render.Explain(&b, d, render.Options{Width: 90}))
		require.NotRegexp(t, `(?m)^(Wrong|Right)?(, )?:$|, by :|by $`, b.String(), d.Code)
		for _, p := range e.Shown() {
			first, _, _ := strings.Cut(strings.TrimSpace(p.Text), " ")
			require.Contains(t, b.String(), strings.SplitN(first, "\n", 2)[0], d.Code)
		}
		explained++
	}
	require.Greater(t, explained, 150)
}
