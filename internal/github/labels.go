package github

import (
	"context"
	"slices"

	"github.com/evidence-gate/evidence-gate/snapshot"
)

// labelings are the events of a pull request's timeline that set labels, oldest first.
type labelings struct {
	PageInfo struct {
		HasPreviousPage bool   `json:"hasPreviousPage"`
		StartCursor     string `json:"startCursor"`
	} `json:"pageInfo"`
	Nodes []*labelingNode `json:"nodes"`
}

type labelingNode struct {
	Actor *actorNode `json:"actor"`
	Label *labelNode `json:"label"`
}

// labels reads the labels, each with who set it last.
func (l *loading) labels(ctx context.Context, pr *pullRequestNode) ([]snapshot.Label, error) {
	nodes, err := rest(ctx, l, list{"MoreLabels", pr.ID, factLabels}, pr.Labels)
	if err != nil || len(nodes) == 0 {
		return nil, err
	}
	by, err := l.labelled(ctx, pr, nodes)
	if err != nil {
		return nil, err
	}
	var labels []snapshot.Label
	for _, n := range nodes {
		labels = append(labels, snapshot.Label{Name: n.Name, By: actor(by[n.ID])})
	}
	return labels, nil
}

// labelled finds who set each label last, by its id since it may have been renamed. The timeline is
// read from its end until that is known of all.
func (l *loading) labelled(ctx context.Context, pr *pullRequestNode, labels []labelNode) (map[string]*actorNode, error) {
	missing := map[string]bool{}
	for _, n := range labels {
		missing[n.ID] = true
	}
	by := map[string]*actorNode{}
	page := pr.Labelings
	for {
		if page == nil {
			reason := "GitHub left out who set them"
			if slices.Contains(l.client.asks.missing(), labelingField) {
				reason = lacking(labelingField)
			}
			l.holes.add(factLabels, reason)
			return by, nil
		}
		for i := len(page.Nodes) - 1; i >= 0; i-- {
			n := page.Nodes[i]
			if n == nil || n.Label == nil {
				l.holes.add(factLabels, "GitHub left a part of who set them out")
				continue
			}
			if missing[n.Label.ID] {
				delete(missing, n.Label.ID)
				by[n.Label.ID] = n.Actor
			}
		}
		if len(missing) == 0 || !page.PageInfo.HasPreviousPage {
			return by, nil
		}
		var err error
		if page, err = l.earlierLabelings(ctx, pr.ID, page.PageInfo.StartCursor); err != nil {
			return nil, err
		}
	}
}

func (l *loading) earlierLabelings(ctx context.Context, id, cursor string) (*labelings, error) {
	if cursor == "" {
		return nil, l.incomplete("GitHub promises an earlier page of who set labels and does not lead to it")
	}
	var n struct {
		Node *struct {
			Page *labelings `json:"page"`
		} `json:"node"`
	}
	errors, err := l.query(ctx, "EarlierLabelings", map[string]any{"id": id, "cursor": cursor}, &n)
	if err != nil {
		return nil, err
	}
	if n.Node == nil || n.Node.Page == nil {
		if len(errors) == 0 {
			return nil, l.incomplete("an earlier page of who set labels is not there any more")
		}
		return nil, nil
	}
	return n.Node.Page, nil
}
