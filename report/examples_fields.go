package report

import "strings"

// OtherFields is the line of an example that stands for the fields it does not show.
const OtherFields = "- …"

// An exampleRecord is what a heading of an example opens, with all its fields as they are where an
// example does not show them.
type exampleRecord struct {
	heading string // how the heading begins
	fields  []string
}

var exampleRecords = []exampleRecord{
	{"#### Attempt ", []string{
		"Artifact: 64c0f2a8917be35d0d8e4a61f7b3925c1a08de6f",
		"Command: `npm test`",
		"Strategy: foreground",
		"Timeout ms: 180000",
		"Outcome: failed",
		"Duration ms: 42000",
		"Required: true",
		"Partial evidence: 125 passing, 3 failing in the cache suite",
		"Proposed next strategy: foreground",
		"Candidate classification: one_off",
		"Recorded by: engineer",
		"Recorded at: 2026-11-29T09:00:00Z",
	}},
	{"#### Foreground escalation prediction for attempt ", []string{
		"Based on attempt: 1",
		"Evidence: 1,204 of 2,310 tests finished in 180 s, which makes about 345 s for all",
		"Predicted completion window ms: 330000-400000",
		"Chosen timeout ms: 420000",
		"Recorded by: engineer",
		"Recorded at: 2026-11-29T09:00:00Z",
	}},
	{"#### Triage for attempt ", []string{
		"Classification: one_off",
		"Reference: none",
		"Reason: the build host ran out of disk at 09:00; it was freed",
		"Triaged by: maintainer",
		"Triaged at: 2026-11-29T12:00:00Z",
	}},
	{"### ", []string{
		"Command: `npm test`",
		"Last outcome: timed_out",
		"Observed duration ms: 180000",
		"Timeout ms: 180000",
		"Host timeout ceiling ms: unknown",
		"Strategy: background",
		"Updated: 2026-11-20",
		"Source: issue:#42",
		"Revisit when: the suite is split",
		"Decision: none",
	}},
}

// withOtherFields writes the fields for which OtherFields stands: those of the record that are not
// given between its heading and the line.
func withOtherFields(text string) string {
	if !strings.Contains(text, OtherFields) {
		return text
	}
	var out strings.Builder
	var record exampleRecord
	given := map[string]bool{}
	for line := range strings.Lines(text) {
		switch plain := strings.TrimRight(line, "\n"); {
		case plain == OtherFields:
			for _, f := range record.fields {
				if label, _, _ := strings.Cut(f, ":"); !given[label] {
					out.WriteString("- " + f + "\n")
				}
			}
			continue
		case strings.HasPrefix(plain, "#"):
			record, given = recordOf(plain), map[string]bool{}
		default:
			label, _, _ := strings.Cut(strings.TrimPrefix(plain, "- "), ":")
			given[label] = true
		}
		out.WriteString(line)
	}
	return out.String()
}

func recordOf(heading string) exampleRecord {
	for _, r := range exampleRecords {
		if strings.HasPrefix(heading, r.heading) {
			return r
		}
	}
	return exampleRecord{}
}
