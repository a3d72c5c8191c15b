package attempts

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// A reader of values returns the spelling under which values are compared, and what is wrong with
// the value, "" when nothing is.
type reader func(value string) (canonical, fault string)

// oneOf reads a word of a fixed list; case, spaces and dashes are folded as in C2.
func oneOf(words ...string) reader {
	return func(value string) (string, string) {
		folded := checkline.Fold(value)
		for _, w := range words {
			if folded == w {
				return w, ""
			}
		}
		return value, fmt.Sprintf("%q is none of %s", printable(value), strings.Join(words, ", "))
	}
}

// anyText takes every text.
func anyText(value string) (string, string) { return value, "" }

// positive reads a positive integer that fits into 64 bits.
func positive(value string) (string, string) {
	n, fault := number(value)
	if fault != "" {
		return value, fault
	}
	return strconv.FormatInt(n, 10), ""
}

// number is the value of a positive integer written in plain digits.
func number(value string) (int64, string) {
	if value == "" || strings.Trim(value, "0123456789") != "" {
		return 0, fmt.Sprintf("%q is no positive integer in plain digits", printable(value))
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return 0, fmt.Sprintf("%q is larger than %d", printable(value), int64(math.MaxInt64))
	}
	if n == 0 {
		return 0, "0 is no positive integer"
	}
	return n, ""
}

// milliseconds reads a positive integer, `unknown` or `none` (A3).
func milliseconds(value string) (string, string) {
	if word := checkline.Fold(value); word == Unknown || word == None {
		return word, ""
	}
	canonical, fault := positive(value)
	if fault != "" {
		return value, fault + "; times are positive integers, unknown or none"
	}
	return canonical, ""
}

// timeLayouts are the spellings of ISO-8601 in UTC that are read; a fraction of a second may follow
// the seconds.
var timeLayouts = []string{"2006-01-02T15:04:05Z", "2006-01-02T15:04Z", "2006-01-02T15:04:05+00:00", "2006-01-02T15:04+00:00"}

// earliestYear is the first year of a recorded time; the last is the largest that ISO-8601 writes
// without a sign, 9999.
const earliestYear = 1970

// instant reads a time in ISO-8601 and UTC (A3).
func instant(value string) (string, string) {
	if _, ok := parseInstant(value); ok {
		return value, ""
	}
	return value, fmt.Sprintf("%q is no time in ISO-8601 and UTC between the years %d and 9999, such as 2026-11-30T09:12:44Z", printable(value), earliestYear)
}

func parseInstant(value string) (time.Time, bool) {
	if len(value) > len("2006-01-02T15:04:05.123456789+00:00") {
		return time.Time{}, false
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, value); err == nil && t.Year() >= earliestYear {
			return t, true
		}
	}
	return time.Time{}, false
}

// window reads `<min>-<max>` with min at most max (A4).
func window(value string) (string, string) {
	low, high, fault := bounds(value)
	if fault != "" {
		return value, fault
	}
	return fmt.Sprintf("%d-%d", low, high), ""
}

func bounds(value string) (low, high int64, fault string) {
	first, second, ok := strings.Cut(strings.ReplaceAll(value, "–", "-"), "-")
	if ok {
		var f1, f2 string
		low, f1 = number(strings.TrimSpace(first))
		high, f2 = number(strings.TrimSpace(second))
		ok = f1 == "" && f2 == ""
	}
	if !ok {
		return 0, 0, fmt.Sprintf("%q is no window <min>-<max> of two positive integers", printable(value))
	}
	if low > high {
		return 0, 0, fmt.Sprintf("the window %d-%d ends before it starts", low, high)
	}
	return low, high, ""
}

// commentID reads the id of a comment: the number, `comment:<number>`, or the address of the comment.
// Anything else is somebody's remark and no field (M7).
func commentID(value string) (string, string) {
	digits := value
	for _, before := range []string{"#issuecomment-", "comment:"} {
		if i := strings.LastIndex(value, before); i >= 0 {
			digits = value[i+len(before):]
			break
		}
	}
	n, fault := number(digits)
	if fault != "" {
		return "", ""
	}
	return strconv.FormatInt(n, 10), ""
}

// maxShown bounds text of others that a message repeats.
const maxShown = 80

// printable is hostile text made fit for one line of a message: bounded, without control characters.
func printable(s string) string { return bounded(s, maxShown) }

func bounded(s string, limit int) string {
	var out strings.Builder
	n := 0
	for _, r := range s {
		if n == limit {
			out.WriteRune('…')
			break
		}
		n++
		if (r < ' ' && r != '\n') || r == 0x7F || markdown.IsInvisible(r) {
			r = '\uFFFD'
		}
		out.WriteRune(r)
	}
	return out.String()
}
