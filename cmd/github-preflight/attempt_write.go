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
	result := writtenCarrier{Check: o.check, Diagnostics: []report.Diagnostic{}}
	k, err := openCarrier(ctx, p, e, o)
	if err != nil {
		return notWritten(p, o, result, err)
	}
	draft, err := write(k.basis())
	if err != nil {
		return notWritten(p, o, result, err)
	}
	result.Attempt, result.place = draft.Number, k.place()
	result.Diagnostics = append(result.Diagnostics, draft.Warnings...)
	if result.Text, err = k.whole(draft.Body); err != nil {
		return notWritten(p, o, result, err)
	}
	if d := k.refused(result.Text); len(d) > 0 {
		return notWritten(p, o, result, &refusal{diagnostics: d, text: result.Text})
	}
	if !o.dryRun {
		if result.place, err = k.store(ctx, result.Text); err != nil {
			return notWritten(p, o, result, err)
		}
		result.Written = true
	}
	return printCarrier(p, o, result)
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
		if err := written(writeAnyJSON(p.stdout, result)); err != nil {
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
		documents := map[string]string{}
		for _, d := range refused.diagnostics {
			if d.Where != nil {
				documents[d.Where.Document] = refused.text
			}
		}
		if err := written(render.Diagnostics(p.stderr, refused.diagnostics, documents, textOptions(p, p.stderr))); err != nil {
			return err
		}
	}
	return &exit{code: exitFailure, err: errNothingWritten}
}

func printCarrier(p process, o carrierOptions, result writtenCarrier) error {
	if o.json {
		return written(writeAnyJSON(p.stdout, result))
	}
	if err := render.Diagnostics(p.stderr, result.Diagnostics, nil, textOptions(p, p.stderr)); err != nil {
		return written(err)
	}
	if o.dryRun {
		_, err := io.WriteString(p.stdout, result.Text)
		return written(err)
	}
	did := "appended to the carrier of"
	if result.Created {
		did = "made the carrier of"
	}
	_, err := fmt.Fprintf(p.stdout, "%s: %s %s, attempt %d\n", result.Place, did, o.check, result.Attempt)
	return written(err)
}
