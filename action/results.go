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

const (
	noSummary   = "the runner sets no GITHUB_STEP_SUMMARY, so there is no job summary; the log and the report have everything"
	unsavedHelp = "look at the runner: its disk may be full, or the folder of its temporary files not writable"
)

// publish tells a Report in every place where a job is read, and returns what it told. A place that
// cannot be written to makes the run one that could not judge: then that is told in every other place
// instead, so that outputs, report and exit code say one thing.
func (a *run) publish(r report.Report, remarks ...string) (report.Report, error) {
	if a.runner.summary == "" {
		remarks = append(remarks, noSummary)
	}
	var errs []error
	failed := func(err error) bool {
		if err == nil {
			return false
		}
		errs = append(errs, err)
		head := r.HeadSHA
		r = a.nothing(err, unsavedHelp)
		r.HeadSHA = head
		_, _ = fmt.Fprint(a.process.Stdout, render.Annotations(r))
		return true
	}
	_, err := fmt.Fprint(a.process.Stdout, render.Annotations(r, remarks...))
	failed(logged(err))
	path, err := a.save("", r)
	failed(err)
	if failed(a.summarise(r)) && path != "" {
		path, err = a.save(path, r)
		failed(err)
	}
	outputs := output("conclusion", string(r.Conclusion)) + output("report", path) + output("head-sha", r.HeadSHA)
	if failed(appendTo("step outputs", a.runner.output, outputs)) {
		_ = a.summarise(r)
		_, _ = a.save(path, r)
	}
	return r, errors.Join(errs...)
}

// summarise adds the Report to the job summary, where there is one.
func (a *run) summarise(r report.Report) error {
	if a.runner.summary == "" {
		return nil
	}
	o := render.JobSummaryOptions{Subject: a.about.String(), SubjectURL: a.runner.page(a.about), Task: a.task}
	return appendTo("job summary", a.runner.summary, render.JobSummary(r, o))
}

func logged(err error) error {
	if err != nil {
		return fmt.Errorf("cannot write to the log: %w", err)
	}
	return nil
}

// save writes the Report as JSON to a file of its own, so that a job may run the Action twice; or again
// to the file of that name.
func (a *run) save(name string, r report.Report) (string, error) {
	file, err := a.reportFile(name)
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

func (a *run) reportFile(name string) (*os.File, error) {
	if name == "" {
		return os.CreateTemp(a.runner.temp, "evidence-report-*.json")
	}
	return os.Create(name)
}

// output is one step output in the form for values of any text: ended by a word that nobody can know.
func output(name, value string) string {
	end := "end-" + rand.Text()
	return name + "<<" + end + "\n" + value + "\n" + end + "\n"
}

// appendTo adds to one of the runner's files, which earlier parts of the step may have written to. What
// could not be written whole is taken back: half of it would be read.
func appendTo(what, name, text string) error {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("cannot write the %s: %w", what, err)
	}
	before, err := file.Stat()
	if err == nil {
		if _, err = file.WriteString(text); err != nil && before.Mode().IsRegular() {
			err = errors.Join(err, file.Truncate(before.Size()))
		}
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("cannot write the %s: %w", what, err)
	}
	return nil
}
