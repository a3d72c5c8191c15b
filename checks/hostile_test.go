package checks_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

const (
	head     = "b7d41e9f02c36a58d1f4e07b9c8a25630fe1d794"
	mebibyte = 1 << 20
	task     = "## Required Checks\n\n- [RC-1] `npm test`\n"
	proof    = "## Evidence\nCurrent PR head: " + head + "\n\n- Required check: [RC-1] `npm test`\n  Verdict: passed\n  Evidence: 128 passing, 0 failing (exit 0)\n"
)

// pullRequest is a Snapshot of a body and a task's text, with nothing else wrong.
func pullRequest(body, issue string) snapshot.Snapshot {
	var s snapshot.Snapshot
	s.PullRequest.Body, s.PullRequest.HeadSHA, s.PullRequest.State = &body, head, "open"
	s.Issue = &snapshot.Issue{Number: 7, Body: &issue, Author: user("lead", "maintain")}
	s.Linked = []snapshot.Linked{{Repository: "acme/widgets", Number: 7, Source: "closing", Readable: true, HasChecks: true}}
	return s
}

// filled is as much of a text as fits beside others into size bytes.
func filled(size int, unit string, others ...string) string {
	for _, o := range others {
		size -= len(o)
	}
	return strings.Repeat(unit, size/len(unit))
}

func numbered(n int, format string) string {
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, format, i)
	}
	return s.String()
}

// answer is what a document gets: a conclusion and the codes of its errors.
type answer struct {
	conclusion report.Conclusion
	errors     []report.Code
}

var (
	judged      = answer{conclusion: report.Success}
	tooComplex  = answer{report.Failure, []report.Code{report.CodeDocumentTooComplex}}
	tooLarge    = answer{report.Failure, []report.Code{report.CodeDocumentTooLarge}}
	noSection   = answer{report.Failure, []report.Code{report.CodeSectionMissing}}
	unsatisfied = answer{report.Failure, []report.Code{report.CodeCheckUnsatisfied}}
)

// answerTo evaluates within a time that only a hang takes.
func answerTo(t *testing.T, s snapshot.Snapshot) answer {
	t.Helper()
	done := make(chan report.Report, 1)
	go func() { done <- checks.Evaluate(s, report.Merge) }()
	select {
	case r := <-done:
		a := answer{conclusion: r.Conclusion}
		seen := map[report.Code]bool{}
		for _, d := range r.Diagnostics {
			if d.Severity == report.Error && !seen[d.Code] {
				seen[d.Code] = true
				a.errors = append(a.errors, d.Code)
			}
		}
		return a
	case <-time.After(time.Minute):
		t.Fatal("the evaluation takes more than a minute")
		return answer{}
	}
}

// TestHostileBodies gives the answer to bodies that nobody writes by hand (M1, section 17).
func TestHostileBodies(t *testing.T) {
	t.Parallel()
	section := strings.TrimSuffix(proof, "\n")
	for _, row := range []struct {
		about, body string
		want        answer
	}{
		{"1 MiB of spaces", filled(mebibyte, " "), noSection},
		{"1 MiB of line ends", filled(mebibyte, "\n"), noSection},
		{"1 MiB in one word", filled(mebibyte, "x"), noSection},
		{"1 MiB in one line", filled(mebibyte, "some words "), noSection},
		{"valid evidence padded to 1 MiB with spaces", proof + filled(mebibyte, " ", proof), judged},
		{"valid evidence padded to 1 MiB with line ends", proof + filled(mebibyte, "\n", proof), judged},
		{"valid evidence padded to 1 MiB with prose", proof + "\n" + filled(mebibyte, "some words in a line of prose\n", proof, "\n"), judged},
		{"one byte over 1 MiB", proof + strings.Repeat(" ", mebibyte+1-len(proof)), tooLarge},
		{"NUL bytes", strings.Repeat("\x00", 1000), noSection},
		{"NUL bytes below valid evidence", proof + "\n" + strings.Repeat("\x00", 1000), judged},
		{"bytes that are not UTF-8", strings.Repeat("\xff\xfe\x80", 1000), noSection},
		{"bytes that are not UTF-8 below valid evidence", proof + "\n" + strings.Repeat("\xff\xfe\x80", 1000), judged},
		{"500 nested quotes", strings.Repeat("> ", 500) + "a\n\n" + proof, judged},
		{"501 nested quotes", strings.Repeat("> ", 501) + "a\n\n" + proof, tooComplex},
		{"3,000 nested quotes", strings.Repeat(">", 3000) + "a\n\n" + proof, tooComplex},
		{"500 nested lists", strings.Repeat("- ", 500) + "a\n\n" + proof, judged},
		{"501 nested lists", strings.Repeat("- ", 501) + "a\n\n" + proof, tooComplex},
		{"250 quotes and lists in each other", strings.Repeat("> - ", 250) + "a\n\n" + proof, judged},
		{"3,000 quotes and lists in each other", strings.Repeat("> - ", 3000) + "a\n\n" + proof, tooComplex},
		{"100,000 blank lines in three nested lists", strings.Repeat("- ", 3) + "a\n" + strings.Repeat("\n", 100_000) + proof, judged},
		{"100,000 blank lines in forty nested lists", strings.Repeat("- ", 40) + "a\n" + strings.Repeat("\n", 100_000) + proof, tooComplex},
		{"60,000 spaces in one line", proof + "\n" + strings.Repeat(" ", 60_000) + "a\n", judged},
		{"60,000 spaces inside a line", proof + "\na" + strings.Repeat(" ", 60_000) + "a\n", judged},
		{"30,000 opening brackets", proof + "\n" + strings.Repeat("[", 30_000), tooComplex},
		{"30,000 links that do not end", proof + "\n" + strings.Repeat("[a](", 30_000), tooComplex},
		{"30,000 closing brackets", proof + "\n" + strings.Repeat("]", 30_000), judged},
		{"30,000 backticks in a row", proof + "\n" + strings.Repeat("`", 30_000) + "a", judged}, // a fence that nothing closes
		{"30,000 backticks in a row in a paragraph", proof + "\na" + strings.Repeat("`", 30_000), tooComplex},
		{"30,000 backticks", proof + "\n" + strings.Repeat("`a ", 30_000), judged},
		{"30,000 times *a_", proof + "\n" + strings.Repeat("*a_", 30_000), tooComplex},
		{"30,000 of each inside a fence", proof + "\n```\n" + strings.Repeat("[a](`*a_", 30_000) + "\n```\n", judged},
		{"a table of 8,000 columns and 8,000 short rows", proof + "\n" + strings.Repeat("|a", 8000) + "|\n" + strings.Repeat("|-", 8000) + "|\n" + strings.Repeat("|a\n", 8000), tooComplex},
		{"a table of 20 columns and 8,000 rows", proof + "\n" + strings.Repeat("|a", 20) + "|\n" + strings.Repeat("|-", 20) + "|\n" + strings.Repeat("|a|b\n", 8000), judged},
		{"65 kB of definitions", numbered(5000, "[a%d]: /b\n") + "\n" + proof, judged},
		{"1 MiB of definitions", filled(mebibyte, "[a]: /b\n"), tooComplex},
		{"a definition's label of 50,000 lines", "[" + strings.Repeat("a\n", 50_000) + "]: /b\n\n" + proof, judged},
		{"a heading of 50,000 lines", strings.Repeat("a\n", 50_000) + "===\n\n" + proof, judged},
		{"200,000 opening tags", "a" + strings.Repeat("<a ", 200_000) + "\n\n" + proof, judged},
		{"200,000 opening tags at the start of a line", strings.Repeat("<a ", 200_000) + "\n\n" + proof, judged},
		{"200,000 comments that do not end", proof + "\na " + strings.Repeat("<!--", 200_000), judged},
		{"200,000 processing instructions that do not end", proof + "\na " + strings.Repeat("<?", 200_000), judged},
		{"100,000 paragraphs", proof + strings.Repeat("\na\n", 100_000), tooComplex},
		{"10,000 entries for one id", "## Evidence\nCurrent PR head: " + head + "\n\n" + strings.Repeat("- Required check: [RC-1] `npm test`\n  Verdict: passed\n", 10_000),
			answer{report.Failure, []report.Code{report.CodeEntryDuplicate}}},
		{"10,000 entries for other checks", proof + numbered(10_000, "- Required check: [RC-%d9] x\n"), judged},
		{"10,000 observation records that nobody asked for", section + strings.Repeat("\n  Observation: a\n  Result: seen", 10_000), judged},
		{"10,000 fields given twice", section + strings.Repeat("\n  Verdict: passed", 10_000), answer{report.Failure, []report.Code{report.CodeEntryFieldRepeated}}},
		{"a verdict of 1 MiB", strings.Replace(proof, "passed", filled(mebibyte, "passed", proof, "passed"), 1), answer{report.Failure, []report.Code{report.CodeVerdictInvalid}}},
		{"evidence of 900 kB in one word", section + strings.Repeat("x", 900_000), judged},
		{"evidence of 300,000 numbers", section + strings.Repeat(" 12", 300_000), judged},
		{"100,000 invisible characters beside the text", proof + "\n" + strings.Repeat("\u200b", 100_000), judged},
		{"100,000 invisible characters in a label", strings.Replace(proof, "Verdict", "Ver"+strings.Repeat("\u200b", 5)+"dict", 1) + "\n" + strings.Repeat("\u200b", 100_000),
			answer{report.Failure, []report.Code{report.CodeTextInvisibleCharacter}}},
		{"100,000 characters that reorder text", proof + "\n" + strings.Repeat("\u202e", 100_000), answer{report.Failure, []report.Code{report.CodeTextInvisibleCharacter}}},
		{"100,000 labels in one line", section + strings.Repeat(" Verdict: passed", 50_000), answer{report.Failure, []report.Code{report.CodeEntryFieldInline}}},
	} {
		require.Equal(t, row.want, answerTo(t, pullRequest(row.body, task)), row.about)
	}
	s := pullRequest("", task)
	s.PullRequest.Body = nil
	require.Equal(t, noSection, answerTo(t, s), "a null body is the empty document")
}

// TestHostileTasks gives the answer to contracts that nobody writes by hand.
func TestHostileTasks(t *testing.T) {
	t.Parallel()
	empty := "## Evidence\nCurrent PR head: " + head + "\n"
	maintainer := func(codes ...report.Code) answer { return answer{report.ActionRequired, codes} }
	for _, row := range []struct {
		about, body, issue string
		want               answer
	}{
		{"over 1 MiB", proof, task + strings.Repeat(" ", mebibyte), maintainer(report.CodeDocumentTooLarge)},
		{"3,000 nested quotes", proof, task + "\n" + strings.Repeat(">", 3000), maintainer(report.CodeDocumentTooComplex)},
		{"2,000 checks with their evidence", empty + "\n" + numbered(2000, "- Required check: [RC-%[1]d] `npm test %[1]d`\n  Verdict: passed\n  Evidence: 12 passing (exit 0)\n"),
			"## Required Checks\n" + numbered(2000, "- [RC-%[1]d] `npm test %[1]d`\n"), judged},
		{"2,000 checks without evidence", empty, "## Required Checks\n" + numbered(2000, "- [RC-%[1]d] `npm test %[1]d`\n"), unsatisfied},
		{"2,000 checks with one id", empty, "## Required Checks\n" + strings.Repeat("- [RC-1] `npm test`\n", 2000), maintainer(report.CodeContractIdDuplicate)},
		{"100,000 annotations of one check", empty, "## Required Checks\n- [RC-1] `x` " + strings.Repeat("(kind: x)", 100_000), maintainer(report.CodeContractKindInvalid)},
		{"100,000 misspelt annotations of one check", empty, "## Required Checks\n- [RC-1] `x` " + strings.Repeat("(sorce: x)", 100_000), maintainer(report.CodeContractAnnotationUnknown)},
		{"500,000 nested brackets", empty, "## Required Checks\n- [RC-1] `x` " + strings.Repeat("(", 500_000) + strings.Repeat(")", 500_000), unsatisfied},
		{"100,000 observations, none recorded", "## Evidence\nCurrent PR head: " + head + "\n- Required check: [RC-1] x\n  Kind: manual\n  Source: manual_observation\n  Implementation head: " + head + "\n  Verdict: passed\n",
			"## Required Checks\n- [RC-1] manual: x (observations: " + strings.Repeat("a,", 100_000) + "a)", answer{report.Failure, []report.Code{report.CodeObservationMissing}}},
		{"100,000 code spans on both sides", empty + "- Required check: [RC-1] " + strings.Repeat("`a 'b'` ", 100_000) + "\n  Verdict: passed\n",
			"## Required Checks\n- [RC-1] `x` " + strings.Repeat("`c d` ", 100_000), answer{report.Failure, []report.Code{report.CodeEvidenceCommandMismatch}}},
		{"1 MiB of brackets in a fence", proof, task + "\n```\n" + filled(mebibyte, "[", task, "\n```\n\n```\n") + "\n```\n", judged},
		{"a command of 1 MiB", empty, "## Required Checks\n- [RC-1] `" + filled(mebibyte, "x", "## Required Checks\n- [RC-1] ``\n") + "`\n", unsatisfied},
	} {
		require.Equal(t, row.want, answerTo(t, pullRequest(row.body, row.issue)), row.about)
	}
}

// TestHostileSnapshots gives the answer to what is large only as a whole.
func TestHostileSnapshots(t *testing.T) {
	t.Parallel()
	s := pullRequest(proof, task)
	for i := range 17 {
		s.Comments = append(s.Comments, snapshot.Comment{ID: int64(i), Body: strings.Repeat("a", mebibyte)})
	}
	require.Equal(t, tooLarge, answerTo(t, s), "16 MiB of comments together (M1)")
	s.Comments = s.Comments[:15]
	require.Equal(t, judged, answerTo(t, s), "15 MiB of comments together")

	s = pullRequest(proof, task)
	for i := range 100 {
		body := fmt.Sprintf("%d\n\n", i) + strings.Replace(proof, "128", "127", 1) + strings.Repeat("[a](*b_ `\n\n- x\n\n", 3500)
		s.PullRequest.Revisions = append(s.PullRequest.Revisions, snapshot.Revision{Body: &body})
	}
	require.Equal(t, judged, answerTo(t, s), "100 revisions of 60 kB")

	s = pullRequest(proof, task)
	for i := range 20_000 {
		s.StatusChecks = append(s.StatusChecks, snapshot.StatusCheck{Name: "npm test", App: "ci", Workflow: fmt.Sprint(i), Status: "queued"})
		s.Linked = append(s.Linked, snapshot.Linked{Repository: "acme/widgets", Number: 7, Source: "keyword", Readable: true})
	}
	require.Equal(t, judged, answerTo(t, s), "20,000 statuses and links")
}
