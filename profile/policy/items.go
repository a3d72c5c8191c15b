package policy

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/evidence-gate/evidence-gate/internal/checkline"
)

// The texts that are more than text.
var (
	name          = texts(longestName, oneLine)
	login         = texts(longestName, isLogin)
	team          = texts(2*longestName, isTeam)
	loginOrTeam   = texts(2*longestName, isLoginOrTeam)
	variable      = texts(longestName, isVariable)
	observation   = texts(longestName, oneLine, isObservation)
	variableValue = texts(maxText)
)

// filled wants a text with something in it.
func filled(s string) (why, instead string) {
	if strings.TrimSpace(s) == "" {
		return "it takes a text that is not empty", ""
	}
	return "", ""
}

// oneLine wants one line of text without spaces around it.
func oneLine(s string) (why, instead string) {
	if why, instead = filled(s); why != "" {
		return why, instead
	}
	if strings.TrimSpace(s) != s || strings.ContainsAny(s, "\n\t") {
		return "it takes one line without spaces around it", quoted(strings.Join(strings.Fields(s), " "))
	}
	return "", ""
}

// shape wants a text that an expression matches as a whole; without an @, which belongs to mentions.
func shape(expression, why string) rule {
	compiled := regexp.MustCompile(expression)
	return func(s string) (string, string) {
		if compiled.MatchString(s) {
			return "", ""
		}
		if bare := strings.TrimPrefix(s, "@"); compiled.MatchString(bare) {
			return "write it without the @", quoted(bare)
		}
		return why, ""
	}
}

// The forms of names on GitHub; the schema has the same ones.
const (
	loginForm    = `^[A-Za-z0-9][A-Za-z0-9_-]*(\[bot\])?$`
	teamForm     = `^([A-Za-z0-9][A-Za-z0-9_-]*/)?[A-Za-z0-9_][A-Za-z0-9_.-]*$`
	eitherForm   = `^([A-Za-z0-9][A-Za-z0-9_-]*(\[bot\])?|[A-Za-z0-9][A-Za-z0-9_-]*/[A-Za-z0-9_][A-Za-z0-9_.-]*)$`
	variableForm = `^[A-Za-z_][A-Za-z0-9_]*$`
	digestForm   = `^(sha256:[0-9a-f]{64})?$`
	probeForm    = `^http://[^ ]+$`
	durationForm = `^([1-9][0-9]{0,4}(h|m|s|ms)){1,4}$`
	checkIDForm  = `^[Rr][Cc]-[0-9]{1,18}$`
	seenForm     = `^[^@]+(@(running_path|unit|parser|helper|mock))?$`
	pathForm     = `^([^/].*)?$`
)

var (
	isLogin       = shape(loginForm, "it takes the name of an account, such as alice or dependabot[bot]")
	isTeam        = shape(teamForm, "it takes a team, such as acme/leads")
	isLoginOrTeam = shape(eitherForm, "it takes the name of an account or a team, such as alice or acme/leads")
	isVariable    = shape(variableForm, "it takes the name of a variable: letters, digits and underscores")
	digest        = shape(digestForm, "it takes sha256: and 64 hexadecimal digits, as verify --accept-changes writes them")
	probe         = shape(probeForm, "it takes an http URL of this machine")
	isObservation = shape(seenForm, "it takes name or name@level; the levels are running_path, unit, parser, helper and mock")
	durationShape = shape(durationForm, "it takes a time such as 90s, 10m or 1h30m")
	checkIDShape  = shape(checkIDForm, "it takes an id such as RC-1")
)

// versionOne takes the only version there is.
func versionOne(r *reader, f field, n node) (int, bool) {
	if n.kind == number && n.text == "1" {
		return 1, true
	}
	if n.kind == number {
		r.fault(n.at, f.line("1"), "the policy is of version %s; this program reads version 1", shown(n.text))
		return 0, false
	}
	r.expected(f, n, "the number 1")
	return 0, false
}

// repositoryPath wants a path inside the repository, or nothing.
func repositoryPath(s string) (why, instead string) {
	if s != "" && (path.Clean(s) != s || path.IsAbs(s) || s == ".." || strings.HasPrefix(s, "../")) {
		return "it takes a path from the repository's root", quoted(strings.TrimLeft(path.Clean("/"+s), "/"))
	}
	return "", ""
}

func checkID(r *reader, f field, n node) (string, bool) {
	id, ok := texts(longestName, checkIDShape)(r, f, n)
	return checkline.ID(id), ok
}

func duration(r *reader, f field, n node) (time.Duration, bool) {
	written, ok := texts(longestName, durationShape)(r, f, n)
	if !ok {
		return 0, false
	}
	d, err := time.ParseDuration(written)
	if err != nil {
		r.fault(n.at, f.line(f.sample), "%s is %s, which is no time: %v", f.name(), shown(written), err)
		return 0, false
	}
	return d, true
}

func durationOrOff(r *reader, f field, n node) (time.Duration, bool) {
	if n.kind == text && n.text == Off {
		return 0, true
	}
	if n.kind == boolean {
		return 0, second(words(Off)(r, f, n))
	}
	return duration(r, f, n)
}

func second(_ string, ok bool) bool { return ok }

// longestExpression bounds an expression, so that compiling it costs nothing.
const longestExpression = 200

func expression(r *reader, f field, n node) (Pattern, bool) {
	written, ok := texts(longestExpression)(r, f, n)
	if !ok || written == "" {
		return Pattern{}, ok
	}
	compiled, err := regexp.Compile(written)
	if err != nil {
		r.fault(n.at, f.line(f.sample), "%s is %s, which is no regular expression (RE2): %s", f.name(), shown(written), strings.TrimPrefix(err.Error(), "error parsing regexp: "))
		return Pattern{}, false
	}
	return Pattern{compiled}, true
}

// maxBraces and maxChoices bound the alternatives of a glob, each of which doubles the ways to try.
const (
	maxBraces  = 3
	maxChoices = 16
)

func glob(r *reader, f field, n node) (Glob, bool) {
	written, ok := texts(longestGlob, oneLine, globForm)(r, f, n)
	return Glob(written), ok
}

// globForm wants a glob that can match a path of a repository. There is no negation: it would look
// like one and match nothing.
func globForm(s string) (why, instead string) {
	switch {
	case !doublestar.ValidatePattern(s):
		return "it takes a glob such as docs/**: every [ and { needs its end", ""
	case strings.HasPrefix(s, "!"):
		return "globs have no negation with !", quoted(s[1:])
	case strings.HasPrefix(s, "/"), strings.HasPrefix(s, "./"):
		return "globs begin at the repository's root, without / or ./", quoted(strings.TrimLeft(strings.TrimPrefix(s, "."), "/"))
	case strings.HasSuffix(s, "/"):
		return "a folder is no file; what is in it is matched by **", quoted(s + "**")
	case slices.ContainsFunc(strings.Split(s, "/"), func(part string) bool { return part == "" || part == "." || part == ".." }):
		return "no path of a repository has empty parts, . or ..", ""
	case strings.Count(s, "{") > maxBraces || strings.Count(s, ",") > maxChoices:
		return "it has too many alternatives: write several globs", ""
	}
	return "", ""
}
