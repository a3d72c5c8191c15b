package growth_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/growth"
)

const ordinary = "A line of ordinary text with a `command` in it.\n"

// failure keeps what a check found.
type failure struct{ message string }

func (f *failure) Helper() {}

func (f *failure) Fatalf(format string, args ...any) {
	f.message = fmt.Sprintf(format, args...)
	panic(f)
}

func check(run func(string), unit string) (message string) {
	f := &failure{}
	defer func() {
		if r := recover(); r != nil && r != f {
			panic(r)
		}
		message = f.message
	}()
	growth.NewMeter(run, ordinary).Check(f, "", unit, "")
	return ""
}

var (
	sink   int
	copied []byte
)

// linear looks at every byte a few times.
func linear(s string) {
	for range 4 {
		for i := range len(s) {
			sink += int(s[i])
		}
	}
}

// quadratic calls work on ever shorter rests of a text that starts with "x".
func quadratic(s string, step int, work func(string)) {
	linear(s)
	if strings.HasPrefix(s, "x") {
		for i := 0; i < len(s); i += step {
			work(s[i:])
		}
	}
}

func TestLinearPasses(t *testing.T) {
	require.Empty(t, check(linear, "x"))
	require.Empty(t, check(func(s string) {
		linear(s)
		if strings.HasPrefix(s, "x") {
			linear(s + s + s + s) // dear, but no worse for longer texts
		}
	}, "x"))
}

func TestQuadraticTimeFails(t *testing.T) {
	require.Contains(t, check(func(s string) {
		quadratic(s, 256, func(rest string) { sink += strings.LastIndexFunc(rest, func(r rune) bool { return r == 'y' }) })
	}, "x"), "take")
}

func TestQuadraticSpaceFails(t *testing.T) {
	// Copying takes time as well; which of the two is noticed first depends on the machine.
	require.Regexp(t, "allocate|take", check(func(s string) {
		quadratic(s, 8, func(rest string) { copied = []byte(rest) })
	}, "x"))
}

func TestRepeat(t *testing.T) {
	t.Parallel()
	require.Equal(t, "<ababab>", growth.Repeat("<", "ab", ">", 8))
	require.Equal(t, "<ab>", growth.Repeat("<", "ab", ">", 1))
}
