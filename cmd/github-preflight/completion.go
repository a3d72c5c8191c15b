package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/evidence-gate/evidence-gate/profile"
	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/report"
)

// completeNothing keeps shells from offering files where none is meant.
func completeNothing(command *cobra.Command, flags ...string) {
	for _, name := range flags {
		_ = command.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions)
	}
}

// completeWords lets shells complete the values of a flag that takes a few words only.
func completeWords(command *cobra.Command, flag string, words ...string) {
	_ = command.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// completeStage lets shells complete the two stages.
func completeStage(command *cobra.Command) {
	completeWords(command, "stage", string(report.Review)+"\tmay it be reviewed", string(report.Merge)+"\tmay it merge")
}

// completeFacts offers the ids of the facts that the checkout's profile records.
func completeFacts(p process) cobra.CompletionFunc {
	return func(_ *cobra.Command, given []string, begun string) ([]string, cobra.ShellCompDirective) {
		var ids []string
		if f, err := findProfile(p, ""); err == nil && len(given) == 0 {
			read, _ := profile.Read(string(f.text))
			for _, id := range read.IDs() {
				if strings.HasPrefix(id, begun) {
					ids = append(ids, id)
				}
			}
		}
		return ids, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeSteps offers the names, ids, layers and tags of the steps that the policy declares.
func completeSteps(command *cobra.Command, p process) {
	steps := func(words func(policy.Check) []string) cobra.CompletionFunc {
		return func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
			f, err := findPolicy(p)
			if err != nil {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			read, _ := policy.Read(f.text, policy.Repository)
			return listed(read.Checks, words, begun), cobra.ShellCompDirectiveNoFileComp
		}
	}
	_ = command.RegisterFlagCompletionFunc("only", steps(func(c policy.Check) []string { return []string{c.Name, c.ID, c.Layer} }))
	_ = command.RegisterFlagCompletionFunc("skip-tag", steps(func(c policy.Check) []string { return c.Tags }))
}

// listed are the words that may come next in a list with commas, each once in all. A word with a comma or a
// control character in it cannot be typed there.
func listed(checks []policy.Check, words func(policy.Check) []string, begun string) []string {
	before := begun[:strings.LastIndex(begun, ",")+1]
	given := strings.Split(before, ",")
	var out []string
	for _, c := range checks {
		for _, w := range words(c) {
			next := before + w
			if !slices.Contains(given, w) && strings.HasPrefix(next, begun) && !slices.Contains(out, next) && !strings.Contains(w, ",") && strings.IndexFunc(w, untypable) < 0 {
				out = append(out, next)
			}
		}
	}
	return out
}
