package github

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
)

// taskAlias begins the names under which the answer to Tasks holds each issue, pullAlias those under
// which it holds the pull request of that number, if it is one.
const (
	taskAlias = "task_"
	pullAlias = "pull_"
)

// oneOfSeveral reports whether a step of a path is one of several things that were asked for at once,
// so that one that is not there is a hole and not the end.
func oneOfSeveral(step string) bool {
	return strings.HasPrefix(step, taskAlias) || strings.HasPrefix(step, pullAlias)
}

// tasks are several issues of one repository, read by one request.
type tasks struct {
	web    string             // address of the repository's page
	own    string             // full name of the repository
	issues map[int]*issueNode // those that are there, by the number asked for
	pulls  map[int]bool       // numbers that are a pull request's
	holes  map[int][]graphQLError
}

// UnmarshalJSON reads the repository of an answer to Tasks, whose members are named by numbers.
func (t *tasks) UnmarshalJSON(text []byte) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	*t = tasks{issues: map[int]*issueNode{}, pulls: map[int]bool{}, holes: map[int][]graphQLError{}}
	for name, value := range members {
		var err error
		switch {
		case string(value) == "null":
		case name == "nameWithOwner":
			err = json.Unmarshal(value, &t.own)
		case name == "url":
			err = json.Unmarshal(value, &t.web)
		case strings.HasPrefix(name, taskAlias):
			n := &issueNode{}
			err = json.Unmarshal(value, n)
			t.issues[numberOf(name)] = n
		case strings.HasPrefix(name, pullAlias):
			t.pulls[numberOf(name)] = true
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// numberOf is the number in the name of one of several tasks, 0 when there is none.
func numberOf(name string) int {
	_, digits, _ := strings.Cut(name, "_")
	n, _ := strconv.Atoi(digits)
	return n
}

// tasks reads issues by their numbers. A single one comes with a whole page of its comments and
// edits; of several, each first page is smaller, so that the request costs about the same. The pages
// behind it are read for the one that counts only.
func (l *loading) tasks(ctx context.Context, repo Repo, numbers []int) (tasks, error) {
	of := maps.Clone(branchQueries)
	of["Tasks"] = tasksQuery(numbers)
	variables := map[string]any{"owner": repo.Owner, "name": repo.Name}
	if len(numbers) > 0 {
		variables["page"] = max(2, pageSize/len(numbers))
	}
	var answer struct {
		Repository *tasks `json:"repository"`
	}
	holes, err := l.queryOf(ctx, of, "Tasks", variables, &answer)
	if err != nil {
		return tasks{}, err
	}
	if answer.Repository == nil {
		if len(holes) > 0 {
			return tasks{}, l.withheldTask(holes[0])
		}
		return tasks{}, &Error{Kind: NotFound, Operation: l.doing, Message: l.client.absent()}
	}
	read := *answer.Repository
	for _, e := range holes {
		if len(e.Path) > 1 && strings.HasPrefix(e.Path[1], taskAlias) {
			n := numberOf(e.Path[1])
			read.holes[n] = append(read.holes[n], e)
		}
	}
	return read, nil
}

// tasksQuery is the operation that asks for issues by their numbers.
func tasksQuery(numbers []int) string {
	var b strings.Builder
	page := ""
	if len(numbers) > 0 {
		page = ", $page: Int = 100"
	}
	b.WriteString("query Tasks($owner: String!, $name: String!" + page + ") {\n  repository(owner: $owner, name: $name) {\n    nameWithOwner\n    url\n")
	for _, n := range numbers {
		fmt.Fprintf(&b, "    %s%d: issue(number: %d) {\n      ...TaskText\n    }\n", taskAlias, n, n)
		fmt.Fprintf(&b, "    %s%d: pullRequest(number: %d) {\n      number\n    }\n", pullAlias, n, n)
	}
	b.WriteString("  }\n}")
	return b.String()
}
