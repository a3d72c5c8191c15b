package githubtest

import (
	"fmt"
	"log/slog"
)

// Reporter is told of every request that the simulator does not model. A *testing.T is one; it
// then fails the test.
type Reporter interface {
	Errorf(format string, args ...any)
}

// TB is what [NewT] needs of a test.
type TB interface {
	Reporter
	Helper()
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// LogReporter writes what would fail a test to a log, for programs that are no tests.
type LogReporter struct{ Logger *slog.Logger }

// Errorf logs the message as an error.
func (r LogReporter) Errorf(format string, args ...any) {
	logger := r.Logger
	if logger == nil {
		logger = slog.Default()
	}
	logger.Error(fmt.Sprintf(format, args...))
}
