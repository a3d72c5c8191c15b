package demo

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
)

// requireTrueTally compares what is printed in the end with what the simulator counted.
func requireTrueTally(t *testing.T, gh *githubtest.Server, text string) {
	t.Helper()
	_, end, found := strings.Cut(text, "What happened\n")
	require.True(t, found)
	numbers := map[string]int{}
	for _, line := range regexp.MustCompile(`(?m)^ +(\d+) +(.*)$`).FindAllStringSubmatch(end, -1) {
		n, err := strconv.Atoi(line[1])
		require.NoError(t, err)
		numbers[line[2]] = n
	}
	// The service may have asked for a little more after the last check run was there.
	webhooks, counted := numbers["signed webhooks, each answered 202"], numbers["requests to GitHub"]
	requests := gh.Requests()
	require.InDelta(t, len(gh.Webhooks().Deliveries()), webhooks, 2)
	require.InDelta(t, len(requests), counted, 5)
	require.LessOrEqual(t, counted, len(requests))
	requests = requests[:counted]
	sum, of := 0, map[string]func(githubtest.Request) bool{
		"to read the policy and the files beside it": func(r githubtest.Request) bool { return strings.Contains(r.Path, "/contents/") },
		"to ask who has which role":                  func(r githubtest.Request) bool { return strings.Contains(r.Path, "/collaborators") },
		"to write one": func(r githubtest.Request) bool {
			return strings.Contains(r.Path, "/check-runs") && r.Method != http.MethodGet
		},
		"to sign in": func(r githubtest.Request) bool {
			return strings.HasSuffix(r.Path, "/access_tokens") || r.Path == "/app"
		},
	}
	for what, n := range numbers {
		if what == "for something else" {
			t.Errorf("each of these needs its word: %v", unnamed(requests))
		}
		if strings.HasPrefix(what, "to ") {
			sum += n
		}
		if fits := of[what]; fits != nil {
			want := 0
			for _, r := range requests {
				if fits(r) {
					want++
				}
			}
			require.Equal(t, want, n, what)
			delete(of, what)
		}
	}
	require.Empty(t, of, "counted under these words")
	require.Equal(t, len(requests), sum)
}

// unnamed lists requests that have no word of their own.
func unnamed(requests []githubtest.Request) []string {
	var list []string
	for _, r := range requests {
		if !slices.ContainsFunc(kinds[:len(kinds)-1], func(k kind) bool { return k.fits(r) }) {
			list = append(list, r.Method+" "+r.Path+" "+r.Operation)
		}
	}
	return list
}
