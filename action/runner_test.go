package action_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// command is a workflow command as the runner reads it from a line of the log.
type command struct {
	name       string
	properties map[string]string
	data       string
}

// known are the commands that the runner obeys (actions/runner, ActionCommandManager).
var known = strings.Fields("add-mask add-matcher add-path debug echo endgroup error group internal-set-repo-path notice remove-matcher save-state set-env set-output stop-commands warning")

// obeyed reads a log as the runner does: a line that begins with :: after white space, else the older
// form ##[…] anywhere in a line, unless commands are stopped.
func obeyed(log string) []command {
	var found []command
	stopped := ""
	for _, line := range strings.FieldsFunc(log, func(r rune) bool { return r == '\n' || r == '\r' }) {
		c, ok := newForm(line, stopped)
		if !ok {
			c, ok = oldForm(line, stopped)
		}
		switch {
		case !ok:
		case stopped != "":
			if strings.EqualFold(c.name, stopped) {
				stopped = ""
			}
		case c.name == "stop-commands":
			stopped = c.data
		default:
			found = append(found, c)
		}
	}
	return found
}

func newForm(line, stopped string) (command, bool) {
	info, data, ok := strings.Cut(strings.TrimPrefix(strings.TrimLeft(line, " \t\v\f\u0085\u00a0\u2028\u2029"), "::"), "::")
	if !ok || !strings.HasPrefix(strings.TrimSpace(line), "::") {
		return command{}, false
	}
	return parsed(info, unescape(data, "%0D", "\r", "%0A", "\n", "%25", "%"), ",", stopped)
}

func oldForm(line, stopped string) (command, bool) {
	_, line, ok := strings.Cut(line, "##[")
	info, data, closed := strings.Cut(line, "]")
	if !ok || !closed {
		return command{}, false
	}
	return parsed(info, unescape(data, "%3B", ";", "%0D", "\r", "%0A", "\n", "%5D", "]", "%25", "%"), ";", stopped)
}

func parsed(info, data, separator, stopped string) (command, bool) {
	name, rest, _ := strings.Cut(info, " ")
	c := command{name: name, data: data, properties: map[string]string{}}
	for _, pair := range strings.Split(rest, separator) {
		if key, value, ok := strings.Cut(strings.TrimSpace(pair), "="); ok {
			c.properties[key] = unescape(value, "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
		}
	}
	for _, k := range known {
		if strings.EqualFold(k, name) {
			return c, true
		}
	}
	return c, stopped != "" && strings.EqualFold(name, stopped)
}

func unescape(s string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(s) }

// annotations are the commands of a log that annotate; any other command fails the test.
func annotations(t *testing.T, log string) []string {
	t.Helper()
	var found []string
	for _, c := range obeyed(log) {
		require.Contains(t, []string{"error", "warning", "notice"}, c.name, "%s", log)
		for property := range c.properties {
			require.Equal(t, "title", property, "the body is no file")
		}
		found = append(found, c.name+" "+c.properties["title"]+": "+c.data)
	}
	return found
}

// files are the folder and files that a runner gives to a step.
type files struct{ temp, event, output, summary string }

func newFiles(t *testing.T, payload []byte) files {
	t.Helper()
	folder := t.TempDir()
	f := files{filepath.Join(folder, "temp"), filepath.Join(folder, "event.json"), filepath.Join(folder, "output"), filepath.Join(folder, "summary")}
	require.NoError(t, os.Mkdir(f.temp, 0o755))
	require.NoError(t, os.WriteFile(f.event, payload, 0o600))
	for _, name := range []string{f.output, f.summary} {
		require.NoError(t, os.WriteFile(name, nil, 0o600))
	}
	return f
}

// outputs reads the file of step outputs as the runner does ("Setting an output parameter" and
// "Multiline strings").
func outputs(t *testing.T, name string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	found := map[string]string{}
	lines := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
	for i := 0; i < len(lines) && len(data) > 0; i++ {
		line := string(lines[i])
		equals, heredoc := strings.Index(line, "="), strings.Index(line, "<<")
		if heredoc < 0 || equals >= 0 && equals < heredoc {
			require.Positive(t, equals, "invalid line of outputs: %q", line)
			found[line[:equals]] = line[equals+1:]
			continue
		}
		var value []string
		for i++; string(lines[i]) != line[heredoc+2:]; i++ {
			value = append(value, string(lines[i]))
			require.Less(t, i+1, len(lines), "no end of %q", line)
		}
		found[line[:heredoc]] = strings.Join(value, "\n")
	}
	return found
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}

func TestTheRunnersCommands(t *testing.T) {
	t.Parallel()
	log := "  ::error title=a%2Cb::x%0Ay\n::unknown::z\ntext ::add-mask::no\ntext ##[add-mask]yes\n::stop-commands::word\n::add-mask::no\n##[add-mask]no\n::word::\n::debug::d\n"
	require.Equal(t, []command{
		{"error", map[string]string{"title": "a,b"}, "x\ny"},
		{"add-mask", map[string]string{}, "yes"},
		{"debug", map[string]string{}, "d"},
	}, obeyed(log))
}
