package githubtest

import (
	"context"
	"encoding/base64"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/graph-gophers/graphql-go"
)

// text is a value of one of GitHub's scalars that are written as strings: DateTime, URI,
// GitObjectID, GitTimestamp and BigInt.
type text string

// ImplementsGraphQLType names the scalars that text stands for.
func (text) ImplementsGraphQLType(name string) bool {
	switch name {
	case "BigInt", "DateTime", "GitObjectID", "GitTimestamp", "URI":
		return true
	}
	return false
}

// UnmarshalGraphQL reads an argument.
func (t *text) UnmarshalGraphQL(input any) error {
	s, ok := input.(string)
	if !ok {
		return fmt.Errorf("expected a string, found %T", input)
	}
	*t = text(s)
	return nil
}

func dateTime(t time.Time) text { return text(t.UTC().Format(time.RFC3339)) }

func optionalTime(t time.Time) *text {
	if t.IsZero() {
		return nil
	}
	d := dateTime(t)
	return &d
}

func optionalText(s string) *text {
	if s == "" {
		return nil
	}
	t := text(s)
	return &t
}

func optionalString(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// databaseID is an id as the 32-bit Int of GraphQL: null when it does not fit, which is why
// fullDatabaseId exists.
func databaseID(id int64) *int32 {
	if id > math.MaxInt32 {
		return nil
	}
	n := int32(id)
	return &n
}

func bigInt(id int64) *text {
	t := text(strconv.FormatInt(id, 10))
	return &t
}

func globalID(prefix string, id int64) graphql.ID { return graphql.ID(nodeID(prefix, id)) }

func upper(s string) string { return strings.ToUpper(s) }

// pageArgs are the arguments of a connection; their bounds are checked before execution.
type pageArgs struct {
	After, Before *string
	First, Last   *int32
}

// connection is one page of a list.
type connection[T any] struct {
	total  int // what totalCount says
	listed int // how many can be paged through
	page   []T
	start  int
}

// Nodes are the elements of the page.
func (c *connection[T]) Nodes() *[]T { return &c.page }

// TotalCount is the length of the whole list.
func (c *connection[T]) TotalCount() int32 { return int32(c.total) }

// PageInfo tells where the page lies.
func (c *connection[T]) PageInfo() *pageInfo {
	return &pageInfo{start: c.start, length: len(c.page), total: c.listed}
}

type pageInfo struct{ start, length, total int }

// HasNextPage says whether elements follow.
func (p *pageInfo) HasNextPage() bool { return p.start+p.length < p.total }

// HasPreviousPage says whether elements stand before the page.
func (p *pageInfo) HasPreviousPage() bool { return p.start > 0 }

// StartCursor points at the first element of the page.
func (p *pageInfo) StartCursor() *string { return p.cursor(p.start) }

// EndCursor points at the last element of the page.
func (p *pageInfo) EndCursor() *string { return p.cursor(p.start + p.length - 1) }

func (p *pageInfo) cursor(i int) *string {
	if p.length == 0 {
		return nil
	}
	s := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "%s%d", cursorPrefix, i))
	return &s
}

const cursorPrefix = "cursor:v2:"

func parseCursor(s string) (int, error) {
	decoded, err := base64.StdEncoding.DecodeString(s)
	if err == nil {
		if rest, ok := strings.CutPrefix(string(decoded), cursorPrefix); ok {
			if i, err := strconv.Atoi(rest); err == nil {
				return i, nil
			}
		}
	}
	return 0, &graphqlError{kind: "INVALID_CURSOR_ARGUMENTS", message: "`" + s + "` does not appear to be a valid cursor."}
}

// connect cuts a list to the page asked for; to makes the resolver of one element.
func connect[S, T any](all []S, args pageArgs, to func(S) T) (*connection[T], error) {
	start, end := 0, len(all)
	if args.After != nil && *args.After != "" {
		i, err := parseCursor(*args.After)
		if err != nil {
			return nil, err
		}
		start = min(i+1, len(all))
	}
	if args.Before != nil && *args.Before != "" {
		i, err := parseCursor(*args.Before)
		if err != nil {
			return nil, err
		}
		end = max(start, min(i, len(all)))
	}
	if args.First != nil {
		end = min(end, start+int(*args.First))
	}
	if args.Last != nil {
		start = max(start, end-int(*args.Last))
	}
	page := make([]T, 0, end-start)
	for _, element := range all[start:end] {
		page = append(page, to(element))
	}
	return &connection[T]{total: len(all), listed: len(all), page: page, start: start}, nil
}

// permit refuses what the token's permissions do not cover in a repository.
func permit(ctx context.Context, r *Repository, permission string) error {
	if executionOf(ctx).grant.reads(r, permission) {
		return nil
	}
	return forbidden()
}

// reads says whether GraphQL shows a part of a repository. Public repositories without the app are
// open; elsewhere the permission counts, also for public ones.
func (g *grant) reads(r *Repository, permission string) bool {
	if !g.sees(r) || r.deleted {
		return false
	}
	if g.installation != nil && !g.covers(r) {
		return r.public
	}
	return strength(g.level(r, permission)) >= strength("read")
}
