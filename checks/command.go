package checks

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/syntax"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
)

// commands is a set of commands, in which a text is looked up as the same command (section 5, rule
// 4): equal once white space is collapsed, or the same words after quote removal, where the program
// may be written with an absolute folder, a runtime's version or .exe.
type commands struct {
	texts  map[string]bool
	parsed map[string]map[string]bool // program without version, and arguments -> versions
	tried  int                        // texts that were parsed to be looked up
}

// maxCommands bounds how many texts of one set, and how many looked up in it, are parsed as shell
// commands; further ones are compared as text. Nobody writes that many code spans into one check.
const maxCommands = 100

func newCommands(texts ...string) *commands {
	c := &commands{texts: make(map[string]bool, len(texts))}
	for _, text := range texts {
		c.texts[checkline.Squeeze(text)] = true
	}
	return c
}

// has reports whether the text is the same command as one of the set.
func (c *commands) has(text string) bool {
	text = checkline.Squeeze(text)
	if c.texts[text] {
		return true
	}
	if c.tried++; c.tried > maxCommands {
		return false
	}
	words, ok := simpleWords(text)
	if !ok {
		return false
	}
	key, version := identity(words)
	if c.parsed == nil {
		c.parse()
	}
	versions := c.parsed[key]
	return versions[version] || version == "" && len(versions) > 0 || versions[""]
}

// parse fills parsed. Which of too many texts are parsed does not depend on their order.
func (c *commands) parse() {
	c.parsed = map[string]map[string]bool{}
	for _, text := range slices.Sorted(maps.Keys(c.texts))[:min(maxCommands, len(c.texts))] {
		words, ok := simpleWords(text)
		if !ok {
			continue
		}
		key, version := identity(words)
		if c.parsed[key] == nil {
			c.parsed[key] = map[string]bool{}
		}
		c.parsed[key][version] = true
	}
}

// identity is what the words of one command share with every other spelling of it, and the version
// of its program's runtime. A version on one side only is ignored; two different versions are two
// programs.
func identity(words []string) (key, version string) {
	name, version := splitProgram(words[0])
	if name == "" {
		name = words[0]
	}
	return strings.Join(append([]string{name}, words[1:]...), "\x00"), version
}

// SameCommand reports whether two texts are the same command (section 5, rule 4): equal after white
// space is collapsed, or the same words as one simple shell command.
func SameCommand(a, b string) bool { return newCommands(b).has(a) }

// maxCommand bounds the text that is parsed as a shell command; a longer one is compared as text.
const maxCommand = 8192

// simpleWords are the words of one simple command after quote removal. It reports false when the
// text is anything more: expansions, operators, redirections, assignments, comments.
func simpleWords(s string) ([]string, bool) {
	if len(s) > maxCommand {
		return nil, false
	}
	file, err := syntax.NewParser(syntax.KeepComments(true)).Parse(strings.NewReader(s), "")
	if err != nil || len(file.Stmts) != 1 || len(file.Last) > 0 {
		return nil, false
	}
	stmt := file.Stmts[0]
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 || len(call.Args) == 0 || len(stmt.Redirs) > 0 || len(stmt.Comments) > 0 ||
		stmt.Negated || stmt.Background || stmt.Coprocess || stmt.Semicolon.IsValid() {
		return nil, false
	}
	words := make([]string, 0, len(call.Args))
	for i, w := range call.Args {
		word, ok := wordText(w, i == 0)
		if !ok {
			return nil, false
		}
		words = append(words, word)
	}
	return words, true
}

// wordText is a word after quote removal. In the program's word an unquoted backslash separates
// folders.
func wordText(w *syntax.Word, program bool) (string, bool) {
	var out strings.Builder
	for i, part := range w.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(p.Value, "*?[{") || i == 0 && strings.HasPrefix(p.Value, "~") {
				return "", false
			}
			out.WriteString(unquoted(p.Value, program))
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
			out.WriteString(p.Value)
		case *syntax.DblQuoted:
			if p.Dollar {
				return "", false
			}
			for _, inner := range p.Parts {
				lit, ok := inner.(*syntax.Lit)
				if !ok {
					return "", false
				}
				out.WriteString(doubleQuoted(lit.Value))
			}
		default:
			return "", false
		}
	}
	return out.String(), true
}

func unquoted(s string, program bool) string {
	if program {
		return strings.ReplaceAll(s, `\`, "/")
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// doubleQuoted removes the backslashes that quote something between double quotes.
func doubleQuoted(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\\n", s[i+1]) >= 0 {
			i++
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

// runtime matches the program of a runtime with its version (section 5, rule 4).
var runtime = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(php|python|node|ruby|perl|java|lua|deno|bun)-?([0-9]+(?:\.[0-9]+)*)$`)
})

// splitProgram takes an absolute folder, .exe and a runtime's version off a program word.
func splitProgram(word string) (name, version string) {
	if i := strings.LastIndexByte(word, '/'); i >= 0 && absolute(word) {
		word = word[i+1:]
	}
	if n := len(word) - len(".exe"); n > 0 && strings.EqualFold(word[n:], ".exe") {
		word = word[:n]
	}
	if m := runtime().FindStringSubmatch(word); m != nil {
		return m[1], m[2]
	}
	return word, ""
}

func absolute(path string) bool {
	drive := len(path) > 2 && path[1] == ':' && path[2] == '/'
	return path[0] == '/' || drive
}
