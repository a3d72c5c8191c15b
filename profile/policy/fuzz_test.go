package policy

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/growth"
	"github.com/evidence-gate/evidence-gate/report"
)

// ordinaryEntry is one line of a long policy.
const ordinaryEntry = "  - { name: unit tests, run: go test ./..., phase: check, layer: test, timeout: 10m } # twice a day, and before each release\n"

func readAsFile(text string) { Read(text, Repository) }

// FuzzRead: whatever the file holds, reading it neither fails nor takes long, and every fault points
// into the text.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"", "version: 1\n", "version: 1\nlevle: off\n", "version: 1\n\tlevel: off\n", "a: [b\n", "a: &x b\nc: *x\n", "? a\n: b\n",
		"version: 1\nchecks:\n  - run: |\n      a\n", "{version: 1", "version: 1\r\nlevel: 'é\u200b'\r\n", "\ufeffversion: 2", "- - - a", "a: b: c", "\"\\x\": 1", "!!map {a: 1}", "%YAML 1.2\n---\n",
		"version: 1\nrules:\n  - { when: { paths: [\"docs/**\"] }, level: off }\n", "a:\n- b\nc", ": :", "--- |\n x\n...\n", "\x00",
	} {
		f.Add(text)
	}
	meter := growth.NewMeter(readAsFile, ordinaryEntry)
	f.Fuzz(func(t *testing.T, text string) {
		p, faults := Read(text, Repository)
		requireInside(t, text, faults)
		require.LessOrEqual(t, len(faults), maxFaults+1)
		if len(faults) == 0 {
			e := p.For(change())
			for _, v := range e.Values() {
				require.True(t, utf8.ValidString(v.Text()))
			}
			require.NotEmpty(t, e.Level)
		}
		if len(text) > 0 && len(text) < 200 {
			meter.Check(t, "", text, "")
			meter.Check(t, "version: 1\nenv:\n", text, "")
		}
	})
}

// requireInside holds every place against the text.
func requireInside(t *testing.T, text string, faults []report.Diagnostic) {
	t.Helper()
	lines := strings.Split(normal(text), "\n")
	for _, d := range faults {
		if d.Where.Line == 0 {
			continue // that there are more
		}
		require.LessOrEqual(t, d.Where.Line, len(lines))
		width := utf8.RuneCountInString(lines[d.Where.Line-1])
		require.GreaterOrEqual(t, d.Where.Column, 1)
		require.LessOrEqual(t, d.Where.Column, width+1)
		require.LessOrEqual(t, d.Where.EndColumn, width+1)
		require.NotEmpty(t, d.Help)
	}
}

// Texts that the YAML library is slow on, as measured.
func TestCostIsBounded(t *testing.T) {
	t.Parallel()
	meter := growth.NewMeter(readAsFile, ordinaryEntry)
	for _, c := range [][2]string{
		{"a: |\n", "\n"}, {"a: >\n  x\n", " \n"}, {"a: \"", "a\t"}, {"a: \"", "\ta"}, {"", "["}, {"", "{a: "}, {"", "- "}, {"", "a: b\n"},
		{"", "\x00"}, {"", "\u200b"}, {"version: 1\n", "é"}, {"version: 1\ncheck_name: ", "x"}, {"", "a: [b]\n"}, {"", "? "}, {"", "#\n"}, {"version: 1\nrules:\n", "- when: {}\n"},
	} {
		meter.Check(t, c[0], c[1], "")
	}
}

// The dearest that may be asked of one pull request: every rule has every glob, and no path matches.
func BenchmarkForManyPaths(b *testing.B) {
	var text strings.Builder
	text.WriteString("version: 1\nrules:\n")
	for range 50 {
		text.WriteString("  - { when: { paths: [\"a/**/{x,y}/**/*.md\", \"docs/**\", \"**/*.txt\"] }, level: off }\n")
	}
	p, faults := Read(text.String(), Repository)
	require.Empty(b, faults)
	var names []string
	for i := range 3_000 {
		names = append(names, "docs/"+strings.Repeat("x/", i%20)+"a.md")
	}
	s := change(paths(3_000, append(names, "src/a.js")...))
	b.ReportAllocs()
	for b.Loop() {
		p.For(s)
	}
}

func BenchmarkRead(b *testing.B) {
	for name, n := range map[string]int{"20 lines": 20, "200 lines": 200} {
		text := "version: 1\nlevel: checks\nchecks:\n"
		for i := range n {
			text += strings.Replace(ordinaryEntry, "unit tests", strings.Repeat("x", 1+i%90)+string(rune('a'+i/90)), 1)
		}
		if n <= maxItems {
			_, faults := Read(text, Repository)
			require.Empty(b, faults)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Read(text, Repository)
			}
		})
	}
}
