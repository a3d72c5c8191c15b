package supervise

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// supervisorName is the program name under which this program is a supervisor. Its arguments are
// keep or end, the grace in milliseconds, and the command; its folder, environment and output are
// those of the command.
const supervisorName = "evidence-gate-step"

// The descriptors over which a supervisor talks with the program that started it.
const (
	ordersFD  = 3
	reportsFD = 4
)

// The orders that a supervisor takes. The end of the orders means that the program is gone.
const (
	endGroup = 'g'
	endAll   = 'a'
)

// A program that uses this package becomes a supervisor before anything else of it starts, since each
// command waits for that.
func init() {
	if len(os.Args) < 4 || os.Args[0] != supervisorName {
		return
	}
	grace, err := strconv.Atoi(os.Args[2])
	if err != nil {
		syscall.Exit(2)
	}
	s := supervisor{
		orders:  os.NewFile(ordersFD, "orders"),
		reports: os.NewFile(reportsFD, "reports"),
		keep:    os.Args[1] == "keep",
		grace:   time.Duration(grace) * time.Millisecond,
	}
	s.run(os.Args[3:])
	syscall.Exit(0)
}

type supervisor struct {
	orders, reports *os.File
	keep            bool
	grace           time.Duration

	main      int  // the command's own process, which leads its process group
	over      bool // it has ended
	outlived  int
	ordered   bool // the program has said what is to be ended, and when
	stopping  bool
	groupOnly bool // only the processes of the group are to end
	killing   bool
	giveUp    time.Time
	timer     *time.Timer
}

func (s *supervisor) run(args []string) {
	unix.CloseOnExec(ordersFD)
	unix.CloseOnExec(reportsFD)
	// Nobody else of the same user may write the reports, or stop the supervisor by accident.
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	signal.Notify(make(chan os.Signal, 1), unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGUSR1, unix.SIGUSR2, unix.SIGALRM, unix.SIGPIPE)
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		s.report("failed cannot adopt processes: %v", err)
		return
	}
	s.report("starting")
	if err := s.start(args); err != nil {
		s.report("failed %v", err)
		return
	}
	s.watch()
}

// start starts the command, and lets go of its output: that ends when the command's processes do.
func (s *supervisor) start(args []string) error {
	path, err := exec.LookPath(args[0])
	if err != nil {
		return err
	}
	s.main, err = syscall.ForkExec(path, args, &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: []uintptr{0, 1, 2},
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return errors.Join(unix.Dup3(0, 1, 0), unix.Dup3(0, 2, 0))
}

func (s *supervisor) report(format string, args ...any) {
	fmt.Fprintf(s.reports, format+"\n", args...)
}

// exit is a process that ended.
type exit struct {
	pid    int
	status syscall.WaitStatus
}

// watch ends when no process of the command is left.
func (s *supervisor) watch() {
	exits, orders := make(chan exit), make(chan byte)
	go reap(exits)
	go s.read(orders)
	s.timer = time.NewTimer(time.Hour)
	for {
		select {
		case e, some := <-exits:
			if !some {
				s.report("clean %d", s.outlived)
				return
			}
			if e.pid == s.main {
				s.ended(e.status)
			}
		case order, more := <-orders:
			s.ordered = true
			switch {
			case !more:
				orders = nil
				s.stop(false)
			case order == endGroup:
				s.stop(true)
			case order == endAll:
				s.stop(false)
			}
		case <-s.timer.C:
			if s.tick() {
				return
			}
		}
	}
}

// reap waits for every child, adopted ones too, until there is none.
func reap(exits chan<- exit) {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, unix.WALL, nil)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			close(exits)
			return
		}
		exits <- exit{pid, status}
	}
}

func (s *supervisor) read(orders chan<- byte) {
	var order [1]byte
	for {
		if n, err := s.orders.Read(order[:]); n == 0 || err != nil {
			close(orders)
			return
		}
		orders <- order[0]
	}
}

// ended is told when the command's own process has.
func (s *supervisor) ended(status syscall.WaitStatus) {
	s.over = true
	code, by := status.ExitStatus(), "-"
	if status.Signaled() {
		code, by = 128+int(status.Signal()), unix.SignalName(status.Signal())
	}
	s.report("exited %d %s", code, by)
	if s.keep || s.ordered || noChildren() {
		return
	}
	s.stop(false)
}

func noChildren() bool {
	return errors.Is(unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT|unix.WALL, nil), unix.ECHILD)
}

// which are the living processes to end: all of the command, or those of its own process group.
func (s *supervisor) which() []entry {
	found := descendants(table(), os.Getpid())
	if s.groupOnly {
		found = slices.DeleteFunc(found, func(e entry) bool { return e.group != s.main })
	}
	return found
}

// stop asks processes to end, and has the timer look after them.
func (s *supervisor) stop(groupOnly bool) {
	s.stopping, s.groupOnly, s.killing = true, groupOnly, false
	found := s.which()
	if s.over {
		s.outlived = max(s.outlived, len(found))
	}
	for _, e := range found {
		_ = unix.Kill(e.pid, unix.SIGTERM)
		_ = unix.Kill(e.pid, unix.SIGCONT)
	}
	s.giveUp = time.Now().Add(s.grace)
	s.timer.Reset(lookAgain)
}

// lookAgain is how often the processes that are to end are looked for.
const lookAgain = 5 * time.Millisecond

// tick looks after the processes that are to end: they are killed after the grace, those that they
// start meanwhile too. It reports true when the supervisor gives up.
func (s *supervisor) tick() bool {
	if !s.stopping {
		return false
	}
	found := s.which()
	late := time.Now().After(s.giveUp)
	switch {
	case len(found) == 0 && s.groupOnly:
		s.stopping = false
		s.report("stopped")
		return false
	case len(found) > 0 && late && s.killing:
		s.report("left %d", len(found))
		return true
	case late:
		s.killing, s.giveUp = true, time.Now().Add(patience)
	}
	if s.killing {
		for _, e := range found {
			_ = unix.Kill(e.pid, unix.SIGKILL)
		}
	}
	s.timer.Reset(lookAgain)
	return false
}
