package githubtest

import (
	"slices"
	"strings"
	"time"
)

// labeling is one change of the labels of an issue or pull request, as its timeline tells it.
type labeling struct {
	id    int64
	label *label
	actor *account
	at    time.Time
	set   bool // rather than taken away
}

func (t *thread) addLabel(actor *account, name string) *label {
	l := t.repository.label(name)
	if slices.Contains(t.labels, l) {
		return nil
	}
	t.labels = append(t.labels, l)
	t.recordLabel(actor, l, true)
	return l
}

func (t *thread) removeLabel(actor *account, name string) *label {
	for i, l := range t.labels {
		if strings.EqualFold(l.name, name) {
			t.labels = slices.Delete(t.labels, i, i+1)
			t.recordLabel(actor, l, false)
			return l
		}
	}
	return nil
}

func (t *thread) recordLabel(actor *account, l *label, set bool) {
	w := t.repository.world
	t.labelings = append(t.labelings, labeling{id: w.nextID("label_event"), label: l, actor: actor, at: w.now(), set: set})
}
