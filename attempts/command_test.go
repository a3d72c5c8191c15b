package attempts_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/attempts"
)

// A6: the /triage line.
func TestReadCommand(t *testing.T) {
	t.Parallel()
	one := attempts.Command{Check: "RC-1", Attempt: 1, Classification: "one_off", Reference: "none", Reason: "the build host ran out of disk"}
	with := func(class, reference string) attempts.Command {
		c := one
		c.Classification, c.Reference = class, reference
		return c
	}
	for line, want := range map[string]attempts.Command{
		"/triage RC-1 attempt 1 one_off because the build host ran out of disk":              one,
		"  /Triage  rc-1   ATTEMPT 01 One-Off   because  the build host\tran out of disk ":   one,
		"/triage [RC-1] attempt 1 one off because: the build host ran out of disk":           one,
		"/triage RC-1 attempt 1 follow_up issue:#12 because the build host ran out of disk":  with("follow_up", "issue:#12"),
		"/triage RC-1 attempt 1 follow up T-9 because the build host ran out of disk":        with("follow_up", "T-9"),
		"/triage RC-1 attempt 1 project_fact VF-a because the build host ran out of disk":    with("project_fact", "VF-a"),
		"/triage RC-1 attempt 1 decision D-cache because the build host ran out of disk":     with("decision", "D-cache"),
		"/triage RC-1 attempt 1 blocker blocker:disk because the build host ran out of disk": with("blocker", "blocker:disk"),
		"/triage RC-1 attempt 1 pending because the build host ran out of disk":              with("pending", "none"),
		"/triage RC-12 attempt 34 pending":                                                   {Check: "RC-12", Attempt: 34, Classification: "pending", Reference: "none"},
		"/triage RC-1 attempt 9223372036854775807 pending":                                   {Check: "RC-1", Attempt: 9223372036854775807, Classification: "pending", Reference: "none"},
		"/triage RC-1 attempt 1 one_off because because of the disk of the build host":       {Check: "RC-1", Attempt: 1, Classification: "one_off", Reference: "none", Reason: "because of the disk of the build host"},
	} {
		got, err := attempts.ReadCommand(line)
		require.NoError(t, err, line)
		require.Equal(t, want, got, line)
		again, err := attempts.ReadCommand(got.String())
		require.NoError(t, err)
		require.Equal(t, got, again)
	}
}

// A command that is not exactly one is refused, with the line to write.
func TestRefusedCommands(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"/triage":                                              "expected the id of a check",
		"/triage attempt 1 one_off because x":                  "expected the id of a check",
		"/triage RC-x attempt 1 one_off because x":             "expected the id of a check",
		"/triage RC-1":                                         "expected the word attempt",
		"/triage RC-1 1 one_off because x":                     "expected the word attempt",
		"/triage RC-1 attempt":                                 "the number of the attempt",
		"/triage RC-1 attempt one one_off because x":           "the number of the attempt",
		"/triage RC-1 attempt 0 one_off because x":             "the number of the attempt",
		"/triage RC-1 attempt 99999999999999999999 x":          "larger than",
		"/triage RC-1 attempt 1":                               "expected one of pending, one_off",
		"/triage RC-1 attempt 1 flaky because x":               "expected one of pending, one_off",
		"/triage RC-1 attempt 1 one_off":                       "expected the word because",
		"/triage RC-1 attempt 1 one_off the disk":              "expected the word because",
		"/triage RC-1 attempt 1 one_off because":               "the reason is missing",
		"/triage RC-1 attempt 1 one_off because TBD":           "the reason is missing",
		"/triage RC-1 attempt 1 one_off because it works now":  "does not say what happened",
		"/triage RC-1 attempt 1 one_off because flaky":         "does not say what happened",
		"/triage RC-1 attempt 1 one_off issue:#1 because disk": "expected the word because",
		"/triage RC-1 attempt 1 follow_up":                     "needs a reference",
		"/triage RC-1 attempt 1 follow_up because disk":        "needs a reference",
		"/triage RC-1 attempt 1 follow_up T-9":                 "expected the word because",
		"/triage RC-1 attempt 1 one\u200b_off because x":       "U+200B",
		"/triaged RC-1 attempt 1 pending":                      "does not start with",
	} {
		_, err := attempts.ReadCommand(line)
		require.ErrorContains(t, err, want, line)
		if _, help, ok := strings.Cut(err.Error(), "; write: "); ok {
			_, err := attempts.ReadCommand(help)
			require.NoError(t, err, "the line that the error shows is right")
		}
	}
	_, err := attempts.ReadCommand("/triage RC-3 attempt 2 decision because x")
	require.ErrorContains(t, err, "/triage RC-3 attempt 2 decision D-1 because", "the error keeps what was right")
}

// Only lines of live text are commands.
func TestCommands(t *testing.T) {
	t.Parallel()
	line := "/triage RC-1 attempt 1 pending"
	for body, want := range map[string]int{
		line:                              1,
		"Hello\n" + line + "\nThanks":     1,
		line + "\n" + line:                2,
		line + "\r\n\r\n/triage nonsense": 2,
		"> " + line:                       0,
		"- " + line:                       0,
		"    " + line:                     0,
		"```\n" + line + "\n```":          0,
		"`" + line + "` is the line":      0,
		"<!-- " + line + " -->":           0,
		"Write " + line:                   0,
		"/triages RC-1":                   0,
		"":                                0,
	} {
		require.Len(t, attempts.Commands(body), want, body)
	}
	got := attempts.Commands("Hello\n\n" + line + "\n/triage RC-1 attempt one pending")
	require.Equal(t, 3, got[0].Line)
	require.NoError(t, got[0].Err)
	require.Equal(t, 4, got[1].Line)
	require.Error(t, got[1].Err)
}

// A12: what the app appends for a command counts by the command's comment.
func TestCommandRoundTrip(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"/triage RC-1 attempt 1 one_off because the build host ran out of disk",
		"/triage RC-1 attempt 1 follow_up T-9 because `npm test` needs *two* cores, see [the notes](https://example.com/a_b) & <more>",
		"/triage RC-1 attempt 1 decision D-cache because it_is __so__ decided: 1 < 2 && a\\*b ~~no~~ https://example.com/x_y_z?q=1",
	} {
		c := attempts.Commands(line)
		require.Len(t, c, 1)
		require.NoError(t, c[0].Err)
		at := time.Date(2026, 11, 29, 10, 5, 0, 0, time.UTC)
		draft, err := attempts.AppendTriage(only, c[0].Command.Triage(at, 301), nil)
		require.NoError(t, err)
		f := facts(edited(101, edit{eng, "09:05", only}, edit{gateBot, "10:06", draft.Body}), comment(301, lead, "10:05", line))
		require.Empty(t, findings(attempts.Judge(f)), draft.Body)
	}
}
