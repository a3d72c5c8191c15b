package policy

import (
	"slices"
	"strings"
)

// entries is a key with a list of mappings of known keys. When one is read, whole looks at it as a
// whole.
func entries[T any](key, sample string, to *[]T, inner func(*T) []field, whole func(*reader, *T, node)) field {
	f := many(key, sample, to, func(r *reader, f field, n node) (T, bool) {
		var v T
		r.keys(n, scope{path: key}, f, inner(&v))
		if n.kind == mapping {
			whole(r, &v, n)
		}
		return v, n.kind == mapping
	})
	f.inner = inner(new(T))
	return f
}

// has finds a key of a mapping.
func (n node) has(key string) (entry, bool) {
	i := slices.IndexFunc(n.entries, func(e entry) bool { return e.key == key })
	if i < 0 {
		return entry{}, false
	}
	return n.entries[i], true
}

// needs reports the keys that a mapping must have and does not.
func (r *reader) needs(n node, in string, fields []field, required ...string) {
	for _, f := range fields {
		if _, there := n.has(f.key); !there && slices.Contains(required, f.key) {
			r.fault(n.at, f.line(f.sample), "an entry of %s has no %s", in, f.key)
		}
	}
}

// ruleWhole wants a rule to say what it is about. A rule that is about everything would hide those
// after it, and an empty list of labels or paths could be read either way.
func ruleWhole(r *reader, rule *Rule, n node) {
	rule.Line = n.at.line
	rule.lines = map[string]int{}
	for _, e := range n.entries {
		rule.lines[e.key] = e.at.line
		if slices.Contains(keyNames(demandFields(new(Demands))), e.key) && !slices.Contains(rule.Keys, e.key) {
			rule.Keys = append(rule.Keys, e.key)
		}
	}
	r.needs(n, "rules", ruleFields(new(Rule)), "when")
	when, there := n.has("when")
	if !there || when.value.kind != mapping {
		return
	}
	if len(when.value.entries) == 0 {
		r.fault(when.at, `when: { paths: ["docs/**"] }`, "when names no condition; what holds always stands at the top level")
	}
	for _, e := range when.value.entries {
		if e.value.kind == list && len(e.value.items) == 0 {
			r.fault(e.at, "remove "+e.key+", or name at least one", "the condition %s is an empty list", e.key)
		}
	}
}

func verifierWhole(r *reader, _ *Verifier, n node) {
	r.needs(n, "verifiers", verifierFields(new(Verifier)), "name", "owner", "public_key")
}

// checkWhole wants an entry that can be run or judged, and that has a name.
func checkWhole(r *reader, c *Check, n node) {
	c.Line = n.at.line
	fields := checkFields(new(Check))
	_, phase := n.has("phase")
	_, layer := n.has("layer")
	_, run := n.has("run")
	_, id := n.has("id")
	c.step = phase || layer || !id
	if _, named := n.has("name"); !named && !id {
		r.needs(n, "checks", fields, "name")
	}
	switch {
	case run:
		for _, key := range []string{"text", "kind", "observations"} {
			if e, there := n.has(key); there {
				r.fault(e.at, "remove the line; name says what the command is for", "an entry with run is a command; %s belongs to a check without run", key)
			}
		}
	case id:
		r.needs(n, "checks", fields, "text")
	default:
		r.needs(n, "checks", fields, "run")
	}
	serve := c.Phase == "serve"
	if e, there := n.has("probe"); there && !serve {
		r.fault(e.at, "phase: serve", "probe belongs to an entry of the phase serve")
	} else if !there && serve {
		r.needs(n, "checks", fields, "probe")
	}
}

// table is a key with a mapping of names to values.
func table[T any](key, sample string, to *map[string]T, name item[string], read item[T]) field {
	return field{key: key, sample: sample, read: func(r *reader, f field, n node) {
		if n.kind != mapping {
			r.expected(f, n, "a mapping")
			return
		}
		if len(n.entries) > maxItems {
			r.fault(n.at, "", "%s has %d entries; it may have %d", f.key, len(n.entries), maxItems)
			return
		}
		*to = map[string]T{}
		for _, e := range n.entries {
			known, ok := name(r, field{key: f.key, label: "a key of " + f.key, sample: f.sample}, node{kind: text, text: e.key, at: e.at})
			if !ok {
				continue
			}
			if _, twice := (*to)[known]; twice {
				r.fault(e.at, "keep one of the two lines", "the key %s stands twice in %s", shown(e.key), f.key)
				continue
			}
			if v, ok := read(r, field{key: quoted(e.key), sample: sampleValue(sample)}, e.value); ok {
				(*to)[known] = v
			}
		}
	}}
}

// sampleValue is the value in a sample of a table with one entry.
func sampleValue(sample string) string {
	_, value, _ := strings.Cut(sample, ": ")
	return strings.TrimSuffix(value, " }")
}

// account takes a login as a key; logins are one ignoring case.
func account(r *reader, f field, n node) (string, bool) {
	known, ok := login(r, f, n)
	return strings.ToLower(known), ok
}

func agent(r *reader, f field, n node) (Agent, bool) {
	var a Agent
	r.keys(n, scope{path: "roles.agents"}, f, agentFields(&a))
	return a, true
}
