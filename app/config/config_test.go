package config

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/evidence-gate/evidence-gate/internal/github"
)

var keyPEM = sync.OnceValue(func() string {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}))
})

// whole is the least that must be set.
func whole() map[string]string {
	return map[string]string{"app_id": "12345", "private_key": keyPEM(), "webhook_secret": "one"}
}

func with(changes map[string]string) map[string]string {
	values := whole()
	for name, value := range changes {
		if value == "-" {
			delete(values, name)
			continue
		}
		values[name] = value
	}
	return values
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	c, err := Load(Sources{Flags: whole()})
	require.NoError(t, err)
	require.NotNil(t, c.PrivateKey)
	c.PrivateKey = nil
	require.Equal(t, Config{
		Listen: "127.0.0.1:8080", AdminListen: "127.0.0.1:9090", DatabasePath: "evidence-gate.db",
		GitHubURL: github.DefaultURL, AppID: 12345, WebhookSecrets: []string{"one"},
		Enrol: "policy", CheckName: "evidence-gate", LogLevel: slog.LevelInfo, SweepEvery: 5 * time.Minute,
	}, c)
}

func TestFlagsWinOverTheEnvironmentAndThatOverTheFile(t *testing.T) {
	t.Parallel()
	file := write(t, "gate.yml", "listen: 127.0.0.1:1\nadmin_listen: 127.0.0.1:2\napp_id: 3\nenrol: all\n")
	c, err := Load(Sources{
		Flags:       map[string]string{"listen": "127.0.0.1:101", "private_key": keyPEM(), "webhook_secret": "one"},
		Environment: []string{"EVIDENCE_GATE_LISTEN=127.0.0.1:11", "EVIDENCE_GATE_ADMIN_LISTEN=127.0.0.1:12", "EVIDENCE_GATE_ENROL=", "HOME=/", "EVIDENCE_GATE_TEST_FULL=1", "EVIDENCE_GATE_NPM_DIR=n", "EVIDENCE_GATE_TOKEN=t", "EVIDENCE_GATE_STATE_DIR=s"},
		File:        file,
	})
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:101", c.Listen)
	require.Equal(t, "127.0.0.1:12", c.AdminListen)
	require.EqualValues(t, 3, c.AppID)
	require.Equal(t, "all", c.Enrol, "an empty variable counts as not set")
}

func TestSecretsFromFiles(t *testing.T) {
	t.Parallel()
	key, hook := write(t, "app.pem", keyPEM()), write(t, "hook", "one,two\n")
	t.Run("by flag", func(t *testing.T) {
		t.Parallel()
		c, err := Load(Sources{Flags: map[string]string{"app_id": "1", "private_key_file": key, "webhook_secret_file": hook}})
		require.NoError(t, err)
		require.NotNil(t, c.PrivateKey)
		require.Equal(t, []string{"one", "two"}, c.WebhookSecrets)
	})
	t.Run("a file given by a flag wins over a value in the environment", func(t *testing.T) {
		t.Parallel()
		c, err := Load(Sources{
			Flags:       map[string]string{"app_id": "1", "private_key_file": key, "webhook_secret_file": hook},
			Environment: []string{"EVIDENCE_GATE_WEBHOOK_SECRET=other"},
		})
		require.NoError(t, err)
		require.Equal(t, []string{"one", "two"}, c.WebhookSecrets)
	})
	t.Run("by environment and configuration file", func(t *testing.T) {
		t.Parallel()
		c, err := Load(Sources{
			Environment: []string{"EVIDENCE_GATE_WEBHOOK_SECRET_FILE=" + hook},
			File:        write(t, "gate.yml", "app_id: 1\nprivate_key_file: "+key+"\n"),
		})
		require.NoError(t, err)
		require.Equal(t, []string{"one", "two"}, c.WebhookSecrets)
	})
}

func TestKeysInEveryForm(t *testing.T) {
	t.Parallel()
	forms := map[string]string{
		"PEM":             keyPEM(),
		"escaped PEM":     strings.ReplaceAll(keyPEM(), "\n", `\n`),
		"base64 of PEM":   base64.StdEncoding.EncodeToString([]byte(keyPEM())),
		"path of the PEM": write(t, "app.pem", keyPEM()),
	}
	for form, value := range forms {
		t.Run(form, func(t *testing.T) {
			t.Parallel()
			c, err := Load(Sources{Flags: with(map[string]string{"private_key": value})})
			require.NoError(t, err)
			require.NotNil(t, c.PrivateKey)
		})
	}
}

func TestValues(t *testing.T) {
	t.Parallel()
	c, err := Load(Sources{Flags: with(map[string]string{
		"webhook_secret": " new , old", "database_url": "sqlite:///var/lib/gate.db", "listen": ":0", "admin_listen": ":0",
		"github_url": "https://ghe.example.org/api/v3/", "public_url": "https://gate.example.org", "log_level": "debug",
		"oauth_client_id": "id", "oauth_client_secret": "s", "check_name": "evidence (beta)",
	})})
	require.NoError(t, err)
	require.Equal(t, []string{"new", "old"}, c.WebhookSecrets)
	require.Equal(t, "/var/lib/gate.db", c.DatabasePath)
	require.Equal(t, "https://ghe.example.org/api/v3", c.GitHubURL)
	require.Equal(t, slog.LevelDebug, c.LogLevel)
	require.Equal(t, "evidence (beta)", c.CheckName)
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	rows := []struct {
		rule string
		flag map[string]string
		says string
	}{
		{"no app id", map[string]string{"app_id": "-"}, "app_id: expected the App's id"},
		{"an app id that is no number", map[string]string{"app_id": "my-app"}, `app_id: expected a positive number, found "my-app"`},
		{"no key", map[string]string{"private_key": "-"}, "private_key: expected the App's private key"},
		{"a key that is none", map[string]string{"private_key": "hunter2"}, "private_key: no PEM found"},
		{"a damaged key", map[string]string{"private_key": keyPEM()[:200]}, "private_key: the PEM text is damaged"},
		{"a key file that is not there", map[string]string{"private_key": "./hunter2.pem"}, "private_key: expected a key or the path of its file"},
		{"no secret", map[string]string{"webhook_secret": "-"}, "webhook_secret: expected the secret"},
		{"an empty secret", map[string]string{"webhook_secret": " "}, "webhook_secret: expected the secret"},
		{"an empty secret in the list", map[string]string{"webhook_secret": "hunter2,"}, "webhook_secret: expected secrets separated by commas, found an empty one in place 2"},
		{"a secret twice", map[string]string{"webhook_secret_file": "x"}, "webhook_secret: expected either webhook_secret or webhook_secret_file"},
		{"a secret file that is not there", map[string]string{"webhook_secret": "-", "webhook_secret_file": "/missing"}, "webhook_secret_file: open /missing"},
		{"an address without a port", map[string]string{"listen": "localhost"}, `listen: expected host:port such as 127.0.0.1:8080, found "localhost"`},
		{"a port that is none", map[string]string{"admin_listen": "127.0.0.1:http"}, `admin_listen: expected a port from 0 to 65535, found "http"`},
		{"one port for both", map[string]string{"admin_listen": "127.0.0.1:8080"}, "admin_listen: expected another address than listen"},
		{"PostgreSQL", map[string]string{"database_url": "postgres://u:hunter2@h/d"}, "database_url: PostgreSQL is not supported yet: use sqlite:PATH"},
		{"another database", map[string]string{"database_url": "mysql:x"}, `database_url: expected sqlite:PATH, such as sqlite:evidence-gate.db, found the scheme "mysql"`},
		{"a path without a scheme", map[string]string{"database_url": "gate.db"}, "database_url: expected sqlite:PATH"},
		{"a database in memory", map[string]string{"database_url": "sqlite::memory:"}, "must be on disk"},
		{"no path", map[string]string{"database_url": "sqlite:"}, "database_url: expected the path"},
		{"a GitHub address with a password", map[string]string{"github_url": "https://u:hunter2@ghe"}, "github_url: expected an address"},
		{"a public address that is none", map[string]string{"public_url": "gate.example.org"}, "public_url: expected an address"},
		{"an enrolment that is none", map[string]string{"enrol": "some"}, `enrol: expected policy or all, found "some"`},
		{"a log level that is none", map[string]string{"log_level": "loud"}, "log_level: expected debug"},
		{"a pause that is none", map[string]string{"sweep_every": "often"}, `sweep_every: expected a time from 10s to 24h, such as 5m, found "often"`},
		{"a pause that is too short", map[string]string{"sweep_every": "1s"}, "sweep_every: "},
		{"a check without a name", map[string]string{"check_name": " "}, "check_name: "},
		{"half of the sign-in", map[string]string{"oauth_client_id": "x"}, "oauth_client_id: expected it together with oauth_client_secret"},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			_, err := Load(Sources{Flags: with(row.flag)})
			require.ErrorContains(t, err, row.says)
			require.NotContains(t, err.Error(), "\n", "one mistake, one message")
			require.NotContains(t, err.Error(), "hunter2", "secrets are not shown")
		})
	}
}

func TestMistakesInTheFileAndTheEnvironment(t *testing.T) {
	t.Parallel()
	rows := []struct{ rule, file, says string }{
		{"a key with a typo", "webhok_secret: x\n", "webhok_secret: there is no such setting: did you mean webhook_secret?"},
		{"a key of nothing we know", "frobnicate: 1\n", "frobnicate: there is no such setting: see evidence-gate serve --help"},
		{"a list", "webhook_secret: [a, b]\n", "webhook_secret: expected one value"},
		{"no value", "app_id:\n", "app_id: expected a value"},
		{"no mapping", "- a\n", "expected YAML with one `key: value` a line"},
		{"no YAML", "a: [\n", "expected YAML with one `key: value` a line"},
		{"a key twice", "app_id: 1\napp_id: 2\n", "expected YAML"},
		{"too large", "app_id: " + strings.Repeat("1", 1<<20), "at most 1048576 bytes"},
	}
	for _, row := range rows {
		t.Run(row.rule, func(t *testing.T) {
			t.Parallel()
			_, err := Load(Sources{Flags: whole(), File: write(t, "gate.yml", row.file)})
			require.ErrorContains(t, err, row.says)
		})
	}
	_, err := Load(Sources{Flags: whole(), Environment: []string{"EVIDENCE_GATE_APPID=1"}})
	require.ErrorContains(t, err, "EVIDENCE_GATE_APPID: there is no such setting: did you mean EVIDENCE_GATE_APP_ID?")
	_, err = Load(Sources{Flags: whole(), File: filepath.Join(t.TempDir(), "missing.yml")})
	require.ErrorContains(t, err, "missing.yml")
}

func TestEveryMistakeIsReported(t *testing.T) {
	t.Parallel()
	_, err := Load(Sources{Flags: map[string]string{"listen": "x", "enrol": "x"}, File: write(t, "gate.yml", "nope: 1\n")})
	for _, name := range []string{"listen: ", "enrol: ", "nope: ", "app_id: ", "private_key: ", "webhook_secret: "} {
		require.ErrorContains(t, err, name)
	}
}
