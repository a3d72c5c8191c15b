package github

import (
	"encoding/json"
	"strconv"
	"strings"
)

// The shapes of the answers to pull_request.graphql, one struct a fragment. A pointer is nil where
// GitHub leaves null.

type connection[T any] struct {
	TotalCount int `json:"totalCount"`
	PageInfo   struct {
		HasNextPage bool   `json:"hasNextPage"`
		EndCursor   string `json:"endCursor"`
	} `json:"pageInfo"`
	Nodes []*T `json:"nodes"`
}

type repositoryNode struct {
	DatabaseID       int64            `json:"databaseId"`
	NameWithOwner    string           `json:"nameWithOwner"`
	IsPrivate        bool             `json:"isPrivate"`
	DefaultBranchRef *refNode         `json:"defaultBranchRef"`
	PullRequest      *pullRequestNode `json:"pullRequest"`
}

type refNode struct {
	Name string `json:"name"`
}

type baseRefNode struct {
	ID     string `json:"id"`
	Target *struct {
		OID string `json:"oid"`
	} `json:"target"`
	Stacked *connection[stackedNode] `json:"stacked"`
}

type stackedNode struct {
	Number            int        `json:"number"`
	IsCrossRepository bool       `json:"isCrossRepository"`
	Author            *actorNode `json:"author"`
	Repository        *struct {
		NameWithOwner string `json:"nameWithOwner"`
	} `json:"repository"`
}

type pullRequestNode struct {
	ID                string                  `json:"id"`
	Number            int                     `json:"number"`
	Title             string                  `json:"title"`
	Body              string                  `json:"body"`
	State             string                  `json:"state"`
	IsDraft           bool                    `json:"isDraft"`
	IsCrossRepository bool                    `json:"isCrossRepository"`
	CreatedAt         string                  `json:"createdAt"`
	Author            *actorNode              `json:"author"`
	HeadRefOID        string                  `json:"headRefOid"`
	BaseRefName       string                  `json:"baseRefName"`
	BaseRef           *baseRefNode            `json:"baseRef"`
	ChangedFiles      *int                    `json:"changedFiles"`
	Labels            *connection[labelNode]  `json:"labels"`
	Labelings         *labelings              `json:"labelings"`
	Edits             *connection[editNode]   `json:"userContentEdits"`
	Comments          *connection[comment]    `json:"comments"`
	Reviews           *connection[reviewNode] `json:"reviews"`
	Commits           *connection[commitNode] `json:"commits"`
	Closing           *connection[issueNode]  `json:"closingIssuesReferences"`
	Head              *connection[headNode]   `json:"head"`
}

type actorNode struct {
	Type  string `json:"__typename"`
	Login string `json:"login"`
}

type labelNode struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type editNode struct {
	CreatedAt string     `json:"createdAt"`
	EditedAt  string     `json:"editedAt"`
	DeletedAt *string    `json:"deletedAt"`
	Diff      *string    `json:"diff"`
	Editor    *actorNode `json:"editor"`
}

type comment struct {
	ID         string                `json:"id"`
	DatabaseID bigInt                `json:"fullDatabaseId"`
	Body       string                `json:"body"`
	CreatedAt  string                `json:"createdAt"`
	UpdatedAt  string                `json:"updatedAt"`
	Author     *actorNode            `json:"author"`
	Edits      *connection[editNode] `json:"userContentEdits"`
}

type reviewNode struct {
	State       string     `json:"state"`
	Body        string     `json:"body"`
	SubmittedAt *string    `json:"submittedAt"`
	Author      *actorNode `json:"author"`
	Commit      *struct {
		OID string `json:"oid"`
	} `json:"commit"`
}

type commitNode struct {
	Commit *struct {
		ID            string                    `json:"id"`
		OID           string                    `json:"oid"`
		CommittedDate string                    `json:"committedDate"`
		Authors       *connection[gitActorNode] `json:"authors"`
		Committer     *gitActorNode             `json:"committer"`
	} `json:"commit"`
}

type gitActorNode struct {
	Email string `json:"email"`
	User  *struct {
		Login string `json:"login"`
	} `json:"user"`
}

type issueNode struct {
	ID         string     `json:"id"`
	Number     int        `json:"number"`
	Title      string     `json:"title"`
	Body       string     `json:"body"`
	CreatedAt  string     `json:"createdAt"`
	Author     *actorNode `json:"author"`
	Repository *struct {
		NameWithOwner string `json:"nameWithOwner"`
	} `json:"repository"`
	Labels   *connection[labelNode] `json:"labels"`
	Edits    *connection[editNode]  `json:"userContentEdits"`
	Comments *connection[comment]   `json:"comments"`
}

type headNode struct {
	Commit *struct {
		ID     string      `json:"id"`
		OID    string      `json:"oid"`
		Rollup *rollupNode `json:"statusCheckRollup"`
	} `json:"commit"`
}

type rollupNode struct {
	Contexts *connection[contextNode] `json:"contexts"`
}

// contextNode is a check run or a commit status; of a union member that came later only the type
// is read.
type contextNode struct {
	Type string `json:"__typename"`

	Name        string  `json:"name"`
	Status      string  `json:"status"`
	Conclusion  *string `json:"conclusion"`
	StartedAt   *string `json:"startedAt"`
	CompletedAt *string `json:"completedAt"`
	DetailsURL  string  `json:"detailsUrl"`
	CheckSuite  *struct {
		App *struct {
			Slug string `json:"slug"`
		} `json:"app"`
		WorkflowRun *struct {
			Workflow *struct {
				Name string `json:"name"`
			} `json:"workflow"`
		} `json:"workflowRun"`
	} `json:"checkSuite"`

	Context   string     `json:"context"`
	State     string     `json:"state"`
	CreatedAt string     `json:"createdAt"`
	TargetURL string     `json:"targetUrl"`
	Creator   *actorNode `json:"creator"`
}

// bigInt is GitHub's BigInt: a number of up to 64 bits, written as a string or as a number.
type bigInt int64

func (b *bigInt) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	n, err := strconv.ParseInt(strings.Trim(string(text), `"`), 10, 64)
	if err != nil {
		return &json.UnmarshalTypeError{Value: "BigInt " + quote(string(text)), Offset: 0}
	}
	*b = bigInt(n)
	return nil
}
