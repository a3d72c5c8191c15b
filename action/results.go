package action

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/report"
)

// show prints the Report into the log. It quotes the pull request's own text, in which a line could
// be a command to the runner, so the runner is told to obey none until a word that nobody can know
// ("Workflow commands for GitHub Actions": stopping and starting workflow commands).
func (a *run) show(j judgement) error {
	var text bytes.Buffer
	if err := a.engine.Print(&text, j.report, j.snapshot); err != nil {
		return fmt.Errorf("cannot print the report: %w", err)
	}
	word := rand.Text()
	_, err := fmt.Fprintf(a.process.Stdout, "::stop-commands::%s\n%s\n::%s::\n", word, strings.TrimRight(text.String(), "\n"), word)
	return logged(err)
}

// publish tells a Report in every place where a job is read. One that fails does not keep the others
// from being tried.
func (a *run) publish(r report.Report, remarks ...string) error {
	_, err := fmt.Fprint(a.process.Stdout, render.Annotations(r, remarks...))
	errs := []error{logged(err)}
	summary := render.JobSummary(r, render.JobSummaryOptions{Subject: a.about.String(), SubjectURL: a.runner.page(a.about)})
	errs = append(errs, appendTo("job summary", a.runner.summary, summary))
	path, err := a.save(r)
	errs = append(errs, err)
	outputs := output("conclusion", string(r.Conclusion)) + output("report", path) + output("head-sha", r.HeadSHA)
	errs = append(errs, appendTo("step outputs", a.runner.output, outputs))
	return errors.Join(errs...)
}

func logged(err error) error {
	if err != nil {
		return fmt.Errorf("cannot write to the log: %w", err)
	}
	return nil
}

// save writes the Report as JSON to a file of its own, so that a job may run the Action twice.
func (a *run) save(r report.Report) (string, error) {
	file, err := os.CreateTemp(a.runner.temp, "evidence-report-*.json")
	if err != nil {
		return "", fmt.Errorf("cannot write the report: %w", err)
	}
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := errors.Join(encoder.Encode(r), file.Close()); err != nil {
		return "", fmt.Errorf("cannot write the report: %w", err)
	}
	return file.Name(), nil
}

// output is one step output in the form for values of any text: ended by a word that nobody can know.
func output(name, value string) string {
	end := "end-" + rand.Text()
	return name + "<<" + end + "\n" + value + "\n" + end + "\n"
}

// appendTo adds to one of the runner's files, which earlier parts of the step may have written to.
func appendTo(what, name, text string) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("cannot write the %s: %w", what, err)
	}
	_, err = file.WriteString(text)
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("cannot write the %s: %w", what, err)
	}
	return nil
}
