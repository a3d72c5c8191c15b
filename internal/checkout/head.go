package checkout

import (
	"context"
	"strings"
)

// Head is the commit that is checked out in a folder, empty when there is none yet. It needs no remote.
func Head(ctx context.Context, dir string) (string, error) {
	out, err := git(ctx, dir, gitHead)
	return strings.TrimSpace(out), err
}
