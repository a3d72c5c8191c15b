package github

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// graphQLError is one entry of an answer's errors. GitHub adds type to the standard's members.
type graphQLError struct {
	Type       string `json:"type"`
	Message    string `json:"message"`
	Path       path   `json:"path"`
	Extensions struct {
		Code  string `json:"code"`
		Type  string `json:"typeName"`
		Field string `json:"fieldName"`
	} `json:"extensions"`
}

// path is where in the answer an error left null; indexes are kept as decimal digits.
type path []string

func (p *path) UnmarshalJSON(text []byte) error {
	var steps []any
	if err := json.Unmarshal(text, &steps); err != nil {
		return err
	}
	for _, step := range steps {
		switch s := step.(type) {
		case string:
			*p = append(*p, s)
		case float64:
			*p = append(*p, strconv.FormatFloat(s, 'f', -1, 64))
		}
	}
	return nil
}

func (p path) String() string { return strings.Join(p, ".") }

// isPart reports that the path leads to a part of what was asked for, rather than to the whole: a
// pull request or issue of a repository, or a node.
func (p path) isPart() bool {
	return len(p) > 2 || len(p) == 2 && (p[0] == "node" || oneOfSeveral(p[1]))
}

// request is one GraphQL operation to execute.
type request struct {
	Text      string         `json:"query"`
	Operation string         `json:"operationName"`
	Variables map[string]any `json:"variables"`
}

// result is what is known of an answer beside its data.
type result struct {
	holes []graphQLError // parts that this token may not see
	bytes int
}

// query executes an operation and decodes its data. Errors that leave usable data behind are holes;
// every other one is the error.
func (c *Client) query(ctx context.Context, doing string, r request, into any) (result, error) {
	answer, header, err := c.post(ctx, r)
	if err != nil {
		return result{}, failure(doing, "", c.now(), err)
	}
	holes, fatal := sift(answer.Errors, header, c)
	if fatal != nil {
		fatal.Operation = doing
		return result{}, fatal
	}
	if len(answer.Data) == 0 || string(answer.Data) == "null" {
		if len(holes) > 0 {
			return result{}, c.withheldWhole(doing, holes[0])
		}
		return result{}, unreadable(doing)
	}
	if err := json.Unmarshal(answer.Data, into); err != nil {
		return result{}, failure(doing, "", c.now(), err)
	}
	return result{holes: holes, bytes: len(answer.Data)}, nil
}

// ask executes an operation of a document, and once more without what this host's schema lacks.
func (c *Client) ask(ctx context.Context, doing string, of document, operation string, variables map[string]any, into any) (result, error) {
	for {
		r, err := c.query(ctx, doing, request{Text: c.asks.operation(of, operation), Operation: operation, Variables: variables}, into)
		if !c.asks.learn(err) {
			return r, err
		}
	}
}

type answer struct {
	Data   json.RawMessage `json:"data"`
	Errors []graphQLError  `json:"errors"`
}

func (c *Client) post(ctx context.Context, r request) (answer, http.Header, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return answer{}, nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.to.graphql.String(), bytes.NewReader(body))
	if err != nil {
		return answer{}, nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.agent)
	resp, err := c.http.Do(req)
	if err != nil {
		return answer{}, nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode/100 != 2 {
		return answer{}, nil, readRefusal(resp).classify("", c.now())
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return answer{}, nil, err
	}
	var a answer
	if err := json.Unmarshal(text, &a); err != nil {
		return answer{}, nil, err
	}
	a.hide(secretOf(resp.Request))
	return a, resp.Header, nil
}

// sift separates the errors that only leave a hole in the data, a part that this token may not see,
// from the one that makes the whole answer worthless.
func sift(found []graphQLError, header http.Header, c *Client) (holes []graphQLError, fatal *Error) {
	for _, e := range found {
		text := strings.ToLower(e.Message)
		hidden := slices.Contains([]string{"FORBIDDEN", "NOT_FOUND", "INSUFFICIENT_SCOPES"}, e.Type)
		switch {
		case strings.HasPrefix(e.Type, "RATE_LIMIT") || strings.Contains(text, "rate limit"):
			return nil, refusal{status: http.StatusTooManyRequests, header: header, message: e.Message}.classify("", c.now())
		case e.Type == "NOT_FOUND" && !e.Path.isPart():
			return nil, refusal{status: http.StatusNotFound, header: header, message: e.Message, token: c.appID == 0}.classify("", c.now())
		case hidden:
			holes = append(holes, e)
		case e.Extensions.Code == "undefinedField" || e.Extensions.Code == "argumentNotAccepted":
			return nil, unknownPart(found, e)
		default:
			return nil, &Error{Kind: Unavailable, Status: http.StatusOK, Message: fmt.Sprintf(
				"GitHub answered with an error (%s): try again", quote(strings.TrimSpace(e.Type+" "+e.Message)))}
		}
	}
	return holes, nil
}

// unknownPart is the failure of a query that this GitHub's schema does not fit, with every field that
// it lacks. One that is not named makes the list worthless.
func unknownPart(all []graphQLError, first graphQLError) *Error {
	failed := &Error{Kind: Invalid, Message: fmt.Sprintf(
		"this GitHub does not know a part of the query (%s): a newer Enterprise Server is needed", quote(first.Message))}
	for _, e := range all {
		if e.Extensions.Code != "undefinedField" || e.Extensions.Type == "" || e.Extensions.Field == "" {
			failed.unknown = nil
			return failed
		}
		failed.unknown = append(failed.unknown, e.Extensions.Type+"."+e.Extensions.Field)
	}
	return failed
}
