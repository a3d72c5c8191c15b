// Package githubtest is a GitHub simulator: an HTTP server that answers the part of GitHub's REST
// and GraphQL APIs that Evidence Gate uses, over a world of repositories, pull requests, issues and
// check runs that a test (or the demo) changes through Go methods, and that sends the signed
// webhooks which GitHub would send (design sections 18 and 19).
//
// It judges its callers: an endpoint, query parameter, request field, GraphQL field or argument
// that it does not model is reported by name through [Reporter], so a test can never pass on an
// answer that was made up. Shapes, limits and error texts follow GitHub's documentation; the tests
// name the page.
//
// The usual way in:
//
//	gh := githubtest.NewT(t)
//	repo := gh.World().AddRepository("acme/widgets", githubtest.RepositoryOptions{})
//	pr := repo.OpenPullRequest(githubtest.PullRequestOptions{Author: "eng", Title: "Add dark mode"})
//	gh.Webhooks().SetTarget(serviceURL + "/webhooks/github")
//	pr.EditBody("eng", "## Evidence\n...")
//	err := gh.WaitFor(ctx, func() bool { return len(repo.CheckRuns(pr.HeadSHA())) == 1 })
//
// Accounts come into being when they are named; a login that ends in "[bot]" is a bot, as GitHub's
// REST API writes it. Repositories are private unless said otherwise, since GitHub lets anybody
// read public ones whatever the token's permissions are.
package githubtest
