package markdown

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
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

// compare returns the outlines of a document by cmark-gfm and by this package.
func compare(t testing.TB, c cmark, d *Document) (want, got string) {
	t.Helper()
	theirs, err := c.outline(d.Text())
	require.NoError(t, err)
	ours := outlineOf(d)
	for i := range min(len(theirs), len(ours)) {
		// cmark-gfm places a setext heading at the definitions before its text.
		if theirs[i].kind == Heading && ours[i].line > theirs[i].line && strings.HasPrefix(strings.TrimLeft(d.LineText(theirs[i].line), " "), "[") {
			theirs[i].line = ours[i].line
		}
		if theirs[i].kind == Item && !loneBox(d.LineText(theirs[i].line)) {
			theirs[i].task, ours[i].task = "", ""
		}
		if theirs[i].kind == Heading && theirs[i].depth > 0 {
			ours[i].text = boxedText.ReplaceAllString(ours[i].text, "")
		}
	}
	return theirs.String(), ours.String()
}

var box = regexp.MustCompile(`\[[ xX]\]`)

// loneBox reports whether the only task box of an item's line is the one at its start, before text.
// The others are among the known differences.
func loneBox(line string) bool {
	return len(box.FindAllString(line, -1)) == 1 && boxedItem.MatchString(line)
}

var boxedItem = regexp.MustCompile(`^\s*([-+*]|[0-9]+[.)])\s+\[[ xX]\]\s+[a-zA-Z]`)

var boxedText = regexp.MustCompile(`^\[[ xX]\] `)

// TestCasesReadAsOnGitHub compares the view of every case text with cmark-gfm's (design section 19).
func TestCasesReadAsOnGitHub(t *testing.T) {
	t.Parallel()
	c := needCmark(t)
	for name, body := range caseTexts(t) {
		d, err := Parse(body)
		if err != nil {
			continue // refused by M1
		}
		want, got := compare(t, c, d)
		require.Equal(t, want, got, "%s:\n%s", name, body)
	}
}

// generated is how many made-up documents are compared.
const generated = 1500

// TestGeneratedDocumentsReadAsOnGitHub compares documents that are hard to read (design section 19).
func TestGeneratedDocumentsReadAsOnGitHub(t *testing.T) {
	t.Parallel()
	c := needCmark(t)
	a := awkward{r: rand.New(rand.NewPCG(2026, 11))}
	differs := func(body string) (want, got string, bad bool) {
		d, err := Parse(body)
		require.NoError(t, err, "%q", body)
		want, got = compare(t, c, d)
		return want, got, want != got
	}
	for range generated {
		body := a.document()
		if _, _, bad := differs(body); bad {
			body = shrink(body, func(s string) bool { _, _, bad := differs(s); return bad })
			want, got, _ := differs(body)
			require.Equal(t, want, got, "%q", body)
		}
	}
}

// shrink takes away whatever a document does not need to stay bad.
func shrink(body string, bad func(string) bool) string {
	for size := len(body) / 2; size > 0; {
		cut := false
		for i := 0; i+size <= len(body); {
			if try := body[:i] + body[i+size:]; utf8.ValidString(try) && bad(try) {
				body, cut = try, true
				continue
			}
			i++
		}
		if !cut {
			size /= 2
		}
	}
	return body
}

// knownDifferences are documents that are read otherwise than by cmark-gfm, and why that may be.
// None of them makes text live that GitHub hides, or the other way round, on a line that could be a
// heading, an entry, a field or a check.
var knownDifferences = []struct{ about, body, why string }{
	{"an empty item right below a definition", "[a]: x\n-", "cmark-gfm goes on with the emptied paragraph; an item without text says nothing"},
	{"a box without text after it", "- [ ] ", "there is no text that the box could stand for"},
	{"definitions above a table in one paragraph", "[a]: x\nz\n|-", "cmark-gfm shows the definition as text; such a line starts no label"},
	{"comment grammar of later specifications: short comments", "a <!--> b", "cmark-gfm 0.29 shows it as text, CommonMark 0.31 hides the four signs"},
	{"comment grammar of later specifications: dashes inside", "a <!-- b -- c --> d", "cmark-gfm 0.29 shows it as text, CommonMark 0.31 hides it"},
	{"a declaration without text", "a <!X> b", "the same: hidden since CommonMark 0.31"},
	{"symbols beside emphasis", "_a_\U0001F600", "cmark-gfm 0.29 counts only punctuation as such, so that it shows some of the marks; the words stay the same"},
	{"tildes of different lengths", "~a~~", "cmark-gfm shows the tildes, goldmark some of them; the words stay the same"},
	{"backticks after a run that nothing closes", "`` `a` `b`", "cmark-gfm forgets closers it saw before; the words stay the same"},
	{"backslashes in bare addresses", "http://x\\*", "goldmark ends the address before the backslash; the text of an address has no meaning"},
	{"entities in bare addresses", "http://x&mp;c", "goldmark resolves it outside the address; the text of an address has no meaning"},
	{"backticks beside bare mail addresses", "a`@x.o`", "which of the two wins; neither has a meaning"},
	{"vertical tabs in inline tags", "a <b\v> c", "goldmark shows the tag as text; the words stay the same"},
}

// TestKnownDifferences holds the list of differences to what is so: a row that is none is to go.
func TestKnownDifferences(t *testing.T) {
	t.Parallel()
	c := needCmark(t)
	for _, row := range knownDifferences {
		d, err := Parse(row.body)
		require.NoError(t, err, row.about)
		want, got := compare(t, c, d)
		require.NotEqual(t, want, got, "%s: %s", row.about, row.why)
	}
}

// A ticked box later in an item's line ticks the item in cmark-gfm; the box at the start is the
// author's answer.
func TestTheFirstBoxCounts(t *testing.T) {
	t.Parallel()
	c := needCmark(t)
	const body = "- [ ] a [x]"
	theirs, err := c.outline(body)
	require.NoError(t, err)
	require.Equal(t, "x", theirs[1].task)
	d, err := Parse(body)
	require.NoError(t, err)
	require.Equal(t, " ", outlineOf(d)[1].task)
}

// TestTagsAreGitHubs asks cmark-gfm for every tag name of HTML which kind of block it opens.
func TestTagsAreGitHubs(t *testing.T) {
	t.Parallel()
	c := needCmark(t)
	names := strings.Fields(`a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button canvas
		caption center cite code col colgroup command content data datalist dd del details dfn dialog dir div dl dt element em embed fieldset
		figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 h7 head header hgroup hr html i iframe image img input ins isindex kbd
		keygen label legend li link listing main map mark marquee math menu menuitem meta meter multicol nav nextid nobr noembed noframes noscript
		object ol optgroup option output p param picture plaintext portal pre progress q rb rp rt rtc ruby s samp script search section select
		shadow slot small source spacer span strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time title
		tr track tt u ul var video wbr xmp`)
	for _, name := range names {
		for _, body := range []string{"x\n<" + name + " y", "x\n</" + strings.ToUpper(name) + ">", "<" + name + " y\n\nz", "<" + name + "/>\n\nz", "<" + name + ">\n\nz\n</" + name + ">\n\nz"} {
			d, err := Parse(body)
			require.NoError(t, err)
			want, got := compare(t, c, d)
			require.Equal(t, want, got, "%q", body)
		}
	}
}
