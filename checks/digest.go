package checks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Digest identifies the contract: SHA-256 over its canonical JSON, which lists the checks in order
// and of each check the fields that are not empty, in one fixed order, then likewise the acceptance
// criteria, when there are any (C7).
func (c Contract) Digest() string {
	j := canonical("[")
	for i := range c.Checks {
		if i > 0 {
			j = append(j, ',')
		}
		j = c.Checks[i].canonical(j)
	}
	j = append(append(j, ']'), c.Criteria.Canonical()...)
	sum := sha256.Sum256(j)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func (c *RequiredCheck) canonical(j canonical) canonical {
	j = append(j, '{')
	for _, f := range [...]struct{ name, value string }{
		{"id", c.ID}, {"text", c.Text}, {"kind", c.Kind}, {"command", c.Command}, {"status", c.Status}, {"app", c.App},
		{"topology", c.Topology}, {"method", c.Method}, {"url", c.URL}, {"expected", c.Expected}, {"pattern", c.Pattern},
	} {
		if f.value != "" {
			j = j.name(f.name).text(f.value)
		}
	}
	if c.Declared {
		j = append(j.name("kind_declared"), "true"...)
	}
	j = append(j.name("sources"), '[')
	for i, s := range c.Sources {
		if i > 0 {
			j = append(j, ',')
		}
		j = j.text(s)
	}
	j = append(j, ']')
	if len(c.Observations) > 0 {
		j = append(j.name("observations"), '[')
		for i, o := range c.Observations {
			if i > 0 {
				j = append(j, ',')
			}
			j = append(append(j, '{').name("name").text(o.Name).name("level").text(o.Level), '}')
		}
		j = append(j, ']')
	}
	return append(j, '}')
}

// canonical is JSON under construction.
type canonical []byte

// name starts a member of an object.
func (j canonical) name(name string) canonical {
	if j[len(j)-1] != '{' {
		j = append(j, ',')
	}
	return append(j.text(name), ':')
}

// text adds a string as encoding/json writes it.
func (j canonical) text(s string) canonical {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			quoted, err := json.Marshal(s)
			if err != nil { // a string always encodes
				return append(j, `""`...)
			}
			return append(j, quoted...)
		}
	}
	return append(append(append(j, '"'), s...), '"')
}
