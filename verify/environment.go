package verify

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"

	"github.com/evidence-gate/evidence-gate/profile/policy"
	"github.com/evidence-gate/evidence-gate/verify/agent"
)

// tokenNames, tokenPrefixes and tokenSuffixes are the variables that no step gets unless the policy's
// pass_env lists them (design section 12): the code under test must not be able to write its own
// evidence.
var (
	tokenNames    = []string{"GH_TOKEN", "GITHUB_TOKEN", "SSH_AUTH_SOCK"}
	tokenPrefixes = []string{"ACTIONS_", "EVIDENCE_GATE_"}
	tokenSuffixes = []string{"_TOKEN", "_SECRET", "_PASSWORD", "_KEY"}
)

// isToken compares ignoring case, since programs take such variables in both.
func isToken(name string) bool {
	name = strings.ToUpper(name)
	return slices.Contains(tokenNames, name) ||
		slices.ContainsFunc(tokenPrefixes, func(p string) bool { return strings.HasPrefix(name, p) }) ||
		slices.ContainsFunc(tokenSuffixes, func(s string) bool { return strings.HasSuffix(name, s) })
}

// environment is that of every step, from the caller's: without the markers of an agent's session and
// without tokens, and with the policy's values for what is unset then. The values of the caller's
// tokens are returned too, those that pass_env lets through included: no output may show them.
func environment(caller []string, p policy.Policy, root string) (env, secrets []string) {
	values := map[string]string{}
	names := map[string]string{} // as they are written, by what the system compares
	for _, line := range caller {
		name, value, ok := strings.Cut(line, "=")
		if !ok || name == "" {
			continue
		}
		delete(values, names[compared(name)])
		names[compared(name)], values[name] = name, value
	}
	for _, name := range agent.Markers() {
		delete(values, names[compared(name)])
		delete(names, compared(name))
	}
	for key, name := range names {
		if !isToken(name) {
			continue
		}
		secrets = append(secrets, values[name])
		if !slices.ContainsFunc(p.PassEnv, func(passed string) bool { return compared(passed) == key }) {
			delete(values, name)
			delete(names, key)
		}
	}
	for name, value := range p.Env {
		if _, set := names[compared(name)]; !set {
			values[name] = value
		}
	}
	delete(values, "OLDPWD")
	values["PWD"] = root
	for _, name := range slices.Sorted(maps.Keys(values)) {
		env = append(env, name+"="+values[name])
	}
	return env, secrets
}

// compared is a name of a variable as the system compares it.
func compared(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

var reference = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*)\}`)

// expand replaces each ${VAR} of a text by the variable of an environment.
func expand(text string, env []string) (string, error) {
	var unset error
	expanded := reference.ReplaceAllStringFunc(text, func(found string) string {
		name := found[2 : len(found)-1]
		for _, line := range env {
			if known, value, _ := strings.Cut(line, "="); compared(known) == compared(name) {
				return value
			}
		}
		unset = cmp.Or(unset, fmt.Errorf("%s is not set in the environment of the steps: give it a value under `env` in the policy", found))
		return ""
	})
	return expanded, unset
}
