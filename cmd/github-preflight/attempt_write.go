package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/report"
)

// keeper is where the carrier of a check is kept: on GitHub, or in a file.
type keeper interface {
	// basis is what is known before something is appended.
	basis() basis
	// whole is the text of the document that the changed carrier stands in.
	whole(body string) (string, error)
	// refused says which rules the whole text would break, besides those of a carrier's text alone.
	refused(text string) []report.Diagnostic
	// where is the place in the document of a place in the changed carrier.
	where(report.Where) *report.Where
	// place is where the document is, and store writes it there, unless what was read is not any
	// more what stands there.
	place() place
	store(ctx context.Context, text string) (place, error)
}

// place is where a carrier stands, or would stand after a dry run.
type place struct {
	Place   string `json:"place"`             // as told to people
	Comment int64  `json:"comment,omitempty"` // 0 in a file, and for a comment that is not made yet
	Created bool   `json:"created"`           // there was no carrier before
}

// writtenCarrier is what attempt and triage print with --json.
type writtenCarrier struct {
	Check   string `json:"check"`
	Attempt int64  `json:"attempt,omitempty"`
	place
	Written     bool                `json:"written"`
	Text        string              `json:"text,omitempty"`
	Diagnostics []report.Diagnostic `json:"diagnostics"`
	Error       string              `json:"error,omitempty"`
}

// writeCarrier appends to the carrier of a check, after everything that could refuse it was asked.
func writeCarrier(ctx context.Context, p process, e engine, o carrierOptions, write func(basis) (attempts.Draft, error)) error {
	var result writtenCarrier
	err := patiently(ctx, p, func() (err error) {
		result, err = appendTo(ctx, p, e, o, write)
		return err
	})
	if err != nil {
		return notWritten(p, o, result, err)
	}
	return printCarrier(p, o, result)
}

// appendTo reads the carrier and writes it with what is appended.
func appendTo(ctx context.Context, p process, e engine, o carrierOptions, write func(basis) (attempts.Draft, error)) (writtenCarrier, error) {
	result := writtenCarrier{Check: o.check, Diagnostics: []report.Diagnostic{}}
	k, err := openCarrier(ctx, p, e, o)
	if err != nil {
		return result, err
	}
	draft, err := write(k.basis())
	if err != nil {
		return result, err
	}
	result.Attempt, result.place = draft.Number, k.place()
	if result.Text, err = k.whole(draft.Body); err != nil {
		return result, err
	}
	for _, d := range draft.Warnings {
		if d.Where != nil {
			d.Where = k.where(*d.Where)
		}
		result.Diagnostics = append(result.Diagnostics, d)
	}
	if d := k.refused(result.Text); len(d) > 0 || o.dryRun {
		return result, refusalOf(d, result.Text)
	}
	if result.place, err = k.store(ctx, result.Text); err != nil {
		return result, err
	}
	result.Written = true
	return result, nil
}

func openCarrier(ctx context.Context, p process, e engine, o carrierOptions) (keeper, error) {
	if o.file != "" {
		return openCarrierFile(ctx, p, o)
	}
	return openLiveCarrier(ctx, p, e, o)
}

// refusal is the error for what the rules refuse.
type refusal struct {
	diagnostics []report.Diagnostic
	text        string // that they point into, empty when they point nowhere
}

func (r *refusal) Error() string { return r.diagnostics[0].Message }

// refusedBy is the refusal of one rule.
func refusedBy(code report.Code, help, format string, args ...any) *refusal {
	d := report.New(code, fmt.Sprintf(format, args...))
	d.Severity, d.Help = report.Error, help
	return &refusal{diagnostics: []report.Diagnostic{d}}
}

// refusalOf is the refusal of some rules, nil when none refuses.
func refusalOf(diagnostics []report.Diagnostic, text string) error {
	if len(diagnostics) == 0 {
		return nil
	}
	return &refusal{diagnostics: diagnostics, text: text}
}

// asRefusal finds what the rules refuse in an error.
func asRefusal(err error) *refusal {
	var own *refusal
	var theirs *attempts.Refusal
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &theirs):
		d := theirs.Diagnostic
		d.Severity, d.Where = report.Error, nil // it points into a text that nobody has seen
		return &refusal{diagnostics: []report.Diagnostic{d}}
	}
	return nil
}

// errNothingWritten ends a command that the rules refused.
var errNothingWritten = errors.New("nothing was written: the rules refuse it")

// notWritten tells why nothing was written: which rules refuse it, or what stood in the way.
func notWritten(p process, o carrierOptions, result writtenCarrier, err error) error {
	refused := asRefusal(err)
	if refused != nil {
		result.Diagnostics = append(result.Diagnostics, refused.diagnostics...)
	}
	if o.json {
		result.Error, result.Text = err.Error(), ""
		if err := written(writeJSON(p.stdout, result)); err != nil {
			return err
		}
	}
	if refused == nil {
		var done *exit
		if errors.As(err, &done) {
			return done
		}
		return couldNotJudge(err)
	}
	if !o.json {
		if err := written(render.Diagnostics(p.stderr, refused.diagnostics, pointedAt(refused.diagnostics, refused.text), textOptions(p, p.stderr))); err != nil {
			return err
		}
	}
	return &exit{code: exitFailure, err: errNothingWritten}
}

// pointedAt is a text under the names that diagnostics give it.
func pointedAt(diagnostics []report.Diagnostic, text string) map[string]string {
	documents := map[string]string{}
	for _, d := range diagnostics {
		if d.Where != nil {
			documents[d.Where.Document] = text
		}
	}
	return documents
}

func printCarrier(p process, o carrierOptions, result writtenCarrier) error {
	if o.json {
		return written(writeJSON(p.stdout, result))
	}
	if err := render.Diagnostics(p.stderr, result.Diagnostics, pointedAt(result.Diagnostics, result.Text), textOptions(p, p.stderr)); err != nil {
		return written(err)
	}
	if o.dryRun {
		_, err := io.WriteString(p.stdout, harmless(result.Text))
		return written(err)
	}
	did := "appended to the carrier of"
	if result.Created {
		did = "made the carrier of"
	}
	_, err := fmt.Fprintf(p.stdout, "%s: %s %s, attempt %d\n", result.Place, did, o.check, result.Attempt)
	return written(err)
}
