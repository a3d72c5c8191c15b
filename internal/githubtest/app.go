package githubtest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"maps"
	"sync"
	"time"
)

// App is the GitHub App whose server side the simulator plays. Zero members are filled in.
type App struct {
	ID            int64
	Slug          string
	Name          string
	ClientID      string
	PrivateKey    *rsa.PrivateKey
	WebhookSecret string
	// Permissions that new installations grant; the default is what the product asks for (design
	// section 14, Reach).
	Permissions map[string]string
	// Events that the app subscribes to; others are never sent. The default is every modelled one.
	Events []string
}

// PrivateKeyPEM is the private key as GitHub hands it out: PKCS#1 in PEM.
func (a App) PrivateKeyPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(a.PrivateKey)})
}

// processKey is one key for all simulators of a process: making one takes a tenth of a second.
var processKey = sync.OnceValues(func() (*rsa.PrivateKey, error) {
	return rsa.GenerateKey(rand.Reader, 2048)
})

// NewPrivateKey makes a key that no app of this process has, for tests of wrong keys.
func NewPrivateKey() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) }

var defaultPermissions = map[string]string{
	"actions": "read", "administration": "read", "checks": "write", "contents": "read",
	"issues": "write", "members": "read", "merge_queues": "read", "metadata": "read",
	"pull_requests": "write", "statuses": "read",
}

var defaultEvents = []string{
	"check_run", "check_suite", "issue_comment", "issues", "pull_request", "pull_request_review", "status",
}

func (a App) withDefaults() (App, error) {
	if a.ID == 0 {
		a.ID = 1234567
	}
	if a.Slug == "" {
		a.Slug = "evidence-gate"
	}
	if a.Name == "" {
		a.Name = "Evidence Gate"
	}
	if a.ClientID == "" {
		a.ClientID = "Iv23liSimulatedClient"
	}
	if a.WebhookSecret == "" {
		a.WebhookSecret = "simulated-webhook-secret"
	}
	if a.Permissions == nil {
		a.Permissions = maps.Clone(defaultPermissions)
	}
	if a.Events == nil {
		a.Events = defaultEvents
	}
	if a.PrivateKey == nil {
		key, err := processKey()
		if err != nil {
			return App{}, err
		}
		a.PrivateKey = key
	}
	return a, nil
}

// appIdentity is an app as check runs name it: the simulated one or somebody else's.
type appIdentity struct {
	id   int64
	slug string
	name string
	at   time.Time
}

// Installation is the app's installation on one account.
type Installation struct {
	world       *World
	id          int64
	account     *account
	permissions map[string]string
	events      []string
	createdAt   time.Time
	suspendedAt time.Time
	selected    map[int64]bool // nil: all repositories of the account
	deleted     bool
	budget      *budget
}

// ID is the installation's id.
func (i *Installation) ID() int64 { return i.id }

// Account is the login of the account it is installed on.
func (i *Installation) Account() string { return i.account.login }

// SetPermission grants a permission at a level ("read", "write"), or takes it away with "". Tokens
// made before follow at once, as on GitHub.
func (i *Installation) SetPermission(name, level string) {
	i.world.change(func() {
		if level == "" {
			delete(i.permissions, name)
			return
		}
		i.permissions[name] = level
	})
}

// Suspend suspends the installation: its tokens are refused with 403 and no webhooks are sent.
func (i *Installation) Suspend() {
	i.world.change(func() {
		i.suspendedAt = i.world.now()
		i.world.emitInstallation(i, "suspend")
	})
}

// Unsuspend ends a suspension.
func (i *Installation) Unsuspend() {
	i.world.change(func() {
		i.suspendedAt = time.Time{}
		i.world.emitInstallation(i, "unsuspend")
	})
}

// Uninstall removes the installation; its id and tokens are unknown from then on.
func (i *Installation) Uninstall() {
	i.world.change(func() {
		i.world.emitInstallation(i, "deleted")
		i.deleted = true
	})
}

// SetRateLimit sets how many requests of the hour's budget are left.
func (i *Installation) SetRateLimit(remaining int) {
	i.world.change(func() { i.budget.set(i.world.now(), remaining) })
}

// Revoke makes every token of the installation unknown.
func (i *Installation) Revoke() {
	i.world.change(func() {
		for token, grant := range i.world.tokens {
			if grant.installation == i {
				delete(i.world.tokens, token)
			}
		}
	})
}

func (i *Installation) covers(r *Repository) bool {
	return !i.deleted && r.owner == i.account && !r.notInstalled && (i.selected == nil || i.selected[r.id])
}
