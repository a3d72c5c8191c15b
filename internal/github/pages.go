package github

import (
	"context"
	"fmt"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

const (
	// mostRequests bounds what one Snapshot may cost; each page behind the first is one request.
	mostRequests = 300
	// mostBytes bounds all answers of one Snapshot together. A Snapshot's documents may have 16 MiB
	// (M1); the rest is room for histories and JSON's own characters.
	mostBytes = 64 << 20
	// commitsListed is the most commits of a pull request that GitHub lists (its documentation of
	// "List commits on a pull request").
	commitsListed = 250
)

// loading is the reading of one pull request.
type loading struct {
	client   *Client
	doing    string // the operation, for errors
	requests int
	bytes    int
	holes    holes
}

func (l *loading) incomplete(format string, values ...any) error {
	return &Error{Kind: Incomplete, Operation: l.doing, Message: fmt.Sprintf(format, values...) + ": try again"}
}

func (l *loading) query(ctx context.Context, operation string, variables map[string]any, into any) ([]graphQLError, error) {
	return l.queryOf(ctx, pullRequestQueries, operation, variables, into)
}

func (l *loading) queryOf(ctx context.Context, of document, operation string, variables map[string]any, into any) ([]graphQLError, error) {
	if l.requests++; l.requests > mostRequests {
		return nil, tooManyRequests(l.doing)
	}
	r, err := l.client.ask(ctx, l.doing, of, operation, variables, into)
	if l.bytes += r.bytes; l.bytes > mostBytes {
		return nil, &Error{Kind: TooLarge, Operation: l.doing, Message: fmt.Sprintf("its texts with their histories are over %d MiB", mostBytes>>20)}
	}
	return r.holes, err
}

func tooManyRequests(doing string) *Error {
	return &Error{Kind: TooLarge, Operation: doing, Message: fmt.Sprintf("it takes more than %d requests to read it whole", mostRequests)}
}

// list is a connection to read to its end: the operation for further pages, the node whose
// connection it is, and the fact that is missing when it cannot be read.
type list struct {
	operation string
	node      string
	fact      string
}

// node is the answer of every More… operation; the contexts of a commit lie one step deeper.
type node[T any] struct {
	Node *struct {
		Page   *connection[T] `json:"page"`
		Rollup *struct {
			Page *connection[T] `json:"page"`
		} `json:"statusCheckRollup"`
	} `json:"node"`
}

func (n node[T]) page() *connection[T] {
	switch {
	case n.Node == nil:
		return nil
	case n.Node.Rollup != nil:
		return n.Node.Rollup.Page
	}
	return n.Node.Page
}

// rest reads a connection to its end and checks GitHub's own count: a list that does not add up is
// no fact. What GitHub withholds is a hole; what it leaves null without a word is one too.
func rest[T any](ctx context.Context, l *loading, of list, first *connection[T]) ([]T, error) {
	if first == nil {
		l.holes.add(of.fact, "GitHub left it out")
		return nil, nil
	}
	pages, err := further(ctx, l, of, first)
	if err != nil {
		return nil, err
	}
	var all []T
	read, total := 0, 0
	for _, page := range pages {
		for _, n := range page.Nodes {
			if n == nil {
				l.holes.add(of.fact, "GitHub left a part of it out")
				continue
			}
			all = append(all, *n)
		}
		read, total = read+len(page.Nodes), page.TotalCount
	}
	switch {
	case read == total || l.holes.has(of.fact):
		return all, nil
	case of.fact == factCommits && read >= commitsListed && read < total:
		l.holes.add(factCommits, fmt.Sprintf("GitHub lists %d of the %d commits: split the pull request", read, total))
		return all, nil
	}
	return nil, l.incomplete("GitHub counts %d in %s and listed %d", total, of.fact, read)
}

// further follows a connection's cursors, the first page included.
func further[T any](ctx context.Context, l *loading, of list, first *connection[T]) ([]*connection[T], error) {
	pages := []*connection[T]{first}
	for last := first; last.PageInfo.HasNextPage; {
		cursor := last.PageInfo.EndCursor
		if cursor == "" || len(pages) > 1 && cursor == pages[len(pages)-2].PageInfo.EndCursor {
			return nil, l.incomplete("GitHub promises a further page of %s and does not lead to it", of.fact)
		}
		var n node[T]
		errors, err := l.query(ctx, of.operation, map[string]any{"id": of.node, "cursor": cursor}, &n)
		if KindOf(err) == NotFound {
			return nil, l.incomplete("a part of %s was deleted while it was read", of.fact)
		}
		if err != nil {
			return nil, err
		}
		for _, e := range errors {
			l.holes.add(of.fact, fmt.Sprintf("GitHub withheld a part of it (%s)", quote(e.Message)))
		}
		if last = n.page(); last == nil {
			if l.holes.has(of.fact) {
				return pages, nil
			}
			return nil, l.incomplete("a further page of %s is not there any more", of.fact)
		}
		pages = append(pages, last)
	}
	return pages, nil
}

// comments reads comments with their histories. factRevisions of a comment have no name of their
// own: where they cannot be read, the comments cannot.
func (l *loading) comments(ctx context.Context, of list, first *connection[comment]) ([]snapshot.Comment, error) {
	nodes, err := rest(ctx, l, of, first)
	if err != nil {
		return nil, err
	}
	comments := make([]snapshot.Comment, 0, len(nodes))
	for _, n := range nodes {
		if n.DatabaseID == 0 {
			return nil, l.incomplete("a comment in %s has no id", of.fact)
		}
		edits, err := rest(ctx, l, list{"MoreEdits", n.ID, of.fact}, n.Edits)
		if err != nil {
			return nil, err
		}
		history, readable := revisions(text{n.Body, n.CreatedAt, n.Author}, edits)
		if !readable {
			l.holes.add(of.fact, unreadableHistory)
		}
		comments = append(comments, snapshot.Comment{
			ID:        int64(n.DatabaseID),
			Author:    actor(n.Author),
			Body:      n.Body,
			CreatedAt: n.CreatedAt,
			UpdatedAt: n.UpdatedAt,
			Revisions: history,
		})
	}
	return comments, nil
}

func (l *loading) revisions(ctx context.Context, of list, now text, first *connection[editNode]) ([]snapshot.Revision, error) {
	edits, err := rest(ctx, l, of, first)
	if err != nil || l.holes.has(of.fact) {
		return nil, err
	}
	history, readable := revisions(now, edits)
	if !readable {
		l.holes.add(of.fact, unreadableHistory)
	}
	return history, nil
}
