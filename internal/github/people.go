package github

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/snapshot"
)

// mostPeople bounds the roles that are read for one pull request, each by a request of its own.
const mostPeople = 100

// census is what is read of the people of a pull request: the roles of those whose word counts, their
// membership in the teams that the policy names, and how many maintainers there are.
type census struct {
	client *Client
	repo   Repo

	mu        sync.Mutex
	standings map[string]standing          // by login in lower case
	teams     map[string]team              // by name as the policy writes it
	lists     map[string]map[string]string // roles by login, by the filter of the list; a nil one is not shown
}

func (c *Client) census(repo Repo) *census {
	return &census{client: c, repo: repo, standings: map[string]standing{}, teams: map[string]team{}, lists: map[string]map[string]string{}}
}

// ask is the work of reading the roles of people that are not known yet.
func (c *census) ask(who people) []work {
	var all []work
	for _, login := range slices.Sorted(maps.Keys(who)) {
		if _, known := c.standings[login]; known {
			continue
		}
		switch a := who[login]; {
		case !hasRole(a):
			c.standings[login] = standing{role: noRole}
		case len(c.standings) >= mostPeople:
			c.standings[login] = standing{reason: fmt.Sprintf("no more than %d accounts are asked for", mostPeople)}
		default:
			c.standings[login] = standing{}
			all = append(all, func(ctx context.Context) error { return c.stand(ctx, login, a.Login) })
		}
	}
	return all
}

func (c *census) stand(ctx context.Context, key, login string) error {
	read, err := c.client.standing(ctx, c.repo, login)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.standings[key] = read
	return err
}

// wordCounts are the accounts whose role may bear on a verdict whatever the policy says: who wrote
// markers and commands, who wrote the task, who reviewed, and the pull request's author.
func wordCounts(s *snapshot.Snapshot) people {
	who := speakers(s)
	who.add(s.PullRequest.Author)
	who.add(taskHands(s)...)
	for _, r := range s.Reviews {
		who.add(r.Author)
	}
	for _, a := range s.Actions {
		who.add(a.Actor)
	}
	return who
}

// taskHands are who wrote the text of the task: one of them wrote the contract (C8).
func taskHands(s *snapshot.Snapshot) []*snapshot.Actor {
	if s.Issue == nil {
		return nil
	}
	hands := []*snapshot.Actor{s.Issue.Author}
	for _, r := range s.Issue.Revisions {
		hands = append(hands, r.Editor)
	}
	return hands
}

// joined is the work of reading who is in the teams of the maintainers, as far as that is not known.
func (c *census) joined(by policy.Roles) []work {
	var all []work
	for _, name := range by.Teams() {
		if _, known := c.teams[name]; known {
			continue
		}
		c.teams[name] = team{}
		all = append(all, func(ctx context.Context) error { return c.join(ctx, name) })
	}
	return all
}

// join reads who is in a team.
func (c *census) join(ctx context.Context, name string) error {
	read, err := c.client.team(ctx, c.repo.Owner, name)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.teams[name] = read
	return err
}

// count is the work of listing the accounts that have the maintainers' permission, as far as they are
// not listed yet.
func (c *census) count(by policy.Roles) []work {
	least := slices.Index(roles, by.Maintainers.Permission)
	var all []work
	for _, f := range filters {
		if _, known := c.lists[f.filter]; known || slices.Index(roles, f.role) < least {
			continue
		}
		c.lists[f.filter] = nil
		all = append(all, func(ctx context.Context) error { return c.collaborate(ctx, f.filter) })
	}
	return all
}

func (c *census) collaborate(ctx context.Context, filter string) error {
	read, err := c.client.collaborators(ctx, c.repo, filter)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lists[filter] = read
	return err
}

// maintainers counts the accounts that hold the maintainer's role (section 9): 0 where one of the
// lists that it takes is not shown to this token, which counts as if there were another maintainer.
func (c *census) maintainers(by policy.Roles) int {
	least := slices.Index(roles, by.Maintainers.Permission)
	all := map[string]bool{}
	for _, f := range filters {
		if slices.Index(roles, f.role) < least {
			continue
		}
		if c.lists[f.filter] == nil {
			return 0
		}
		for login, role := range c.lists[f.filter] {
			if slices.Index(roles, role) >= least {
				all[login] = true
			}
		}
	}
	for _, login := range by.Maintainers.Users {
		all[strings.ToLower(login)] = true
	}
	for _, name := range by.Teams() {
		if c.teams[name].members == nil {
			return 0
		}
		maps.Copy(all, c.teams[name].members)
	}
	return len(all)
}

// describe completes an account by what was read of it.
func (c *census) describe(a *snapshot.Actor) {
	login := strings.ToLower(a.Login)
	a.Permission, a.Teams = c.standings[login].role, nil
	for _, name := range slices.Sorted(maps.Keys(c.teams)) {
		if c.teams[name].members[login] {
			a.Teams = append(a.Teams, name)
		}
	}
}

// eachActor visits every account of a Snapshot whose role may count.
func eachActor(s *snapshot.Snapshot, visit func(*snapshot.Actor)) {
	one := func(a *snapshot.Actor) {
		if a != nil {
			visit(a)
		}
	}
	history := func(revisions []snapshot.Revision) {
		for _, r := range revisions {
			one(r.Editor)
		}
	}
	comments := func(list []snapshot.Comment) {
		for _, c := range list {
			one(c.Author)
			history(c.Revisions)
		}
	}
	one(s.PullRequest.Author)
	history(s.PullRequest.Revisions)
	for _, l := range s.PullRequest.Labels {
		one(l.By)
	}
	if s.Issue != nil {
		one(s.Issue.Author)
		history(s.Issue.Revisions)
		comments(s.Issue.Comments)
	}
	comments(s.Comments)
	for _, r := range s.Reviews {
		one(r.Author)
	}
	for _, a := range s.Actions {
		one(a.Actor)
	}
}
