package attempts

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/evidence-gate/evidence-gate/internal/markdown"
)

// How much of the commands of one judgement is parsed as shell, which can take long; what is longer,
// or comes later, is compared as text. A check has one command, and it is short.
const (
	maxRunBytes  = 1024
	maxRunsBytes = 256 << 10
	maxWrappers  = 8
)

// runs tells which commands are the same run (A5).
type runs struct {
	same func(a, b string) bool // the rule of section 5; nil: equal texts only
	left int                    // bytes that may still be parsed
	bare map[string]string
}

func newRuns(same func(a, b string) bool) *runs {
	return &runs{same: same, left: maxRunsBytes, bare: map[string]string{}}
}

// spend reports whether a text may still be parsed.
func (r *runs) spend(text string) bool {
	if len(text) > maxRunBytes {
		return false
	}
	r.left -= len(text)
	return r.left >= 0
}

// of is a command without what changes nothing of its run: comments, a semicolon at its end,
// parentheses and braces around the whole, and a wrapper without options before it. An assignment
// stays, since another environment may well be what a run needed.
func (r *runs) of(command string) string {
	command = markdown.Squeeze(command)
	bare, known := r.bare[command]
	if known {
		return bare
	}
	bare = command
	for range maxWrappers {
		if !mayUnwrap(bare) || !r.spend(bare) {
			break
		}
		inner, ok := unwrapped(bare)
		if !ok {
			break
		}
		bare = markdown.Squeeze(inner)
	}
	r.bare[command] = bare
	return bare
}

// equal reports whether two bare commands are the same.
func (r *runs) equal(a, b string) bool {
	return a == b || r.same != nil && r.spend(a) && r.spend(b) && r.same(a, b)
}

// idle are programs that run nothing of a project.
var idle = map[string]bool{"true": true, ":": true, "exit": true, "echo": true, "printf": true, "sleep": true, "test": true, "[": true}

// partial are the strategies that run parts of a check (A3), whose commands are their own.
var partial = map[string]bool{Focused: true, Split: true}

// settles reports whether a pass of a command says something about a check that did not pass before:
// it runs something, and that is the check's command, perhaps within a longer one (a timeout before
// it, an option or a redirection after it), or a part of it by a strategy of parts. What turns every
// outcome into a pass settles nothing.
func (r *runs) settles(command, strategy, check string) bool {
	bare := r.of(command)
	if program := firstProgram(bare); idle[program[strings.LastIndexByte(program, '/')+1:]] && !strings.ContainsAny(bare, "&|;") {
		return false
	}
	if check == "" || partial[strategy] {
		return true
	}
	check = r.of(check)
	if r.equal(bare, check) {
		return true
	}
	return strings.Contains(" "+bare+" ", " "+check+" ") && (strings.Contains(check, "||") || !strings.Contains(bare, "||"))
}

// wrappers are programs that run the rest of their words as it stands.
var wrappers = map[string]bool{"env": true, "command": true, "exec": true, "nohup": true}

// mayUnwrap tells quickly whether a command may have a layer.
func mayUnwrap(command string) bool {
	return strings.ContainsAny(command, "#;({") || wrappers[firstProgram(command)]
}

// unwrapped takes one layer off a command; ok is false when there is none.
func unwrapped(command string) (bare string, ok bool) {
	file, err := syntax.NewParser().Parse(strings.NewReader(command), "")
	if err != nil || len(file.Stmts) != 1 {
		return "", false
	}
	return layer(command, file.Stmts[0])
}

func layer(command string, s *syntax.Stmt) (string, bool) {
	if s.Negated || s.Background || s.Coprocess || s.Cmd == nil {
		return "", false
	}
	from, to := s.Cmd, syntax.Node(s.Cmd)
	if n := len(s.Redirs); n > 0 {
		to = s.Redirs[n-1]
	}
	whole := between(command, from.Pos(), maxPos(s.Cmd.End(), to.End()))
	if whole != command {
		return whole, whole != ""
	}
	if len(s.Redirs) > 0 {
		return "", false
	}
	switch c := s.Cmd.(type) {
	case *syntax.Subshell:
		if len(c.Stmts) == 1 {
			return layerOf(command, c.Stmts[0])
		}
	case *syntax.Block:
		if len(c.Stmts) == 1 {
			return layerOf(command, c.Stmts[0])
		}
	case *syntax.CallExpr:
		if len(c.Args) > 1 && wrappers[c.Args[0].Lit()] && !strings.HasPrefix(c.Args[1].Lit(), "-") {
			rest := between(command, c.Args[1].Pos(), c.End())
			if n := len(c.Assigns); n > 0 {
				rest = between(command, c.Pos(), c.Assigns[n-1].End()) + " " + rest
			}
			return rest, true
		}
	}
	return "", false
}

// layerOf is a statement as it is written, without the semicolon after it.
func layerOf(command string, s *syntax.Stmt) (string, bool) {
	end := s.End()
	if s.Semicolon.IsValid() && !s.Background {
		end = s.Semicolon
	}
	text := between(command, s.Pos(), end)
	return text, text != ""
}

func maxPos(a, b syntax.Pos) syntax.Pos {
	if b.After(a) {
		return b
	}
	return a
}

func between(text string, from, to syntax.Pos) string {
	a, b := int(from.Offset()), int(to.Offset())
	if a > b || b > len(text) {
		return ""
	}
	return strings.TrimSpace(text[a:b])
}

func firstProgram(command string) string {
	for _, w := range strings.Fields(command) {
		if !strings.Contains(w, "=") {
			return w
		}
	}
	return ""
}
