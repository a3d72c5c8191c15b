package policy

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// kind is what a value of the file is.
type kind int

const (
	nothing kind = iota // null, or no value at all
	text
	number // a whole number in plain digits
	otherNumber
	boolean
	list
	mapping
	unknown
)

var kindNames = map[kind]string{
	nothing: "nothing", text: "text", number: "a number", otherNumber: "a number", boolean: "true or false",
	list: "a list", mapping: "a mapping", unknown: "something else",
}

// node is one value of the file.
type node struct {
	kind    kind
	text    string // of a text; of a number or boolean as it is written
	at      spot
	items   []node  // of a list
	entries []entry // of a mapping
}

// entry is one key of a mapping with its value.
type entry struct {
	key   string
	at    spot
	value node
}

// tree reads the text as one YAML document. It reports false when there is a fault in its syntax.
func (r *reader) tree(text string) (node, bool) {
	tokens := lexer.Tokenize(text)
	if !r.plainTokens(tokens) {
		return node{}, false
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		r.syntax(err)
		return node{}, false
	}
	var body ast.Node
	for _, d := range file.Docs {
		if d.Body == nil {
			continue
		}
		if body != nil {
			at := r.node(d.Body, spot{}).at
			if d.Start != nil {
				at = spotOf(d.Start)
			}
			r.fault(at, "keep one document: remove the line --- and what follows it", "a second YAML document begins here")
			return node{}, false
		}
		body = d.Body
	}
	return r.node(body, spot{line: 1, column: 1}), true
}

// refused are the tokens of YAML that a policy has no use for. Anchors and aliases would let a short
// file stand for an endless one.
var refused = map[token.Type]struct{ what, instead string }{
	token.AnchorType:    {"an anchor (&)", "write the value where it is needed, in quotes when it begins with &"},
	token.AliasType:     {"an alias (*)", "write the value itself, in quotes when it begins with *"},
	token.TagType:       {"a tag (!)", "write the value alone, in quotes when it begins with !"},
	token.MergeKeyType:  {"a merge key (<<)", "write the keys themselves"},
	token.DirectiveType: {"a directive (%)", "remove the line"},
}

// plainTokens refuses what a policy has no use for, indentation by tabs, and nesting that is too deep
// to be read safely.
func (r *reader) plainTokens(tokens token.Tokens) bool {
	before := len(r.faults)
	deep, flow, columns := false, 0, []int{}
	seen := map[int]bool{} // lines
	for _, t := range tokens {
		if of, found := refused[t.Type]; found {
			r.fault(spotOf(t), of.instead, "this is %s, which a policy has no use for", of.what)
		}
		if line := t.Position.Line; !seen[line] && t.Type != token.CommentType && !inBlock(t) {
			seen[line] = true
			r.tabs(line)
		}
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			flow++
		case token.MappingEndType, token.SequenceEndType:
			flow = max(0, flow-1)
		case token.SequenceEntryType, token.MappingKeyType, token.MappingValueType:
			if flow == 0 {
				columns = indented(columns, t)
			}
		}
		if !deep && flow+len(columns) > maxDepth {
			deep = true
			r.fault(spotOf(t), "write the keys of a policy only", "values are nested more than %d deep here", maxDepth)
		}
	}
	return len(r.faults) == before
}

// indented keeps the columns of the block collections that a token stands in.
func indented(columns []int, t *token.Token) []int {
	at := t.Position.Column
	if t.Type == token.MappingValueType && t.Prev != nil {
		at = t.Prev.Position.Column // the key's
	}
	for len(columns) > 0 && columns[len(columns)-1] > at {
		columns = columns[:len(columns)-1]
	}
	if len(columns) == 0 || columns[len(columns)-1] < at {
		columns = append(columns, at)
	}
	return columns
}

// inBlock reports whether a token is the text of a `|` or `>` value, where tabs are text.
func inBlock(t *token.Token) bool {
	return t.Prev != nil && (t.Prev.Type == token.LiteralType || t.Prev.Type == token.FoldedType)
}

func (r *reader) tabs(number int) {
	if number < 1 || number > len(r.lines) {
		return
	}
	line := r.lines[number-1]
	indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if i := strings.IndexByte(indent, '\t'); i >= 0 {
		r.fault(spot{line: number, column: i + 1}, strings.ReplaceAll(indent, "\t", "  ")+line[len(indent):], "the line is indented with a tab; YAML takes spaces only")
	}
}

// hints say in plain words what the parser's commonest complaints come from.
var hints = map[string]string{
	"mapping value is not allowed in this context": "a key cannot stand inside a value: put it on a line of its own, or quote the value when it holds \": \"",
	"value is not allowed in this context":         "indent the line like the keys beside it, and write it as key: value",
	"non-map value is specified":                   "write the line as key: value",
	"unexpected key name":                          "write the line as key: value",
	"sequence end token ']' not found":             "close the list with ]",
	"could not find flow mapping end token '}'":    "close the mapping with }",
}

// syntax reports what the parser could not read.
func (r *reader) syntax(err error) {
	var broken yaml.Error
	if !errors.As(err, &broken) {
		r.fault(spot{line: 1, column: 1}, "", "the file is no YAML: %v", err)
		return
	}
	help := hints[broken.GetMessage()]
	if help == "" {
		help = "write the line as key: value, and put a value with signs such as @ ` ' \" in quotes"
	}
	at := spotOf(broken.GetToken())
	if login := unquotedBot.FindStringSubmatch(r.line(at.line)); login != nil {
		help = fmt.Sprintf("put the login in quotes, since a bracket begins a list: %q", login[1])
	}
	r.fault(at, help, "the line is no YAML: %s", broken.GetMessage())
}

// unquotedBot is the login of a bot as GitHub writes it, without the quotes that YAML needs around it.
var unquotedBot = regexp.MustCompile(`(?:^|[\s,\[])([0-9A-Za-z-]+\[bot\])`)

// line is a line of the file, counted from 1; empty where there is none.
func (r *reader) line(n int) string {
	if n < 1 || n > len(r.lines) {
		return ""
	}
	return r.lines[n-1]
}

// node takes one value of the parser over; at is where it would stand were it left out.
func (r *reader) node(n ast.Node, at spot) node {
	if n == nil {
		return node{kind: nothing, at: at}
	}
	switch n := n.(type) {
	case *ast.MappingNode:
		return r.mappingNode(n.Values, n)
	case *ast.MappingValueNode:
		return r.mappingNode([]*ast.MappingValueNode{n}, n)
	case *ast.SequenceNode:
		out := node{kind: list, at: spotOf(n.Start)}
		for _, v := range n.Values {
			out.items = append(out.items, r.node(v, out.at))
		}
		return out
	case *ast.StringNode:
		return node{kind: text, text: n.Value, at: spotOf(n.Token)}
	case *ast.LiteralNode:
		return node{kind: text, text: n.Value.Value, at: spotOf(n.Start)}
	case *ast.IntegerNode:
		written := strings.TrimSpace(n.Token.Value)
		if strings.Trim(written, "0123456789") == "" && (written == "0" || !strings.HasPrefix(written, "0")) {
			return node{kind: number, text: written, at: spotOf(n.Token)}
		}
		return node{kind: otherNumber, text: written, at: spotOf(n.Token)}
	case *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return node{kind: otherNumber, text: strings.TrimSpace(n.GetToken().Value), at: spotOf(n.GetToken())}
	case *ast.BoolNode:
		return node{kind: boolean, text: strings.ToLower(n.Token.Value), at: spotOf(n.Token)}
	case *ast.NullNode:
		if where := spotOf(n.Token); n.Token.Type == token.NullType && where.line > 0 {
			at = where
		}
		return node{kind: nothing, at: at}
	}
	return node{kind: unknown, at: spotOf(n.GetToken())}
}

func (r *reader) mappingNode(values []*ast.MappingValueNode, n ast.Node) node {
	out := node{kind: mapping, at: spotOf(n.GetToken())}
	for i, v := range values {
		key := r.node(v.Key, out.at)
		if k, ok := v.Key.(*ast.MappingKeyNode); ok {
			key = r.node(k.Value, spotOf(k.Start))
		}
		if i == 0 {
			out.at = key.at
		}
		out.entries = append(out.entries, entry{key: key.text, at: key.at, value: r.node(v.Value, key.at)})
	}
	return out
}

// spotOf is where a token stands. The end covers it when it is on one line.
func spotOf(t *token.Token) spot {
	if t == nil || t.Position == nil {
		return spot{line: 1, column: 1}
	}
	at := spot{line: t.Position.Line, column: t.Position.Column}
	if written := strings.TrimSpace(t.Origin); !strings.Contains(written, "\n") {
		at.end = at.column + utf8.RuneCountInString(written)
	}
	return at
}
