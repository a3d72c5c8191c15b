package criteria

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
)

// by is the judge of a form of evidence (section 10), nil when it is none.
func by(form string) func(*proof, *evidence) bool {
	switch form {
	case checkForm:
		return (*proof).byCheck
	case testForm:
		return (*proof).byTest
	case commandForm:
		return (*proof).byCommand
	case prForm:
		return (*proof).byFiles
	case manualForm:
		return (*proof).bySignOff
	}
	return nil
}

// byCheck: the named check is satisfied.
func (p *proof) byCheck(v *evidence) bool {
	c, ok := p.cited(v, v.ref)
	if !ok {
		return false
	}
	if !c.Satisfied {
		return p.unproved(v, c)
	}
	p.checks = append(p.checks, c)
	return true
}

// cited is the check that an evidence names.
func (p *proof) cited(v *evidence, name string) (*report.Check, bool) {
	found := p.j.index.find(name)
	switch {
	case name == "":
		return nil, p.refuse(v.where, p.j.suggestion(), "the evidence of %s names no check", p.c.ID)
	case len(found) == 0:
		return nil, p.refuse(v.where, p.j.suggestion(), "the evidence of %s names %q, which is no required check of the task", p.c.ID, shown(name))
	case len(found) > 1:
		return nil, p.refuse(v.where, "Evidence: check:"+shown(found[0].Name()), "the evidence of %s names %q, and %d checks say so: name one by its id", p.c.ID, shown(name), len(found))
	}
	return found[0], true
}

// unproved is the answer for a check that is not satisfied, or not by a pass where only that counts.
// Where it only waits for somebody else, that finding says enough, and the criterion waits too.
func (p *proof) unproved(v *evidence, c *report.Check) bool {
	if p.j.index.waiting[c.Name()] || p.j.Unbound {
		p.waits = true
		return true
	}
	name := shown(c.Name())
	if c.Satisfied {
		return p.refuse(v.where, "run it on the head commit until it passes", "%s rests on a pass of %s, which did not pass: its failure is recorded", p.c.ID, name)
	}
	return p.refuse(v.where, "prove "+name+" on the head commit first; what it lacks is said beside it", "%s rests on %s, which is not satisfied", p.c.ID, name)
}

// byTest: the name of the test occurs in the evidence of the cited check; without one, of any check that
// passed. A test that was left out proves nothing, and neither does one in the text of a failure.
func (p *proof) byTest(v *evidence) bool {
	name := markdown.Squeeze(v.ref)
	if _, concrete := prbody.Weigh(name, 0); !concrete {
		return p.refuse(v.where, "Evidence: test:`the test's full name`", "the evidence of %s names no test: %q could stand in any output", p.c.ID, shown(name))
	}
	among, ok := p.among(v)
	if !ok || p.waits {
		return ok
	}
	left := ""
	for _, c := range among {
		for _, text := range p.j.index.says(c) {
			if p.j.index.searched += leastSearch + len(text); p.j.index.searched > maxSearched {
				return p.refuse(v.where, "name the check in which the test ran: Evidence: test:`its name` in RC-1", "too much evidence would have to be searched for the test of %s", p.c.ID)
			}
			ran, why := occurs(text, name)
			if ran {
				p.checks = append(p.checks, c)
				return true
			}
			if why != "" {
				left = why
			}
		}
	}
	if left != "" {
		return p.refuse(v.where, "run it on the head commit and quote its own line in the check's Evidence", "the test %q of %s did not run: it says %q", shown(name), p.c.ID, shown(left))
	}
	return p.refuse(v.where, p.quote(among, name), "the test %q of %s does not occur in the evidence of %s", shown(name), p.c.ID, namesOf(among))
}

// among are the passed checks in whose evidence a test is looked for: the one that the evidence
// names, else those that the entry cites, else all.
func (p *proof) among(v *evidence) ([]*report.Check, bool) {
	cited := p.citations()
	if v.in != "" {
		c, ok := p.cited(v, v.in)
		if !ok {
			return nil, false
		}
		cited = []*report.Check{c}
	}
	if len(cited) == 0 {
		if len(p.j.index.proved) > 0 {
			return p.j.index.proved, true
		}
		for i := range p.j.Checks {
			cited = append(cited, &p.j.Checks[i])
		}
	}
	var proved []*report.Check
	for _, c := range cited {
		if passed(c) {
			proved = append(proved, c)
		}
	}
	if len(proved) > 0 {
		return proved, true
	}
	if len(cited) == 0 {
		return nil, p.refuse(v.where, "Evidence: manual", "the evidence of %s names a test, and the task has no check that could have run it", p.c.ID)
	}
	for _, c := range cited {
		if p.j.index.waiting[c.Name()] {
			return nil, p.unproved(v, c)
		}
	}
	return nil, p.unproved(v, cited[0])
}

// citations are the checks that the entry cites.
func (p *proof) citations() []*report.Check {
	if p.cites != nil {
		return p.cites
	}
	p.cites = []*report.Check{}
	seen := map[*report.Check]bool{}
	for i := range p.e.evidence {
		v := &p.e.evidence[i]
		if v.form != checkForm {
			continue
		}
		if found := p.j.index.find(v.ref); len(found) == 1 && !seen[found[0]] {
			seen[found[0]] = true
			p.cites = append(p.cites, found[0])
		}
	}
	return p.cites
}

func (p *proof) quote(among []*report.Check, name string) string {
	if len(among) == 0 {
		return ""
	}
	return fmt.Sprintf("in the entry for %s, quote the line of the output that names it: Evidence: … %s …", shown(among[0].Name()), shown(name))
}

func namesOf(checks []*report.Check) string {
	if len(checks) == 1 {
		return shown(checks[0].Name())
	}
	return "any check that passed"
}

// byCommand: an entry or a recorded run of the command passed on the head.
func (p *proof) byCommand(v *evidence) bool {
	command := markdown.Squeeze(v.ref)
	if command == "" {
		return p.refuse(v.where, p.commandHelp(), "the evidence of %s names no command", p.c.ID)
	}
	known := p.j.command(command)
	latest, failed := known.runs.onHead(p.j.Head)
	if latest && failed {
		return p.refuse(v.where, "run it again on the head commit", "the evidence of %s is `%s`, whose latest recorded run on the head did not pass", p.c.ID, shown(command))
	}
	if latest {
		p.ran = append(p.ran, known)
		return true
	}
	var open *report.Check
	for _, c := range known.checks {
		if passed(c) {
			p.checks = append(p.checks, c)
			return true
		}
		if open == nil || p.j.index.waiting[c.Name()] {
			open = c
		}
	}
	if open != nil {
		return p.unproved(v, open)
	}
	return p.refuse(v.where, p.commandHelp(), "the evidence of %s is `%s`, of which no entry and no recorded run passed on the head", p.c.ID, shown(command))
}

func (p *proof) commandHelp() string {
	for i := range p.j.Checks {
		if c := &p.j.Checks[i]; c.Command != "" {
			return "name the command of a required check: Evidence: command:`" + shown(c.Command) + "`"
		}
	}
	return p.j.suggestion()
}

// byFiles: the entry names a file that the pull request changes.
func (p *proof) byFiles(v *evidence) bool {
	named := ""
	if v.paths(func(written string) bool {
		for _, path := range spellings(written) {
			if p.j.index.changed[path] {
				return true
			}
			if strings.ContainsAny(path, "/.") && named == "" {
				named = path
			}
		}
		return false
	}) {
		return true
	}
	if p.j.Unavailable != nil && p.j.Unavailable("changed_paths") {
		p.j.need("changed_paths")
		p.waits = true
		return true
	}
	help := "Evidence: pr <a changed file>"
	if len(p.j.ChangedPaths) > 0 {
		help = "Evidence: pr " + shown(p.j.ChangedPaths[0])
	}
	if named != "" {
		return p.refuse(v.where, help, "the evidence of %s names %q, which the pull request does not change", p.c.ID, shown(named))
	}
	return p.refuse(v.where, help, "the evidence of %s is the pull request and names none of its changed files", p.c.ID)
}

func (j *judge) need(fact string) {
	for _, known := range j.result.Needs {
		if known == fact {
			return
		}
	}
	j.result.Needs = append(j.result.Needs, fact)
}

// spellings are the paths that a word may mean: as written, without punctuation around it, and without
// the line that it points at.
func spellings(word string) []string {
	bare := strings.TrimPrefix(strings.Trim(word, "()[]\"'.,:;"), "./")
	if strings.HasPrefix(word, ".") && !strings.HasPrefix(word, "./") {
		bare = "." + bare // a hidden file
	}
	out := []string{word, bare}
	if path, _, ok := strings.Cut(bare, "#L"); ok {
		out = append(out, path)
	}
	if i := strings.LastIndexByte(bare, ':'); i > 0 && strings.Trim(bare[i+1:], "0123456789") == "" {
		out = append(out, bare[:i])
	}
	return out
}

// bySignOff: a maintainer signs off.
func (p *proof) bySignOff(*evidence) bool {
	p.signOff = true
	return true
}
