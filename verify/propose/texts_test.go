package propose

import (
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/prbody"
	"github.com/evidence-gate/evidence-gate/report"
)

const head = "b7d41e9f02c36a58d1f4e07b9c8a25630fe1d794"

// form is an issue form, as GitHub's syntax for issue forms describes it.
type form struct {
	Name        string
	Description string
	Body        []struct {
		Type        string
		ID          string
		Attributes  struct{ Label, Description, Value, Placeholder string }
		Validations struct{ Required bool }
	}
}

func formOf(t *testing.T, files map[string]string) form {
	t.Helper()
	var f form
	require.NoError(t, yaml.UnmarshalWithOptions([]byte(proposal(t, files).Files[2].Text), &f, yaml.Strict()))
	return f
}

// issue is the body that GitHub makes of a form: a heading of level 3 for each field, then its text,
// or "_No response_".
func (f form) issue(answers map[string]string) string {
	var body []string
	for _, field := range f.Body {
		answer, given := answers[field.ID]
		if !given {
			answer = field.Attributes.Value
		}
		if strings.TrimSpace(answer) == "" {
			answer = "_No response_"
		}
		body = append(body, "### "+field.Attributes.Label+"\n\n"+strings.TrimRight(answer, "\n"))
	}
	return strings.Join(body, "\n\n") + "\n"
}

// What GitHub demands of a form: a name, a description, at least one field that is no Markdown, ids of
// letters, digits, - and _ that differ, labels that differ.
func TestTheIssueFormIsOne(t *testing.T) {
	t.Parallel()
	for name, row := range repositories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := formOf(t, row.files)
			require.NotEmpty(t, f.Name)
			require.NotEmpty(t, f.Description)
			ids, labels := map[string]bool{}, map[string]bool{}
			for _, field := range f.Body {
				require.Equal(t, "textarea", field.Type)
				require.Regexp(t, regexp.MustCompile(`^[A-Za-z0-9_-]+$`), field.ID)
				require.NotEmpty(t, field.Attributes.Label)
				require.False(t, ids[field.ID] || labels[field.Attributes.Label])
				ids[field.ID], labels[field.Attributes.Label] = true, true
			}
			require.True(t, labels[checks.ContractSection])
		})
	}
}

// An issue made from the form gives a contract; that its section is of level 3 is all there is to say.
func TestAnIssueFromTheFormIsReadable(t *testing.T) {
	t.Parallel()
	f := formOf(t, repositories["Go and npm"].files)
	for name, row := range map[string]struct {
		answers map[string]string
		want    []string
	}{
		"as it is prefilled": {map[string]string{"goal": "Names may have dashes."}, []string{"go test ./...", "npm run test"}},
		"with everything":    {map[string]string{"goal": "x", "required-checks": "- [RC-1] `make test`", "acceptance-criteria": "- [AC-1] (kind: unit) an unknown key is refused"}, []string{"make test"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			contract, diagnostics := checks.ReadContract(f.issue(row.answers))
			for _, d := range diagnostics {
				require.Equal(t, report.CodeSectionLevel, d.Code, d.Message)
				require.Equal(t, report.Warning, d.Severity)
			}
			var commands []string
			for _, c := range contract.Checks {
				commands = append(commands, c.Command)
			}
			require.Equal(t, row.want, commands)
		})
	}
}

// Without a test to propose the writer of the issue has to name one: an empty contract is none.
func TestTheFormNeverMakesUpACheck(t *testing.T) {
	t.Parallel()
	f := formOf(t, repositories["nothing"].files)
	_, diagnostics := checks.ReadContract(f.issue(nil))
	require.NotEmpty(t, diagnostics)
	require.Equal(t, report.CodeContractMissing, diagnostics[len(diagnostics)-1].Code)
}

// The template, with the task of the form: empty it passes nothing, and scaffold fills it in.
func TestTheTemplateIsFilledIn(t *testing.T) {
	t.Parallel()
	p := proposal(t, repositories["a Go module"].files)
	template := p.Files[1].Text
	issue := formOf(t, repositories["a Go module"].files).issue(map[string]string{"goal": "x"})

	r := checks.Lint(checks.Files{Body: template, Issue: &issue, Head: head, Stage: report.Review})
	require.Equal(t, report.Failure, r.Conclusion)
	require.ElementsMatch(t, []report.Code{report.CodeHeadNotCanonical, report.CodeCheckUnsatisfied}, errorsOf(r))

	section, _ := checks.Scaffold(issue, head)
	renewed, err := prbody.Rewrite(template, section, head)
	require.NoError(t, err)
	require.Contains(t, renewed.Body, "Closes #", "the rest of the template stays")
	filled := strings.NewReplacer("Verdict: not run", "Verdict: passed", "REPLACE: what the final run showed", "42 tests passed, 0 failed (exit 0)").Replace(renewed.Body)
	r = checks.Lint(checks.Files{Body: filled, Issue: &issue, Head: head, Stage: report.Review})
	require.Equal(t, report.Success, r.Conclusion, r.Title)
	require.Empty(t, errorsOf(r))
}

func errorsOf(r report.Report) []report.Code {
	var codes []report.Code
	for _, d := range r.Diagnostics {
		if d.Severity == report.Error {
			codes = append(codes, d.Code)
		}
	}
	return codes
}
