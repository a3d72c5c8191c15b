package verify

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/profile/policy"
)

func TestPlainLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := Lines(&out)
	named := func(name string) Step { return Step{Check: policy.Check{Name: name}} }
	p.Started(named("unit tests"), 1, 2, nil)
	p.Finished(StepResult{Name: "unit tests", Status: Passed, DurationMS: 65_300}, 1, 2)
	p.Started(named("li\x1b[2Jnt"), 2, 2, nil)
	p.Finished(StepResult{Name: "li\x1b[2Jnt", Status: StepFailed, Failure: KindStep, Reason: "exit code 2", DurationMS: 12}, 2, 2)
	require.Equal(t, `[1/2] unit tests
[1/2] unit tests: passed in 1m5s
[2/2] li<U+001B>[2Jnt
[2/2] li<U+001B>[2Jnt: failed in 12 ms (step): exit code 2
`, out.String())
}

// screen tells when something was written to it.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case s.more <- struct{}{}:
	default:
	}
	return s.text.Write(p)
}

func TestLiveLine(t *testing.T) {
	t.Parallel()
	s := &screen{more: make(chan struct{}, 1)}
	p := Live(s, func() int { return 40 })
	asked := 0
	p.Started(Step{Check: policy.Check{Name: "unit tests"}}, 2, 7, func() string {
		asked++
		if asked == 1 {
			return ""
		}
		return "ok 你好 \x1b[31m" + strings.Repeat("y", 90)
	})
	<-s.more // drawn at once
	<-s.more // and again
	p.Finished(StepResult{}, 2, 7)
	drawn := strings.Split(s.text.String(), clear)
	require.Equal(t, "[2/7] unit tests  0s", drawn[1])
	require.Equal(t, "[2/7] unit tests  0s  ok 你好 <U+001B>[", drawn[2], "never wider than the terminal, and nothing that it would obey")
	require.Equal(t, "", drawn[len(drawn)-1], "the line is gone at the end")
}

func TestShownTime(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0 ms", 999 * time.Millisecond: "999 ms", 1_250 * time.Millisecond: "1.2 s", 59_900 * time.Millisecond: "59.9 s",
		61_400 * time.Millisecond: "1m1s", 2 * time.Hour: "2h0m0s",
	} {
		require.Equal(t, want, shownTime(d))
	}
}
