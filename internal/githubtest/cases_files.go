package githubtest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// changesProfile says whether the pull request changes the profile, so that the head's counts.
func (b *caseBuilder) changesProfile() bool {
	return slices.Contains(b.known.PullRequest.ChangedPaths, profilePath)
}

// baseProfile puts the profile on the base branch. Where the pull request changes it, another text
// stands there, by which nothing may be judged.
func (b *caseBuilder) baseProfile(files *[]File) {
	s := &b.known
	if b.changesProfile() {
		*files = append(*files, File{Path: profilePath, Text: "## Verification Operating Facts\n\n### VF-base\n"})
		if s.Profile != nil {
			s.Profile = &snapshot.File{Path: profilePath, Text: s.Profile.Text}
		}
		return
	}
	s.Profile = place(files, s.Profile, profilePath)
}

// headProfile gives the changed profile its text on the head; it is removed where the Snapshot has none.
func (b *caseBuilder) headProfile(files []File) {
	for i := range files {
		switch f := &files[i]; {
		case f.Previous == profilePath && b.known.Profile != nil:
			b.fail("%w profile beside its new name", ErrNotShown)
		case f.Path == profilePath && b.known.Profile == nil:
			f.Status = "removed"
		case f.Path == profilePath:
			f.Text = b.known.Profile.Text
		}
	}
}

func (b *caseBuilder) knowProfile() {
	if b.known.Profile != nil {
		b.known.Profile.ChangedInPullRequest = b.changesProfile()
	}
}

// rulesFile is the file of business rules that the policy names, "" when it names none.
func rulesFile(s snapshot.Snapshot) string {
	p, _ := policy.Resolve(s.Policy, s.OrganisationPolicy)
	return p.BusinessRules
}

// placeRules adds the file of business rules with those of the Snapshot, and returns their ids as a
// loader knows them.
func placeRules(files *[]File, s snapshot.Snapshot) []string {
	name := rulesFile(s)
	if name == "" {
		return nil
	}
	var known []string
	var text strings.Builder
	text.WriteString("# Business rules\n\n")
	if s.References != nil {
		for _, rule := range s.References.Rules {
			id := strings.ToUpper(strings.Trim(rule[strings.LastIndexByte(rule, '#')+1:], "[] "))
			known = append(known, id)
			fmt.Fprintf(&text, "- [%s] A rule.\n", id)
		}
	}
	*files = append(*files, File{Path: name, Text: text.String()})
	return known
}

// addStack adds the pull requests whose head is the base of the one of the Snapshot.
func (b *caseBuilder) addStack() {
	pr := &b.known.PullRequest
	pr.StackedOn = slices.Clone(pr.StackedOn)
	slices.SortFunc(pr.StackedOn, func(a, b snapshot.StackedOn) int { return a.Number - b.Number })
	for i := range pr.StackedOn {
		on := &pr.StackedOn[i]
		if b.repo.pulls[on.Number] != nil || b.repo.issues[on.Number] != nil {
			b.fail("%w two things with the number %d", ErrNotShown, on.Number)
			return
		}
		b.repo.lastNumber = on.Number - 1
		below := b.repo.newPullRequest(PullRequestOptions{Branch: pr.BaseRef, Base: fmt.Sprintf("below-%d", on.Number)})
		below.body.author = b.account(on.Author)
		b.repo.pulls[on.Number] = below
		b.world.nodes[nodeID("PR", below.pullID)] = below
		if on.Author != nil {
			on.Author = &snapshot.Actor{Login: on.Author.Login, Type: on.Author.Type}
		}
	}
}
