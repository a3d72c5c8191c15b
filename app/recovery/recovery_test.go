package recovery

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/github"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

type world struct {
	list     []github.Delivery // newest first
	pageSize int
	pages    int
	asked    []int64
	refused  map[int64]error
	states   map[string]string
	until    time.Time
	now      time.Time
}

func (w *world) Deliveries(_ context.Context, cursor string) ([]github.Delivery, string, error) {
	w.pages++
	start := 0
	if cursor != "" {
		_, _ = fmt.Sscan(cursor, &start)
	}
	end := min(start+w.pageSize, len(w.list))
	next := ""
	if end < len(w.list) {
		next = fmt.Sprint(end)
	}
	return w.list[start:end], next, nil
}

func (w *world) Redeliver(_ context.Context, id int64) error {
	if err := w.refused[id]; err != nil {
		return err
	}
	w.asked = append(w.asked, id)
	return nil
}

func (w *world) LookedUntil(context.Context) (time.Time, error) { return w.until, nil }

func (w *world) SetLookedUntil(_ context.Context, at time.Time) error {
	w.until = at
	return nil
}

func (w *world) DeliveryState(_ context.Context, guid string) (string, error) {
	return w.states[guid], nil
}

func newWorld(list ...github.Delivery) (*world, *Recovery) {
	w := &world{list: list, pageSize: 100, now: noon, states: map[string]string{}, refused: map[int64]error{}}
	return w, &Recovery{GitHub: w, Store: w, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return w.now }}
}

func sentAt(id int64, guid string, ago time.Duration, status int) github.Delivery {
	return github.Delivery{ID: id, GUID: guid, At: noon.Add(-ago), Status: status}
}

func TestWhatIsAskedForAgain(t *testing.T) {
	t.Parallel()
	const h = time.Hour
	rows := []struct {
		rule   string
		list   []github.Delivery
		states map[string]string
		want   []int64
	}{
		{rule: "nobody answered", list: []github.Delivery{sentAt(1, "a", h, 0)}, want: []int64{1}},
		{rule: "the database was down", list: []github.Delivery{sentAt(1, "a", h, 503)}, want: []int64{1}},
		{rule: "a proxy failed", list: []github.Delivery{sentAt(1, "a", h, 502)}, want: []int64{1}},
		{rule: "the secret was wrong for a while", list: []github.Delivery{sentAt(1, "a", h, 401)}, want: []int64{1}},
		{rule: "it arrived", list: []github.Delivery{sentAt(1, "a", h, 202)}},
		{rule: "it cannot be read", list: []github.Delivery{sentAt(1, "a", h, 400)}},
		{rule: "it is too large", list: []github.Delivery{sentAt(1, "a", h, 413)}},
		{rule: "a later attempt arrived", list: []github.Delivery{sentAt(2, "a", h, 202), sentAt(1, "a", 2*h, 0)}},
		{rule: "an earlier attempt arrived", list: []github.Delivery{sentAt(2, "a", h, 500), sentAt(1, "a", 2*h, 202)}},
		{rule: "the answer was lost, the delivery was not", list: []github.Delivery{sentAt(1, "a", h, 0)}, states: map[string]string{"a": "open"}},
		{rule: "sent twice, asked for once", list: []github.Delivery{sentAt(2, "a", h, 503), sentAt(1, "a", 2*h, 503)}, want: []int64{2}},
		{rule: "oldest first", list: []github.Delivery{sentAt(2, "b", h, 0), sentAt(1, "a", 2*h, 0)}, want: []int64{1, 2}},
		{rule: "it may be on its way", list: []github.Delivery{sentAt(1, "a", time.Second, 0)}},
		{rule: "the attempts are spaced", list: []github.Delivery{sentAt(2, "a", 90*time.Second, 0), sentAt(1, "a", h, 0)}},
		{rule: "it fails time and again", list: []github.Delivery{
			sentAt(6, "a", h, 500), sentAt(5, "a", 2*h, 500), sentAt(4, "a", 3*h, 500), sentAt(3, "a", 4*h, 500), sentAt(2, "a", 5*h, 500), sentAt(1, "a", 6*h, 500),
		}},
		{rule: "older than GitHub keeps", list: []github.Delivery{sentAt(1, "a", 73*h, 0)}},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			w, r := newWorld(row.list...)
			w.states = row.states
			asked, err := r.Look(t.Context())
			require.NoError(t, err)
			require.Equal(t, row.want, w.asked)
			require.Len(t, row.want, asked)
		})
	}
}

func TestTheNextLookBeginsAtTheLastSuccess(t *testing.T) {
	t.Parallel()
	w, r := newWorld(sentAt(3, "c", time.Minute, 202), sentAt(2, "b", time.Hour, 0), sentAt(1, "a", 2*time.Hour, 202))
	_, err := r.Look(t.Context())
	require.NoError(t, err)
	require.Equal(t, noon.Add(-time.Hour), w.until, "b is still missing")

	w.list = append([]github.Delivery{{ID: 4, GUID: "b", At: noon.Add(time.Second), Status: 202}}, w.list...)
	w.now = noon.Add(5 * time.Minute)
	_, err = r.Look(t.Context())
	require.NoError(t, err)
	require.Equal(t, []int64{2}, w.asked, "not asked for again")
	require.Equal(t, w.now, w.until)

	w.list = append(w.list, sentAt(0, "before", 3*time.Hour, 0))
	_, err = r.Look(t.Context())
	require.NoError(t, err)
	require.Equal(t, []int64{2}, w.asked, "what lies before the last success is not looked at")
}

// TestALookIsBoundedAndTheNextGoesOn where it stopped.
func TestALookIsBoundedAndTheNextGoesOn(t *testing.T) {
	t.Parallel()
	w, r := newWorld()
	w.pageSize = 1
	for i := range mostPages + 2 {
		w.list = append(w.list, sentAt(int64(100-i), fmt.Sprint("g", i), time.Duration(i+1)*time.Hour, 202))
	}
	w.list = append(w.list, sentAt(1, "lost", 30*time.Hour, 0))
	_, err := r.Look(t.Context())
	require.NoError(t, err)
	require.Equal(t, mostPages, w.pages)
	require.Zero(t, w.until, "not the end yet")
	asked, err := r.Look(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, asked)
	require.Equal(t, mostPages+3, w.pages)

	w, r = newWorld()
	for i := range mostAsked + 10 {
		w.list = append(w.list, sentAt(int64(1000-i), fmt.Sprint("g", i), time.Duration(i+60)*time.Minute, 0))
	}
	w.pageSize = 1000
	asked, err = r.Look(t.Context())
	require.NoError(t, err)
	require.Equal(t, mostAsked, asked)
}

func TestOneThatGitHubRefusesDoesNotStopTheOthers(t *testing.T) {
	t.Parallel()
	w, r := newWorld(sentAt(2, "b", time.Hour, 0), sentAt(1, "a", 2*time.Hour, 0))
	w.refused[1] = &github.Error{Kind: github.NotFound, Message: "there is none"}
	asked, err := r.Look(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, asked)

	w, r = newWorld(sentAt(2, "b", time.Hour, 0), sentAt(1, "a", 2*time.Hour, 0))
	w.refused[1] = &github.Error{Kind: github.RateLimited, Message: "wait"}
	_, err = r.Look(t.Context())
	require.Error(t, err)
	require.Zero(t, w.until, "nothing counts as looked at")
}
