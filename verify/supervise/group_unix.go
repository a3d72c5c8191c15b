//go:build unix && !linux

package supervise

import (
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ownGroup gives the command a session, and with it a process group and no terminal.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

func statusOf(s *os.ProcessState) Status {
	status, ok := s.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return Status{Code: 128 + int(status.Signal()), Signal: unix.SignalName(status.Signal())}
	}
	return Status{Code: s.ExitCode()}
}

// alive says whether the group of a process has members.
func alive(p *os.Process) bool { return unix.Kill(-p.Pid, 0) == nil }

func outlived(p *os.Process) int {
	if alive(p) {
		return 1
	}
	return 0
}

// endGroup asks the process group to end, and kills it after the grace. It reports 1 when some of it
// is left.
func endGroup(p *os.Process, exited <-chan struct{}, grace time.Duration) int {
	_ = unix.Kill(-p.Pid, unix.SIGTERM)
	_ = unix.Kill(-p.Pid, unix.SIGCONT)
	for begin := time.Now(); alive(p); time.Sleep(5 * time.Millisecond) {
		switch spent := time.Since(begin); {
		case spent > grace+patience:
			return 1
		case spent > grace:
			_ = unix.Kill(-p.Pid, unix.SIGKILL)
		}
	}
	<-exited
	return 0
}
