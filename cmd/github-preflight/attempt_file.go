package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/evidence-gate/evidence-gate/attempts"
	"github.com/evidence-gate/evidence-gate/internal/checkout"
	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// carrierFile is the carrier of a check in a file: the whole file, or a part of a task file.
type carrierFile struct {
	process process
	file    textFile
	check   string
	head    string
	carrier attempts.Carrier
	task    *taskFile       // nil when the file is a carrier
	known   *attempts.Known // nil outside a checkout
}

// openCarrierFile reads the file and finds out which of the two it is.
func openCarrierFile(ctx context.Context, p process, o carrierOptions) (keeper, error) {
	file, err := readTextFile("carrier", o.file)
	if err == nil {
		err = file.folderThere()
	}
	if err == nil {
		err = expectUTF8("carrier", o.file, string(file.text))
	}
	if err != nil {
		return nil, err
	}
	c := &carrierFile{process: p, file: file, check: o.check}
	c.head, _ = checkout.Head(ctx, p.dir)                        // without a checkout --artifact has to say it
	if c.known, err = knownHere(p); err != nil && o.maintainer { // only triage refers to anything
		return nil, err
	}
	if strings.TrimSpace(string(file.text)) == "" {
		return c, nil
	}
	if c.carrier, err = attempts.Parse(string(file.text)); err != nil {
		return nil, err
	}
	switch c.carrier.Check {
	case c.check:
		return c, nil
	case "":
		return c, c.readTask()
	}
	return nil, refusedBy(report.CodeCarrierCheckMismatch, "name the file of "+c.check+", or a new one",
		"%s is the carrier of %s, and a carrier is of one check", file.path, c.carrier.Check)
}

// readTask reads a task file's section.
func (c *carrierFile) readTask() error {
	carriers, faults, err := attempts.ParseTaskFile(string(c.file.text))
	if err != nil {
		return err
	}
	for _, d := range faults {
		if d.Severity == report.Error && d.Code != report.CodeCarrierEmpty {
			if d.Where != nil {
				d.Where = c.named(*d.Where)
			}
			return &refusal{diagnostics: []report.Diagnostic{d}, text: string(c.file.text)}
		}
	}
	if c.task, err = readTaskFile(string(c.file.text), c.check); err != nil {
		return fmt.Errorf("%s: %w", c.file.path, err)
	}
	for _, carrier := range carriers {
		if carrier.Check == c.check {
			c.carrier = carrier
		}
	}
	return nil
}

// knownHere is what references may point at in the checkout; nil outside one.
func knownHere(p process) (*attempts.Known, error) {
	f, err := findProfile(p, "")
	if err != nil || f.path == "" {
		return nil, err
	}
	read, _ := profile.Read(string(f.text))
	decisions, err := f.decisions()
	if err != nil {
		return nil, err
	}
	tasks, err := markdownFiles(filepath.Join(filepath.Dir(f.path), "tasks"))
	return &attempts.Known{Facts: read.IDs(), References: snapshot.References{Decisions: decisions, Tasks: tasks}}, err
}

func (c *carrierFile) basis() basis {
	b := basis{check: c.check, carrier: c.carrier, head: c.head, now: c.process.now(), known: c.known}
	switch {
	case c.task == nil:
		b.body = string(c.file.text)
		if strings.TrimSpace(b.body) == "" {
			b.body = ""
		}
	case !c.task.isNew():
		b.body = c.task.asCarrier()
	}
	return b
}

func (c *carrierFile) whole(body string) (string, error) {
	if c.task == nil {
		return body, nil
	}
	return c.task.with(body)
}

// refused has nothing to add: there is nobody to ask.
func (c *carrierFile) refused(string) []report.Diagnostic { return nil }

func (c *carrierFile) where(w report.Where) *report.Where {
	if c.task != nil {
		lines := c.task.moved()
		if w.Line += lines; w.EndLine > 0 {
			w.EndLine += lines
		}
	}
	return c.named(w)
}

// named is a place with the file's name.
func (c *carrierFile) named(w report.Where) *report.Where {
	w.Document = c.file.shown(c.process)
	return &w
}

func (c *carrierFile) place() place {
	return place{Place: c.file.shown(c.process), Created: len(c.carrier.Entries) == 0}
}

func (c *carrierFile) store(_ context.Context, text string) (place, error) {
	if err := c.file.replace(text); err != nil {
		return c.place(), fmt.Errorf("cannot write the carrier: %w", err)
	}
	return c.place(), nil
}
