package markdown

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/evidence-gate/evidence-gate/internal/fulltest"
)

// cmark runs cmark-gfm, the library that GitHub renders with, and reads its syntax tree.
type cmark struct{ path string }

func needCmark(t *testing.T) cmark {
	t.Helper()
	path, err := exec.LookPath("cmark-gfm")
	fulltest.Needs(t, "cmark-gfm (Debian package cmark-gfm)", err == nil)
	return cmark{path: path}
}

// outline is the outline of a document as cmark-gfm reads it.
func (c cmark) outline(body string) (outline, error) {
	cmd := exec.Command(c.path, "--to", "xml", "--sourcepos", "-e", "table", "-e", "strikethrough", "-e", "autolink", "-e", "tasklist", "-e", "tagfilter")
	cmd.Stdin = strings.NewReader(body)
	data, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("cmark-gfm: %w", err)
	}
	root, err := readXML(data)
	if err != nil {
		return nil, err
	}
	var out outline
	for _, n := range root.children {
		n.outline(&out, 0)
	}
	return out, nil
}

// xmlNode is one element of cmark-gfm's XML.
type xmlNode struct {
	name     string
	attrs    map[string]string
	text     string
	children []*xmlNode
}

// notXML are the bytes that XML cannot hold and cmark-gfm writes all the same.
var notXML = regexp.MustCompile("[\x00-\x08\x0b\x0c\x0e-\x1f]")

func readXML(data []byte) (*xmlNode, error) {
	data = notXML.ReplaceAllFunc(data, func(b []byte) []byte {
		if b[0] == '\v' || b[0] == '\f' {
			return []byte(" ")
		}
		return []byte("\uFFFD")
	})
	data = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	decoder := xml.NewDecoder(bytes.NewReader(data))
	decoder.Strict = false
	stack := []*xmlNode{{}}
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return stack[0].children[0], nil
		}
		if err != nil {
			return nil, err
		}
		top := stack[len(stack)-1]
		switch token := token.(type) {
		case xml.StartElement:
			n := &xmlNode{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				n.attrs[a.Name.Local] = a.Value
			}
			top.children = append(top.children, n)
			stack = append(stack, n)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.text += string(token)
		}
	}
}

var xmlKinds = map[string]Kind{
	"heading": Heading, "paragraph": Paragraph, "list": List, "item": Item, "tasklist": Item, "block_quote": Quote, "code_block": Code,
	"html_block": HTML, "table": Table, "thematic_break": Rule,
}

func (n *xmlNode) outline(out *outline, depth int) {
	row := outlined{depth: depth, kind: xmlKinds[n.name]}
	row.level, _ = strconv.Atoi(n.attrs["level"])
	switch row.kind {
	case Paragraph, Heading:
		var text strings.Builder
		n.inline(&text)
		row.text = collapse(text.String())
	case Code, HTML:
		row.text = collapse(n.text)
	case Item:
		if n.name == "tasklist" {
			row.task = map[string]string{"true": "x", "false": " "}[n.attrs["completed"]]
		}
	}
	switch row.kind {
	case Heading, Item, Quote, HTML, Rule:
		if line, _, _ := strings.Cut(n.attrs["sourcepos"], ":"); depth == 0 || row.text != "" {
			row.line, _ = strconv.Atoi(line)
		}
	}
	*out = append(*out, row)
	switch row.kind {
	case List, Item:
		for _, c := range n.children {
			c.outline(out, depth+1)
		}
	}
}

// inline is the plain text inside a block. Tags vanish, a line break tag parts words (M8).
func (n *xmlNode) inline(out *strings.Builder) {
	switch n.name {
	case "text", "code":
		out.WriteString(n.text)
	case "softbreak", "linebreak":
		out.WriteByte(' ')
	case "html_inline":
		if lineBreakTag.MatchString(n.text) {
			out.WriteByte(' ')
		}
	default:
		for _, c := range n.children {
			c.inline(out)
		}
	}
}

var lineBreakTag = regexp.MustCompile(`(?i)^<br[ /]*>$`)
