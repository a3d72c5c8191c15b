package checks

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
)

// judged refuses a check whose proof needs a judge that is not there yet (section 13).
func (p *proof) judged() bool {
	what := ""
	switch {
	case p.check.Method == externalCheck:
		what = "an external check"
	case p.check.Topology != "" && p.check.Topology != laneFinal:
		what = "topology " + p.check.Topology
	default:
		return true
	}
	d := report.New(report.CodeGateUnavailable, fmt.Sprintf("%s asks for %s, which this version cannot judge", p.check.Name(), what))
	p.add(at(d, p.check.where))
	return false
}

// needsEntry reports whether the check's method reads the entry, so that no status stands in for it.
func (c *RequiredCheck) needsEntry() bool { return c.Method == logMatch || c.Method == artifactLink }

// needsPerson reports whether the check waits for a person whatever the level (section 10).
func (c *RequiredCheck) needsPerson() bool { return c.Method == "person" || c.Method == "manual" }

// method judges what the check's method asks of a passed entry (section 13). A failure that a
// maintainer triaged shows no such thing.
func (p *proof) method() bool {
	if p.out.Verdict == nil || *p.out.Verdict != string(prbody.Passed) {
		return true
	}
	switch p.check.Method {
	case logMatch:
		return p.logMatches()
	case artifactLink:
		return p.linked()
	}
	return true
}

// maxPattern keeps the expression of a check small enough to compile at once.
const maxPattern = 1000

// expression compiles the pattern of a check that asks for one (RE2).
func (c *RequiredCheck) expression() (*regexp.Regexp, error) {
	switch {
	case c.Pattern == "":
		return nil, fmt.Errorf("it has no pattern")
	case len(c.Pattern) > maxPattern:
		return nil, fmt.Errorf("its pattern has %d bytes, at most %d are read", len(c.Pattern), maxPattern)
	}
	return regexp.Compile(c.Pattern)
}

func (p *proof) logMatches() bool {
	if given := p.entry.Pattern; given != nil && checkline.Squeeze(given.Text) != checkline.Squeeze(p.check.Pattern) {
		d := report.New(report.CodeEvidencePatternMismatch, fmt.Sprintf("the entry names the pattern `%s`, but %s asks for `%s`", firstWords(given.Text), p.check.Name(), firstWords(p.check.Pattern)))
		d.Help = "Pattern: " + p.check.Pattern + " (or leave the field out)"
		d.Details = map[string]any{"expected_pattern": p.check.Pattern, "found_pattern": given.Text}
		return p.refuse(d, given.Where)
	}
	expression, err := p.check.expression()
	if err == nil && expression.MatchString(p.entry.Evidence.Text) {
		return true
	}
	d := report.New(report.CodeCheckPatternUnmatched, fmt.Sprintf("the evidence of %s does not match its pattern `%s`", p.check.Name(), firstWords(p.check.Pattern)))
	d.Help = "quote the lines of the run that match the pattern; the whole text is compared as it stands"
	d.Details = map[string]any{"expected_pattern": p.check.Pattern}
	return p.refuse(d, p.entry.Evidence.Where)
}

// linked asks for a link to a stored artifact, which is never fetched.
func (p *proof) linked() bool {
	if p.entry.Evidence.Web {
		return true
	}
	if u := p.entry.URL; u != nil && (u.Web || webAddress(u.Text)) {
		return true
	}
	d := report.New(report.CodeCheckArtifactMissing, fmt.Sprintf("the entry for %s has no link to the stored artifact", p.check.Name()))
	d.Help = "URL: https://<where the artifact is stored>"
	return p.refuse(d, p.entry.Evidence.Where)
}

// webAddress reports whether a text is an absolute http(s) address of a host that could exist.
func webAddress(text string) bool {
	u, err := url.Parse(strings.Trim(text, "<>` "))
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && hostName.MatchString(u.Hostname())
}

var hostName = regexp.MustCompile(`^[0-9A-Za-z](?:[0-9A-Za-z.:-]*[0-9A-Za-z])?$`)
