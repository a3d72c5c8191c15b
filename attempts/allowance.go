package attempts

import "strings"

// How much Markdown is read at most, so that no set of comments takes longer than design section 17
// allows: reading costs by lines, and by bytes where lines are long. Carriers and their revisions
// count where they differ from the revision before; a hundred revisions of 60 kB fit.
const (
	carrierLines  = 250_000
	carrierBytes  = 8 << 20
	strangerLines = 25_000
	strangerBytes = 1 << 20
)

// allowance is what is left of such bounds.
type allowance struct{ lines, bytes int }

// spend reports whether a text may still be read.
func (a *allowance) spend(text string) bool {
	a.lines -= 1 + strings.Count(text, "\n")
	a.bytes -= len(text)
	return a.lines >= 0 && a.bytes >= 0
}
