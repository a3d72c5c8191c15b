package policy

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scope is where keys stand: the dotted path of their mapping, and where their lines are noted.
type scope struct {
	path  string
	lines map[string]int
}

func (s scope) below(key string) scope { return scope{path: s.dotted(key), lines: s.lines} }

func (s scope) dotted(key string) string {
	if s.path == "" {
		return key
	}
	return s.path + "." + key
}

// field is one key that a mapping may have.
type field struct {
	key    string
	label  string // what a message calls the value; the key when empty
	sample string // a value as it may be written
	read   func(*reader, field, node)
	inner  []field // the keys of the mapping that it holds
}

// line is the key with a value, as it may be written.
func (f field) line(value string) string {
	if strings.HasPrefix(f.sample, "[") && !strings.HasPrefix(value, "[") {
		value = "[" + value + "]"
	}
	return f.key + ": " + value
}

// name is what a message calls the value.
func (f field) name() string { return cmp.Or(f.label, f.key) }

// item reads one value; it reports false after a fault.
type item[T any] func(*reader, field, node) (T, bool)

// one is a key with one value.
func one[T any](key, sample string, to *T, read item[T]) field {
	return field{key: key, sample: sample, read: func(r *reader, f field, n node) {
		if v, ok := read(r, f, n); ok {
			*to = v
		}
	}}
}

// maxItems bounds a list and maxText a text; no policy has as much.
const (
	maxItems = 200
	maxText  = 2_000
)

// many is a key with a list of values.
func many[T any](key, sample string, to *[]T, read item[T]) field {
	return field{key: key, sample: sample, read: func(r *reader, f field, n node) {
		if n.kind != list {
			r.expected(f, n, "a list")
			return
		}
		if len(n.items) > maxItems {
			r.fault(n.at, "", "%s has %d entries; it may have %d", f.key, len(n.items), maxItems)
			return
		}
		*to = nil
		f.label = "an entry of " + f.key
		for _, i := range n.items {
			if v, ok := read(r, f, i); ok {
				*to = append(*to, v)
			}
		}
	}}
}

// keys is a key with a mapping of known keys.
func keys(s scope, key string, inner ...field) field {
	return field{key: key, sample: "{ " + inner[0].line(inner[0].sample) + " }", inner: inner, read: func(r *reader, f field, n node) {
		r.keys(n, s.below(key), f, inner)
	}}
}

// keys reads a mapping of known keys, each at most once.
func (r *reader) keys(n node, s scope, f field, fields []field) {
	if n.kind != mapping {
		r.expected(f, n, "a mapping")
		return
	}
	seen := map[string]int{}
	for _, e := range n.entries {
		if before, twice := seen[e.key]; twice {
			r.fault(e.at, "keep one of the two lines", "the key %s stands twice; it stands in line %d already", shown(e.key), before)
			continue
		}
		seen[e.key] = e.at.line
		i := slices.IndexFunc(fields, func(f field) bool { return f.key == e.key })
		if i < 0 {
			r.unknownKey(e, s, fields)
			continue
		}
		if s.lines != nil {
			s.lines[s.dotted(e.key)] = e.at.line
		}
		fields[i].read(r, fields[i], e.value)
	}
}

// unknownKey names the key that was meant: one that is spelled like it, or one of another mapping.
func (r *reader) unknownKey(e entry, s scope, fields []field) {
	if len(r.faults) >= maxFaults {
		r.more++
		return
	}
	in := ""
	if s.path != "" {
		in = " in " + s.path
	}
	names := keyNames(fields)
	if near, ok := nearest(e.key, names); ok {
		f := fields[slices.Index(names, near)]
		r.fault(e.at, f.line(rewritten(e.value, f.sample)), "there is no key %s%s; the nearest is %s", shown(e.key), in, near)
		return
	}
	if above, f, ok := elsewhere(e.key); ok {
		help := f.line(rewritten(e.value, f.sample))
		if above != "" {
			help = above + ":\n  " + help
		}
		r.fault(e.at, help, "there is no key %s%s; it stands %s", shown(e.key), in, placeOf(above))
		return
	}
	r.fault(e.at, "remove the line, or write one of "+oneOf(names), "there is no key %s%s", shown(e.key), in)
}

func placeOf(path string) string {
	if path == "" {
		return "at the top level"
	}
	return "in " + path
}

// elsewhere finds a key among those at the top level and in the mappings right below.
func elsewhere(key string) (above string, found field, ok bool) {
	top := fieldsOf(new(Policy))
	for _, f := range top {
		if f.key == key {
			return "", f, true
		}
	}
	for _, f := range top {
		for _, inner := range f.inner {
			if inner.key == key && !strings.HasPrefix(f.sample, "[") && f.key != "floor" {
				return f.key, inner, true
			}
		}
	}
	return "", field{}, false
}

func keyNames(fields []field) []string {
	names := make([]string, 0, len(fields))
	for _, f := range fields {
		names = append(names, f.key)
	}
	return names
}

// rewritten is a value as it stood, when it is one that a line of help can show in the place of the
// sample, else the sample.
func rewritten(n node, sample string) string {
	switch {
	case strings.HasPrefix(sample, "{"):
	case n.kind == text && n.text != "" && len(n.text) <= maxShown && !strings.Contains(n.text, "\n"):
		return quoted(n.text)
	case n.kind == number || n.kind == boolean:
		return n.text
	}
	return sample
}

// quoted writes a text as YAML, in quotes where it needs them.
func quoted(s string) string {
	for i, c := range s {
		switch {
		case c == '_' || c == '/' || c == '.' || c == '+' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z':
		case i > 0 && (c == '-' || c == ' '):
		default:
			return strconv.Quote(s)
		}
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil || s == "" || slices.Contains([]string{"true", "false", "null"}, strings.ToLower(s)) || strings.HasSuffix(s, " ") {
		return strconv.Quote(s)
	}
	return s
}

// expected reports a value of the wrong type.
func (r *reader) expected(f field, n node, want string) {
	if n.kind == nothing {
		r.fault(n.at, f.line(f.sample), "%s has no value; it takes %s", f.name(), want)
		return
	}
	is := kindNames[n.kind]
	switch {
	case n.kind == boolean || n.kind == number || n.kind == otherNumber:
		is = shown(n.text)
	case n.kind == text:
		is = "the text " + shown(n.text)
	}
	help := f.sample
	if want == "a list" && n.kind == text {
		help = "[" + rewritten(n, f.sample) + "]"
	}
	if want == "text" && (n.kind == number || n.kind == otherNumber || n.kind == boolean) {
		help = strconv.Quote(n.text)
	}
	r.fault(n.at, f.line(help), "%s is %s; it takes %s", f.name(), is, want)
}

// offs are words that people write for off.
var offs = []string{"off", "no", "none", "never", "false", "disabled"}

// words takes one of a few words, compared exactly.
func words[T ~string](known ...T) item[T] {
	names := make([]string, 0, len(known))
	for _, k := range known {
		names = append(names, string(k))
	}
	return func(r *reader, f field, n node) (T, bool) {
		want := oneOf(names)
		switch {
		case n.kind == boolean && slices.Contains(names, Off) && n.text == "false":
			r.fault(n.at, f.line(Off), "%s is %s; some readers of YAML take off for that, so write the word off", f.name(), n.text)
		case n.kind != text:
			r.expected(f, n, want)
		case !slices.Contains(names, n.text):
			near, ok := nearest(n.text, names)
			if !ok {
				near = f.sample
			}
			if slices.Contains(names, Off) && slices.Contains(offs, strings.ToLower(n.text)) {
				near = Off
			}
			r.fault(n.at, f.line(near), "%s is %s; it takes %s", f.name(), shown(n.text), want)
		default:
			return T(n.text), true
		}
		return "", false
	}
}

// flag takes true or false.
func flag(r *reader, f field, n node) (bool, bool) {
	if n.kind != boolean {
		if n.kind == text {
			f.sample = strconv.FormatBool(slices.Contains([]string{"yes", "on", "y", "true"}, strings.ToLower(n.text)))
		}
		r.expected(f, n, "true or false")
		return false, false
	}
	return n.text == "true", true
}

// count takes a whole number between two bounds.
func count(least, most int) item[int] {
	return func(r *reader, f field, n node) (int, bool) {
		want := fmt.Sprintf("a whole number from %d to %d", least, most)
		if n.kind != number {
			r.expected(f, n, want)
			return 0, false
		}
		v, err := strconv.Atoi(n.text)
		if err != nil || v < least || v > most {
			r.fault(n.at, f.line(f.sample), "%s is %s; it takes %s", f.name(), shown(n.text), want)
			return 0, false
		}
		return v, true
	}
}

// A rule says why a text is none of its kind, and what was probably meant; both are empty for one
// that is.
type rule func(string) (why, instead string)

// texts takes a text that keeps the rules, one after the other.
func texts(longest int, rules ...rule) item[string] {
	return func(r *reader, f field, n node) (string, bool) {
		if n.kind != text {
			r.expected(f, n, "text")
			return "", false
		}
		if size := utf8.RuneCountInString(n.text); size > longest {
			r.fault(n.at, "shorten it", "%s has %d characters; it may have %d", f.name(), size, longest)
			return "", false
		}
		for _, rule := range rules {
			if why, instead := rule(n.text); why != "" {
				if instead == "" {
					instead = f.sample
				}
				r.fault(n.at, f.line(instead), "%s is %s; %s", f.name(), shown(n.text), why)
				return "", false
			}
		}
		return n.text, true
	}
}
