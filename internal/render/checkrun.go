package render

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/evidence-gate/evidence-gate/report"
)

// CheckRunOptions of CheckRun.
type CheckRunOptions struct {
	FullReportURL string // where the whole report is; empty when nowhere
	Task          string // that a person chose instead of what the pull request closes; empty when nobody did
}

// What a check run shows at most. GitHub cuts nothing itself, it refuses: the publisher cuts by
// bytes (design section 14). These bounds keep a large report readable before that.
const (
	maxTitle           = 250 // characters; the publisher's limit is 255
	maxMissing         = 10  // errors named on the first screen
	maxChecks          = 40  // rows of the first screen's table
	maxChecksInFull    = 300 // rows of the full table
	maxDiagnostics     = 60  // written out
	maxMessage         = 600 // characters of one message
	maxHelp            = 3000
	maxCellText        = 160
	maxChanges         = 30
	maxObservations    = 20 // of one check
	maxDiagnosticCodes = 40 // codes named in the count of the rest
)

// CheckRun writes the output of a check run in GitHub Markdown. The summary is the first screen:
// may it merge, what is missing, who must do what. The text has everything else, most important
// first, so that a cut at its end takes the least.
func CheckRun(r report.Report, o CheckRunOptions) (title, summary, text string) {
	return checkRunTitle(r), checkRunSummary(r, o), checkRunText(r)
}

func checkRunTitle(r report.Report) string {
	title := visible(strings.Join(strings.Fields(r.Title), " "))
	if r.Mode == "report" && r.Conclusion != report.Success && r.Conclusion != report.Neutral {
		title = fmt.Sprintf("Not enforced, would be %s: %s", plainWord(string(r.Conclusion)), title)
	}
	return shorten(title, maxTitle)
}

// verdicts answer the first question of a reader, by stage and conclusion.
var verdicts = map[report.Stage]map[report.Conclusion]string{
	report.Merge: {
		report.Success:        "✅ May merge.",
		report.Failure:        "❌ May not merge.",
		report.ActionRequired: "✋ May not merge yet.",
		report.Pending:        "⏳ May not merge yet.",
		report.Neutral:        "✅ May merge, nothing was judged.",
	},
	report.Review: {
		report.Success:        "✅ Ready for review.",
		report.Failure:        "❌ Not ready for review.",
		report.ActionRequired: "✋ Not ready for review yet.",
		report.Pending:        "⏳ Not ready for review yet.",
		report.Neutral:        "✅ Nothing was judged.",
	},
}

func verdict(r report.Report) string {
	if words, ok := verdicts[r.Stage][r.Conclusion]; ok {
		return words
	}
	return "❌ No verdict."
}

func checkRunSummary(r report.Report, o CheckRunOptions) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** %s\n\n", verdict(r), escapeProse(shorten(r.Title, maxTitle)))
	if r.Mode == "report" {
		b.WriteString("The policy only reports: this verdict blocks nothing.\n\n")
	}
	if link := linkTo("Full report", o.FullReportURL); link != "" {
		b.WriteString(link + "\n\n")
	}
	missing(&b, r)
	checksTable(&b, r.Checks, maxChecks)
	b.WriteString(facts(r) + "\n")
	if o.Task != "" {
		fmt.Fprintf(&b, "\n> %s\n", escape(byHand(o.Task)))
	}
	for _, name := range r.Notes {
		fmt.Fprintf(&b, "\n> %s\n", escape(note(name)))
	}
	return b.String()
}

// linkTo links to an absolute http(s) address only, in a form that nothing in it can leave; empty
// for anything else. Without a label it shows the host.
func linkTo(label, address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	if label == "" {
		label = u.Hostname()
	}
	safe := strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20", "\\", "%5C", "|", "%7C", "`", "%60").Replace(u.String())
	return "[" + escape(shorten(label, maxCellText)) + "](<" + visible(safe) + ">)"
}

// missing lists the errors by who must act on them.
func missing(b *strings.Builder, r report.Report) {
	shown := 0
	for _, owner := range owners {
		var errors []report.Diagnostic
		for _, d := range r.Diagnostics {
			if d.Severity == report.Error && d.Owner == owner {
				errors = append(errors, d)
			}
		}
		if len(errors) == 0 {
			continue
		}
		fmt.Fprintf(b, "**%s: %s**\n\n", heading(owner), ownerTasks[owner])
		for i, d := range errors {
			if shown == maxMissing {
				fmt.Fprintf(b, "- … and %s more, see below\n", counted(len(errors)-i, "error"))
				break
			}
			fmt.Fprintf(b, "- %s\n", oneLine(d))
			shown++
		}
		b.WriteString("\n")
	}
}

func heading(owner report.Owner) string {
	name := ownerNames[owner]
	return strings.ToUpper(name[:1]) + name[1:]
}

// oneLine is a diagnostic on one line: about what, what is wrong, where.
func oneLine(d report.Diagnostic) string {
	var parts []string
	if d.Check != nil && *d.Check != "" && !strings.Contains(d.Message, *d.Check) {
		parts = append(parts, codeSpan(shorten(*d.Check, maxCellText)))
	}
	parts = append(parts, escapeProse(shorten(d.Message, maxMessage)))
	if at := place(d.Where); at != "" {
		parts = append(parts, "("+escape(at)+")")
	}
	return strings.Join(append(parts, codeSpan(string(d.Code))), " ")
}

// checksTable lists the checks, those without proof first when not all have room.
func checksTable(b *strings.Builder, checks []report.Check, most int) {
	if len(checks) == 0 {
		return
	}
	rows := checks
	if len(rows) > most {
		rows = unsatisfiedFirst(checks)[:most]
	}
	b.WriteString("| | Required check | Proof | Trust |\n| --- | --- | --- | --- |\n")
	for _, c := range rows {
		b.WriteString(checkRow(c))
	}
	if rest := len(checks) - len(rows); rest > 0 {
		satisfied := 0
		for _, c := range unsatisfiedFirst(checks)[most:] {
			if c.Satisfied {
				satisfied++
			}
		}
		fmt.Fprintf(b, "\n… and %s more, %d of them satisfied.\n", counted(rest, "check"), satisfied)
	}
	b.WriteString("\n")
}

func unsatisfiedFirst(checks []report.Check) []report.Check {
	sorted := make([]report.Check, 0, len(checks))
	for _, satisfied := range []bool{false, true} {
		for _, c := range checks {
			if c.Satisfied == satisfied {
				sorted = append(sorted, c)
			}
		}
	}
	return sorted
}

func checkRow(c report.Check) string {
	symbol := "❌"
	if c.Satisfied {
		symbol = "✅"
	}
	trust := ""
	if c.TrustLabel != nil {
		trust = escape(plainWord(*c.TrustLabel))
	}
	proven := escape(proof(c))
	if link := linkTo("", c.Link); link != "" {
		proven += ", " + link
	}
	cells := []string{symbol, escapeProse(shorten(checkText(c), maxCellText)), proven, trust}
	for i, cell := range cells {
		cells[i] = tableCell(cell)
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// facts is what the verdict is about, on one line.
func facts(r report.Report) string {
	parts := []string{}
	if r.HeadSHA != "" {
		parts = append(parts, "head "+codeSpan(r.HeadSHA))
	}
	parts = append(parts, "stage "+escape(string(r.Stage)), "level "+escape(r.Level), "assurance "+escape(plainWord(r.Assurance)))
	return "Judged: " + strings.Join(parts, ", ") + "."
}
