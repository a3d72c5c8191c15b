package verify

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
	"github.com/evidence-gate/evidence-gate/profile/policy"
)

// SelectionError is a choice of steps that the policy has none for.
type SelectionError struct{ message string }

func (e *SelectionError) Error() string { return e.message }

// NewPlan decides what runs in a project's folder. An error says why nothing can.
func NewPlan(root string, p policy.Policy, s Selection, environ []string) (Plan, error) {
	folder, err := filepath.Abs(root)
	if err == nil {
		folder, err = filepath.EvalSymlinks(folder)
	}
	if err != nil {
		return Plan{}, fmt.Errorf("cannot find the project's folder: %w", err)
	}
	plan := Plan{Root: folder, Selection: s}
	plan.Environment, plan.Secrets = environment(environ, p, folder)
	plan.Steps = ordered(p.Checks)
	if len(plan.Steps) == 0 {
		return Plan{}, errors.New("the policy declares no steps: add entries with `run` under `checks`")
	}
	if err := plan.choose(); err != nil {
		return Plan{}, err
	}
	return plan, plan.expandProbes()
}

// ordered are the entries with a command: the base stage, then the app stage, each by phases.
func ordered(checks []policy.Check) []Step {
	var steps []Step
	for _, stage := range []string{baseStage, appStage} {
		for _, phase := range phases {
			for _, c := range checks {
				if (c.Run != "" || len(c.Args) > 0) && c.Stage == stage && c.Phase == phase {
					steps = append(steps, Step{Check: c})
				}
			}
		}
	}
	return steps
}

// choose marks the steps that are left out. Setup and teardown still run around a choice; those of the
// app stage only when something of it was chosen.
func (p *Plan) choose() error {
	if err := p.known(); err != nil {
		return err
	}
	chosen := map[string]bool{}
	for i, s := range p.Steps {
		p.Steps[i].Left = p.left(s)
		around := s.Phase == setup || s.Phase == teardown
		if p.Steps[i].Left == "" && (!around || s.Phase == setup && p.named(s)) {
			chosen[s.Stage] = true
		}
	}
	for i, s := range p.Steps {
		if s.Left == "" && s.Stage == appStage && !chosen[appStage] && p.partial() {
			p.Steps[i].Left = "nothing of the app stage is selected"
		}
	}
	if p.partial() && len(chosen) == 0 {
		return &SelectionError{"--only and --skip-tag leave nothing to run: github-preflight verify --list shows the steps"}
	}
	if !slices.ContainsFunc(p.Steps, func(s Step) bool { return s.Left == "" }) {
		return errors.New("every step has `default: false`, so there is nothing to run: add --all, or name steps with --only")
	}
	return nil
}

func (p *Plan) partial() bool { return len(p.Selection.Only)+len(p.Selection.SkipTags) > 0 }

// left says why a step is left out; empty when it is not. A step that is named runs although its
// default is false.
func (p *Plan) left(s Step) string {
	around := s.Phase == setup || s.Phase == teardown
	byName := slices.ContainsFunc(p.Selection.Only, s.isCalled)
	tag := slices.IndexFunc(s.Tags, func(tag string) bool { return slices.Contains(p.Selection.SkipTags, tag) })
	switch {
	case !s.Default && !p.Selection.All && !byName:
		return "default: false"
	case !around && len(p.Selection.Only) > 0 && !p.named(s):
		return "not selected by --only"
	case !around && tag >= 0:
		return "the tag " + s.Tags[tag] + " is skipped"
	}
	return ""
}

func (p *Plan) named(s Step) bool {
	return slices.ContainsFunc(p.Selection.Only, func(word string) bool { return s.isCalled(word) || s.Layer == word })
}

func (s Step) isCalled(word string) bool {
	return s.Name == word || s.ID != "" && strings.EqualFold(s.ID, word)
}

// known refuses words that select nothing: a misspelled tag would run what was to be skipped.
func (p *Plan) known() error {
	var names, tags []string
	for _, s := range p.Steps {
		names = append(names, s.Title(), s.ID, s.Layer)
		tags = append(tags, s.Tags...)
	}
	for _, word := range p.Selection.Only {
		if !slices.ContainsFunc(p.Steps, func(s Step) bool { return s.isCalled(word) || s.Layer == word }) {
			return unknownWord("--only", "a step or a layer", word, names)
		}
	}
	for _, word := range p.Selection.SkipTags {
		if !slices.Contains(tags, word) {
			return unknownWord("--skip-tag", "a tag of a step", word, tags)
		}
	}
	return nil
}

func unknownWord(flag, what, word string, known []string) error {
	slices.Sort(known)
	known = slices.DeleteFunc(slices.Compact(known), func(k string) bool { return k == "" })
	message := fmt.Sprintf("%s takes the name of %s, and there is no %q", flag, what, word)
	if len(known) == 0 {
		return &SelectionError{message}
	}
	near := slices.MinFunc(known, func(a, b string) int { return markdown.Distance(word, a) - markdown.Distance(word, b) })
	if markdown.Distance(word, near) <= max(2, len(near)/3) {
		return &SelectionError{message + "; did you mean " + near + "?"}
	}
	return &SelectionError{message + "; there are " + strings.Join(known, ", ")}
}

// expandProbes replaces the variables in the probes of the steps that run.
func (p *Plan) expandProbes() error {
	for i, s := range p.Steps {
		if s.Phase != serve || s.Left != "" {
			continue
		}
		expanded, err := expand(s.Probe, p.Environment)
		if err == nil {
			_, err = parseProbe(expanded)
		}
		if err != nil {
			return fmt.Errorf("the probe of the step %q, %q, cannot be used: %w", s.Title(), s.Probe, err)
		}
		p.Steps[i].URL = expanded
	}
	return nil
}

// ID of a scope as it is recorded.
func (p *Plan) scope() string {
	switch {
	case p.partial():
		return "selected"
	case p.Selection.All:
		return "all"
	}
	return "default"
}
