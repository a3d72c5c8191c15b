package policy

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Origin is where a value comes from: a line of the repository's or the organisation's file, or the
// defaults. Rule is the rule that set it, 0 for the keys at the top level.
type Origin struct {
	Source Source `json:"source"`
	Line   int    `json:"line,omitempty"`
	Rule   int    `json:"rule,omitempty"`
}

// String is the origin in words.
func (o Origin) String() string {
	switch {
	case o.Rule > 0:
		return fmt.Sprintf("%s, line %d, rule %d", o.Source, o.Line, o.Rule)
	case o.Line > 0:
		return fmt.Sprintf("%s, line %d", o.Source, o.Line)
	}
	return string(o.Source)
}

// Value is one key with the value that is in force. The value is a string, a number, a boolean, or a
// list or mapping of those, as JSON writes it.
type Value struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
	From  Origin `json:"from"`
}

// Text is the value in one line of YAML. Lists and mappings are written as JSON, which is YAML.
func (v Value) Text() string {
	switch value := v.Value.(type) {
	case string:
		return quoted(value)
	case int:
		return strconv.Itoa(value)
	case bool:
		return strconv.FormatBool(value)
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v.Value); err != nil {
		return fmt.Sprint(v.Value)
	}
	return strings.TrimSpace(out.String())
}

// Values lists every key of the policy with the value that is in force and where it comes from.
func (e Effective) Values() []Value {
	values := []Value{
		{Key: "mode", Value: e.Mode},
		{Key: "level", Value: string(e.Level)},
		{Key: "rules", Value: shownRules(e.Rules)},
		{Key: "check_name", Value: e.CheckName},
		{Key: "status_checks", Value: e.StatusChecks},
		{Key: "contradictions", Value: e.Contradictions},
		{Key: "unrenewed", Value: e.Unrenewed},
		{Key: "criteria", Value: e.Criteria},
		{Key: "tasks.source", Value: e.Tasks.Source},
		{Key: "tasks.require", Value: e.Tasks.Require},
		{Key: "tasks.id_pattern", Value: e.Tasks.ID.String()},
		{Key: "applies_to.bases", Value: given(e.AppliesTo.Bases)},
		{Key: "applies_to.exempt_authors", Value: given(e.AppliesTo.ExemptAuthors)},
		{Key: "applies_to.exempt_labels", Value: given(e.AppliesTo.ExemptLabels)},
		{Key: "applies_to.exempt_paths", Value: given(e.AppliesTo.ExemptPaths)},
		{Key: "roles.maintainers.permission", Value: e.Roles.Maintainers.Permission},
		{Key: "roles.maintainers.users", Value: given(e.Roles.Maintainers.Users)},
		{Key: "roles.maintainers.teams", Value: given(e.Roles.Maintainers.Teams)},
		{Key: "roles.trusted", Value: given(e.Roles.TrustedUsers)},
		{Key: "roles.agents", Value: shownAgents(e.Roles.Agents)},
		{Key: "approval.person_via", Value: e.PersonVia},
		{Key: "review.different_connector", Value: e.Policy.Review.DifferentConnector},
		{Key: "review.different_provider", Value: e.Policy.Review.DifferentProvider},
		{Key: "review.reviewers", Value: given(e.Policy.Review.Reviewers)},
		{Key: "review.wait", Value: shownWait(e.Policy.Review.Wait)},
		{Key: "notify", Value: e.Notify},
		{Key: "max_rejections", Value: e.MaxRejections},
		{Key: "max_attempts", Value: e.MaxAttempts},
		{Key: "contract_changes", Value: e.ContractChanges},
		{Key: "no_changes", Value: e.NoChanges},
		{Key: "verifiers", Value: shownVerifiers(e.Verifiers)},
		{Key: "kind", Value: e.Kind},
		{Key: "env", Value: e.shownEnv()},
		{Key: "pass_env", Value: given(e.PassEnv)},
		{Key: "checks", Value: shownChecks(e.Checks)},
		{Key: "digest", Value: e.Digest},
		{Key: "fingerprint", Value: given(e.Fingerprint)},
		{Key: "business_rules", Value: e.BusinessRules},
		{Key: "floor", Value: given(e.Floor.Keys)},
	}
	for i := range values {
		values[i].From = e.Origin(values[i].Key)
	}
	return values
}

// Origin is where the value of a key, given by its dotted path, comes from.
func (e Effective) Origin(key string) Origin {
	if e.Floor.raises(key, e.lowest, e.lowestMode) && e.Source != Organisation {
		return Origin{Source: Organisation, Line: e.Floor.Line}
	}
	if e.Rule > 0 {
		rule := e.Rules[e.Rule-1]
		if slices.Contains(rule.Keys, key) {
			return Origin{Source: e.Source, Line: rule.lines[key], Rule: e.Rule}
		}
	}
	if key == "floor" && len(e.Floor.Keys) > 0 {
		return Origin{Source: Organisation, Line: e.Floor.Line}
	}
	if line, given := e.lines[key]; given {
		return Origin{Source: e.Source, Line: line}
	}
	return Origin{Source: BuiltIn}
}

// given is a list that JSON writes as [] when it is empty.
func given[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func shownWait(d time.Duration) string {
	if d == 0 {
		return Off
	}
	return shownDuration(d)
}

// shownDuration leaves out the zeros of Go's form: 10m, not 10m0s.
func shownDuration(d time.Duration) string {
	s := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(s, zero) {
			s = strings.TrimSuffix(s, zero[1:])
		}
	}
	return s
}

func shownRules(rules []Rule) []map[string]any {
	out := []map[string]any{}
	for _, r := range rules {
		when := map[string]any{}
		put(when, "labels", r.When.Labels)
		put(when, "paths", r.When.Paths)
		put(when, "bases", r.When.Bases)
		put(when, "issue_types", r.When.IssueTypes)
		rule := map[string]any{"when": when}
		for _, v := range (Effective{Policy: Policy{Demands: r.Sets}}).demandValues() {
			if slices.Contains(r.Keys, v.Key) {
				rule[v.Key] = v.Value
			}
		}
		out = append(out, rule)
	}
	return out
}

func put[T any](to map[string]any, key string, list []T) {
	if len(list) > 0 {
		to[key] = list
	}
}

func (e Effective) demandValues() []Value {
	return []Value{
		{Key: "level", Value: string(e.Level)}, {Key: "status_checks", Value: e.StatusChecks},
		{Key: "contradictions", Value: e.Contradictions}, {Key: "unrenewed", Value: e.Unrenewed},
		{Key: "criteria", Value: e.Criteria}, {Key: "no_changes", Value: e.NoChanges},
		{Key: "max_rejections", Value: e.MaxRejections}, {Key: "max_attempts", Value: e.MaxAttempts},
	}
}

func shownAgents(agents map[string]Agent) map[string]any {
	out := map[string]any{}
	for login, a := range agents {
		out[login] = map[string]string{"provider": a.Provider, "connector": a.Connector}
	}
	return out
}

func shownVerifiers(verifiers []Verifier) []map[string]string {
	out := []map[string]string{}
	for _, v := range verifiers {
		out = append(out, map[string]string{"name": v.Name, "owner": v.Owner, "public_key": v.PublicKey})
	}
	return out
}

// shownEnv names the variables and leaves their values out, as runs do (design section 12).
func (e Effective) shownEnv() []string { return given(slices.Sorted(maps.Keys(e.Env))) }

func shownChecks(checks []Check) []map[string]any {
	out := []map[string]any{}
	for _, c := range checks {
		entry := map[string]any{}
		for key, value := range map[string]string{"id": c.ID, "name": c.Name, "run": c.Run, "text": c.Text, "kind": c.Kind} {
			if value != "" {
				entry[key] = value
			}
		}
		put(entry, "run", c.Args)
		put(entry, "observations", c.Observations)
		if c.Phase != "check" || c.Layer != "check" {
			entry["phase"], entry["layer"] = c.Phase, c.Layer
		}
		out = append(out, entry)
	}
	return out
}
