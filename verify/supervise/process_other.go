//go:build !linux

package supervise

import (
	"errors"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// Process is a command that was started.
type Process struct {
	grace   time.Duration
	keep    bool
	command *exec.Cmd
	exited  chan struct{} // closed when the command's own process has ended
	status  Status        // valid after exited
	all     sync.Once
	ending  Ending
}

// Start starts a command.
func Start(c Command) (*Process, error) {
	path, err := lookPath(c)
	if err != nil {
		return nil, err
	}
	p := &Process{grace: c.Grace, keep: c.Keep, exited: make(chan struct{})}
	p.command = &exec.Cmd{Path: path, Args: c.Args, Dir: c.Dir, Env: c.Env, Stdout: c.Output, Stderr: c.Output, SysProcAttr: ownGroup()}
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = p.command.Wait()
		p.status = statusOf(p.command.ProcessState)
		close(p.exited)
	}()
	return p, nil
}

// lookPath finds the program; a relative one is looked for from the command's folder.
func lookPath(c Command) (string, error) {
	path, err := exec.LookPath(c.Args[0])
	if errors.Is(err, exec.ErrDot) || strings.ContainsAny(c.Args[0], `/\`) {
		return c.Args[0], nil
	}
	return path, err
}

// Exited is closed when the command's own process has ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Status is how the command ended. It waits until it has.
func (p *Process) Status() Status {
	<-p.exited
	return p.status
}

// StopGroup ends the processes of the command's own process group, and returns when they are gone.
func (p *Process) StopGroup() { endGroup(p.command.Process, p.exited, p.grace) }

// Stop ends every process of the command that is known, and returns when they are gone.
func (p *Process) Stop() Ending {
	p.all.Do(func() {
		select {
		case <-p.exited:
			p.ending.Ended = outlived(p.command.Process)
		default:
		}
		p.ending.Left = endGroup(p.command.Process, p.exited, p.grace)
	})
	return p.ending
}

// Wait waits for the end of the command, and ends what it left in its process group.
func (p *Process) Wait() Ending {
	<-p.exited
	if p.keep {
		return Ending{}
	}
	return p.Stop()
}
