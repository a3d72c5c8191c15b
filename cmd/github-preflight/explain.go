package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/internal/render"
	"github.com/evidence-gate/evidence-gate/report"
)

func newExplain(p process) *cobra.Command {
	command := &cobra.Command{
		Use:   "explain [CODE]",
		Short: "Say what a diagnostic code means, with a wrong and a right example",
		Long: `explain says when a code is reported, who acts and how, and shows a wrong and a right example.
Without a code it lists all of them.`,
		Example: `  github-preflight explain head.stale
  github-preflight explain | grep contract`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, given []string, begun string) ([]string, cobra.ShellCompDirective) {
			if len(given) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			var codes []string
			for _, d := range report.Definitions() {
				if strings.HasPrefix(string(d.Code), begun) {
					codes = append(codes, string(d.Code)+"\t"+d.Meaning)
				}
			}
			return codes, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(command *cobra.Command, args []string) error {
			if len(args) == 0 {
				return written(render.List(p.stdout, report.Definitions()))
			}
			d, ok := report.Lookup(report.Code(args[0]))
			if !ok {
				return usage(command, fmt.Errorf("there is no code %q; %sexplain without a code lists all", firstLetters(args[0]), suggestion(args[0])))
			}
			return written(render.Explain(p.stdout, d, textOptions(p, p.stdout)))
		},
	}
	checkFlags(command)
	return command
}

// suggestion names the code that was probably meant, when there is one.
func suggestion(given string) string {
	if near := nearestCode(given); near != "" {
		return fmt.Sprintf("the nearest is %s, and ", near)
	}
	return ""
}

// longestWord bounds what is compared and repeated of a word that is no code.
const longestWord = 100

func firstLetters(given string) string {
	if len(given) > longestWord {
		return given[:longestWord] + "…"
	}
	return given
}

// nearestCode is the first code that contains the word, else the one with the fewest differing
// letters, as long as a slip of the fingers can explain them; empty when there is none.
func nearestCode(given string) report.Code {
	given = strings.ToLower(given[:min(len(given), longestWord)])
	for _, d := range report.Definitions() {
		if len(given) > 3 && strings.Contains(string(d.Code), given) {
			return d.Code
		}
	}
	var nearest report.Code
	least := len(given)/4 + 1
	for _, d := range report.Definitions() {
		if n := distance(given, string(d.Code)); n < least {
			nearest, least = d.Code, n
		}
	}
	return nearest
}

// distance is the number of letters to add, drop or replace to turn one word into the other.
func distance(a, b string) int {
	previous := make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := range len(a) {
		current := make([]int, len(b)+1)
		current[0] = i + 1
		for j := range len(b) {
			replace := previous[j]
			if a[i] != b[j] {
				replace++
			}
			current[j+1] = min(replace, previous[j+1]+1, current[j]+1)
		}
		previous = current
	}
	return previous[len(b)]
}
