package snapshot

// shape is what the JSON Schema says of one value; see schema/snapshot.schema.json. The tables
// below are that schema written for the scanner: a test runs both on the same inputs.
type shape struct {
	kind     kind
	null     bool              // null is allowed too
	members  map[string]*shape // of an object; nil leaves it open
	required []string
	items    *shape   // of an array
	oneOf    []string // allowed strings
	sha      bool     // 40 or 64 lower-case hexadecimal digits
	natural  bool     // no number below zero
	only     int64    // the one allowed number, when not zero
	either   []*shape // object shapes told apart by their first required member
}

type kind string

const (
	object  kind = "an object"
	array   kind = "an array"
	text    kind = "a string"
	integer kind = "an integer"
	boolean kind = "true or false"
)

type members = map[string]*shape

var (
	anyText    = &shape{kind: text}
	maybeText  = &shape{kind: text, null: true}
	number     = &shape{kind: integer}
	count      = &shape{kind: integer, natural: true}
	flag       = &shape{kind: boolean}
	sha        = &shape{kind: text, sha: true}
	texts      = list(anyText)
	openObject = &shape{kind: object}
)

func list(items *shape) *shape { return &shape{kind: array, items: items} }

func oneOf(words ...string) *shape { return &shape{kind: text, oneOf: words} }

// closed is an object that has no other members.
func closed(m members, required ...string) *shape {
	return &shape{kind: object, members: m, required: required}
}

func orNull(s *shape) *shape {
	with := *s
	with.null = true
	return &with
}

var actorShape = orNull(closed(members{
	"login":      anyText,
	"type":       oneOf("User", "Bot", "Organization", "Mannequin"),
	"permission": oneOf("admin", "maintain", "write", "triage", "read", "none"),
	"teams":      texts,
}, "login"))

var revisionsShape = list(closed(members{
	"editor":    actorShape,
	"edited_at": anyText,
	"body":      maybeText,
	"erased":    flag,
}, "editor", "edited_at"))

var commentsShape = list(closed(members{
	"id":         number,
	"author":     actorShape,
	"body":       anyText,
	"created_at": anyText,
	"updated_at": anyText,
	"revisions":  revisionsShape,
}, "id", "author", "body"))

var fileShape = orNull(closed(members{
	"path":                    anyText,
	"text":                    anyText,
	"changed_in_pull_request": flag,
}, "path", "text"))

var repositoryShape = closed(members{
	"id":             number,
	"owner":          anyText,
	"name":           anyText,
	"default_branch": anyText,
	"private":        flag,
	"maintainers":    count,
}, "owner", "name")

var pullRequestShape = closed(members{
	"number":        number,
	"title":         anyText,
	"body":          maybeText,
	"state":         oneOf("open", "closed", "merged"),
	"draft":         flag,
	"fork":          flag,
	"author":        actorShape,
	"head_sha":      sha,
	"base_sha":      sha,
	"base_ref":      anyText,
	"created_at":    anyText,
	"pushed_at":     anyText,
	"changed_files": count,
	"changed_paths": texts,
	"labels":        list(closed(members{"name": anyText, "by": actorShape}, "name")),
	"commits":       list(closed(members{"sha": sha, "authors": list(maybeText), "committed_at": anyText}, "sha", "authors")),
	"revisions":     revisionsShape,
	"stacked_on":    list(closed(members{"number": number, "author": actorShape})),
}, "number", "head_sha")

var linkedShape = list(closed(members{
	"repository": anyText,
	"number":     number,
	"source":     oneOf("closing", "keyword", "flag"),
	"readable":   flag,
	"has_checks": flag,
}, "repository", "number", "source", "readable"))

var issueShape = orNull(closed(members{
	"number":    number,
	"title":     anyText,
	"body":      maybeText,
	"author":    actorShape,
	"type":      anyText,
	"labels":    texts,
	"revisions": revisionsShape,
	"comments":  commentsShape,
}, "number", "body"))

var reviewsShape = list(closed(members{
	"author":       actorShape,
	"state":        oneOf("approved", "changes_requested", "commented", "dismissed", "pending"),
	"commit_sha":   sha,
	"submitted_at": anyText,
	"body":         anyText,
}, "author", "state", "commit_sha"))

var statusChecksShape = list(&shape{kind: object, either: []*shape{
	closed(members{
		"name":         anyText,
		"app":          anyText,
		"workflow":     anyText,
		"status":       anyText,
		"conclusion":   maybeText,
		"started_at":   maybeText,
		"completed_at": maybeText,
		"url":          anyText,
	}, "name", "status"),
	closed(members{
		"context":    anyText,
		"state":      oneOf("success", "failure", "error", "pending", "expected"),
		"creator":    anyText,
		"created_at": anyText,
		"url":        anyText,
	}, "context", "state"),
}})

var memoryShape = closed(members{
	"contract": orNull(closed(members{
		"checks":      list(closed(members{"id": maybeText, "text": anyText})),
		"issue":       number,
		"digest":      anyText,
		"recorded_at": anyText,
	})),
	"carriers": list(closed(members{
		"comment_id": number,
		"check":      anyText,
		"body":       anyText,
		"author":     anyText,
		"seen_at":    anyText,
	})),
})

var runsShape = list(closed(members{
	"check":           anyText,
	"command":         anyText,
	"outcome":         anyText,
	"exit_code":       number,
	"head_sha":        sha,
	"tree":            sha,
	"topology":        oneOf("baseline", "lane_final", "integrated", "post_merge"),
	"fingerprint":     anyText,
	"contract_digest": anyText,
	"output_sha256":   anyText,
	"by":              actorShape,
	"at":              anyText,
}))

var actionsShape = list(closed(members{
	"kind":       oneOf("approve", "accept_contract", "confirm_contract", "accept_loss", "triage", "needs_human", "override"),
	"actor":      actorShape,
	"via":        oneOf("button", "page", "comment"),
	"at":         anyText,
	"head_sha":   sha,
	"comment_id": number,
	"check":      anyText,
	"attempt":    number,
	"digest":     anyText,
	"reason":     anyText,
}, "kind", "actor"))

var mergeGroupShape = orNull(closed(members{
	"head_sha":      sha,
	"base_sha":      sha,
	"tree":          sha,
	"pull_requests": list(closed(members{"number": number, "head_sha": sha})),
	"status_checks": statusChecksShape,
}, "head_sha", "base_sha"))

var unavailableShape = list(closed(members{
	"fact": oneOf("issue", "issue.comments", "issue.revisions", "comments", "reviews", "commits", "changed_paths",
		"pull_request.revisions", "status_checks", "policy", "profile", "permissions", "teams", "labels", "references",
		"memory", "actions", "attestations", "url_checks", "runs", "merge_group"),
	"reason": anyText,
}, "fact", "reason"))

var snapshotShape = closed(members{
	"schema":              {kind: integer, only: Schema},
	"now":                 anyText,
	"app":                 anyText,
	"repository":          repositoryShape,
	"pull_request":        pullRequestShape,
	"linked":              linkedShape,
	"issue":               issueShape,
	"comments":            commentsShape,
	"reviews":             reviewsShape,
	"unavailable":         unavailableShape,
	"status_checks":       statusChecksShape,
	"policy":              fileShape,
	"organisation_policy": fileShape,
	"profile":             fileShape,
	"references":          closed(members{"decisions": texts, "tasks": texts, "rules": texts}),
	"memory":              memoryShape,
	"runs":                runsShape,
	"actions":             actionsShape,
	"merge_group":         mergeGroupShape,
	"attestations": list(closed(members{
		"envelope":    openObject,
		"job":         anyText,
		"claimed_at":  anyText,
		"received_at": anyText,
	}, "envelope")),
	"url_checks": list(closed(members{
		"check":  anyText,
		"url":    anyText,
		"state":  oneOf("pending", "answered", "unchecked"),
		"status": number,
		"tries":  number,
		"reason": anyText,
		"at":     anyText,
	}, "url", "state")),
}, "schema", "now", "repository", "pull_request")
