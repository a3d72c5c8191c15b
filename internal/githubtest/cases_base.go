package githubtest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// Where a base branch holds what counts (design sections 6, 7 and 9).
const (
	policyPath    = ".github/evidence.yml"
	profilePath   = ".agenticloop/project.md"
	decisionsPath = ".agenticloop/decisions/"
	tasksPath     = ".agenticloop/tasks/"
)

// elsewhere says whether a file is at another path than where a loader looks for it.
func elsewhere(f *snapshot.File, path string) bool { return f != nil && f.Path != "" && f.Path != path }

// addBase makes the tip of the base branch, with the files that count.
func (b *caseBuilder) addBase() {
	pr := &b.known.PullRequest
	if pr.BaseRef == "" {
		pr.BaseRef = b.known.Repository.DefaultBranch
	}
	tip := b.repo.branches[b.repo.defaultBranch]
	files := b.baseFiles()
	if pr.BaseSHA != "" || len(files) > 0 {
		tip = b.repo.addCommit(Commit{SHA: pr.BaseSHA, Files: files}, tip).sha
	}
	b.repo.branches[pr.BaseRef], pr.BaseSHA = tip, tip
	b.addOrganisation()
}

func (b *caseBuilder) baseFiles() []File {
	s := &b.known
	files := []File{}
	s.Policy = place(&files, s.Policy, policyPath)
	b.baseProfile(&files)
	var known snapshot.References
	if s.References != nil {
		known.Decisions = slices.Sorted(slices.Values(s.References.Decisions))
		known.Tasks = slices.Sorted(slices.Values(s.References.Tasks))
	}
	known.Rules = placeRules(&files, *s)
	for _, name := range known.Decisions {
		files = append(files, File{Path: decisionsPath + name + ".md"})
	}
	for _, name := range known.Tasks {
		files = append(files, File{Path: tasksPath + name + ".md"})
	}
	if s.References = nil; len(known.Decisions)+len(known.Tasks)+len(known.Rules) > 0 {
		s.References = &known
	}
	return files
}

// place adds a file, and returns it as a loader knows it.
func place(to *[]File, f *snapshot.File, path string) *snapshot.File {
	if f == nil {
		return nil
	}
	*to = append(*to, File{Path: path, Text: f.Text})
	return &snapshot.File{Path: path, Text: f.Text}
}

// addUnlinked makes the numbers that the body closes and that are no task in the Snapshot those of
// pull requests: GitHub links none of them, and they are there.
func (b *caseBuilder) addUnlinked() {
	if b.issue != nil {
		return
	}
	text := notProse.ReplaceAllString(b.pull.body.text(), " ")
	for _, m := range closingKeyword.FindAllStringSubmatch(text, -1) {
		number, err := strconv.Atoi(m[2] + m[4])
		named := m[1] + m[3]
		if err != nil || number == 0 || b.repo.pulls[number] != nil || named != "" && !strings.EqualFold(named, b.repo.fullName()) {
			continue
		}
		b.repo.lastNumber = number - 1
		other := b.repo.newPullRequest(PullRequestOptions{})
		other.open, other.closedAt = false, b.world.now()
		b.repo.pulls[number] = other
		b.world.nodes[nodeID("PR", other.pullID)] = other
	}
}

// addOrganisation adds the policy of the organisation.
func (b *caseBuilder) addOrganisation() {
	own := b.known.OrganisationPolicy
	if own == nil {
		return
	}
	name := b.known.Repository.Owner + "/.github"
	shared := b.world.repository(name)
	if shared == nil {
		shared = b.world.addRepository(name, RepositoryOptions{})
	}
	files := []File{}
	b.known.OrganisationPolicy = place(&files, own, policyPath)
	shared.branches[shared.defaultBranch] = shared.addCommit(Commit{Files: files}, shared.branches[shared.defaultBranch]).sha
}

func (b *caseBuilder) knowChanged(f *snapshot.File) {
	if f != nil {
		f.ChangedInPullRequest = slices.Contains(b.known.PullRequest.ChangedPaths, f.Path)
	}
}
