package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"syscall"

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
	if asJSON {
		if err := written(writeJSON(p.stdout, unreadable(stage, err))); err != nil {
			return err
		}
	}
	return couldNotJudge(err)
}

// unreadable is the Report of what could not be read: it never passes.
func unreadable(stage report.Stage, err error) report.Report {
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
		Diagnostics: []report.Diagnostic{report.New(report.CodeGateUnavailable, err.Error())},
		Contract:    report.Contract{Changed: []report.Change{}},
	}
}

func writeJSON(w io.Writer, r report.Report) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(r)
}

// written judges the error of writing to standard output. A reader that has gone away, such as
// head, is not worth a word.
func written(err error) error {
	if err == nil || errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return couldNotJudge(fmt.Errorf("cannot write the output: %w", err))
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
	file, ok := w.(*os.File)
	return file, ok && term.IsTerminal(int(file.Fd()))
}

func isTerminal(w io.Writer) bool {
	_, is := terminalOf(w)
	return is
}
