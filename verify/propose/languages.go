package propose

import (
	"regexp"
	"slices"
	"strings"
)

// The files that say what a project is.
const (
	goFile     = "go.mod"
	nodeFile   = "package.json"
	cargoFile  = "Cargo.toml"
	pythonFile = "pyproject.toml"
	makeFile   = "Makefile"
)

// goSteps are the commands of the go tool, and the linter whose configuration is there.
func (l *look) goSteps() []Step {
	if !l.has(goFile) {
		return nil
	}
	lint := Step{Layer: "lint", Run: "go vet ./...", usual: true}
	if _, there := l.anyOf(".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"); there {
		lint = Step{Layer: "lint", Run: "golangci-lint run"}
	}
	return table(goFile,
		Step{Layer: "install", Run: "go mod download"},
		lint,
		Step{Layer: "typecheck", Run: "go build -o /dev/null ./...", usual: true},
		Step{Layer: "test", Run: "go test ./...", usual: true},
	)
}

// cargoSteps are the commands of cargo; with a lock file it is used as it stands.
func (l *look) cargoSteps() []Step {
	text, there := l.read(cargoFile)
	if !there {
		return nil
	}
	options := ""
	if tomlTables(text).has("workspace") {
		options = " --workspace"
	}
	fetch := "cargo fetch"
	if l.has("Cargo.lock") {
		fetch += " --locked"
		options += " --locked"
	}
	return table(cargoFile,
		Step{Layer: "install", Run: fetch},
		Step{Layer: "lint", Run: "cargo clippy --all-targets" + options + " -- -D warnings", usual: true},
		Step{Layer: "typecheck", Run: "cargo check --all-targets" + options, usual: true},
		Step{Layer: "test", Run: "cargo test" + options, usual: true},
	)
}

// pythonSteps are the tools that pyproject.toml configures, run by the tool whose lock file is there.
func (l *look) pythonSteps() []Step {
	text, there := l.read(pythonFile)
	if !there {
		return nil
	}
	tables := tomlTables(text)
	install, run := l.pythonInstall(text, tables)
	tool := func(name, command string) string {
		if tables.has("tool." + name) {
			return run + command
		}
		return ""
	}
	test := Step{Layer: "test", Run: run + "python3 -m unittest discover", usual: true}
	if tables.has("tool.pytest") || l.has("pytest.ini") || l.has("conftest.py") || l.has("tests/conftest.py") || mentions(text, "pytest") {
		test = Step{Layer: "test", Run: run + "python3 -m pytest"}
	}
	return table(pythonFile,
		install,
		Step{Layer: "lint", Run: first(tool("ruff", "ruff check ."), tool("flake8", "flake8"), tool("pylint", "pylint --recursive=y ."))},
		Step{Layer: "typecheck", Run: first(tool("mypy", "mypy ."), tool("pyright", "pyright"), tool("basedpyright", "basedpyright"))},
		test,
	)
}

// pythonInstall is how the project is installed, and what its tools are run with.
func (l *look) pythonInstall(text string, tables tomlNames) (install Step, run string) {
	switch {
	case l.has("uv.lock"):
		return Step{Layer: "install", Run: "uv sync --locked"}, "uv run "
	case l.has("poetry.lock"), tables.has("tool.poetry") && !tables.has("project"):
		return Step{Layer: "install", Run: "poetry install"}, "poetry run "
	case l.has("pdm.lock"):
		return Step{Layer: "install", Run: "pdm sync"}, "pdm run "
	}
	for _, extra := range []string{"dev", "test", "tests"} {
		if tables.has("project.optional-dependencies") && keyLine(text, extra) {
			return Step{Layer: "install", Run: `python3 -m pip install -e ".[` + extra + `]"`}, ""
		}
	}
	return Step{Layer: "install", Run: "python3 -m pip install -e ."}, ""
}

// tomlNames are the names of the tables of a TOML file.
type tomlNames []string

// tableLine is a line that begins a table: [tool.ruff], [[bin]].
var tableLine = regexp.MustCompile(`^\s*\[{1,2}\s*([A-Za-z0-9_."' -]+?)\s*\]{1,2}\s*(#.*)?$`)

// tomlTables lists the tables by their lines. That is all that is asked of the files: whether a tool
// is configured, not how.
func tomlTables(text string) tomlNames {
	var names tomlNames
	for line := range strings.Lines(text) {
		if found := tableLine.FindStringSubmatch(strings.TrimRight(line, "\r\n")); found != nil {
			names = append(names, strings.ReplaceAll(strings.Trim(found[1], `"'`), " ", ""))
		}
	}
	return names
}

// has reports whether there is a table of a name, or one below it.
func (t tomlNames) has(name string) bool {
	return slices.ContainsFunc(t, func(is string) bool { return is == name || strings.HasPrefix(is, name+".") })
}

// keyLine reports whether a line gives a key of a name.
func keyLine(text, key string) bool {
	return regexp.MustCompile(`(?m)^\s*"?` + regexp.QuoteMeta(key) + `"?\s*=`).MatchString(text)
}

// mentions reports whether a package is among the strings of a file, as in "pytest>=8".
func mentions(text, name string) bool {
	return regexp.MustCompile(`["']`+regexp.QuoteMeta(name)+`["' <>=~!;\[]`).MatchString(text) || keyLine(text, name)
}

func first(commands ...string) string {
	for _, c := range commands {
		if c != "" {
			return c
		}
	}
	return ""
}

// targets are the names of Makefile targets for each layer. `install` is none of them: by convention
// it puts the program into the system.
var targets = []struct {
	layer string
	names []string
}{
	{"install", []string{"deps", "setup", "bootstrap"}},
	{"lint", []string{"lint"}},
	{"typecheck", []string{"typecheck", "type-check", "types"}},
	{"test", []string{"test", "tests", "check"}},
	{"build", []string{"build"}},
	{"docs", []string{"docs"}},
}

// rule is a line of a Makefile that names targets: `test lint: build`, no assignment.
var rule = regexp.MustCompile(`^([A-Za-z0-9_. -]+?)\s*::?(?:[^:=]|$)`)

func (l *look) makeSteps() []Step {
	name, there := l.anyOf("GNUmakefile", "makefile", makeFile)
	if !there {
		return nil
	}
	text, _ := l.read(name)
	var known []string
	for line := range strings.Lines(text) {
		if found := rule.FindStringSubmatch(strings.TrimRight(line, "\r\n")); found != nil {
			known = append(known, strings.Fields(found[1])...)
		}
	}
	var rows []Step
	for _, t := range targets {
		for _, name := range t.names {
			if slices.Contains(known, name) {
				rows = append(rows, Step{Layer: t.layer, Run: "make " + name})
				break
			}
		}
	}
	return table(makeFile, rows...)
}
