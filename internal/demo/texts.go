package demo

// The people and the places of the story.
const (
	repositoryName = "acme/widgets"
	// otherName is a repository without a policy, on which the App is installed as well.
	otherName  = "acme/gadgets"
	maintainer = "mia"
	engineer   = "eng"
)

// policyText is the policy of the repository: that there is one enrols it.
const policyText = `version: 1
level: checks     # evidence for every required check; a task may ask for more
max_attempts: 3   # that did not pass; then a maintainer has to look
`
