package githubtest

import (
	"crypto/sha1"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"sort"
	"strings"
	"sync"
	"time"
)

// World is everything that the simulated GitHub knows. Its methods and those of the things in it
// are safe for concurrent use; each changes the world in one step and sends the webhooks that
// GitHub would send for it.
type World struct {
	mu       sync.RWMutex
	app      App
	clock    func() time.Time
	apiURL   string
	hook     func(webhook)
	notifier *notifier
	limit    int

	accounts      map[string]*account
	repositories  []*Repository
	installations []*Installation
	tokens        map[string]*grant
	apps          map[string]*appIdentity
	teams         map[string]map[*account]bool // members by "organization/slug"
	customRoles   map[string]string            // the base of each custom role
	nodes         map[string]any
	lastID        map[string]int64
	lastSHA       int64
}

func newWorld(app App, clock func() time.Time, limit int, n *notifier) *World {
	w := &World{
		app: app, clock: clock, notifier: n, limit: limit,
		accounts: map[string]*account{}, tokens: map[string]*grant{},
		apps: map[string]*appIdentity{}, nodes: map[string]any{}, lastID: map[string]int64{},
		teams: map[string]map[*account]bool{}, customRoles: map[string]string{},
	}
	w.apps[app.Slug] = &appIdentity{id: app.ID, slug: app.Slug, name: app.Name, at: w.now()}
	w.account(app.Slug + "[bot]")
	return w
}

// change runs f with the world to itself and then wakes all who wait.
func (w *World) change(f func()) {
	func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		f()
	}()
	w.notifier.broadcast()
}

// look runs f while nothing changes.
func look[T any](w *World, f func() T) T {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return f()
}

// now is the world's time in GitHub's precision of one second.
func (w *World) now() time.Time { return w.clock().UTC().Truncate(time.Second) }

// Ids start where GitHub's are today: beyond 32 bits for all but accounts, apps and repositories.
var firstID = map[string]int64{
	"account": 210_000_000, "app": 1_300_000, "repository": 910_000_000, "installation": 71_000_000,
	"issue": 3_100_000_000, "pull": 2_400_000_000, "comment": 3_300_000_000, "review": 3_200_000_000,
	"label": 8_100_000_000, "check_run": 44_000_000_000, "check_suite": 39_000_000_000,
	"status": 36_000_000_000, "workflow_run": 15_000_000_000, "workflow": 120_000_000,
	"edit": 1_900_000_000, "label_event": 16_000_000_000, "issue_type": 21_000_000,
}

func (w *World) nextID(kind string) int64 {
	w.lastID[kind]++
	return firstID[kind] + w.lastID[kind]
}

// newSHA makes a commit id that no other commit of this world has.
func (w *World) newSHA() string {
	w.lastSHA++
	sum := sha1.Sum(fmt.Appendf(nil, "githubtest commit %d", w.lastSHA))
	return hex.EncodeToString(sum[:])
}

// nodeID is the global id of a thing, in the shape of GitHub's.
func nodeID(prefix string, id int64) string {
	return prefix + "_" + base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "sim:%d", id))
}

// Repository is the repository with that full name, nil when there is none.
func (w *World) Repository(fullName string) *Repository {
	return look(w, func() *Repository { return w.repository(fullName) })
}

func (w *World) repository(fullName string) *Repository {
	for _, r := range w.repositories {
		if !r.deleted && strings.EqualFold(r.fullName(), fullName) {
			return r
		}
	}
	return nil
}

// renamedRepository finds a repository by a name that it had before.
func (w *World) renamedRepository(fullName string) *Repository {
	for _, r := range w.repositories {
		for _, old := range r.formerNames {
			if !r.deleted && strings.EqualFold(old, fullName) {
				return r
			}
		}
	}
	return nil
}

// Installation is the app's installation on an account, nil when there is none.
func (w *World) Installation(account string) *Installation {
	return look(w, func() *Installation {
		for _, i := range w.installations {
			if !i.deleted && strings.EqualFold(i.account.login, account) {
				return i
			}
		}
		return nil
	})
}

func (w *World) installationFor(r *Repository) *Installation {
	for _, i := range w.installations {
		if i.covers(r) {
			return i
		}
	}
	return nil
}

// Install installs the app on an account, on the named repositories only or on all of them.
// [World.AddRepository] does it by itself for the owners of repositories.
func (w *World) Install(account string, repositories ...string) *Installation {
	var installed *Installation
	w.change(func() {
		installed = w.install(w.account(account))
		for _, name := range repositories {
			if installed.selected == nil {
				installed.selected = map[int64]bool{}
			}
			if r := w.repository(name); r != nil {
				installed.selected[r.id] = true
			}
		}
		w.emitInstallation(installed, "created")
	})
	return installed
}

func (w *World) install(a *account) *Installation {
	for _, i := range w.installations {
		if i.account == a && !i.deleted {
			return i
		}
	}
	i := &Installation{
		world: w, id: w.nextID("installation"), account: a, createdAt: w.now(),
		permissions: map[string]string{"metadata": "read"}, events: w.app.Events,
		budget: newBudget(w.limit),
	}
	for name, level := range w.app.Permissions {
		i.permissions[name] = level
	}
	w.installations = append(w.installations, i)
	return i
}

// appNamed is the identity of the app with that slug.
func (w *World) appNamed(slug string) *appIdentity {
	if a := w.apps[slug]; a != nil {
		return a
	}
	a := &appIdentity{id: w.nextID("app"), slug: slug, name: slug, at: w.now()}
	w.apps[slug] = a
	return a
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
