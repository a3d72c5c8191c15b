package propose

import (
	"encoding/json"
	"strings"
)

// packageFile is what is asked of a package.json.
type packageFile struct {
	PackageManager  string            `json:"packageManager"`
	Scripts         map[string]string `json:"scripts"`
	DevDependencies map[string]any    `json:"devDependencies"`
	Dependencies    map[string]any    `json:"dependencies"`
}

// manager is a package manager: how it installs what the lock file says, runs a script, and runs a
// program of a package that is installed.
type manager struct {
	name, install, script, exec string
}

// scripts are the names of scripts for each layer.
var scripts = []struct {
	layer string
	names []string
}{
	{"lint", []string{"lint"}},
	{"typecheck", []string{"typecheck", "type-check", "check-types", "tsc", "types"}},
	{"test", []string{"test"}},
	{"build", []string{"build"}},
}

// noTest is the script that npm init writes where there is no test.
const noTest = "no test specified"

func (l *look) nodeSteps() []Step {
	text, there := l.read(nodeFile)
	if !there {
		return nil
	}
	var p packageFile
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		l.note("%s cannot be read: %v", nodeFile, err)
		return nil
	}
	m := l.manager(p)
	rows := []Step{{Layer: "install", Run: m.install}}
	for _, s := range scripts {
		for _, name := range s.names {
			if body := p.Scripts[name]; body != "" && !strings.Contains(body, noTest) {
				rows = append(rows, Step{Layer: s.layer, Run: m.script + name})
				break
			}
		}
	}
	rows = append(rows, l.configured(p, m, rows)...)
	return table(nodeFile, rows...)
}

// configured are the tools whose configuration is there and that no script runs.
func (l *look) configured(p packageFile, m manager, rows []Step) []Step {
	covered := map[string]bool{}
	for _, r := range rows {
		covered[r.Layer] = true
	}
	var more []Step
	if !covered["typecheck"] && l.has("tsconfig.json") && p.depends("typescript") {
		more = append(more, Step{Layer: "typecheck", Run: m.exec + "tsc --noEmit", usual: true})
	}
	if !covered["lint"] && p.depends("eslint") {
		more = append(more, Step{Layer: "lint", Run: m.exec + "eslint .", usual: true})
	}
	return more
}

func (p packageFile) depends(name string) bool {
	_, dev := p.DevDependencies[name]
	_, run := p.Dependencies[name]
	return dev || run
}

// manager is the one whose lock file is there, else the one that package.json names, else npm.
func (l *look) manager(p packageFile) manager {
	name, version, _ := strings.Cut(p.PackageManager, "@")
	switch {
	case l.has("pnpm-lock.yaml"):
		return manager{"pnpm", "pnpm install --frozen-lockfile", "pnpm run ", "pnpm exec "}
	case l.has("yarn.lock"):
		install := "yarn install --frozen-lockfile"
		if l.has(".yarnrc.yml") || name == "yarn" && !strings.HasPrefix(version, "1.") {
			install = "yarn install --immutable" // from version 2 on
		}
		return manager{"yarn", install, "yarn run ", "yarn run "}
	case l.has("package-lock.json"), l.has("npm-shrinkwrap.json"):
		return manager{"npm", "npm ci", "npm run ", "npx --no-install "}
	case l.has("bun.lock"), l.has("bun.lockb"):
		return manager{"bun", "bun install --frozen-lockfile", "bun run ", "bun run "}
	case name == "pnpm":
		return manager{"pnpm", "pnpm install", "pnpm run ", "pnpm exec "}
	case name == "yarn":
		return manager{"yarn", "yarn install", "yarn run ", "yarn run "}
	}
	return manager{"npm", "npm install", "npm run ", "npx --no-install "}
}
