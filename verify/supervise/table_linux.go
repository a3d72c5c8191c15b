package supervise

import (
	"bytes"
	"os"
	"slices"
	"strconv"
)

// entry is a process in the system's table.
type entry struct {
	pid, parent, group, session int
	zombie                      bool
}

// table is every process that the system shows.
func table() []entry {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var all []entry
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			if e, ok := lookUp(pid); ok {
				all = append(all, e)
			}
		}
	}
	return all
}

// lookUp reads /proc/PID/stat: pid (name) state parent group session …, where the name is anybody's.
func lookUp(pid int) (entry, bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return entry{}, false
	}
	end := bytes.LastIndexByte(text, ')')
	fields := bytes.Fields(text[end+1:])
	if end < 0 || len(fields) < 4 {
		return entry{}, false
	}
	e := entry{pid: pid, zombie: fields[0][0] == 'Z' || fields[0][0] == 'X'}
	for i, to := range []*int{&e.parent, &e.group, &e.session} {
		if *to, err = strconv.Atoi(string(fields[i+1])); err != nil {
			return entry{}, false
		}
	}
	return e, true
}

// descendants are the living processes below one, in any depth.
func descendants(all []entry, of int) []entry {
	children := map[int][]entry{}
	for _, e := range all {
		children[e.parent] = append(children[e.parent], e)
	}
	var found []entry
	for next := []int{of}; len(next) > 0; next = next[1:] {
		for _, e := range children[next[0]] {
			next = append(next, e.pid)
			found = append(found, e)
		}
		delete(children, next[0])
	}
	return slices.DeleteFunc(found, func(e entry) bool { return e.zombie })
}
