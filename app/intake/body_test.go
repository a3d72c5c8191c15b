package intake

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/app/store"
)

// TestBodiesHeldAtATimeAreBounded fills the places for larger bodies with senders that never finish.
// Another one of their size is turned away, so that memory stays bounded; the usual ones go through.
func TestBodiesHeldAtATimeAreBounded(t *testing.T) {
	t.Parallel()
	handler, err := New(Config{Secrets: []string{secret}})
	require.NoError(t, err)
	handler.bodies.patience = time.Millisecond
	usual, larger := tiers[0].size, tiers[1]

	read := func(body io.Reader, length int64) ([]byte, func(), *answer) {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://gate/", body)
		require.NoError(t, err)
		request.ContentLength = length
		return handler.bodies.read(request)
	}
	var releases []func()
	for range larger.atOnce {
		body, release, refused := read(strings.NewReader(strings.Repeat("x", usual+1)), -1)
		require.Nil(t, refused)
		require.Len(t, body, usual+1)
		releases = append(releases, release)
	}
	_, release, refused := read(strings.NewReader(strings.Repeat("x", usual+1)), int64(usual+1))
	require.NotNil(t, refused)
	require.Equal(t, http.StatusServiceUnavailable, refused.status)
	release()

	body, release, refused := read(strings.NewReader("{}"), 2)
	require.Nil(t, refused, "a usual body")
	require.Equal(t, "{}", string(body))
	release()

	for _, release := range releases {
		release()
	}
	_, release, refused = read(strings.NewReader(strings.Repeat("x", usual+1)), -1)
	require.Nil(t, refused, "places that were given back")
	release()
	for i, places := range handler.bodies.places {
		require.Empty(t, places, "tier %d: every place is given back", i)
	}
}

func TestBodiesOfEverySizeAreReadWhole(t *testing.T) {
	t.Parallel()
	record := &recorder{receipt: store.Accepted}
	address, _ := serve(t, record, secret)
	sizes := []int{len(opened), tiers[0].size - 1, tiers[0].size, tiers[0].size + 1, tiers[1].size - 1, tiers[1].size, tiers[1].size + 1}
	for _, size := range sizes {
		body := opened[:len(opened)-1] + strings.Repeat(" ", size-len(opened)) + "}"
		status, answer := send(t, address, sending{body: body})
		require.Equal(t, http.StatusAccepted, status, "%d bytes: %s", size, answer)
	}
	require.Len(t, record.got, len(sizes))
}
