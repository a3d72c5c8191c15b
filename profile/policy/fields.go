package policy

import "time"

// The bounds of the texts of a policy, in characters.
const (
	longestName = 100
	longestGlob = 200
)

// fieldsOf lists the keys of a policy file (design section 9) in the order of the design, each with
// how its value is read. The keys that decide how much is asked stand in demandFields.
func fieldsOf(p *Policy) []field {
	top := scope{lines: p.lines}
	var version int
	fields := []field{
		one("version", "1", &version, versionOne),
		one("mode", Enforce, &p.Mode, words(Enforce, Report)),
		entries("rules", `[{ when: { paths: ["docs/**"] }, level: checks }]`, &p.Rules, ruleFields, ruleWhole),
		one("check_name", "evidence-gate", &p.CheckName, texts(longestName, oneLine)),
		keys(top, "tasks",
			one("source", FromIssue, &p.Tasks.Source, words(FromIssue, FromPolicy, FromBoth)),
			one("require", "true", &p.Tasks.Require, flag),
			one("id_pattern", `"^T-"`, &p.Tasks.ID, expression)),
		keys(top, "applies_to",
			many("bases", "[main]", &p.AppliesTo.Bases, glob),
			many("exempt_authors", `["dependabot[bot]"]`, &p.AppliesTo.ExemptAuthors, login),
			many("exempt_labels", "[no-evidence]", &p.AppliesTo.ExemptLabels, name),
			many("exempt_paths", `["docs/**"]`, &p.AppliesTo.ExemptPaths, glob)),
		keys(top, "roles", roleFields(top.below("roles"), &p.Roles)...),
		keys(top, "approval",
			one("person_via", AnyWay, &p.PersonVia, words(AnyWay, UI))),
		keys(top, "review",
			one("different_connector", "false", &p.Review.DifferentConnector, flag),
			one("different_provider", "false", &p.Review.DifferentProvider, flag),
			many("reviewers", "[alice]", &p.Review.Reviewers, loginOrTeam),
			one("wait", Off, &p.Review.Wait, durationOrOff)),
		one("notify", Request, &p.Notify, words(Request, Comment, Off)),
		one("contract_changes", Maintainers, &p.ContractChanges, words(Maintainers, Admins, Anyone)),
		entries("verifiers", `[{ name: build-box, owner: carol, public_key: "..." }]`, &p.Verifiers, verifierFields, verifierWhole),
		one("kind", CLI, &p.Kind, words(CLI, Library, Web, API)),
		table("env", `{ PORT: "8080" }`, &p.Env, variable, variableValue),
		many("pass_env", "[CI_REGION]", &p.PassEnv, variable),
		entries("checks", "[{ id: RC-1, name: unit tests, run: go test ./... }]", &p.Checks, checkFields, checkWhole),
		one("digest", `""`, &p.Digest, texts(maxText, digest)),
		many("fingerprint", "[go version]", &p.Fingerprint, texts(maxText, oneLine)),
		one("business_rules", "docs/rules.md", &p.BusinessRules, texts(longestGlob, repositoryPath)),
		keys(top, "floor", floorFields(top.below("floor"), &p.Floor)...),
	}
	return append(fields, demandFields(&p.Demands)...)
}

// demandFields lists the keys that a rule and the organisation's floor may set, too.
func demandFields(d *Demands) []field {
	return []field{
		one("level", string(LevelChecks), &d.Level, words(Levels()...)),
		one("status_checks", Explicit, &d.StatusChecks, words(Explicit, Implied)),
		one("contradictions", Fail, &d.Contradictions, words(Fail, Warn)),
		one("unrenewed", Warn, &d.Unrenewed, words(Warn, Fail)),
		one("criteria", Optional, &d.Criteria, words(Off, Optional, Required)),
		one("no_changes", Flag, &d.NoChanges, words(Flag, Allow)),
		one("max_rejections", "3", &d.MaxRejections, count(1, mostAttempts)),
		one("max_attempts", "3", &d.MaxAttempts, count(1, mostAttempts)),
	}
}

// mostAttempts bounds max_attempts and max_rejections; nobody reads the history of more.
const mostAttempts = 1_000

func ruleFields(rule *Rule) []field {
	return append([]field{keys(scope{path: "rules"}, "when",
		many("labels", "[docs]", &rule.When.Labels, name),
		many("paths", `["docs/**"]`, &rule.When.Paths, glob),
		many("bases", "[main]", &rule.When.Bases, glob),
		many("issue_types", "[bug]", &rule.When.IssueTypes, name))},
		demandFields(&rule.Sets)...)
}

func roleFields(s scope, roles *Roles) []field {
	return []field{
		keys(s, "maintainers",
			one("permission", "maintain", &roles.Maintainers.Permission, words("admin", "maintain", "write", "triage")),
			many("users", "[alice]", &roles.Maintainers.Users, login),
			many("teams", "[acme/leads]", &roles.Maintainers.Teams, team)),
		many("trusted", `["helper[bot]"]`, &roles.TrustedUsers, login),
		table("agents", `{ "helper[bot]": { provider: vendor-a, connector: alice } }`, &roles.Agents, account, agent),
	}
}

func agentFields(a *Agent) []field {
	return []field{
		one("provider", "vendor-a", &a.Provider, name),
		one("connector", "alice", &a.Connector, name),
	}
}

func verifierFields(v *Verifier) []field {
	return []field{
		one("name", "build-box", &v.Name, name),
		one("owner", "carol", &v.Owner, login),
		one("public_key", `"..."`, &v.PublicKey, texts(maxText, filled)),
	}
}

func floorFields(s scope, f *Floor) []field {
	return append([]field{one("mode", Enforce, &f.Mode, words(Enforce, Report))}, demandFields(&f.Demands)...)
}

// The phases and layers of a step (design section 12).
var (
	phases = []string{"setup", "check", "serve", "teardown"}
	layers = []string{"install", "lint", "typecheck", "test", "build", "serve", "docs", "check"}
)

// The times of a step that names none (design section 12).
const (
	defaultTimeout      = 10 * time.Minute
	defaultProbeTimeout = time.Minute
)

func checkFields(c *Check) []field {
	c.Phase, c.Layer, c.Timeout, c.ProbeTimeout, c.Default = "check", "check", defaultTimeout, defaultProbeTimeout, true
	return []field{
		one("id", "RC-1", &c.ID, checkID),
		one("name", "unit tests", &c.Name, name),
		{key: "run", sample: "go test ./...", read: c.readRun},
		one("text", "Settings page keeps the chosen theme", &c.Text, texts(maxText, oneLine)),
		one("kind", "manual", &c.Kind, words("manual", "contract_proof")),
		many("observations", "[theme-survives-reload]", &c.Observations, observation),
		one("phase", "check", &c.Phase, words(phases...)),
		one("layer", "test", &c.Layer, words(layers...)),
		one("timeout", "10m", &c.Timeout, duration),
		many("tags", "[fast]", &c.Tags, name),
		one("default", "true", &c.Default, flag),
		one("probe", `"http://127.0.0.1:8080/healthz"`, &c.Probe, texts(maxText, probe)),
		one("probe_timeout", "60s", &c.ProbeTimeout, duration),
		one("stage", "app", &c.Stage, words("app")),
	}
}

// readRun takes a command: a text for a shell, or a list of words without one.
func (c *Check) readRun(r *reader, f field, n node) {
	word := texts(maxText, filled)
	switch n.kind {
	case text:
		c.Run, _ = word(r, f, n)
	case list:
		many(f.key, "[./run, stop]", &c.Args, word).read(r, f, n)
		if len(n.items) == 0 {
			r.fault(n.at, f.line(f.sample), "run is an empty list; it takes a command")
		}
	default:
		r.expected(f, n, "a command, as text or as a list of words")
	}
}
