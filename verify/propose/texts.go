package propose

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// policyText is the policy that declares the steps. A layer that nothing names a command for gets one
// that fails and says what to write: a step that passes without looking would be worth nothing.
func policyText(p Proposal) string {
	var out strings.Builder
	out.WriteString(`# What this repository asks of a pull request, and the steps that github-preflight verify runs.
# github-preflight policy validate says what is wrong with it, policy show what is in force.
version: 1
level: checks

# Through /bin/sh -c in the folder above .github. The first failure of the phase setup skips the rest.
checks:
`)
	for _, s := range p.Steps {
		fmt.Fprintf(&out, "  - { name: %s, run: %s, phase: %s, layer: %s }  # from %s\n", s.Name, scalar(s.Run), s.Phase, s.Layer, s.From)
	}
	for _, layer := range p.Open {
		phase := "check"
		if layer == "install" {
			phase = "setup"
		}
		command := fmt.Sprintf("echo 'write the command of the step %s into .github/evidence.yml' >&2; exit 1", layer)
		fmt.Fprintf(&out, "  - { name: %s, run: %s, phase: %s, layer: %s }  # fails until there is a command\n", layer, scalar(command), phase, layer)
	}
	out.WriteString(`
# A server is started and asked by a step of the phase serve, which the kinds web and api need:
#   - { name: web answers, run: ./bin/web, phase: serve, layer: serve, probe: "http://127.0.0.1:8080/healthz" }
# github-preflight verify --accept-changes, run by a person, adds the digest of the steps here.
`)
	return out.String()
}

// plainScalar is what YAML takes for text without quotes, also inside { }.
var plainScalar = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9 ./_=-]*$`)

func scalar(text string) string {
	if plainScalar.MatchString(text) {
		return text
	}
	return strconv.Quote(text)
}

// templateText is the template of a pull request. Its Evidence section is empty, so that nothing
// passes before somebody wrote evidence.
const templateText = `## What and why

<!-- What is different afterwards, for whom, and why. -->

Closes #

## Evidence
Current PR head: <the head commit's full SHA, as git rev-parse HEAD prints it>

<!--
github-preflight scaffold --write fills this section in: this head, and an entry for every required
check of the task. Then run each check on this commit and write its verdict and what it showed.
github-preflight says what is missing.
-->
`

// formText is the issue form of a task. What it makes are sections of level 3, with the text of each
// field as it was typed: a field with "render" would be fenced, and no check could be read in it.
func formText(steps []Step) string {
	var out strings.Builder
	out.WriteString(`name: Task
description: Work that may be merged when each of its required checks has evidence
body:
  - type: textarea
    id: goal
    attributes:
      label: What and why
      description: What is different afterwards, for whom, and why.
    validations:
      required: true
  - type: textarea
    id: required-checks
    attributes:
      label: Required Checks
      description: >-
        One list item for each check, with an id that stays: a command in backticks, or what a person
        looks at with (kind: manual). At least one is needed.
`)
	if checks := firstChecks(steps); len(checks) > 0 {
		out.WriteString("      value: |\n")
		for i, command := range checks {
			fmt.Fprintf(&out, "        - [RC-%d] `%s`\n", i+1, command)
		}
	} else {
		out.WriteString("      placeholder: |\n        - [RC-1] `the command of the tests`\n")
	}
	out.WriteString(`    validations:
      required: true
  - type: textarea
    id: acceptance-criteria
    attributes:
      label: Acceptance Criteria
      description: "One list item for each, if any: what must hold, and how it is shown."
      placeholder: |
        - [AC-1] (kind: unit) an unknown key is refused
`)
	return out.String()
}

// firstChecks are the commands that a task begins with: the tests.
func firstChecks(steps []Step) []string {
	var commands []string
	for _, s := range steps {
		if s.Layer == "test" && !strings.Contains(s.Run, "`") {
			commands = append(commands, s.Run)
		}
	}
	return commands
}
