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
	for _, code := range []report.Code{report.CodeHeadStale, report.CodeTextInvisibleCharacter, report.CodeStatusAmbiguous, report.CodeCarrierRewritten, report.CodeDocumentTooLarge} {
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
