package verify

import (
	"fmt"
	"io"
	"strings"

	"github.com/evidence-gate/evidence-gate/verify/tamper"
)

// Listing is what a plan consists of, for --list and --dry-run: nothing of it has run.
type Listing struct {
	Schema int           `json:"schema"`
	Root   string        `json:"root"`
	Scope  string        `json:"scope"`
	Tamper *tamper.State `json:"tamper,omitempty"` // what a run would find; nil when it was not asked
	Base   *Base         `json:"base,omitempty"`
	Steps  []Listed      `json:"steps"` // in the order in which they run
}

// Listed is one step of a Listing.
type Listed struct {
	ID        string   `json:"id,omitempty"`
	Name      string   `json:"name"`
	Phase     string   `json:"phase"`
	Layer     string   `json:"layer"`
	Stage     string   `json:"stage,omitempty"`
	Tags      []string `json:"tags,omitempty"`
	Default   bool     `json:"default"`
	Command   string   `json:"command,omitempty"` // for the shell
	Args      []string `json:"args,omitempty"`    // without one
	Probe     string   `json:"probe,omitempty"`
	TimeoutMS int64    `json:"timeoutMs"`
	Left      string   `json:"left,omitempty"` // why it would not run
}

// Listing lists the steps of the plan.
func (p Plan) Listing() Listing {
	l := Listing{Schema: Schema, Root: p.Root, Scope: p.scope(), Steps: []Listed{}}
	m := newMasker(p.Secrets)
	for _, s := range p.Steps {
		r := pending(s)
		l.Steps = append(l.Steps, Listed{ID: s.ID, Name: r.Name, Phase: s.Phase, Layer: s.Layer, Stage: s.Stage, Tags: s.Tags,
			Default: s.Default, Command: s.Run, Args: s.Args, Probe: m.text(r.Probe), TimeoutMS: s.Timeout.Milliseconds(), Left: s.Left})
	}
	return l
}

// Text writes the steps for people.
func (l Listing) Text(to io.Writer) error {
	var b strings.Builder
	names := 0
	for _, s := range l.Steps {
		names = max(names, len([]rune(plainLine(s.Name))))
	}
	for _, s := range l.Steps {
		command := plainLine(StepResult{Command: s.Command, Args: s.Args}.command())
		fmt.Fprintf(&b, "%-8s  %-9s  %s  %s%s\n", s.Phase, s.Layer, padded(plainLine(s.Name), names), command, s.notes())
	}
	Result{Base: l.Base}.base(&b)
	if l.Tamper != nil && l.Tamper.TamperCheck == tamper.Changed {
		b.WriteString("\ntamper check: changed, nothing would run\n")
		Result{Copies: l.Tamper.Copies, Changes: l.Tamper.Changes}.changed(&b)
	} else if l.Tamper != nil {
		fmt.Fprintf(&b, "\ntamper check: %s\n", tamperWords[l.Tamper.TamperCheck])
	}
	_, err := io.WriteString(to, b.String())
	return err
}

func (s Listed) notes() string {
	var notes []string
	if s.Stage != "" {
		notes = append(notes, "stage "+s.Stage)
	}
	if len(s.Tags) > 0 {
		notes = append(notes, "tags "+strings.Join(s.Tags, ", "))
	}
	if s.Probe != "" {
		notes = append(notes, "probe "+s.Probe)
	}
	if s.Left != "" {
		notes = append(notes, "left out: "+s.Left)
	}
	if len(notes) == 0 {
		return ""
	}
	return "  [" + plainLine(strings.Join(notes, "; ")) + "]"
}
