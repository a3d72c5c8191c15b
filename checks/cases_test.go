package checks_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// conformanceCase is one file of testdata/cases: a Snapshot and what must be concluded from it.
type conformanceCase struct {
	ID       string            `json:"id"`
	About    string            `json:"about"`
	Stage    report.Stage      `json:"stage"`
	Needs    []string          `json:"needs"`
	Snapshot snapshot.Snapshot `json:"snapshot"`
	Expect   struct {
		Conclusion conclusions   `json:"conclusion"`
		Codes      []report.Code `json:"codes"`
		NotCodes   []report.Code `json:"not_codes"`
		Assurance  string        `json:"assurance"`
	} `json:"expect"`
}

// conclusions is one conclusion or a list of allowed ones.
type conclusions []report.Conclusion

func (c *conclusions) UnmarshalJSON(data []byte) error {
	var one report.Conclusion
	if json.Unmarshal(data, &one) == nil {
		*c = conclusions{one}
		return nil
	}
	return json.Unmarshal(data, (*[]report.Conclusion)(c))
}

func readCases(t testing.TB) []conformanceCase {
	t.Helper()
	files, err := filepath.Glob("../testdata/cases/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	cases := make([]conformanceCase, 0, len(files))
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var c conformanceCase
		require.NoError(t, json.Unmarshal(data, &c), file)
		cases = append(cases, c)
	}
	return cases
}

func TestCases(t *testing.T) {
	t.Parallel()
	for _, c := range readCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			got := checks.Evaluate(c.Snapshot, c.Stage)
			var codes []report.Code
			for _, d := range got.Diagnostics {
				codes = append(codes, d.Code)
				require.NotEmpty(t, d.Message, d.Code)
				row, known := report.Lookup(d.Code)
				require.True(t, known, d.Code)
				if !row.Varies {
					require.Equal(t, row.Severity, d.Severity, d.Code)
					require.Equal(t, row.Owner, d.Owner, d.Code)
				}
			}
			if got.Conclusion != report.Neutral {
				require.Equal(t, report.Conclude(got.Diagnostics), got.Conclusion)
			}
			require.Contains(t, c.Expect.Conclusion, got.Conclusion, "%s: %v", c.About, codes)
			for _, code := range c.Expect.Codes {
				require.Contains(t, codes, code, c.About)
			}
			for _, code := range c.Expect.NotCodes {
				require.NotContains(t, codes, code, c.About)
			}
			if c.Expect.Assurance != "" {
				require.Equal(t, c.Expect.Assurance, got.Assurance)
			}
		})
	}
}
