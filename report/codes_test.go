package report_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/report"
)

func TestTableIsTheListOfTheDesign(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/codes.tsv")
	require.NoError(t, err)
	var want, got []string
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		fields := strings.Split(line, "\t")
		require.Len(t, fields, 5, line)
		want = append(want, strings.Join(fields[:4], " "))
	}
	for _, d := range report.Definitions() {
		varies := ""
		if d.Varies {
			varies = "yes"
		}
		got = append(got, strings.Join([]string{string(d.Code), string(d.Severity), string(d.Owner), varies}, " "))
	}
	require.Equal(t, want, got)
}

func TestEveryRowSaysWhatAPersonNeeds(t *testing.T) {
	t.Parallel()
	for _, d := range report.Definitions() {
		require.NotEmpty(t, d.Meaning, d.Code)
		require.NotEmpty(t, d.Rule, d.Code)
		require.NotEmpty(t, d.Help, d.Code)
		require.NotContains(t, d.Message+d.Help, "\n", d.Code)
	}
}

// The name of a constant follows from its code, so that nobody has to look it up.
func TestConstantsAreNamedAfterTheirCodes(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("codes_*.go")
	require.NoError(t, err)
	seen := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			literal, ok := spec.Values[0].(*ast.BasicLit)
			if !ok {
				return true
			}
			code, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			want := "Code"
			for _, word := range strings.FieldsFunc(code, func(r rune) bool { return r == '.' || r == '_' }) {
				want += strings.ToUpper(word[:1]) + word[1:]
			}
			require.Equal(t, want, spec.Names[0].Name)
			_, known := report.Lookup(report.Code(code))
			require.True(t, known, code)
			seen++
			return true
		})
	}
	require.Equal(t, len(report.Definitions()), seen)
}

func TestNew(t *testing.T) {
	t.Parallel()
	d := report.New(report.CodeEntryTextDiffers, "the text is another")
	require.Equal(t, report.Warning, d.Severity)
	require.Equal(t, report.Engineer, d.Owner)
	require.Equal(t, "the text is another", d.Message)
	require.NotEmpty(t, d.Help)

	require.NotEmpty(t, report.New(report.CodeHeadStale, "").Message, "the table's own message")
	require.Equal(t, "a second carrier for one check", report.New(report.CodeCarrierDuplicate, "").Message,
		"the meaning when the table has no message")

	unknown := report.New("no.such_code", "")
	require.Equal(t, report.Error, unknown.Severity, "a forgotten row never passes")
	require.Equal(t, report.Operator, unknown.Owner)
	require.NotEmpty(t, unknown.Message)
}

func TestDefinitionsIsACopy(t *testing.T) {
	t.Parallel()
	report.Definitions()[0].Code = "changed"
	require.NotEqual(t, report.Code("changed"), report.Definitions()[0].Code)
}
