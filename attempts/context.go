package attempts

import (
	"fmt"
	"time"

	"github.com/evidence-gate/evidence-gate/report"
)

// faultsAmong are the faults that entries have only beside each other (A3, A4), by their places; nil
// when there are none.
func faultsAmong(entries []*subsection) map[int]report.Diagnostic {
	var out map[int]report.Diagnostic
	lookAmong(entries, func(i int, code report.Code, format string, args ...any) {
		if out == nil {
			out = map[int]report.Diagnostic{}
		}
		d := report.New(code, fmt.Sprintf(format, args...))
		d.Where = &entries[i].where
		if code == report.CodePredictionFieldInvalid {
			d.Help = "write the number of the attempt that timed out: - Based on attempt: 1"
		}
		out[i] = d
	})
	return out
}

// lookAmong tells of each such fault.
func lookAmong(entries []*subsection, fault func(i int, code report.Code, format string, args ...any)) {
	numbers, highest := make(map[int64]bool, len(entries)), int64(0)
	for i, s := range entries {
		if s.kind != kindAttempt || s.number == 0 {
			continue
		}
		switch {
		case numbers[s.number]:
			fault(i, report.CodeAttemptNumberRepeated, "two attempts have the number %d", s.number)
		case s.number < highest:
			fault(i, report.CodeAttemptNumberOrder, "attempt %d stands after attempt %d", s.number, highest)
		}
		numbers[s.number] = true
		highest = max(highest, s.number)
	}
	for i, s := range entries {
		if s.kind != kindPrediction || s.number == 0 {
			continue
		}
		based, unreadable := number(s.get(predictionBased))
		switch {
		case unreadable != "":
		case !numbers[based]:
			fault(i, report.CodePredictionTargetMissing, "the prediction for attempt %d is based on attempt %d, which does not exist", s.number, based)
		case based >= s.number:
			fault(i, report.CodePredictionFieldInvalid, "the prediction for attempt %d is based on attempt %d, which is no earlier one", s.number, based)
		case !numbers[s.number] && s.number-1 != highest:
			fault(i, report.CodePredictionTargetMissing, "the prediction is for attempt %d; the attempts go up to %d", s.number, highest)
		}
	}
}

// recordedAt is when an entry says it was recorded.
func recordedAt(s *subsection) (time.Time, bool) {
	switch s.kind {
	case kindAttempt:
		return parseInstant(s.get(attemptAt))
	case kindPrediction:
		return parseInstant(s.get(predictionAt))
	}
	return time.Time{}, false
}

// timesBack are the warnings for recorded times that go back from one entry to the next (A3).
func timesBack(entries []*subsection) map[int]report.Diagnostic {
	var out map[int]report.Diagnostic
	var last time.Time
	var before *subsection
	for i, s := range entries {
		at, ok := recordedAt(s)
		if !ok {
			continue
		}
		if before != nil && at.Before(last) {
			if out == nil {
				out = map[int]report.Diagnostic{}
			}
			d := report.New(report.CodeAttemptTimeOrder, fmt.Sprintf("%s was recorded at %s, %s above it at %s",
				s.String(), at.Format(time.RFC3339), before.String(), last.Format(time.RFC3339)))
			d.Where = &s.where
			out[i] = d
		}
		before, last = s, at
	}
	return out
}
