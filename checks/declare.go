package checks

import (
	"slices"
	"strconv"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
)

// The values that annotations may have (C3 to C5, section 12 and 13).
var (
	kinds      = []string{Command, Manual, ContractProof}
	sources    = []string{PRBody, StatusCheck, ManualObservation, AutomatedObservation}
	levels     = []string{runningPath, "unit", "parser", "helper", "mock"}
	methods    = []string{externalCheck, logMatch, artifactLink, "person", "manual"}
	topologies = []string{"baseline", laneFinal, "integrated", "post_merge"}
)

const (
	runningPath   = "running_path"
	laneFinal     = "lane_final"
	externalCheck = "external_check"
	logMatch      = "log_match"
	artifactLink  = "artifact"
)

// defaultSources are the sources of a check that names none (C4); "" is a check without a kind.
var defaultSources = map[string][]string{
	"":            {PRBody},
	Command:       {PRBody},
	Manual:        {ManualObservation},
	ContractProof: {ManualObservation, AutomatedObservation},
}

// check reads one check text and reports what is wrong with it (C2 to C6).
func (r *contractReader) check(line markdown.Line) {
	r.checkText(line)
	parsed := checkline.Parse(line)
	c := RequiredCheck{ID: parsed.ID, Text: parsed.Text, Command: parsed.Command(), line: parsed, where: lineWhere(line)}
	for _, near := range parsed.NearMisses {
		r.report(report.CodeContractAnnotationUnknown, lineWhere(line.Slice(near.Start, near.End)), "", "%q is no annotation; did you mean %q?", near.Written, near.Known)
	}
	r.annotate(&c)
	r.derive(&c)
	r.validate(&c)
	r.contract.Checks = append(r.contract.Checks, c)
}

// annotate reads the annotations into the check's fields.
func (r *contractReader) annotate(c *RequiredCheck) {
	given := map[string]string{}
	if c.line.Prefix != "" {
		c.Kind, c.Declared = c.line.Prefix, true
		given["kind"] = c.line.Prefix
	}
	for _, a := range c.line.Annotations {
		where := func() report.Where { return lineWhere(c.line.Line.Slice(a.Start, a.End)) }
		if first, again := given[a.Name]; again && first != checkline.Fold(a.Value) && !severalValues[a.Name] {
			r.report(repeatedCode(a.Name), where(), "("+a.Name+": "+firstWords(a.Value)+")", "%q is given twice with other values; one of them would be ignored", a.Name)
			continue
		}
		given[a.Name] = checkline.Fold(a.Value)
		folded := checkline.Fold(a.Value)
		if len(checkline.SplitList(a.Value)) == 0 && emptyIsTypo[a.Name] {
			r.report(report.CodeContractAnnotationUnknown, where(), "("+a.Name+": …)", "%q has no value; without one it would be as if it were not written", a.Name)
			continue
		}
		switch a.Name {
		case "kind":
			if !slices.Contains(kinds, folded) {
				r.invalid(report.CodeContractKindInvalid, where, "kind", a.Value, kinds)
				continue
			}
			c.Kind, c.Declared = folded, true
		case "source":
			r.readSources(c, a.Value, where)
		case "observation":
			r.readObservations(c, a.Value, where)
		case "topology":
			if !slices.Contains(topologies, folded) {
				r.invalid(report.CodeContractAnnotationUnknown, where, "topology", a.Value, topologies)
			}
			c.Topology = folded
		case "method":
			if !slices.Contains(methods, folded) {
				r.invalid(report.CodeContractMethodInvalid, where, "method", a.Value, methods)
			}
			c.Method = folded
		case "status":
			c.Status = strings.Join(strings.Fields(a.Value), " ")
		case "app":
			c.App = strings.ReplaceAll(strings.ToLower(checkline.Squeeze(a.Value)), " ", "-")
		case "url":
			c.URL = a.Value
		case "expected":
			c.Expected = strings.Join(strings.Fields(a.Value), " ")
		case "pattern":
			c.Pattern = strings.Trim(a.Value, "`")
		}
	}
}

// severalValues lists the annotations whose values add up.
var severalValues = map[string]bool{"source": true, "observation": true}

// repeatedCode is the code of an annotation that is given twice with other values.
func repeatedCode(name string) report.Code {
	switch name {
	case "kind":
		return report.CodeContractKindInvalid
	case "method":
		return report.CodeContractMethodInvalid
	}
	return report.CodeContractAnnotationUnknown
}

// emptyIsTypo lists the annotations whose absence allows more than their presence; without a value
// they must not restore that (C2). The others have codes of their own.
var emptyIsTypo = map[string]bool{"source": true, "observation": true, "status": true, "app": true, "url": true, "pattern": true, "expected": true}

func (r *contractReader) invalid(code report.Code, where func() report.Where, name, value string, allowed []string) {
	r.report(code, where(), "("+name+": "+allowed[0]+")", "%q is no %s; it is one of %s", value, name, strings.Join(allowed, ", "))
}

func (r *contractReader) readSources(c *RequiredCheck, value string, where func() report.Where) {
	for _, s := range checkline.SplitList(value) {
		folded := checkline.Fold(s)
		if !slices.Contains(sources, folded) {
			r.invalid(report.CodeContractSourceInvalid, where, "source", s, sources)
			continue
		}
		if !slices.Contains(c.Sources, folded) {
			c.Sources = append(c.Sources, folded)
		}
	}
}

func (r *contractReader) readObservations(c *RequiredCheck, value string, where func() report.Where) {
	for _, o := range checkline.SplitList(value) {
		name, level, written := strings.Cut(o, "@")
		d := Declaration{Name: strings.TrimSpace(name), Level: runningPath}
		if written {
			if d.Level = checkline.Fold(level); !slices.Contains(levels, d.Level) {
				r.invalid(report.CodeContractLevelInvalid, where, "level", level, levels)
			}
		}
		c.Observations = append(c.Observations, d)
	}
}

// derive fills in what the check does not declare (C3, C4).
func (r *contractReader) derive(c *RequiredCheck) {
	c.sourced = len(c.Sources) > 0
	if !c.sourced {
		c.Sources = defaultSources[c.Kind]
	}
	if c.Kind == "" {
		if c.Kind = Manual; c.Command != "" {
			c.Kind = Command
		}
	}
	if c.Kind != Command {
		c.Command = ""
	}
}

// validate reports a check that no evidence could prove, and options that nothing reads (C6).
func (r *contractReader) validate(c *RequiredCheck) {
	if c.line.Key == "" {
		r.report(report.CodeContractIdentityEmpty, c.where, "", "nothing is left of the check once its annotations are taken away")
	}
	if c.Kind == Command && c.Command == "" {
		r.report(report.CodeContractCommandMissing, c.where, "", "the check is a command but has no code span to say which")
	}
	if c.Kind != Command && c.allows(StatusCheck) {
		r.report(report.CodeContractStatusOnNonCommand, c.where, "", "a status check can only prove a command, and this check is %s", c.Kind)
	}
	if len(c.Observations) > 0 && len(c.Sources) == 1 && c.Sources[0] == StatusCheck {
		r.report(report.CodeContractObservationUnsatisfiable, c.where, "", "the check asks for observations that its only source, status_check, cannot hold")
	}
	if c.Kind == Command && len(c.line.Code) > 1 {
		r.report(report.CodeContractCommandAmbiguous, c.where, "", "the check has %d code spans; the first, `%s`, is the command", len(c.line.Code), c.Command)
	}
	if c.Method == logMatch {
		if _, err := c.expression(); err != nil {
			r.report(report.CodeContractMethodInvalid, c.where, "(method: log_match; pattern: <a regular expression in RE2 syntax>)", "%s cannot be matched: %s", c.Name(), err)
		}
	}
	r.unused(c)
}

// unused warns of options that nothing reads (C6).
func (r *contractReader) unused(c *RequiredCheck) {
	_, exitCode := c.ExpectedExit()
	for _, option := range []struct {
		name, value string
		read        bool
	}{
		{"status", c.Status, c.Kind == Command},
		{"app", c.App, c.Kind == Command},
		{"expected", c.Expected, c.Kind == Command && exitCode || c.Method == externalCheck},
		{"pattern", c.Pattern, c.Method == logMatch},
	} {
		if option.value != "" && !option.read {
			r.report(report.CodeContractOptionUnused, c.where, "", "nothing reads %q of this check", option.name)
		}
	}
}

// ExpectedExit is the exit code that counts as the pass of a command, 0 unless `expected: exit <n>`
// says another (C2). declared reports whether the annotation does.
func (c *RequiredCheck) ExpectedExit() (code int, declared bool) {
	rest, ok := strings.CutPrefix(strings.ToLower(c.Expected), "exit")
	if !ok {
		return 0, false
	}
	rest = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(rest), "code"))
	n, err := strconv.Atoi(rest)
	if err != nil {
		return 0, false
	}
	return n, true
}

// judgeContract reads the contract. While it has an error nothing else is judged (C6).
func (e *evaluation) judgeContract() bool {
	if e.offline && e.snapshot.Issue == nil {
		return true
	}
	contract, diagnostics := contractOf(e.snapshot.Issue, e.policy)
	e.add(diagnostics...)
	e.report.Contract.Digest = contract.Digest()
	if hasError(diagnostics) {
		return false
	}
	if e.policy.StatusChecks == policy.Implied {
		contract.implyStatus()
	}
	e.contract = &contract
	return true
}

// implyStatus lets a status check prove every command check that declares neither its kind nor its
// sources (C4). It is no part of the contract's digest, since the task does not say it.
func (c *Contract) implyStatus() {
	for i := range c.Checks {
		if check := &c.Checks[i]; check.Kind == Command && !check.Declared && !check.sourced {
			check.Sources = append(slices.Clone(check.Sources), StatusCheck)
		}
	}
}
