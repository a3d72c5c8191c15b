package github

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeliveriesAreListedAndAskedForAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	status := http.StatusServiceUnavailable
	receiver := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) { answer.WriteHeader(status) }))
	defer receiver.Close()
	w.Webhooks().SetTarget(receiver.URL)
	for range pageSize + 1 {
		_, err := w.Webhooks().Ping(t.Context())
		require.NoError(t, err)
	}
	first, next, err := w.app.Deliveries(t.Context(), "")
	require.NoError(t, err)
	require.Len(t, first, pageSize)
	require.NotEmpty(t, next)
	last, next, err := w.app.Deliveries(t.Context(), next)
	require.NoError(t, err)
	require.Len(t, last, 1)
	require.Empty(t, next)
	oldest := last[0]
	require.Equal(t, 503, oldest.Status)
	require.False(t, oldest.Delivered())
	require.Equal(t, "ping", oldest.Event)
	require.False(t, oldest.At.IsZero())
	require.Less(t, oldest.ID, first[0].ID, "newest first")

	status = http.StatusAccepted
	require.NoError(t, w.app.Redeliver(t.Context(), oldest.ID))
	require.NoError(t, w.Webhooks().Flush(t.Context()))
	again, _, err := w.app.Deliveries(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, oldest.GUID, again[0].GUID)
	require.NotEqual(t, oldest.ID, again[0].ID)
	require.True(t, again[0].Delivered())
	require.Equal(t, NotFound, KindOf(w.app.Redeliver(t.Context(), 7)))
}
