package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"golang.org/x/term"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/verify"
	"github.com/evidence-gate/evidence-gate/verify/agent"
	"github.com/evidence-gate/evidence-gate/verify/tamper"
)

// interrupts are the two times that a person may press Ctrl-C: the first ends the step that runs, the
// second the teardown, too. A machine that stops a job does it by SIGTERM or SIGHUP.
func interrupts() (first context.Context, second <-chan struct{}, release func()) {
	ctx, cancel := context.WithCancel(context.Background())
	again := make(chan struct{})
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // as nohup does
		signal.Notify(signals, syscall.SIGHUP)
	}
	go func() {
		if _, more := <-signals; !more {
			return
		}
		cancel()
		if _, more := <-signals; more {
			close(again)
		}
	}()
	return ctx, again, func() {
		signal.Stop(signals)
		close(signals)
		cancel()
	}
}

// session finds the project, its policy, and what is remembered of it.
func (o verifyOptions) session(ctx context.Context, p process, environ []string) (s verify.Session, warnings []string, err error) {
	f, err := findPolicy(p)
	if err != nil {
		return s, nil, err
	}
	fromBase := o.wantsBase(p.getenv)
	if !f.exists && !fromBase {
		return s, nil, fmt.Errorf("there is no %s in this folder or above it, so no steps are declared: github-preflight init proposes some", policy.Path)
	}
	root, err := f.root(p)
	if err != nil {
		return s, nil, err
	}
	name, _ := agent.Detect(environ)
	s = verify.Session{Root: root, Selection: o.selection, Environ: environ, Agent: name, Version: version(), Now: p.now,
		Options: verify.Options{Progress: verifyProgress(p)}}
	if fromBase {
		warnings, err = takeBase(ctx, p, &s, f)
	} else {
		s.Policy, err = f.valid()
	}
	if err != nil {
		return s, nil, err
	}
	warning, err := remember(ctx, p, &s)
	if warning != "" {
		warnings = append(warnings, warning)
	}
	return s, warnings, err
}

// valid is the policy in the file, which must be one.
func (f policyFile) valid() (policy.Policy, error) {
	read, faults := policy.Read(f.text, policy.Repository)
	if len(faults) > 0 {
		return read, fmt.Errorf("%s is not valid, line %d: %s (github-preflight policy validate shows everything)", f.name, faults[0].Where.Line, faults[0].Message)
	}
	return read, nil
}

// takeBase takes the steps of the base, and says what the working tree would change about them.
func takeBase(ctx context.Context, p process, s *verify.Session, f policyFile) (warnings []string, err error) {
	base, of, err := verify.FindBase(ctx, s.Root)
	if err != nil {
		return nil, err
	}
	dir, err := folder(p)
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot tell the current folder: %w", err)
	}
	if nearer, err := base.Nearer(ctx, s.Root, dir); err != nil || nearer != "" {
		return nil, cmp.Or(err, fmt.Errorf("the base %.12s has a policy nearer to this folder, %s, which the working tree has no more: restore it, or run the steps of the working tree with --base=false", base.Commit, nearer))
	}
	s.Policy, s.Base = of, &base
	working := policy.Default()
	if f.exists {
		if working, err = f.valid(); err != nil {
			return []string{fmt.Sprintf("what the working tree would change is not known: %v", err)}, nil
		}
	}
	base.Changes = tamper.Changes(tamper.FormOf(of), tamper.FormOf(working))
	return nil, nil
}

// remember opens what is remembered of the project. Without it the steps of the working tree cannot be
// compared with anything; those of a base need not be.
func remember(ctx context.Context, p process, s *verify.Session) (warning string, err error) {
	s.Store, err = tamper.OpenStore(p.getenv)
	if err == nil {
		s.Key, err = tamper.Locate(ctx, s.Root)
	}
	if err != nil && s.Base != nil {
		s.Key = ""
		return err.Error(), nil
	}
	return "", err
}

// root is the folder of the project: the one that the policy's .github stands in, or the top of the
// checkout when the working tree has no policy.
func (f policyFile) root(p process) (string, error) {
	dir, err := folder(p)
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return "", fmt.Errorf("cannot tell the current folder: %w", err)
	}
	if !f.exists {
		return filepath.EvalSymlinks(top(dir))
	}
	path := filepath.FromSlash(f.name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	return filepath.EvalSymlinks(filepath.Dir(filepath.Dir(path)))
}

// top is the folder of a checkout that holds .git, or the folder itself in none.
func top(dir string) string {
	for above := dir; ; above = filepath.Dir(above) {
		if _, err := os.Stat(filepath.Join(above, ".git")); err == nil {
			return above
		}
		if above == filepath.Dir(above) {
			return dir
		}
	}
}

// verifyProgress is live on a terminal, plain lines elsewhere.
func verifyProgress(p process) verify.Progress {
	file, terminal := p.stderr.(*os.File)
	if !terminal || !term.IsTerminal(int(file.Fd())) || p.getenv("TERM") == "dumb" {
		return verify.Lines(p.stderr)
	}
	return verify.Live(p.stderr, func() int {
		width, _, err := term.GetSize(int(file.Fd()))
		if err != nil {
			return 0
		}
		return width
	})
}

// execute accepts the steps when that was asked for, and runs them.
func (o verifyOptions) execute(ctx context.Context, p process, s verify.Session) (verify.Result, error) {
	if !o.accept {
		return verify.Verify(ctx, s)
	}
	file, isFile := p.stdin.(*os.File)
	if err := tamper.MayAccept(s.Agent, isFile && term.IsTerminal(int(file.Fd()))); err != nil {
		return s.Refuse(err), nil
	}
	var err error
	s.Policy, err = accept(p, s)
	if err != nil {
		var refused *tamper.RefusedError
		if errors.As(err, &refused) {
			return s.Refuse(err), nil
		}
		return verify.Result{}, err
	}
	return verify.Verify(ctx, s)
}

// accept shows what changed and records it.
func accept(p process, s verify.Session) (policy.Policy, error) {
	state, err := s.Preview()
	if err != nil {
		return s.Policy, err
	}
	if err := verify.Accepting(p.stderr, state.Changes); err != nil {
		return s.Policy, fmt.Errorf("cannot show what is to be accepted, so nothing was: %w", err)
	}
	return tamper.Accept(tamper.Acceptance{Path: filepath.Join(s.Root, filepath.FromSlash(policy.Path)), Policy: s.Policy, Store: s.Store, Key: s.Key, Now: p.now()})
}

// listing is --list and --dry-run.
func (o verifyOptions) listing(p process, s verify.Session, environ []string) error {
	plan, err := verify.NewPlan(s.Root, s.Policy, s.Selection, environ)
	if err != nil {
		return err
	}
	l := plan.Listing()
	l.Base = s.Base
	if o.dryRun {
		state, err := s.Preview()
		if err != nil {
			return err
		}
		l.Tamper = &state
	}
	if o.json {
		err = writeJSON(p.stdout, l)
	} else {
		err = l.Text(p.stdout)
	}
	if err = written(err); err == nil && o.dryRun && l.Tamper.TamperCheck == tamper.Changed {
		return &exit{code: verify.Result{Outcome: verify.Changed}.ExitCode()}
	}
	return err
}

// oneLineJSON is a value as JSON on one line, with control and format characters escaped.
func oneLineJSON(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return escapeControls(bytes.TrimSuffix(text.Bytes(), []byte("\n"))), err
}
