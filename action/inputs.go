package action

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/evidence-gate/evidence-gate/report"
)

// longestWait is how long a job on GitHub's own runners may take at most.
const longestWait = 6 * time.Hour

// inputs of the Action. They come through the environment, never through the text of a script.
type inputs struct {
	token string
	pr    int // 0: the event's
	issue int // 0: what the pull request closes
	stage report.Stage
	wait  time.Duration
}

func readInputs(getenv func(string) string) (inputs, error) {
	in := inputs{token: getenv("INPUT_TOKEN"), stage: report.Review}
	var err error
	if in.pr, err = number("pr", getenv("INPUT_PR")); err != nil {
		return in, err
	}
	if in.issue, err = number("issue", getenv("INPUT_ISSUE")); err != nil {
		return in, err
	}
	switch stage := strings.TrimSpace(getenv("INPUT_STAGE")); stage {
	case "", string(report.Review):
	case string(report.Merge):
		in.stage = report.Merge
	default:
		return in, wrong("stage", "review or merge", stage)
	}
	if in.wait, err = duration(getenv("INPUT_WAIT")); err != nil {
		return in, err
	}
	return in, nil
}

func number(name, text string) (int, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 {
		return 0, wrong(name, "a number such as 42, or nothing", text)
	}
	return int(n), nil
}

func duration(text string) (time.Duration, error) {
	text = strings.TrimSpace(text)
	if text == "" || text == "0" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 || d > longestWait {
		return 0, wrong("wait", "a time of up to 6h such as 90s or 10m, or nothing", text)
	}
	return d, nil
}

func wrong(name, expected, found string) error {
	const most = 60
	if runes := []rune(found); len(runes) > most {
		found = string(runes[:most]) + "…"
	}
	return fmt.Errorf("the input %s: expected %s, found %q", name, expected, found)
}
