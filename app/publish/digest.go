package publish

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/evidence-gate/evidence-gate/report"
)

// digest identifies what a reader of the check run would see: the report, how it is worded and
// where its link leads. A Report holds no clock, so nothing in it is volatile; its JSON is canonical
// because members have a fixed order and encoding/json sorts the keys of maps.
func (p Publisher) digest(details string, target Target, r report.Report) (string, error) {
	text, err := json.Marshal(struct {
		Report  report.Report `json:"report"`
		Version string        `json:"version"`
		Details string        `json:"details"`
		Sharing []Sharing     `json:"sharing,omitempty"`
		Memory  string        `json:"memory,omitempty"`
	}{r, p.RenderVersion, details, target.Sharing, target.Memory})
	if err != nil {
		return "", fmt.Errorf("digest of the report on %s: %w", r.HeadSHA, err)
	}
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}
