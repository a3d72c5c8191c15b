package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"
)

// maxStatements bounds the compiled queries that one connection keeps. Ours and the queue's are fewer.
const maxStatements = 128

// connector opens connections that keep their compiled queries. Compiling one takes about as long as
// running it, the queue brings its own texts every time, and while one transaction compiles, every
// delivery waits for the only writer.
type connector struct {
	inner driver.Driver
	name  string
}

// openPool makes a pool of such connections.
func openPool(name string) (*sql.DB, error) {
	plain, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, err
	}
	inner := plain.Driver()
	if err := plain.Close(); err != nil {
		return nil, err
	}
	return sql.OpenDB(connector{inner, name}), nil
}

// Connect implements [driver.Connector].
func (c connector) Connect(context.Context) (driver.Conn, error) {
	inner, err := c.inner.Open(c.name)
	if err != nil {
		return nil, err
	}
	full, ok := inner.(sqliteConn)
	if !ok {
		return nil, errors.Join(errors.New("the SQLite driver's connection lacks what the store needs"), inner.Close())
	}
	return &caching{sqliteConn: full, idle: map[string]driver.Stmt{}}, nil
}

// Driver implements [driver.Connector].
func (c connector) Driver() driver.Driver { return c.inner }

// sqliteConn is what the driver's connections can do.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// caching is one connection; database/sql lets one goroutine at a time use it.
type caching struct {
	sqliteConn
	idle map[string]driver.Stmt // by their text; those in use are not among them
}

// ExecContext implements [driver.ExecerContext].
func (c *caching) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if !reusable(query) {
		return c.sqliteConn.ExecContext(ctx, query, args)
	}
	statement, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	defer c.put(query, statement)
	return statement.(driver.StmtExecContext).ExecContext(ctx, args)
}

// QueryContext implements [driver.QueryerContext].
func (c *caching) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if !reusable(query) {
		return c.sqliteConn.QueryContext(ctx, query, args)
	}
	statement, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := statement.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		c.put(query, statement)
		return nil, err
	}
	return &borrowed{Rows: rows, give: func() { c.put(query, statement) }}, nil
}

// Close closes what is kept and then the connection.
func (c *caching) Close() error {
	var errs []error
	for _, statement := range c.idle {
		errs = append(errs, statement.Close())
	}
	clear(c.idle)
	return errors.Join(append(errs, c.sqliteConn.Close())...)
}

// take hands out the kept query, or compiles it: also when the kept one is in use by open rows.
func (c *caching) take(ctx context.Context, query string) (driver.Stmt, error) {
	if statement, ok := c.idle[query]; ok {
		delete(c.idle, query)
		return statement, nil
	}
	return c.PrepareContext(ctx, query)
}

func (c *caching) put(query string, statement driver.Stmt) {
	if _, there := c.idle[query]; there || len(c.idle) >= maxStatements {
		_ = statement.Close()
		return
	}
	c.idle[query] = statement
}

// borrowed are rows whose query goes back once they are closed.
type borrowed struct {
	driver.Rows
	give func()
}

// Close implements [driver.Rows]; database/sql may call it more than once.
func (b *borrowed) Close() error {
	err := b.Rows.Close()
	if b.give != nil {
		b.give()
		b.give = nil
	}
	return err
}

// reusable says whether a query does the same whenever it runs. Settings (PRAGMA) take effect while
// they are compiled, and scripts and definitions run once.
func reusable(query string) bool {
	for {
		query = strings.TrimLeft(query, " \t\r\n")
		comment, ok := strings.CutPrefix(query, "--")
		if !ok {
			break
		}
		_, query, _ = strings.Cut(comment, "\n")
	}
	word := query[:min(len(query), len("SELECT"))]
	for _, verb := range []string{"SELECT", "INSERT", "UPDATE", "DELETE"} {
		if strings.EqualFold(word, verb) {
			return true
		}
	}
	return false
}
