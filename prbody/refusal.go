package prbody

import (
	"errors"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/report"
)

// Refusal is the diagnostic for a document of any kind that is refused as a whole (M1), given the
// document's name and whose it is.
func Refusal(err error, document string, owner report.Owner) report.Diagnostic {
	code, help := report.CodeDocumentTooComplex, "take out what nests or repeats this often; put long output into a code fence or behind a link"
	if errors.Is(err, markdown.ErrTooLarge) {
		code, help = report.CodeDocumentTooLarge, "shorten the document and link to long output instead of pasting it"
	}
	d := report.New(code, err.Error())
	d.Owner, d.Help, d.Where = owner, help, &report.Where{Document: document}
	var refused *markdown.Error
	if errors.As(err, &refused) && refused.Line > 0 {
		d.Where.Line = refused.Line
	}
	return d
}
