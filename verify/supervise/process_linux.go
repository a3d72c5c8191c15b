package supervise

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Process is a command that was started.
type Process struct {
	grace      time.Duration
	supervisor *exec.Cmd
	orders     *os.File
	reports    *bufio.Reader

	exited  chan struct{} // closed when the command's own process has ended
	stopped chan struct{} // closed when its process group was ended by StopGroup
	gone    chan struct{} // closed when the supervisor has ended
	status  Status        // valid after exited
	ending  Ending        // valid after gone

	group sync.Once
	all   sync.Once
}

// adopt makes this program the one that inherits the processes of a supervisor that was killed.
var adopt = sync.OnceFunc(func() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) })

// supervisors are those that run, by their process ids. While one is started it is in no list yet, and
// nobody may look for orphans.
var supervisors = struct {
	sync.RWMutex
	running sync.Map
}{}

// Start starts a command.
func Start(c Command) (*Process, error) {
	adopt()
	theirOrders, orders, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	reports, theirReports, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, theirOrders.Close(), orders.Close())
	}
	what := "end"
	if c.Keep {
		what = "keep"
	}
	p := &Process{grace: c.Grace, orders: orders, reports: bufio.NewReader(reports), exited: make(chan struct{}), stopped: make(chan struct{}), gone: make(chan struct{})}
	p.supervisor = &exec.Cmd{
		Path:        "/proc/self/exe",
		Args:        append([]string{supervisorName, what, fmt.Sprint(c.Grace.Milliseconds())}, c.Args...),
		Dir:         c.Dir,
		Env:         c.Env,
		Stdout:      c.Output,
		Stderr:      c.Output,
		ExtraFiles:  []*os.File{theirOrders, theirReports},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	err = p.startSupervisor()
	_, _ = theirOrders.Close(), theirReports.Close()
	if err != nil {
		return nil, errors.Join(err, orders.Close(), reports.Close())
	}
	if err := p.begin(); err != nil {
		_, _, _ = p.supervisor.Wait(), orders.Close(), reports.Close()
		supervisors.running.Delete(p.supervisor.Process.Pid)
		return nil, err
	}
	go func() {
		defer reports.Close()
		p.listen()
	}()
	return p, nil
}

func (p *Process) startSupervisor() error {
	supervisors.RLock()
	defer supervisors.RUnlock()
	err := p.supervisor.Start()
	if err == nil {
		supervisors.running.Store(p.supervisor.Process.Pid, true)
	}
	return err
}

// begin waits until the supervisor is there. What it says after that is not waited for: the command may
// stop the supervisor at once.
func (p *Process) begin() error {
	switch word, rest := p.next(); word {
	case "starting":
		return nil
	case "failed":
		return errors.New(rest)
	}
	return errors.New("the process that was to start it ended too early")
}

// next reads one report: a word and the rest of the line.
func (p *Process) next() (word, rest string) {
	line, err := p.reports.ReadString('\n')
	if err != nil {
		return "", ""
	}
	line = line[:len(line)-1]
	for i, c := range line {
		if c == ' ' {
			return line[:i], line[i+1:]
		}
	}
	return line, ""
}

// listen reads the supervisor's reports to their end.
func (p *Process) listen() {
	over, complete := false, false
	for {
		word, rest := p.next()
		if word == "" {
			break
		}
		switch word {
		case "failed":
			p.status = Status{Code: -1, Err: errors.New(rest)}
			over, complete = true, true
			close(p.exited)
		case "exited":
			if _, err := fmt.Sscan(rest, &p.status.Code, &p.status.Signal); err == nil {
				if p.status.Signal == "-" {
					p.status.Signal = ""
				}
				over = true
				close(p.exited)
			}
		case "stopped":
			close(p.stopped)
		case "clean":
			_, err := fmt.Sscan(rest, &p.ending.Ended)
			complete = err == nil
		case "left":
			_, err := fmt.Sscan(rest, &p.ending.Left)
			complete = err == nil
		}
	}
	_ = p.supervisor.Wait()
	supervisors.running.Delete(p.supervisor.Process.Pid)
	if !complete {
		p.ending = Ending{Lost: true, Left: endOrphans(p.grace)}
	}
	if !over {
		p.status = Status{Code: -1, Lost: !complete}
		close(p.exited)
	}
	close(p.gone)
}

// Exited is closed when the command's own process has ended.
func (p *Process) Exited() <-chan struct{} { return p.exited }

// Status is how the command ended. It waits until it has.
func (p *Process) Status() Status {
	<-p.exited
	return p.status
}

// StopGroup ends the processes of the command's own process group, and returns when they are gone.
func (p *Process) StopGroup() {
	p.group.Do(func() { _, _ = p.orders.Write([]byte{endGroup}) })
	select {
	case <-p.stopped:
	case <-p.gone:
	case <-time.After(p.grace + patience):
	}
}

// Stop ends every process of the command, and returns when they are gone, or will not go.
func (p *Process) Stop() Ending {
	p.all.Do(func() {
		_ = p.supervisor.Process.Signal(unix.SIGCONT) // the command may have stopped it
		_, _ = p.orders.Write([]byte{endAll})
		p.orders.Close()
	})
	return p.Wait()
}

// Wait returns when no process of the command is left, which is soon after it has ended unless its
// processes are kept.
//
// A supervisor that does not answer in time is killed.
func (p *Process) Wait() Ending {
	select {
	case <-p.gone:
	case <-time.After(p.grace + 2*patience):
		_ = p.supervisor.Process.Kill()
		<-p.gone
	}
	p.all.Do(func() { p.orders.Close() })
	return p.ending
}

// endOrphans ends what a supervisor that was killed has left: the processes that this program
// inherited, which are its children in another session than its own. It reports how many would not end.
func endOrphans(grace time.Duration) int {
	begin := time.Now()
	signal := unix.SIGTERM
	for first := true; ; first = false {
		living := signalOrphans(signal, first || signal == unix.SIGKILL)
		spent := time.Since(begin)
		switch {
		case living == 0, spent > grace+patience:
			return living
		case spent > grace:
			signal = unix.SIGKILL
		}
		time.Sleep(lookAgain)
	}
}

// signalOrphans reaps those that have ended, and sends the others a signal. It counts the latter.
func signalOrphans(signal unix.Signal, send bool) (living int) {
	supervisors.Lock()
	defer supervisors.Unlock()
	for _, e := range orphans() {
		if e.zombie {
			_, _ = syscall.Wait4(e.pid, nil, unix.WALL|unix.WNOHANG, nil)
			continue
		}
		living++
		if send {
			_ = unix.Kill(e.pid, signal)
			_ = unix.Kill(e.pid, unix.SIGCONT)
		}
	}
	return living
}

// orphans are the inherited processes and everything below them, zombies among the former included.
func orphans() []entry {
	self, ok := lookUp(os.Getpid())
	if !ok {
		return nil
	}
	all := table()
	var found []entry
	for _, e := range all {
		if _, ours := supervisors.running.Load(e.pid); e.parent != self.pid || e.session == self.session || ours {
			continue
		}
		found = append(append(found, e), descendants(all, e.pid)...)
	}
	return found
}
