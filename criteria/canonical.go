package criteria

import "encoding/json"

// Canonical is the list as it enters the digest of the contract (C7): a JSON array of the criteria in
// order, each with the fields that are not empty in one fixed order; nil for a task without criteria,
// whose digest is that of its checks alone. Prose of the section is no part of it.
func (l List) Canonical() []byte {
	if l.Empty() {
		return nil
	}
	fields := make([]canonical, 0, len(l.Criteria))
	for _, c := range l.Criteria {
		fields = append(fields, canonical{ID: c.ID, Kind: c.Kind, Text: c.Text, From: c.From})
	}
	j, err := json.Marshal(fields)
	if err != nil { // strings always encode
		return []byte("[]")
	}
	return j
}

// canonical is one criterion in the digest.
type canonical struct {
	ID   string   `json:"id,omitempty"`
	Kind string   `json:"kind,omitempty"`
	Text string   `json:"text,omitempty"`
	From []string `json:"from,omitempty"`
}
