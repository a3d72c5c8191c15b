package supervise

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// ownGroup gives the command a process group, which keeps Ctrl-C from it.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

func statusOf(s *os.ProcessState) Status { return Status{Code: s.ExitCode()} }

// outlived is not known here.
func outlived(*os.Process) int { return 0 }

// endGroup ends the process and those below it. Windows has no signal that asks a program to end.
func endGroup(p *os.Process, exited <-chan struct{}, grace time.Duration) int {
	select {
	case <-exited:
		return 0
	default:
	}
	if exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(p.Pid)).Run() != nil {
		_ = p.Kill()
	}
	select {
	case <-exited:
		return 0
	case <-time.After(grace + patience):
		return 1
	}
}
