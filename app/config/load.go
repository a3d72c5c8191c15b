package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

const (
	// EnvironmentPrefix starts the name of every variable.
	EnvironmentPrefix = "EVIDENCE_GATE_"
	// fileLimit bounds the configuration file and every file that a *_file key names.
	fileLimit = 1 << 20
	fromFile  = "_file"
)

// belongsElsewhere are variables with our prefix that other parts read.
var belongsElsewhere = map[string]bool{"TOKEN": true, "STATE_DIR": true, "TEST_FULL": true, "NPM_DIR": true, "CONFIG": true}

// Sources is where values come from.
type Sources struct {
	Flags       map[string]string // by key, only those that were given
	Environment []string          // as os.Environ gives it
	File        string            // path of the YAML file, empty for none
}

// Names lists every key that may be set, those with _file among them.
func Names() []string {
	var names []string
	for _, key := range Keys() {
		names = append(names, key.Name)
		if key.Secret {
			names = append(names, key.Name+fromFile)
		}
	}
	return names
}

// Flag is the name of the flag of a key.
func Flag(name string) string { return strings.ReplaceAll(name, "_", "-") }

// Variable is the name of the environment variable of a key.
func Variable(name string) string { return EnvironmentPrefix + strings.ToUpper(name) }

// Load gathers and checks the configuration. The error holds every mistake.
func Load(s Sources) (Config, error) {
	wrong := &mistakes{}
	layers := []map[string]string{s.Flags, environment(wrong, s.Environment), configFile(wrong, s.File)}
	values := map[string]string{}
	for _, key := range Keys() {
		values[key.Name] = valueOf(wrong, key, layers)
	}
	config := check(wrong, values)
	return config, errors.Join(wrong.list...)
}

// valueOf takes the first layer that has the key, directly or as a file.
func valueOf(wrong *mistakes, key Key, layers []map[string]string) string {
	for _, layer := range layers {
		value, direct := layer[key.Name]
		path, indirect := layer[key.Name+fromFile]
		switch {
		case direct && indirect:
			wrong.add(key.Name, "expected either %s or %s in one place, found both", key.Name, key.Name+fromFile)
			return ""
		case direct:
			return value
		case indirect:
			text, err := readFile(path)
			if err != nil {
				wrong.add(key.Name+fromFile, "%s", err)
				return ""
			}
			return strings.TrimRight(text, "\r\n")
		}
	}
	return key.Default
}

// environment reads our variables. An empty one counts as not set.
func environment(wrong *mistakes, list []string) map[string]string {
	known := map[string]bool{}
	for _, name := range Names() {
		known[name] = true
	}
	values := map[string]string{}
	for _, entry := range list {
		variable, value, _ := strings.Cut(entry, "=")
		suffix, ours := strings.CutPrefix(variable, EnvironmentPrefix)
		if !ours || belongsElsewhere[suffix] || value == "" {
			continue
		}
		name := strings.ToLower(suffix)
		if !known[name] {
			wrong.add(variable, "there is no such setting%s", suggestion(name, func(n string) string { return Variable(n) }))
			continue
		}
		values[name] = value
	}
	return values
}

func configFile(wrong *mistakes, path string) map[string]string {
	if path == "" {
		return nil
	}
	text, err := readFile(path)
	if err != nil {
		wrong.add("config", "%s", err)
		return nil
	}
	values, err := parse(text)
	if err != nil {
		wrong.add("config", "%s: %s", path, err)
	}
	return values
}

// parse reads a YAML mapping of keys to single values.
func parse(text string) (map[string]string, error) {
	var document map[string]any
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return nil, fmt.Errorf("expected YAML with one `key: value` a line: %s", yaml.FormatError(err, false, false))
	}
	known := map[string]bool{}
	for _, name := range Names() {
		known[name] = true
	}
	values := map[string]string{}
	var wrong []error
	for name, value := range document {
		switch {
		case !known[name]:
			wrong = append(wrong, fmt.Errorf("%s: there is no such setting%s", name, suggestion(name, func(n string) string { return n })))
		default:
			single, err := scalar(value)
			if err != nil {
				wrong = append(wrong, fmt.Errorf("%s: %w", name, err))
				continue
			}
			values[name] = single
		}
	}
	sort.Slice(wrong, func(i, j int) bool { return wrong[i].Error() < wrong[j].Error() })
	return values, errors.Join(wrong...)
}

func scalar(value any) (string, error) {
	switch value := value.(type) {
	case string:
		return value, nil
	case bool, int, int64, uint64:
		return fmt.Sprint(value), nil
	case nil:
		return "", errors.New("expected a value, found none: leave the key out or set it")
	}
	return "", errors.New("expected one value, found a list, a mapping or a fraction")
}

func suggestion(name string, form func(string) string) string {
	best, distance := "", 4
	for _, known := range Names() {
		if d := markdown.Distance(name, known); d < distance {
			best, distance = known, d
		}
	}
	if best == "" {
		return ": see evidence-gate serve --help"
	}
	return ": did you mean " + form(best) + "?"
}

func readFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, fileLimit+1))
	if err != nil {
		return "", err
	}
	if len(text) > fileLimit {
		return "", fmt.Errorf("%s: expected at most %d bytes", path, fileLimit)
	}
	return string(text), nil
}

// LoadDatabase gathers and checks the path of the database alone, for commands that need nothing else.
func LoadDatabase(s Sources) (path string, err error) {
	wrong := &mistakes{}
	layers := []map[string]string{s.Flags, environment(wrong, s.Environment), configFile(wrong, s.File)}
	for _, key := range Keys() {
		if key.Name == "database_url" {
			path = database(wrong, valueOf(wrong, key, layers))
		}
	}
	return path, errors.Join(wrong.list...)
}
