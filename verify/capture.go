package verify

import (
	"bytes"
	"fmt"
	"sync"
)

// What is kept of one output: its beginning and its end. 1 MiB is more than anybody reads, and what a
// step prints beyond it never is in memory.
const (
	keptHead = 256 << 10
	keptTail = 768 << 10
)

// capture takes the output of one step.
type capture struct {
	mu    sync.Mutex
	head  []byte // the first bytes; longestSecret more than are kept, so that none is cut in half
	tail  []byte // those after the head, as a ring once it is full
	next  int    // where the ring goes on
	total int64
	done  bool // what comes now is dropped

	mark    []byte // where the output ends; nil while that is not looked for
	pending []byte // what may be its beginning
	reached chan struct{}
}

const (
	headSize = keptHead + longestSecret
	tailSize = keptTail + longestSecret
)

// Write never fails: a step must not be able to tell whether its output is kept.
func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(p)
	if c.mark != nil {
		p = c.before(p)
	}
	if !c.done {
		c.keep(p)
	}
	if c.mark == nil && c.reached != nil {
		c.done = true
	}
	return n, nil
}

// endAt has the output end at a mark that is still to come. The channel is closed when it has.
func (c *capture) endAt(mark []byte) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mark, c.reached = mark, make(chan struct{})
	return c.reached
}

// before is what of a part stands before the mark for certain.
func (c *capture) before(p []byte) []byte {
	c.pending = append(c.pending, p...)
	if at := bytes.Index(c.pending, c.mark); at >= 0 {
		c.mark = nil
		close(c.reached)
		return c.pending[:at]
	}
	sure := max(0, len(c.pending)-len(c.mark)+1)
	p = bytes.Clone(c.pending[:sure])
	c.pending = append(c.pending[:0], c.pending[sure:]...)
	return p
}

// keep takes a part of the output.
func (c *capture) keep(p []byte) {
	c.total += int64(len(p))
	if room := headSize - len(c.head); room > 0 {
		room = min(room, len(p))
		c.head = append(c.head, p[:room]...)
		p = p[room:]
	}
	if len(p) > tailSize {
		p = p[len(p)-tailSize:]
		c.tail, c.next = append(c.tail[:0], p...), 0
		return
	}
	if room := tailSize - len(c.tail); room > 0 {
		room = min(room, len(p))
		c.tail = append(c.tail, p[:room]...)
		p = p[room:]
	}
	for len(p) > 0 {
		copied := copy(c.tail[c.next:], p)
		c.next = (c.next + copied) % tailSize
		p = p[copied:]
	}
}

// last is up to size bytes from the end.
func (c *capture) last(size int) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := append(bytes.Clone(c.tail[c.next:]), c.tail[:c.next]...)
	if len(text) < size && len(c.tail) < tailSize {
		text = append(bytes.Clone(c.head[max(0, len(c.head)-size):]), text...)
	}
	return text[max(0, len(text)-size):]
}

// finish is the output as it is kept: masked, and without its middle when it is long. Nothing is taken
// after it.
func (c *capture) finish(m masker) (text []byte, total int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done = true
	tail := append(c.tail[c.next:len(c.tail):len(c.tail)], c.tail[:c.next]...)
	head := c.head
	c.head, c.tail, c.next = nil, nil, 0
	if c.total == int64(len(head)+len(tail)) {
		whole := append(head, tail...)
		return m.mask(whole, 0, len(whole)), c.total
	}
	text = m.mask(head, 0, keptHead)
	left := c.total - keptHead - int64(len(tail)-longestSecret)
	text = append(text, fmt.Sprintf("\n[%d bytes of output left out here]\n", left)...)
	return append(text, m.mask(tail, longestSecret, len(tail))...), c.total
}

// lastLineWindow is how far back the last line is looked for; it holds a private key, so that the
// lines of one are known for what they are.
const lastLineWindow = longestSecret

// lastLine is the last complete line with something in it, masked.
func (c *capture) lastLine(m masker) string {
	window := c.last(lastLineWindow)
	end := bytes.LastIndexByte(window, '\n')
	if end < 0 {
		return ""
	}
	lines := bytes.FieldsFunc(m.mask(window, 0, end), func(r rune) bool { return r == '\n' || r == '\r' })
	for i := len(lines) - 1; i >= 1 || i == 0 && len(window) < lastLineWindow; i-- {
		if line := bytes.TrimSpace(lines[i]); len(line) > 0 {
			return string(line)
		}
	}
	return ""
}
