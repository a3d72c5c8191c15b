package github

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	gogithub "github.com/google/go-github/v66/github"
)

// AppConfig is what signing in as a GitHub App needs.
type AppConfig struct {
	ID         int64
	PrivateKey *rsa.PrivateKey   // see ParsePrivateKey
	BaseURL    string            // REST address; DefaultURL when empty
	Transport  http.RoundTripper // nil: a transport of its own with bounded waits
	Now        func() time.Time  // nil: the machine's clock
	UserAgent  string            // "evidence-gate" when empty
	Observe    func(Call)        // told of every request; may be nil; must be fast and safe for concurrent use
}

// App is the GitHub App. It is safe for concurrent use.
type App struct {
	config AppConfig
	to     endpoint
	guard  *guard
	asks   *dialect         // one for all installations: they are on one host
	rest   *gogithub.Client // signed as the App itself

	mu      sync.Mutex
	clients map[int64]*Client
}

// NewApp checks the configuration; it makes no request.
func NewApp(config AppConfig) (*App, error) {
	if config.ID <= 0 {
		return nil, fmt.Errorf("GitHub App: expected the App's id, a positive number from its settings page, found %d", config.ID)
	}
	if config.PrivateKey == nil {
		return nil, errors.New("GitHub App: expected the App's private key, found none")
	}
	to, err := parseEndpoint(config.BaseURL, "")
	if err != nil {
		return nil, err
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.UserAgent == "" {
		config.UserAgent = defaultUserAgent
	}
	a := &App{config: config, to: to, guard: newGuard(to, config.Transport, config.Observe), asks: newDialect(config.Now), clients: map[int64]*Client{}}
	signed, err := a.appTransport()
	if err != nil {
		return nil, err
	}
	a.rest = restClient(to, signed, config.UserAgent)
	return a, nil
}

// ID is the App's id.
func (a *App) ID() int64 { return a.config.ID }

// Installation is the client of one installation. It makes no request; the client, with its token,
// is kept and handed out again.
func (a *App) Installation(id int64) (*Client, error) {
	if id <= 0 {
		return nil, &Error{Kind: Invalid, Operation: "sign in", Message: fmt.Sprintf("expected an installation's id, a positive number, found %d", id)}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if c, ok := a.clients[id]; ok {
		return c, nil
	}
	signed := &installationTransport{fresh: func() (http.RoundTripper, error) {
		app, err := a.appTransport()
		if err != nil {
			return nil, err
		}
		return ghinstallation.NewFromAppsTransport(app, id), nil
	}}
	c := newClient(a.to, signed, a.config.UserAgent, a.config.Now, a.asks)
	c.appID = a.config.ID
	a.clients[id] = c
	return c, nil
}

// Forget drops an installation's client and token, for one that was deleted or suspended.
func (a *App) Forget(id int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.clients, id)
}

// InstallationFor is the id of the installation that covers a repository; NotFound when the App is
// not installed there.
func (a *App) InstallationFor(ctx context.Context, repo Repo) (int64, error) {
	operation := "find the App's installation on " + repo.String()
	if err := repo.check(); err != nil {
		return 0, err
	}
	found, _, err := a.rest.Apps.FindRepositoryInstallation(ctx, repo.Owner, repo.Name)
	if err != nil {
		return 0, a.failure(operation, err)
	}
	if found.GetID() == 0 {
		return 0, unreadable(operation)
	}
	return found.GetID(), nil
}

// Slug is the App's own slug, by which its check runs are known.
func (a *App) Slug(ctx context.Context) (string, error) {
	const operation = "read the App"
	app, _, err := a.rest.Apps.Get(ctx, "")
	if err != nil {
		return "", a.unknown(a.failure(operation, err))
	}
	if app.GetSlug() == "" {
		return "", unreadable(operation)
	}
	return app.GetSlug(), nil
}

// unknown tells an App that GitHub does not know from a thing that is not there: the former is a
// mistake in the configuration, and no reason to take work for done.
func (a *App) unknown(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Kind == NotFound {
		e.Kind = Unauthorized
		e.Message = fmt.Sprintf("%s knows no App with the id %d: check app id, private key and the GitHub address", a.to.rest.Host, a.config.ID)
	}
	return err
}

func (a *App) failure(operation string, err error) error {
	return failure(operation, "", a.config.Now(), err)
}
