// Package propose says how a repository could begin: the steps that its own files already describe, as
// a policy (design sections 9 and 12), a pull request template with the Evidence section (section 3),
// and an issue form that gives a readable contract (section 4). It is what `init` shows (section 15).
//
// It reads a file system and writes nothing. No text of a repository becomes part of a command: every
// command stands in this package, and the files only say which of them fit.
package propose

import (
	"io/fs"
)

// Proposal is what `init` offers.
type Proposal struct {
	Steps []Step
	Open  []string // layers that need a command which nothing in the repository names
	Files []File
	Notes []string // what was seen and could not be used
}

// File is one proposed file, by its path from the repository's root, with slashes.
type File struct {
	Path  string
	Text  string
	There string // what stands in its place already; empty when it can be written
	Help  string // what to do then
}

// Step is one proposed step of the policy.
type Step struct {
	Name  string
	Run   string
	Phase string
	Layer string
	From  string // the file that says so

	usual bool // by convention only: the file does not name the command
}

// The files of a proposal.
const (
	TemplatePath = ".github/pull_request_template.md"
	FormPath     = ".github/ISSUE_TEMPLATE/task.yml"
)

// For makes the proposal for the repository whose root a file system is.
func For(root fs.FS) (Proposal, error) {
	look := &look{root: root}
	steps := look.steps()
	p := Proposal{Steps: arranged(steps)}
	p.Open = open(p.Steps)
	p.Notes = look.notes
	p.Files = []File{
		look.policyFile(policyText(p)),
		look.templateFile(templateText),
		look.formFile(formText(p.Steps)),
	}
	return p, look.failed
}

// Writable lists the files that can be written.
func (p Proposal) Writable() []File {
	var files []File
	for _, f := range p.Files {
		if f.There == "" {
			files = append(files, f)
		}
	}
	return files
}
