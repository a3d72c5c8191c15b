package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
)

// policyFile is a policy as a command reads it.
type policyFile struct {
	name   string // as it is told to people
	text   string
	exists bool
}

// openPolicy reads the policy with a name, - for standard input, or else that of the checkout. The
// latter may be absent.
func openPolicy(p process, args []string) (policyFile, error) {
	if len(args) == 0 {
		return findPolicy(p)
	}
	text, err := readText(p, "policy", args[0]) // package policy says where it is not UTF-8
	name := render.Plain(args[0])
	if name == "-" {
		name = "standard input"
	}
	return policyFile{name: name, text: text, exists: true}, err
}

// findPolicy walks up from the current folder to the top of the checkout.
func findPolicy(p process) (policyFile, error) {
	dir, err := folder(p)
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return policyFile{}, fmt.Errorf("cannot tell the current folder: %w", err)
	}
	for {
		f, err := readTextFile("policy", filepath.Join(dir, filepath.FromSlash(policy.Path)))
		if err != nil || f.exists {
			return policyFile{name: f.shown(p), text: string(f.text), exists: f.exists}, err
		}
		_, err = os.Stat(filepath.Join(dir, ".git"))
		above := filepath.Dir(dir)
		if err == nil || above == dir {
			return policyFile{name: policy.Path}, nil
		}
		dir = above
	}
}

// printFaults shows each fault with its line, and ends the command.
func (f policyFile) printFaults(p process, faults []report.Diagnostic) error {
	err := render.Diagnostics(p.stdout, faults, f.documents(), textOptions(p, p.stdout))
	if err == nil {
		_, err = fmt.Fprintf(p.stdout, "\n%s: %s\n", f.name, countedWord(errorCount(faults), "error"))
	}
	return written(err)
}

// documents is the text by the names that faults give it.
func (f policyFile) documents() map[string]string {
	return map[string]string{"policy": f.text, "organisation_policy": f.text}
}
