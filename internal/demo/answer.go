package demo

import (
	"fmt"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
)

// answer is what the service said to a command, as GitHub shows it.
type answer struct {
	reactions []string // such as "+1"
	reply     string   // Markdown
	added     string   // Markdown
	requested []string // logins that were asked for a review
}

// answerTo reads the service's answer to what was asked.
func (s *story) answerTo(did deed) answer {
	var a answer
	if did.asked == nil {
		return a
	}
	bot := s.stage.github.App().Slug + "[bot]"
	for _, reaction := range did.asked.Reactions() {
		if who, what, _ := strings.Cut(reaction, " "); who == bot {
			a.reactions = append(a.reactions, what)
		}
	}
	a.reply = replyTo(did.asked, s.pull)
	if did.added != nil {
		a.added = did.added()
	}
	if did.requests {
		a.requested = s.pull.RequestedReviewers()
	}
	return a
}

// replyTo is the service's comment about another one, which it marks with that one's id.
func replyTo(asked *githubtest.Comment, on *githubtest.PullRequest) string {
	for _, text := range on.Comments() {
		marker, rest, _ := strings.Cut(text, "\n")
		if strings.HasSuffix(marker, fmt.Sprintf(":%d -->", asked.ID())) {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// complete says whether everything that is to come has come.
func (a answer) complete(did deed, refused bool) bool {
	switch {
	case did.asked == nil:
		return true
	case len(a.reactions) == 0, refused && a.reply == "", did.added != nil && a.added == "", did.requests && len(a.requested) == 0:
		return false
	}
	return true
}

// faces are GitHub's reactions as it draws them.
var faces = map[string]string{"+1": "👍", "confused": "😕"}

// said words what the service did.
func (a answer) said() string {
	drawn := make([]string, len(a.reactions))
	for i, reaction := range a.reactions {
		if drawn[i] = faces[reaction]; drawn[i] == "" {
			drawn[i] = reaction
		}
	}
	text := "The service reacts with " + strings.Join(drawn, " ")
	switch {
	case len(a.requested) > 0:
		return text + " and asks " + strings.Join(a.requested, " and ") + " for a review."
	case a.reply != "":
		return text + " and replies:"
	case a.added != "":
		return text + " and appends to the carrier:"
	}
	return text + "."
}
