package markdown

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// caseTexts are all documents of testdata/cases: bodies, comments and their revisions.
func caseTexts(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/cases/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	texts := map[string]string{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var tree any
		require.NoError(t, json.Unmarshal(data, &tree))
		var walk func(path string, v any)
		walk = func(path string, v any) {
			switch v := v.(type) {
			case map[string]any:
				for k, c := range v {
					walk(path+"."+k, c)
				}
			case []any:
				for i, c := range v {
					walk(path+string(rune('0'+i%10)), c)
				}
			case string:
				if filepath.Ext(path) == ".body" || filepath.Ext(path) == ".text" {
					texts[path] = v
				}
			}
		}
		walk(filepath.Base(file), tree)
	}
	return texts
}

// TestCasesReadAsOnGitHub compares the view of every case text with cmark-gfm's (design section 19).
func TestCasesReadAsOnGitHub(t *testing.T) {
	t.Parallel()
	c := needCmark(t)
	for name, body := range caseTexts(t) {
		d, err := Parse(body)
		if err != nil {
			continue // refused by M1
		}
		want, err := c.outline(d.Text())
		require.NoError(t, err)
		require.Equal(t, want.String(), outlineOf(d).String(), "%s:\n%s", name, body)
	}
}

func TestExplore(t *testing.T) {
	c := needCmark(t)
	n, _ := strconv.Atoi(os.Getenv("N"))
	seed, _ := strconv.Atoi(os.Getenv("SEED"))
	a := awkward{r: rand.New(rand.NewPCG(uint64(seed), 1))}
	differs := func(body string) (string, string, bool) {
		d, err := Parse(body)
		if err != nil {
			return "", "", false
		}
		want, err := c.outline(d.Text())
		if err != nil {
			return "", "", false
		}
		w, g := want.String(), outlineOf(d).String()
		return w, g, w != g
	}
	seen := map[string]bool{}
	for range n {
		body := a.document()
		if _, _, bad := differs(body); !bad {
			continue
		}
		// minimise
		for changed := true; changed; {
			changed = false
			for size := len(body) / 2; size > 0; size /= 2 {
				for i := 0; i+size <= len(body); {
					try := body[:i] + body[i+size:]
					if !utf8.ValidString(try) {
						i++
						continue
					}
					if _, _, bad := differs(try); bad {
						body = try
						changed = true
					} else {
						i += max(1, size/2)
					}
				}
			}
		}
		if seen[body] {
			continue
		}
		seen[body] = true
		w, g, _ := differs(body)
		fmt.Printf("%q\n  cmark:\n%s  ours:\n%s", body, w, g)
	}
	fmt.Println(len(seen))
}
