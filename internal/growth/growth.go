// Package growth tells in a test whether a function's cost grows faster than its input (design
// sections 17 and 19). Costs are compared with what the same function spends on ordinary text in
// the same process, so that neither a slow machine nor a busy one decides.
package growth

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// The bounds of a [Meter]. An ordinary text of 1 MiB takes well under 50 ms, so that the cost of 40
// of them stays within the 2 s of design section 17.
const (
	least     = 64 << 10  // the smallest
	maxTexts  = 40        // how many full ordinary texts an input may cost
	maxSpace  = 512 << 20 // bytes that one call may allocate in all, of which at most half is held at once
	maxGrowth = 3         // by which the cost may grow when the input doubles; 2 is linear, 4 quadratic
	steady    = 2.4       // by which the cost grows at most when it will stay linear up to the full size
	judged    = 10        // how many ordinary texts an input must cost for its growth to be judged
	tries     = 3         // measurements, of which the quickest counts
)

// cost is what one call took.
type cost struct {
	time  float64 // nanoseconds
	space float64 // bytes allocated
}

// T is what a [Meter] uses of a test.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Meter measures one function.
type Meter struct {
	run  func(string)
	unit cost // of one byte of ordinary text
}

// NewMeter measures the function on ordinary text.
func NewMeter(run func(string), ordinary string) *Meter {
	m := &Meter{run: run}
	text := Repeat("", ordinary, "", least)
	c := m.measure(text)
	m.unit = cost{time: c.time / float64(len(text)), space: c.space / float64(len(text))}
	return m
}

// Repeat is before, then unit as often as fits into size bytes, but at least once, then after.
func Repeat(before, unit, after string, size int) string {
	n := 1
	if len(unit) > 0 {
		n = max(1, (size-len(before)-len(after))/len(unit))
	}
	return before + strings.Repeat(unit, n) + after
}

// Check repeats the unit between the other two and fails the test when the cost leaves its bounds.
// It goes on with twice the size as long as the cost grows more than with the size and, were that
// with its square, could still leave them.
func (m *Meter) Check(t T, before, unit, after string) {
	t.Helper()
	last := cost{}
	for size := least; size <= full; size *= 2 {
		text := Repeat(before, unit, after, size)
		if len(text) > full {
			return
		}
		c := m.once(text)
		if m.harmless(c, len(text)) {
			return
		}
		if m.fault(c, last) != "" {
			c = m.measure(text)
		}
		if fault := m.fault(c, last); fault != "" {
			t.Fatalf("%d bytes of %q, %q…, %q %s", len(text), before, unit, after, fault)
		}
		if unit == "" || c.time < steady*last.time && c.space < steady*last.space {
			return
		}
		last = c
	}
}

// fault says how a cost leaves its bounds; last is that of half the text.
func (m *Meter) fault(c, last cost) string {
	texts := c.time / (m.unit.time * full)
	switch {
	case c.space > maxSpace:
		return fmt.Sprintf("allocate %.0f MiB", c.space/(1<<20))
	case texts > maxTexts:
		return fmt.Sprintf("take %v, as long as %.0f ordinary texts of %d bytes", time.Duration(c.time), texts, full)
	case texts > judged && last.time > 0 && c.time > maxGrowth*last.time:
		return fmt.Sprintf("take %v, %.1f times as long as half of them", time.Duration(c.time), c.time/last.time)
	}
	return ""
}

// harmless reports whether the full size would stay within the bounds even if all that the text
// costs beyond ordinary text grew with the square of the size.
func (m *Meter) harmless(c cost, size int) bool {
	times := float64(full) / float64(size)
	reach := func(c, unit float64) float64 {
		return max(0, c-unit*float64(size))*times*times + unit*full
	}
	return reach(c.time, m.unit.time) < maxTexts*m.unit.time*full && reach(c.space, m.unit.space) < maxSpace
}

// measure is the least cost of a few calls.
func (m *Meter) measure(text string) cost {
	best := m.once(text)
	for range tries - 1 {
		if c := m.once(text); c.time < best.time {
			best = c
		}
	}
	return best
}

func (m *Meter) once(text string) cost {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	m.run(text)
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	return cost{time: float64(max(took, 1)), space: float64(after.TotalAlloc - before.TotalAlloc)}
}
