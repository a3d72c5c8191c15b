package propose

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/profile/policy"
)

// repository is a file system of names and texts.
func repository(files map[string]string) fstest.MapFS {
	root := fstest.MapFS{}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return root
}

func proposal(t *testing.T, files map[string]string) Proposal {
	t.Helper()
	p, err := For(repository(files))
	require.NoError(t, err)
	return p
}

// repositories are what projects look like, with the steps that fit them.
var repositories = map[string]struct {
	files map[string]string
	want  []string // layer: command
	open  []string
}{
	"nothing": {map[string]string{"README.md": "# x\n"}, nil, []string{"install", "lint", "typecheck", "test"}},
	"a Go module": {map[string]string{"go.mod": "module x\n"},
		[]string{"install: go mod download", "lint: go vet ./...", "typecheck: go build -o /dev/null ./...", "test: go test ./..."}, nil},
	"a Go module with golangci-lint": {map[string]string{"go.mod": "module x\n", ".golangci.yml": ""},
		[]string{"install: go mod download", "lint: golangci-lint run", "typecheck: go build -o /dev/null ./...", "test: go test ./..."}, nil},
	"npm with a lock file": {map[string]string{"package.json": `{"scripts": {"test": "node --test", "lint": "eslint .", "typecheck": "tsc", "build": "vite build"}}`, "package-lock.json": "{}"},
		[]string{"install: npm ci", "lint: npm run lint", "typecheck: npm run typecheck", "test: npm run test", "build: npm run build"}, nil},
	"npm without one": {map[string]string{"package.json": `{"scripts": {"test": "node --test"}}`},
		[]string{"install: npm install", "test: npm run test"}, []string{"lint", "typecheck"}},
	"pnpm": {map[string]string{"package.json": `{"scripts": {"test": "vitest", "type-check": "tsc"}}`, "pnpm-lock.yaml": ""},
		[]string{"install: pnpm install --frozen-lockfile", "typecheck: pnpm run type-check", "test: pnpm run test"}, []string{"lint"}},
	"yarn 1": {map[string]string{"package.json": `{"scripts": {"test": "jest"}}`, "yarn.lock": ""},
		[]string{"install: yarn install --frozen-lockfile", "test: yarn run test"}, []string{"lint", "typecheck"}},
	"yarn 4": {map[string]string{"package.json": `{"packageManager": "yarn@4.5.0", "scripts": {"test": "jest"}}`, "yarn.lock": ""},
		[]string{"install: yarn install --immutable", "test: yarn run test"}, []string{"lint", "typecheck"}},
	"bun": {map[string]string{"package.json": `{"scripts": {"test": "bun test"}}`, "bun.lock": ""},
		[]string{"install: bun install --frozen-lockfile", "test: bun run test"}, []string{"lint", "typecheck"}},
	"a manager that package.json names": {map[string]string{"package.json": `{"packageManager": "pnpm@9.0.0"}`},
		[]string{"install: pnpm install"}, []string{"lint", "typecheck", "test"}},
	"TypeScript without scripts": {map[string]string{"package.json": `{"devDependencies": {"typescript": "^5", "eslint": "^9"}}`, "tsconfig.json": "{}", "package-lock.json": ""},
		[]string{"install: npm ci", "lint: npx --no-install eslint .", "typecheck: npx --no-install tsc --noEmit"}, []string{"test"}},
	"the test that npm init writes is none": {map[string]string{"package.json": `{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}`},
		[]string{"install: npm install"}, []string{"lint", "typecheck", "test"}},
	"cargo": {map[string]string{"Cargo.toml": "[package]\nname = \"x\"\n"},
		[]string{"install: cargo fetch", "lint: cargo clippy --all-targets -- -D warnings", "typecheck: cargo check --all-targets", "test: cargo test"}, nil},
	"a cargo workspace with a lock file": {map[string]string{"Cargo.toml": "[workspace]\nmembers = []\n", "Cargo.lock": ""},
		[]string{"install: cargo fetch --locked", "lint: cargo clippy --all-targets --workspace --locked -- -D warnings", "typecheck: cargo check --all-targets --workspace --locked", "test: cargo test --workspace --locked"}, nil},
	"Python with tools": {map[string]string{"pyproject.toml": "[project]\nname = \"x\"\n[project.optional-dependencies]\ndev = [\"pytest>=8\", \"mypy\"]\n[tool.ruff.lint]\nselect = []\n[tool.mypy]\nstrict = true\n"},
		[]string{`install: python3 -m pip install -e ".[dev]"`, "lint: ruff check .", "typecheck: mypy .", "test: python3 -m pytest"}, nil},
	"Python without": {map[string]string{"pyproject.toml": "[project]\nname = \"x\"\n"},
		[]string{"install: python3 -m pip install -e .", "test: python3 -m unittest discover"}, []string{"lint", "typecheck"}},
	"uv": {map[string]string{"pyproject.toml": "[project]\nname = \"x\"\n[tool.pytest.ini_options]\n[tool.pyright]\n[tool.ruff]\n", "uv.lock": ""},
		[]string{"install: uv sync --locked", "lint: uv run ruff check .", "typecheck: uv run pyright", "test: uv run python3 -m pytest"}, nil},
	"poetry": {map[string]string{"pyproject.toml": "[tool.poetry]\nname = \"x\"\n[tool.flake8]\n", "conftest.py": ""},
		[]string{"install: poetry install", "lint: poetry run flake8", "test: poetry run python3 -m pytest"}, []string{"typecheck"}},
	"a Makefile": {map[string]string{"Makefile": "VERSION := 1\nlint test: build\n\t./run\nbuild:\n\t./b\ninstall:\n\tcp x /usr/local/bin\ndeps:\n\t./d\n"},
		[]string{"install: make deps", "lint: make lint", "test: make test", "build: make build"}, []string{"typecheck"}},
	"no target of a Makefile": {map[string]string{"Makefile": "test := ./test\nlint = x\n\ttest:\n# check: y\ninstall:\n"},
		nil, []string{"install", "lint", "typecheck", "test"}},
	"a Go module with a Makefile": {map[string]string{"go.mod": "module x\n", "Makefile": "test:\n\tgo test -race ./...\nsetup:\n"},
		[]string{"install: go mod download", "lint: go vet ./...", "typecheck: go build -o /dev/null ./...", "test: make test"}, nil},
	"npm with a Makefile": {map[string]string{"package.json": `{"scripts": {"test": "jest"}}`, "Makefile": "test: ; npm t\nlint: ; x\n"},
		[]string{"install: npm install", "lint: make lint", "test: npm run test"}, []string{"typecheck"}},
	"Go and npm": {map[string]string{"go.mod": "module x\n", "package.json": `{"scripts": {"test": "jest"}}`, "package-lock.json": ""},
		[]string{"install: go mod download", "install: npm ci", "lint: go vet ./...", "typecheck: go build -o /dev/null ./...", "test: go test ./...", "test: npm run test"}, nil},
}

func TestSteps(t *testing.T) {
	t.Parallel()
	for name, row := range repositories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := proposal(t, row.files)
			var found []string
			for _, s := range p.Steps {
				found = append(found, s.Layer+": "+s.Run)
			}
			require.Equal(t, row.want, found)
			require.ElementsMatch(t, row.open, p.Open)
		})
	}
}

// What is proposed is what `policy validate` takes, and the steps in it are those that were named.
func TestTheProposedPolicyIsValid(t *testing.T) {
	t.Parallel()
	for name, row := range repositories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := proposal(t, row.files)
			require.Equal(t, policy.Path, p.Files[0].Path)
			read, faults := policy.Read(p.Files[0].Text, policy.Repository)
			require.Empty(t, faults)
			require.Empty(t, read.Incomplete())
			require.Len(t, read.Checks, len(p.Steps)+len(p.Open))
			for i, s := range p.Steps {
				c := read.Checks[i]
				require.Equal(t, []string{s.Name, s.Run, s.Phase, s.Layer}, []string{c.Name, c.Run, c.Phase, c.Layer})
			}
			for _, c := range read.Checks {
				require.Equal(t, c.Layer == "install", c.Phase == "setup", c.Name)
			}
			// A layer without a command fails and says what to do; it never passes unseen.
			for i, layer := range p.Open {
				c := read.Checks[len(p.Steps)+i]
				require.Equal(t, layer, c.Layer)
				require.True(t, strings.HasSuffix(c.Run, "exit 1"), c.Run)
			}
		})
	}
}

// No text of the repository becomes part of a command.
func TestNothingIsTakenOver(t *testing.T) {
	t.Parallel()
	p := proposal(t, map[string]string{
		"package.json":   `{"packageManager": "npm; curl evil", "scripts": {"lint; curl evil": "x", "test": "curl evil"}}`,
		"Makefile":       "test; curl evil:\n$(shell curl evil):\nlint curl-evil:\n",
		"pyproject.toml": "[tool.\"ruff; curl evil\"]\n[project.optional-dependencies]\n\"dev]; curl evil\" = []\n",
		"Cargo.toml":     "[workspace; curl evil]\n",
	})
	for _, f := range p.Files {
		require.NotContains(t, f.Text, "evil")
	}
}

func TestWhatCannotBeUsedIsNoted(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		root fstest.MapFS
		note string
	}{
		"no JSON":      {repository(map[string]string{"package.json": "{"}), "package.json cannot be read"},
		"other JSON":   {repository(map[string]string{"package.json": `{"scripts": "test"}`}), "package.json cannot be read"},
		"over 1 MiB":   {repository(map[string]string{"Makefile": strings.Repeat("x", maxFile+1)}), "over 1 MiB"},
		"a folder":     {repository(map[string]string{"Makefile/x": ""}), "no ordinary file"},
		"a named pipe": {fstest.MapFS{"Cargo.toml": {Mode: fs.ModeNamedPipe}}, "no ordinary file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := For(row.root)
			require.NoError(t, err)
			require.Len(t, p.Notes, 1)
			require.Contains(t, p.Notes[0], row.note)
			require.Empty(t, p.Steps)
		})
	}
}

func TestWhatIsThereIsNotProposed(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		file string
		of   int
	}{
		"a policy":                     {".github/evidence.yml", 0},
		"a template":                   {".github/pull_request_template.md", 1},
		"a template in capitals":       {".github/PULL_REQUEST_TEMPLATE.md", 1},
		"a template at the root":       {"pull_request_template.txt", 1},
		"a template in docs":           {"docs/Pull_Request_Template.md", 1},
		"templates to choose from":     {".github/PULL_REQUEST_TEMPLATE/bug.md", 1},
		"a form":                       {".github/ISSUE_TEMPLATE/task.yml", 2},
		"a form with the other ending": {".github/ISSUE_TEMPLATE/task.yaml", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := proposal(t, map[string]string{row.file: "x"})
			for i, f := range p.Files {
				require.Equal(t, i == row.of, f.There != "", f.Path)
			}
			require.True(t, strings.HasPrefix(row.file, p.Files[row.of].There), p.Files[row.of].There)
			require.Len(t, p.Writable(), 2)
		})
	}
	p := proposal(t, map[string]string{"docs/pull_request_template.md": "## Evidence\n"})
	require.NotContains(t, p.Files[1].Help, "add a section")
	p = proposal(t, map[string]string{"docs/pull_request_template.md": "Nothing\n"})
	require.Contains(t, p.Files[1].Help, "add a section ## Evidence")
}
