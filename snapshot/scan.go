package snapshot

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// scanner compares valid JSON with a shape and stops at the first difference.
type scanner struct {
	data   []byte
	at     int // next byte
	values int // seen so far
}

// path names a value for the message of an error; it is only written out then.
type path []any // member names and indexes

func (p path) String() string {
	var b strings.Builder
	for _, step := range p {
		switch step := step.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", step)
		case string:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			if !plainName(step) {
				step = shown(step)
			}
			b.WriteString(step)
		}
	}
	return b.String()
}

func (p path) problem(format string, args ...any) error {
	return &DecodeError{Path: p.String(), Problem: fmt.Sprintf(format, args...)}
}

func (s *scanner) value(want *shape, p path) error {
	if s.values++; s.values > maxValues {
		return tooMany(p)
	}
	switch s.next() {
	case '{':
		if want.kind == object {
			return s.object(want, p)
		}
	case '[':
		if want.kind == array {
			return s.array(want, p)
		}
	case '"':
		if want.kind == text {
			return s.checkText(want, p)
		}
	case 'n':
		if want.null {
			s.word()
			return nil
		}
	case 't', 'f':
		if want.kind == boolean {
			s.word()
			return nil
		}
	default:
		if want.kind == integer {
			return checkNumber(want, s.word(), p)
		}
	}
	return p.problem("expected %s, found %s", want.expected(), s.found())
}

func (s *scanner) object(want *shape, p path) error {
	if want.either != nil {
		want = s.choose(want.either)
	}
	if want.members == nil {
		return s.open(p)
	}
	seen := map[string]bool{}
	s.at++ // {
	for s.next() != '}' {
		name := s.text()
		here := append(p, name)
		member, known := want.members[name]
		if !known {
			return here.problem("unknown member; known are %s", strings.Join(slices.Sorted(maps.Keys(want.members)), ", "))
		}
		if seen[name] {
			return here.problem("the member is given twice")
		}
		seen[name] = true
		s.next()
		s.at++ // :
		if err := s.value(member, here); err != nil {
			return err
		}
		if s.next() == ',' {
			s.at++
		}
	}
	s.at++ // }
	for _, name := range want.required {
		if !seen[name] {
			return p.problem("the required member %q is missing", name)
		}
	}
	return nil
}

func (s *scanner) array(want *shape, p path) error {
	s.at++ // [
	for i := 0; s.next() != ']'; i++ {
		if err := s.value(want.items, append(p, i)); err != nil {
			return err
		}
		if s.next() == ',' {
			s.at++
		}
	}
	s.at++ // ]
	return nil
}

// choose looks for the member that tells the shapes apart, without moving on. An object with none
// of them is compared with the first shape, which then names what is missing.
func (s *scanner) choose(shapes []*shape) *shape {
	ahead := scanner{data: s.data, at: s.at + 1}
	for ahead.next() != '}' {
		name := ahead.text()
		for _, candidate := range shapes {
			if candidate.required[0] == name {
				return candidate
			}
		}
		ahead.next()
		ahead.at++ // :
		ahead.skip()
		if ahead.next() == ',' {
			ahead.at++
		}
	}
	return shapes[0]
}

// open passes an object whose members the schema leaves open: only its values are counted, and
// repeated names refused.
func (s *scanner) open(p path) error {
	type level struct {
		names  map[string]bool // nil in an array
		inName bool
	}
	var stack []level
	for {
		b := s.next()
		switch b {
		case '{', '[':
			top := level{inName: b == '{'}
			if top.inName {
				top.names = map[string]bool{}
			}
			stack = append(stack, top)
			s.values++
			s.at++
		case '}', ']':
			stack = stack[:len(stack)-1]
			s.at++
		case ':':
			stack[len(stack)-1].inName = false
			s.at++
		case ',':
			top := &stack[len(stack)-1]
			top.inName = top.names != nil
			s.at++
		case '"':
			top := stack[len(stack)-1]
			if !top.inName {
				s.raw()
				s.values++
				break
			}
			name := s.text()
			if top.names[name] {
				return append(p, name).problem("the member is given twice")
			}
			top.names[name] = true
		default:
			s.word()
			s.values++
		}
		if s.values > maxValues {
			return tooMany(p)
		}
		if len(stack) == 0 {
			return nil
		}
	}
}

func tooMany(p path) error {
	return p.problem("the snapshot holds more than %d values, the most that is read", maxValues)
}

// next moves to the next byte that is no white space and returns it; 0 at the end.
func (s *scanner) next() byte {
	for ; s.at < len(s.data); s.at++ {
		switch b := s.data[s.at]; b {
		case ' ', '\t', '\n', '\r':
		default:
			return b
		}
	}
	return 0
}

// raw passes a string and returns it with its quotes.
func (s *scanner) raw() []byte {
	start := s.at
	for s.at++; s.data[s.at] != '"'; s.at++ {
		if s.data[s.at] == '\\' {
			s.at++
		}
	}
	s.at++
	return s.data[start:s.at]
}

func (s *scanner) text() string {
	raw := s.raw()
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var unescaped string
	if err := json.Unmarshal(raw, &unescaped); err != nil {
		return string(raw)
	}
	return unescaped
}

// word passes a number, true, false or null.
func (s *scanner) word() string {
	start := s.at
	for s.at < len(s.data) && !bytes.ContainsRune([]byte(",]} \t\r\n"), rune(s.data[s.at])) {
		s.at++
	}
	return string(s.data[start:s.at])
}

// skip passes one value of any kind.
func (s *scanner) skip() {
	depth := 0
	for {
		switch s.next() {
		case '{', '[':
			depth++
			s.at++
		case '}', ']':
			depth--
			s.at++
		case ',', ':':
			s.at++
		case '"':
			s.raw()
		default:
			s.word()
		}
		if depth == 0 {
			return
		}
	}
}

func (s *scanner) found() string {
	switch b := s.next(); b {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "the string " + shown(s.text())
	default:
		return short(s.word())
	}
}

func (want *shape) expected() string {
	if want.null {
		return string(want.kind) + " or null"
	}
	return string(want.kind)
}

func (s *scanner) checkText(want *shape, p path) error {
	if !want.sha && want.oneOf == nil {
		s.raw()
		return nil
	}
	got := s.text()
	switch {
	case want.sha && !isSHA(got):
		return p.problem("expected a commit of 40 or 64 lower-case hexadecimal digits, found %s", shown(got))
	case want.oneOf != nil && !slices.Contains(want.oneOf, got):
		return p.problem("expected one of %s, found %s", strings.Join(want.oneOf, ", "), shown(got))
	}
	return nil
}

func checkNumber(want *shape, got string, p path) error {
	n, err := strconv.ParseInt(got, 10, 64)
	switch {
	case err != nil:
		return p.problem("expected an integer, written in digits, found %s", short(got))
	case want.natural && n < 0:
		return p.problem("expected an integer of at least 0, found %s", short(got))
	case want.only != 0 && n != want.only:
		return p.problem("expected %d, found %s", want.only, short(got))
	}
	return nil
}

func isSHA(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	return strings.Trim(s, "0123456789abcdef") == ""
}

// shown makes foreign text fit for one line of a message: quoted, short, and without characters
// that cannot be seen.
func shown(s string) string {
	const most = 60
	runes := []rune(s[:min(len(s), 4*most)])
	if len(runes) > most {
		return strconv.QuoteToGraphic(string(runes[:most])) + "…"
	}
	return strconv.QuoteToGraphic(s)
}

// short cuts a number or word of JSON, which holds nothing that needs quotes.
func short(word string) string {
	const most = 60
	if len(word) > most {
		return word[:most] + "…"
	}
	return word
}

// plainName says whether a member name needs no quotes in a path.
func plainName(s string) bool {
	return s != "" && len(s) <= 40 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz_0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
