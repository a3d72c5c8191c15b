package demo

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"

	"github.com/evidence-gate/evidence-gate/checks"
	"github.com/evidence-gate/evidence-gate/internal/github"
	"github.com/evidence-gate/evidence-gate/report"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

func TestKeep(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	d := honest(t)
	reader, writer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- d.run(ctx, Options{Out: writer, Keep: true})
		_ = writer.Close()
	}()
	text := readUntil(t, reader, "| grep ")
	require.Len(t, conclusionLine.FindAllString(text, -1), len(told))

	require.Equal(t, "ok\n", get(t, place(t, text, "health")))
	metrics := place(t, text, "metrics")
	said := 0
	for _, step := range told {
		if step.conclusion == "success" {
			said++
		}
	}
	// A check run can be seen before its evaluation is counted.
	require.Eventually(t, func() bool { return successes(t, metrics) >= said }, patient, 20*time.Millisecond)
	before := successes(t, metrics)
	require.FileExists(t, place(t, text, "database"))

	asksAs(t, text)

	// The printed command does what it says, with another delivery each time.
	command := text[strings.Index(text, "curl -i"):]
	for round, delivery := range []string{"first", "second"} {
		status, answer := send(t, command, delivery)
		require.Equal(t, http.StatusAccepted, status, answer)
		require.Equal(t, "accepted: pull request changed\n", answer)
		require.Eventually(t, func() bool { return successes(t, metrics) == before+round+1 }, patient, 20*time.Millisecond)
	}
	status, answer := send(t, strings.Replace(command, `"edited"`, `"edjted"`, 1), "third")
	require.Equal(t, http.StatusUnauthorized, status, answer)

	select {
	case err := <-ended:
		t.Fatalf("it did not stay: %v", err)
	default:
	}
	stop()
	select {
	case err := <-ended:
		require.NoError(t, err, "to be stopped is its good end")
	case <-time.After(patient):
		t.Fatal("it did not end")
	}
	leavesNothing(t, d)
	_, err := http.Get(place(t, text, "health"))
	require.Error(t, err, "the service has ended")
}

// asksAs uses the printed addresses and tokens as the command line does: both people get the verdict
// that the service published last, and are who they are said to be.
func asksAs(t *testing.T, text string) {
	t.Helper()
	ask := regexp.MustCompile(`(?m)^go run ./cmd/github-preflight --repo (\S+) --pr (\d+) --stage merge$`).FindStringSubmatch(text)
	require.NotNil(t, ask, text)
	repo, err := github.ParseRepo(ask[1])
	require.NoError(t, err)
	number, err := strconv.Atoi(ask[2])
	require.NoError(t, err)
	last := told[len(told)-1]
	require.Equal(t, last.pull, "#"+ask[2])
	tokens := regexp.MustCompile(`(?m)^export GH_TOKEN=(\S+)$`).FindAllStringSubmatch(text, -1)
	require.Len(t, tokens, 2)
	for i, is := range []snapshot.Actor{{Login: "eng", Permission: "write"}, {Login: "mia", Permission: "maintain"}} {
		client, err := github.NewTokenClient(github.TokenConfig{
			Token: tokens[i][1], BaseURL: exported(t, text, "GITHUB_API_URL"), GraphQLURL: exported(t, text, "GITHUB_GRAPHQL_URL"),
		})
		require.NoError(t, err)
		who, err := client.Viewer(t.Context(), repo, nil)
		require.NoError(t, err)
		require.Equal(t, is.Login+" "+is.Permission, who.Login+" "+who.Permission)
		facts, err := client.Snapshot(t.Context(), repo, number, github.LoadOptions{App: "evidence-gate", HasChecks: checks.HasChecks})
		require.NoError(t, err)
		require.Equal(t, last.conclusion, string(checks.Evaluate(facts, report.Merge).Conclusion))
	}
}

// exported is the value of a variable that the printed commands set.
func exported(t *testing.T, text, name string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^export (?:.* )?` + name + `=(\S+)`).FindStringSubmatch(text)
	require.NotNil(t, found, "%s is set in\n%s", name, text)
	return found[1]
}

// successes is how many evaluations ended well.
func successes(t *testing.T, metrics string) int {
	t.Helper()
	found := regexp.MustCompile(`(?m)^evidence_gate_evaluations_total\{conclusion="success"\} (\d+)$`).FindStringSubmatch(get(t, metrics))
	require.NotNil(t, found)
	n, err := strconv.Atoi(found[1])
	require.NoError(t, err)
	return n
}

func readUntil(t *testing.T, r io.Reader, last string) string {
	t.Helper()
	var b strings.Builder
	for lines := bufio.NewScanner(r); lines.Scan(); {
		b.WriteString(lines.Text() + "\n")
		if strings.Contains(lines.Text(), last) {
			return b.String()
		}
	}
	t.Fatalf("the output ended without %q:\n%s", last, b.String())
	return ""
}

// place is the address or path that was printed after a name.
func place(t *testing.T, text, name string) string {
	t.Helper()
	found := regexp.MustCompile(`(?m)^ +` + name + ` +(\S+)$`).FindStringSubmatch(text)
	require.NotNil(t, found, "%s is printed in\n%s", name, text)
	return found[1]
}

func get(t *testing.T, url string) string {
	t.Helper()
	response, err := http.Get(url)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(body)
}

// send reads the first command as a shell does and makes the request that curl would make of it.
// What the command takes from another command is the given text.
func send(t *testing.T, text, substituted string) (status int, said string) {
	t.Helper()
	file, err := syntax.NewParser(syntax.Variant(syntax.LangPOSIX)).Parse(strings.NewReader(text[:strings.Index(text, "\n\n")]), "")
	require.NoError(t, err)
	require.Len(t, file.Stmts, 1, "one command")
	call, ok := file.Stmts[0].Cmd.(*syntax.CallExpr)
	require.True(t, ok)
	args, err := expand.Fields(&expand.Config{
		Env: expand.ListEnviron(os.Environ()...),
		CmdSubst: func(w io.Writer, _ *syntax.CmdSubst) error {
			_, err := io.WriteString(w, substituted)
			return err
		},
	}, call.Args...)
	require.NoError(t, err)
	require.Equal(t, []string{"curl", "-i"}, args[:2])

	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, args[2], nil)
	require.NoError(t, err)
	for i := 3; i+1 < len(args); i += 2 {
		switch args[i] {
		case "-H":
			name, value, found := strings.Cut(args[i+1], ": ")
			require.True(t, found)
			request.Header.Set(name, value)
		case "--data-binary":
			request.Body, request.ContentLength = io.NopCloser(strings.NewReader(args[i+1])), int64(len(args[i+1]))
		default:
			t.Fatalf("the test does not know curl's %s", args[i])
		}
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(body)
}
