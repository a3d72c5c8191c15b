package checks

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSameCommand is section 5, rule 4, row by row.
func TestSameCommand(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		about, a, b string
		same        bool
	}{
		{"equal", "npm test", "npm test", true},
		{"white space collapsed", "  npm \t test ", "npm test", true},
		{"another command", "npm test", "npm run test", false},
		{"a prefix", "npm test", "npm test -- --only a", false},
		{"case of an argument", "npm Test", "npm test", false},
		{"case of the program", "NPM test", "npm test", false},

		{"quotes around a word", "go test -run 'A'", "go test -run A", true},
		{"double and single quotes", `grep "a b"`, "grep 'a b'", true},
		{"an escaped space", `grep a\ b`, "grep 'a b'", true},
		{"quotes inside a word", `a x"y"z`, "a xyz", true},
		{"quoted words are other words", "grep 'a b'", "grep a b", false},
		{"a backslash between double quotes", `a "\\x"`, `a '\x'`, true},
		{"an empty word", "a ''", "a", false},
		{"spaces inside quotes", "grep 'a  b'", "grep 'a b'", true}, // equal once white space is collapsed

		{"an absolute folder", "/usr/bin/php x", "php x", true},
		{"two absolute folders", "/usr/bin/php x", "/opt/php/bin/php x", true},
		{"a relative folder is part of the program", "./a/x.sh", "./b/x.sh", false},
		{"a relative folder on one side", "./x.sh", "x.sh", false},
		{"a relative folder with backslashes", `vendor\bin\phpunit`, "vendor/bin/phpunit", true},
		{"an absolute folder in an argument", "php /usr/x", "php x", false},
		{".exe", "php.exe x", "php x", true},
		{".EXE", "PHP.EXE x", "PHP x", true},
		{"a drive", `C:\php\php.exe x`, "php x", true},
		{"a drive with slashes", "C:/php/php.exe x", "php x", true},
		{".exe in an argument", "run a.exe", "run a", false},

		{"a version on one side", "php8.3 x", "php x", true},
		{"a version with a dash", "php-8.3 x", "php x", true},
		{"two versions", "python2 x", "python3 x", false},
		{"two spellings of one version", "python3 x", "/usr/bin/python3 x", true},
		{"folder, version and .exe", `C:\Python\python3.12.exe x`, "python x", true},
		{"node", "node20 x", "node x", true},
		{"ruby", "ruby3.3 x", "ruby x", true},
		{"perl", "perl5 x", "perl x", true},
		{"java", "java21 x", "java x", true},
		{"lua", "lua5.4 x", "lua x", true},
		{"deno", "deno2 x", "deno x", true},
		{"bun", "bun1.1 x", "bun x", true},
		{"no runtime", "gcc12 x", "gcc x", false},
		{"a version of an argument", "run php8.3", "run php", false},
		{"no version at all", "phpx", "php", false},

		{"an expansion", "echo $HOME x", "echo '$HOME' x", false},
		{"an expansion, equal as text", "echo $HOME", "echo  $HOME", true},
		{"a pipe", "a | b", "a  |  b", true},
		{"a pipe and another spelling", "'a' | b", "a | b", false},
		{"and", "a && b", "'a' && b", false},
		{"a redirection", "a > b", "'a' > b", false},
		{"an assignment", "A=1 b", "b", false},
		{"an assignment in another spelling", "A=1 b", "A='1' b", false},
		{"in the background", "a &", "a", false},
		{"a semicolon at the end", "a ;", "a", false},
		{"a comment", "a # b", "a", false},
		{"a negation", "! a", "a", false},
		{"a glob is an expansion", "rm *.txt", "rm '*.txt'", false},
		{"a question mark", "rm a?", "rm 'a?'", false},
		{"a class", "rm a[bc]", "rm 'a[bc]'", false},
		{"braces", "rm {a,b}", "rm '{a,b}'", false},
		{"a tilde", "ls ~/x", "ls '~/x'", false},
		{"a tilde inside a word", "ls a~", "ls 'a~'", true},
		{"no command", "a 'b", "a b", false},
	} {
		require.Equal(t, row.same, SameCommand(row.a, row.b), "%s: %s | %s", row.about, row.a, row.b)
		require.Equal(t, row.same, SameCommand(row.b, row.a), "%s, the other way round", row.about)
	}
}

func TestManySpansAreComparedAsText(t *testing.T) {
	t.Parallel()
	var many []string
	for i := range 2 * maxCommands {
		many = append(many, string(rune('a'+i%26))+string(rune('a'+i/26)))
	}
	set := newCommands(many...)
	for _, text := range many {
		require.True(t, set.has(text))
	}
	require.False(t, set.has("zzzz"))
}
