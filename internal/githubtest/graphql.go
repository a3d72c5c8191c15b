package githubtest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"

	"github.com/graph-gophers/graphql-go"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"
)

type graphqlServer struct {
	schema *graphql.Schema
}

func newGraphQLServer(w *World) (*graphqlServer, error) {
	schema, err := graphql.ParseSchema(schemaText, &queryResolver{w}, graphql.UseFieldResolvers(), graphql.DisableFieldSelections())
	if err != nil {
		return nil, errors.Join(errors.New("githubtest: the resolvers do not fit schema.graphql"), err)
	}
	return &graphqlServer{schema: schema}, nil
}

// graphqlRequest is the body of a GraphQL request.
type graphqlRequest struct {
	Query         string         `json:"query"`
	OperationName string         `json:"operationName"`
	Variables     map[string]any `json:"variables"`
}

// execution is what resolvers know of the request that they serve.
type execution struct {
	grant  *grant
	cost   queryCost
	hidden atomic.Bool // an element of a list was left null because it is not readable
}

type executionKey struct{}

func executionOf(ctx context.Context) *execution { return ctx.Value(executionKey{}).(*execution) }

// answerGraphQL validates and executes a query while the world stands still.
func (s *Server) answerGraphQL(r *http.Request) response {
	body, _ := io.ReadAll(r.Body)
	answer := look(s.world, func() response {
		grant, refused := s.world.authenticate(r)
		if refused != nil {
			if bearer(r) == "" {
				refused = unauthorized("This endpoint requires you to be authenticated.")
			}
			return *refused
		}
		answer := s.query(r.Context(), grant, body).frozen()
		answer.budget, answer.resource = grant.rate(), "graphql"
		return answer
	})
	return answer
}

func (s *Server) query(ctx context.Context, g *grant, body []byte) response {
	var asked graphqlRequest
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber()
	if err := decoder.Decode(&asked); err != nil {
		return failure(http.StatusBadRequest, "Problems parsing JSON")
	}
	if asked.Query == "" {
		return failure(http.StatusBadRequest, "A query attribute must be specified and must be a string.")
	}
	document, err := parseQuery(asked.Query)
	if err != nil {
		return s.refuseQuery(err)
	}
	if problems := unknownFields(document, s.lacks); len(problems) > 0 {
		return graphqlErrors(problems...)
	}
	operation := document.Operations.ForName(asked.OperationName)
	if operation == nil {
		return graphqlErrors(object{"message": "An operation name is required"})
	}
	schema, _ := parsedSchema()
	asked.Variables = plainNumbers(asked.Variables).(map[string]any)
	variables, err := validator.VariableValues(schema, operation, asked.Variables)
	if err != nil {
		return graphqlErrors(variableError(operation, err))
	}
	cost, problems := measure(operation, variables)
	if len(problems) > 0 {
		return graphqlErrors(problems...)
	}
	if !g.rate().spend(s.clock(), "graphql", cost.points()) {
		return graphqlErrors(object{"type": "RATE_LIMITED", "message": "API rate limit exceeded for " + g.describe() + "."})
	}
	run := &execution{grant: g, cost: cost}
	ctx = context.WithValue(ctx, executionKey{}, run)
	return s.finish(ctx, run, operation, s.graphql.schema.Exec(ctx, asked.Query, asked.OperationName, asked.Variables))
}

// refuseQuery answers a query that does not fit the schema, and reports it by name.
func (s *Server) refuseQuery(err error) response {
	var list gqlerror.List
	if !errors.As(err, &list) {
		return failure(http.StatusInternalServerError, err.Error())
	}
	var answers []object
	for _, problem := range list {
		s.reporter.Errorf("githubtest: GraphQL: %s (not in the modelled part of GitHub's schema)", problem.Message)
		answers = append(answers, invalidQuery(problem))
	}
	return graphqlErrors(answers...)
}

func graphqlErrors(list ...object) response { return ok(object{"errors": list}) }

var fieldProblem = regexp.MustCompile(`^Cannot query field "(\w+)" on type "(\w+)"`)
var argumentProblem = regexp.MustCompile(`^Unknown argument "(\w+)" on field "(\w+)\.(\w+)"`)

// invalidQuery words a problem as GitHub does where it is one of an unknown field or argument.
func invalidQuery(problem *gqlerror.Error) object {
	answer := object{"message": problem.Message, "locations": problem.Locations}
	if m := fieldProblem.FindStringSubmatch(problem.Message); m != nil {
		answer["message"] = "Field '" + m[1] + "' doesn't exist on type '" + m[2] + "'"
		answer["extensions"] = object{"code": "undefinedField", "typeName": m[2], "fieldName": m[1]}
	}
	if m := argumentProblem.FindStringSubmatch(problem.Message); m != nil {
		answer["message"] = "Field '" + m[3] + "' doesn't accept argument '" + m[1] + "'"
		answer["extensions"] = object{"code": "argumentNotAccepted", "name": m[3], "typeName": "Field", "argumentName": m[1]}
	}
	return answer
}

func variableError(operation *ast.OperationDefinition, err error) object {
	answer := object{"message": err.Error()}
	var problem *gqlerror.Error
	if !errors.As(err, &problem) || len(problem.Path) < 2 {
		return answer
	}
	name := problem.Path[1:2].String()
	for _, v := range operation.VariableDefinitions {
		if v.Variable == name {
			answer["message"] = "Variable $" + name + " of type " + v.Type.String() + " was provided invalid value"
			answer["extensions"] = object{"value": nil, "problems": []object{{"path": []any{}, "explanation": problem.Message}}}
		}
	}
	return answer
}

// plainNumbers turns JSON numbers into int64 where they are whole, which both libraries read as Int.
func plainNumbers(value any) any {
	switch v := value.(type) {
	case map[string]any:
		plain := make(map[string]any, len(v))
		for name, member := range v {
			plain[name] = plainNumbers(member)
		}
		return plain
	case []any:
		plain := make([]any, len(v))
		for i, member := range v {
			plain[i] = plainNumbers(member)
		}
		return plain
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return int(n)
		}
		f, _ := v.Float64()
		return f
	}
	return value
}

var operationPattern = regexp.MustCompile(`\b(?:query|mutation)\s+(\w+)`)

// operationName names the GraphQL operation of a request body, for the log and for faults.
func operationName(path string, body []byte) string {
	if path != "/graphql" {
		return ""
	}
	var asked graphqlRequest
	if json.Unmarshal(body, &asked) != nil {
		return ""
	}
	if asked.OperationName != "" {
		return asked.OperationName
	}
	if m := operationPattern.FindStringSubmatch(asked.Query); m != nil {
		return m[1]
	}
	return ""
}
