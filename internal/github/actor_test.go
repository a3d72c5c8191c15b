package github

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

func TestActors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		node *actorNode
		want *snapshot.Actor
	}{
		"a user":                          {&actorNode{"User", "eng"}, &snapshot.Actor{Login: "eng", Type: "User"}},
		"a deleted account":               {nil, nil},
		"a bot gets its suffix":           {&actorNode{"Bot", "dependabot"}, &snapshot.Actor{Login: "dependabot[bot]", Type: "Bot"}},
		"a bot that has it keeps one":     {&actorNode{"Bot", "dependabot[bot]"}, &snapshot.Actor{Login: "dependabot[bot]", Type: "Bot"}},
		"a user named like a bot is none": {&actorNode{"User", "dependabot"}, &snapshot.Actor{Login: "dependabot", Type: "User"}},
		"an organization":                 {&actorNode{"Organization", "acme"}, &snapshot.Actor{Login: "acme", Type: "Organization"}},
		"a mannequin":                     {&actorNode{"Mannequin", "old"}, &snapshot.Actor{Login: "old", Type: "Mannequin"}},
		"an unknown type is no User":      {&actorNode{"EnterpriseUserAccount", "eve"}, &snapshot.Actor{Login: "eve"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, actor(c.node))
		})
	}
}

func TestCommitAuthors(t *testing.T) {
	t.Parallel()
	account := func(login string) gitActorNode {
		n := gitActorNode{Email: login + "@example.com"}
		n.User = &struct {
			Login string `json:"login"`
		}{login}
		return n
	}
	address := func(email string) gitActorNode { return gitActorNode{Email: email} }
	flow := account("web-flow")
	eng, lead := account("eng"), account("lead")
	stranger, github := address("who@example.com"), address("noreply@github.com")
	for name, c := range map[string]struct {
		authors   []gitActorNode
		committer *gitActorNode
		want      []*string
	}{
		"author and committer are one":         {[]gitActorNode{eng}, &eng, []*string{new("eng")}},
		"a co-author and another committer":    {[]gitActorNode{eng, account("pair")}, &lead, []*string{new("eng"), new("pair"), new("lead")}},
		"an author without an account":         {[]gitActorNode{stranger}, &eng, []*string{nil, new("eng")}},
		"several without an account are one":   {[]gitActorNode{stranger, address("x@example.com")}, &stranger, []*string{nil}},
		"GitHub's own committer is no author":  {[]gitActorNode{eng}, &flow, []*string{new("eng")}},
		"GitHub's address without the account": {[]gitActorNode{eng}, &github, []*string{new("eng")}},
		"an author web-flow stays":             {[]gitActorNode{flow}, &flow, []*string{new("web-flow")}},
		"no committer at all is unattributed":  {[]gitActorNode{eng}, nil, []*string{new("eng"), nil}},
		"a bot is known by its address":        {[]gitActorNode{address("49699333+dependabot[bot]@users.noreply.github.com")}, &flow, []*string{new("dependabot[bot]")}},
		"a bot's address of another GitHub":    {[]gitActorNode{address("1+x[bot]@users.noreply.ghe.example.com")}, &flow, []*string{nil}},
		"a person's noreply address is none":   {[]gitActorNode{address("1+eng@users.noreply.github.com")}, &flow, []*string{nil}},
		"nobody":                               {nil, &flow, []*string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			to, err := parseEndpoint("", "")
			require.NoError(t, err)
			require.Equal(t, c.want, to.commitAuthors(c.authors, c.committer))
		})
	}
}
