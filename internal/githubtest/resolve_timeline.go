package githubtest

import (
	"errors"
	"slices"

	"github.com/graph-gophers/graphql-go"
)

type timelineArgs struct {
	pageArgs
	ItemTypes *[]string
}

// TimelineItems are what happened to the pull request's labels, oldest first; nothing else of its
// timeline is modelled.
func (p *pullResolver) TimelineItems(args timelineArgs) (*timelineResolver, error) {
	if args.ItemTypes == nil {
		return nil, errors.New("PullRequest.timelineItems without itemTypes is not modelled")
	}
	events := slices.DeleteFunc(slices.Clone(p.pull.labelings), func(l labeling) bool {
		return !slices.Contains(*args.ItemTypes, l.itemType())
	})
	page, err := connect(events, args.pageArgs, func(l labeling) *timelineItemResolver {
		return &timelineItemResolver{labelEventResolver{l}}
	})
	if err != nil {
		return nil, err
	}
	return &timelineResolver{page}, nil
}

func (l labeling) itemType() string {
	if l.set {
		return "LABELED_EVENT"
	}
	return "UNLABELED_EVENT"
}

type timelineResolver struct {
	*connection[*timelineItemResolver]
}

// FilteredCount counts what the filters leave.
func (t *timelineResolver) FilteredCount() int32 { return t.TotalCount() }

// PageCount counts what the page holds.
func (t *timelineResolver) PageCount() int32 { return int32(len(t.page)) }

type timelineItemResolver struct{ event labelEventResolver }

func (i *timelineItemResolver) ToLabeledEvent() (*labelEventResolver, bool) {
	return &i.event, i.event.labeling.set
}

func (i *timelineItemResolver) ToUnlabeledEvent() (*labelEventResolver, bool) {
	return &i.event, !i.event.labeling.set
}

// labelEventResolver is a LabeledEvent or an UnlabeledEvent.
type labelEventResolver struct{ labeling labeling }

func (e *labelEventResolver) ID() graphql.ID        { return globalID("LE", e.labeling.id) }
func (e *labelEventResolver) Actor() *actorResolver { return actor(e.labeling.actor) }
func (e *labelEventResolver) CreatedAt() text       { return dateTime(e.labeling.at) }
func (e *labelEventResolver) Label() *labelResolver { return labelOf(e.labeling.label) }
