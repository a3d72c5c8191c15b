package githubtest

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v4"
)

// grant is what a token allows: an installation's token or a user's.
type grant struct {
	installation *Installation
	user         *account
	permissions  map[string]string // narrowed permissions, nil for all of the installation
	repositories map[int64]bool    // narrowed repositories, nil for all
	expiresAt    time.Time         // zero: never
	budget       *budget
}

const (
	tokenLifetime = time.Hour        // "Generating an installation access token"
	maxJWTLife    = 10 * time.Minute // "Generating a JSON Web Token (JWT) for a GitHub App"
	clockDrift    = time.Minute
)

// bearer is the token of the Authorization header.
func bearer(r *http.Request) string {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "bearer") || strings.EqualFold(scheme, "token") {
		return strings.TrimSpace(token)
	}
	return ""
}

// authenticateApp checks the app's JWT as GitHub does and returns why it is refused.
func (w *World) authenticateApp(r *http.Request) *response {
	token := bearer(r)
	if strings.Count(token, ".") != 2 {
		return unauthorized("A JSON web token could not be decoded")
	}
	claims := jwt.MapClaims{}
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"RS256"}), jwt.WithoutClaimsValidation())
	_, err := parser.ParseWithClaims(token, claims, func(*jwt.Token) (any, error) { return &w.app.PrivateKey.PublicKey, nil })
	if err != nil {
		return unauthorized("A JSON web token could not be decoded")
	}
	return w.checkClaims(claims)
}

func (w *World) checkClaims(claims jwt.MapClaims) *response {
	now := w.clock()
	issued, ok := unixClaim(claims["iat"])
	if !ok || issued.After(now.Add(clockDrift)) {
		return unauthorized("'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued")
	}
	expires, ok := unixClaim(claims["exp"])
	if !ok || !expires.After(now) {
		return unauthorized("'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires")
	}
	if expires.After(now.Add(maxJWTLife)) {
		return unauthorized("'Expiration time' claim ('exp') is too far in the future")
	}
	issuer := fmt.Sprint(claims["iss"])
	if number, ok := claims["iss"].(float64); ok {
		issuer = strconv.FormatInt(int64(number), 10)
	}
	if issuer != strconv.FormatInt(w.app.ID, 10) && issuer != w.app.ClientID {
		return &response{status: http.StatusNotFound, body: errorBody("Integration not found", "", http.StatusNotFound)}
	}
	return nil
}

func unixClaim(value any) (time.Time, bool) {
	number, ok := value.(float64)
	if !ok {
		return time.Time{}, false
	}
	return time.Unix(int64(number), 0), true
}

// authenticate finds the grant of the request's token and returns why there is none.
func (w *World) authenticate(r *http.Request) (*grant, *response) {
	token := bearer(r)
	if token == "" {
		return nil, unauthorized("Requires authentication")
	}
	g := w.tokens[token]
	if g == nil || (!g.expiresAt.IsZero() && !w.clock().Before(g.expiresAt)) ||
		(g.user != nil && g.user.deleted) || (g.installation != nil && g.installation.deleted) {
		return nil, unauthorized("Bad credentials")
	}
	if g.installation != nil && !g.installation.suspendedAt.IsZero() {
		return nil, suspended()
	}
	return g, nil
}

// newToken makes an installation token.
func (w *World) newToken(g *grant) string {
	random := make([]byte, 18)
	_, _ = rand.Read(random)
	token := "ghs_" + hex.EncodeToString(random)
	w.tokens[token] = g
	return token
}

// level of a permission that the grant has on a repository: "", "read", "write" or "admin".
func (g *grant) level(r *Repository, permission string) string {
	if g.user != nil {
		return userLevel(r.role(g.user), permission)
	}
	if !g.covers(r) {
		return ""
	}
	level := g.installation.permissions[permission]
	if g.permissions != nil && strength(g.permissions[permission]) < strength(level) {
		level = g.permissions[permission]
	}
	if permission == "metadata" && level == "" {
		level = "read"
	}
	return level
}

// userLevel is what a person's role allows. Check runs are made by apps only.
func userLevel(role, permission string) string {
	switch {
	case !atLeast(role, "read"):
		return ""
	case permission == "checks":
		return "read"
	case permission == "issues" || permission == "pull_requests" || atLeast(role, "write"):
		return "write"
	}
	return "read"
}

func (g *grant) covers(r *Repository) bool {
	return g.installation != nil && g.installation.covers(r) && (g.repositories == nil || g.repositories[r.id])
}

// sees says whether the repository exists for the grant at all.
func (g *grant) sees(r *Repository) bool {
	return r.public || g.covers(r) || (g.user != nil && atLeast(r.role(g.user), "read"))
}

// mayReadEdits says whether the texts of past revisions are shown: only to those who can write.
func (g *grant) mayReadEdits(r *Repository, permission string) bool {
	if g.user != nil {
		return atLeast(r.role(g.user), "write")
	}
	return strength(g.level(r, permission)) >= strength("write")
}

func strength(level string) int {
	return map[string]int{"read": 1, "write": 2, "admin": 3}[level]
}
