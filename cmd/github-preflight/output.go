package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"
	"unicode"
	"unicode/utf16"

	"golang.org/x/term"

	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/report"
)

// printReport writes a Report in the asked form and ends the command with its verdict.
func printReport(p process, r report.Report, documents map[string]string, asJSON bool) error {
	var err error
	if asJSON {
		err = writeJSON(p.stdout, r)
	} else {
		err = render.Text(p.stdout, r, documents, textOptions(p, p.stdout))
	}
	if err := written(err); err != nil {
		return err
	}
	return concluded(r)
}

// unread ends a command whose input could not be read. With --json there is a Report nevertheless,
// so that a program always finds one.
func unread(p process, stage report.Stage, asJSON bool, err error) error {
	var known *exit
	if asJSON && !errors.As(err, &known) {
		if err := written(writeJSON(p.stdout, unreadable(stage, err))); err != nil {
			return err
		}
	}
	return couldNotJudge(err)
}

// unreadable is the Report of what could not be read: it never passes.
func unreadable(stage report.Stage, err error) report.Report {
	message, help := parted(err)
	d := report.New(report.CodeGateUnavailable, message)
	d.Help = help
	return report.Report{
		Schema:      report.Schema,
		Conclusion:  report.ActionRequired,
		Stage:       stage,
		Title:       "Nothing could be judged",
		Level:       "checks",
		Assurance:   "self_reported",
		Notes:       []string{},
		Checks:      []report.Check{},
		Episodes:    []report.Episode{},
		Diagnostics: []report.Diagnostic{d},
		Contract:    report.Contract{Changed: []report.Change{}},
	}
}

// writeJSON writes a value as indented JSON in which every control and format character is escaped:
// the texts in it are anybody's, and the output may be a terminal.
func writeJSON(w io.Writer, value any) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := w.Write(escapeControls(text.Bytes()))
	return err
}

// escapeControls escapes what JSON itself lets stand: DEL, C1 and format characters. Outside strings
// JSON has none, and a line break stays.
func escapeControls(text []byte) []byte {
	if bytes.IndexFunc(text, escaped) < 0 {
		return text
	}
	var out bytes.Buffer
	for _, r := range string(text) {
		if !escaped(r) {
			out.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&out, `\u%04x`, unit)
		}
	}
	return out.Bytes()
}

func escaped(r rune) bool { return r >= 0x7f && unicode.In(r, unicode.Cc, unicode.Cf) }

// written judges the error of writing to standard output. A reader that has gone away, such as
// head, is not worth a word.
func written(err error) error {
	if err == nil || errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return couldNotJudge(fmt.Errorf("cannot write the output: %w", err))
}

// output remembers that writing failed: cobra says nothing of it when it prints help.
type output struct {
	to     io.Writer
	failed error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.to.Write(p)
	if err != nil && o.failed == nil {
		o.failed = err
	}
	return n, err
}

// minWidth is the narrowest terminal that the text is fitted to.
const minWidth = 40

// textOptions fits the text to the terminal: as wide as it is, or as COLUMNS says.
func textOptions(p process, w io.Writer) render.Options {
	width, err := strconv.Atoi(p.getenv("COLUMNS"))
	file, terminal := terminalOf(w)
	if err != nil && terminal {
		width, _, err = term.GetSize(int(file.Fd()))
	}
	if err != nil || width < minWidth {
		width = 0
	}
	return render.Options{Color: p.getenv("NO_COLOR") == "" && p.getenv("TERM") != "dumb" && terminal, Width: width}
}

func terminalOf(w io.Writer) (*os.File, bool) {
	if o, is := w.(*output); is {
		w = o.to
	}
	file, ok := w.(*os.File)
	return file, ok && term.IsTerminal(int(file.Fd()))
}

func isTerminal(w io.Writer) bool {
	_, is := terminalOf(w)
	return is
}
