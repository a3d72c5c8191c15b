package action_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/report"
)

// workflow is a sample of docs/workflows.
type workflow struct {
	On map[string]struct {
		Types []string `yaml:"types"`
	} `yaml:"on"`
	Permissions map[string]string `yaml:"permissions"`
	Concurrency any               `yaml:"concurrency"`
	Jobs        map[string]struct {
		If          string            `yaml:"if"`
		Permissions map[string]string `yaml:"permissions"`
		Concurrency map[string]any    `yaml:"concurrency"`
		Steps       []struct {
			Uses string            `yaml:"uses"`
			Run  string            `yaml:"run"`
			With map[string]string `yaml:"with"`
		} `yaml:"steps"`
	} `yaml:"jobs"`
}

func workflows(t *testing.T) map[string]workflow {
	t.Helper()
	names, err := filepath.Glob("../docs/workflows/*.yml")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	found := map[string]workflow{}
	for _, name := range names {
		var w workflow
		require.NoError(t, yaml.Unmarshal([]byte(read(t, name)), &w), name)
		found[filepath.Base(name)] = w
	}
	return found
}

func TestSampleWorkflows(t *testing.T) {
	t.Parallel()
	declared := readAction(t).Inputs
	all := workflows(t)
	for name, w := range all {
		require.Len(t, w.Jobs, 1, name)
		for _, job := range w.Jobs {
			require.Empty(t, job.Permissions, "%s: permissions are the workflow's", name)
			used := 0
			for _, s := range job.Steps {
				require.NotContains(t, s.Uses, "checkout", "%s: nothing of the pull request is run", name)
				require.Empty(t, s.Run, name)
				require.Regexp(t, `@v\d+\.\d+\.\d+$`, s.Uses, name)
				if !strings.HasPrefix(s.Uses, "evidence-gate/evidence-gate@") {
					continue
				}
				used++
				for input := range s.With {
					require.Contains(t, declared, input, name)
				}
			}
			require.Equal(t, 1, used, name)
		}
	}
	// GitHub's default list lacks edited, labeled and ready_for_review.
	activities := []string{"opened", "edited", "synchronize", "reopened", "labeled", "ready_for_review"}
	require.Subset(t, all["evidence.yml"].On["pull_request"].Types, activities)
	require.Subset(t, all["evidence-forks.yml"].On["pull_request_target"].Types, activities)
	require.Contains(t, all["evidence-on-demand.yml"].On, "issue_comment")
	require.Contains(t, all["evidence-on-demand.yml"].On, "workflow_dispatch")
}

// A job that is a required check asks what the app asks.
func TestSampleWorkflowsAskWhetherItMayMerge(t *testing.T) {
	t.Parallel()
	for name, w := range workflows(t) {
		for _, job := range w.Jobs {
			for _, s := range job.Steps {
				if strings.HasPrefix(s.Uses, "evidence-gate/evidence-gate@") {
					require.Regexp(t, `^(merge|\$\{\{ inputs\.stage \|\| 'merge' \}\})$`, s.With["stage"], name)
				}
			}
		}
	}
	page := read(t, "../docs/ci.md")
	require.Contains(t, page, "## As the required check\n")
	require.Contains(t, page, "`stage: merge`")
}

// Whoever can read a repository can comment in it: not everybody starts a job, no text but the command
// does, and nobody else's comment cancels one.
func TestNotEverybodyStartsAJob(t *testing.T) {
	t.Parallel()
	w := workflows(t)["evidence-on-demand.yml"]
	require.Nil(t, w.Concurrency, "of the workflow, it would be taken by comments that start no job")
	for _, job := range w.Jobs {
		require.Contains(t, job.Concurrency["group"], "github.event.issue.number")
		condition := strings.Join(strings.Fields(job.If), " ")
		require.Equal(t, "github.event_name == 'workflow_dispatch' || (github.event.issue.pull_request && github.event.comment.body == '/evaluate' && "+
			`contains(fromJSON('["OWNER", "MEMBER", "COLLABORATOR"]'), github.event.comment.author_association))`, condition)
	}
}

// What docs/ci.md shows and says is what the files hold.
func TestTheDocumentationOfTheAction(t *testing.T) {
	t.Parallel()
	page := read(t, "../docs/ci.md")
	require.Contains(t, page, "```yaml\n"+read(t, "../docs/workflows/evidence.yml")+"```\n")
	for name := range workflows(t) {
		require.Contains(t, page, "(workflows/"+name+")")
	}
	c := readAction(t)
	for _, name := range slices.Concat(slices.Collect(maps.Keys(c.Inputs)), slices.Collect(maps.Keys(c.Outputs))) {
		require.Contains(t, page, "\n| `"+name+"` | ")
	}
	for permission, level := range everything {
		require.Contains(t, page, "`"+strings.ReplaceAll(permission, "_", "-")+": "+level+"`")
	}
}

// The permissions of the samples are enough, and every one of them is needed.
func TestSampleWorkflowsHaveTheLeastPermissions(t *testing.T) {
	t.Parallel()
	for name, sample := range workflows(t) {
		granted := map[string]string{}
		for permission, level := range sample.Permissions {
			granted[strings.ReplaceAll(permission, "-", "_")] = level
		}
		require.Equal(t, everything, granted, name)
	}
	conclude := func(t *testing.T, permissions map[string]string) *job {
		t.Helper()
		w := newWorld(t)
		pr := w.open(githubtest.PullRequestOptions{})
		pr.EditBody("eng", pr.Body()+"\nEdited.\n")
		w.task.EditBody("lead", "Edited.\n\n"+w.task.Body())
		w.task.Comment("eng", "a question")
		w.repo.AddCheckRun(githubtest.CheckRunOptions{SHA: pr.HeadSHA(), Name: "build", Workflow: "ci"})
		w.repo.AddStatus(githubtest.StatusOptions{SHA: pr.HeadSHA(), Context: "ci/legacy"})
		w.World().AddWorkflowToken(token, w.repo, permissions)
		return w.job(t, "pull_request", w.payload(t, "pull_request")).run(t, w)
	}
	conclude(t, everything).requireConclusion(t, report.Success)
	for _, permission := range slices.Sorted(maps.Keys(everything)) {
		if permission == "actions" {
			continue // the simulator shows the workflow behind a check run without it; GitHub does not (design section 14, Reach)
		}
		lesser := maps.Clone(everything)
		if lesser[permission] == "write" {
			lesser[permission] = "read"
		} else {
			delete(lesser, permission)
		}
		j := conclude(t, lesser)
		j.requireConclusion(t, report.ActionRequired)
		said := strings.Join(annotations(t, j.log.String()), "\n")
		words := strings.ReplaceAll(permission, "_", " ")
		if permission == "statuses" {
			words = "commit statuses"
		}
		if everything[permission] == "write" {
			words = "earlier texts to tokens with write access"
		}
		require.Contains(t, said, words, fmt.Sprintf("without %s the reason is named", permission))
	}
}
