package render

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/evidence-gate/evidence-gate/profile"
)

// Facts writes the facts of a verification profile as a table for a terminal (design section 7). A
// value that the profile does not give, or not as it should, is shown as a question mark.
func Facts(w io.Writer, facts []profile.Fact) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "FACT\tSTRATEGY\tTIMEOUT\tHOST CEILING\tTOOK\tOUTCOME\tUPDATED\tCOMMAND")
	for _, f := range facts {
		cells := []string{f.ID, f.Strategy, milliseconds(f.TimeoutMS), milliseconds(f.HostCeilingMS), milliseconds(f.DurationMS), f.LastOutcome, f.Updated, visible(f.Command)}
		for i, c := range cells {
			cells[i] = orUnknown(c)
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	return t.Flush()
}

// Fact writes one fact with all its fields.
func Fact(w io.Writer, f profile.Fact) error {
	var out strings.Builder
	fmt.Fprintln(&out, f.ID)
	for _, field := range f.Fields() {
		fmt.Fprintf(&out, "  %s: %s\n", field.Label, orUnknown(visible(field.Value)))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func orUnknown(s string) string {
	if s == "" {
		return "?"
	}
	return s
}
