package queue

import (
	"context"
	"database/sql"

	"github.com/riverqueue/river/riverdriver"
)

// looking is a driver that looks before it fetches: River's fetch takes the write lock and its query
// is a large one, and nearly every one of them finds nothing.
type looking struct {
	riverdriver.Driver[*sql.Tx]
	due func(ctx context.Context, queue string) (bool, error)
}

// GetExecutor implements [riverdriver.Driver].
func (d looking) GetExecutor() riverdriver.Executor {
	return lookingExecutor{d.Driver.GetExecutor(), d.due}
}

type lookingExecutor struct {
	riverdriver.Executor
	due func(ctx context.Context, queue string) (bool, error)
}

// JobGetAvailable implements [riverdriver.Executor].
func (e lookingExecutor) JobGetAvailable(ctx context.Context, params *riverdriver.JobGetAvailableParams) (*riverdriver.JobGetAvailableResult, error) {
	due, err := e.due(ctx, params.Queue)
	if err != nil {
		return nil, err
	}
	if !due {
		return &riverdriver.JobGetAvailableResult{}, nil
	}
	return e.Executor.JobGetAvailable(ctx, params)
}
