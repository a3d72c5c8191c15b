package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/evidence-gate/evidence-gate/report"
)

// maxDocument bounds what is read of one document. The judges refuse a document over 1 MiB; what
// is far over that is not worth reading (design section 2, M1).
const maxDocument = 16 << 20

// open opens a file, or standard input for "-". The error says what was to be read and why it
// cannot be.
func open(p process, what, name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(p.stdin), nil
	}
	file, err := os.Open(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %q to read the %s from; give its path, or - for standard input", name, what)
	case err != nil:
		return nil, fmt.Errorf("cannot read the %s: %w", what, err)
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close()
		return nil, fmt.Errorf("cannot read the %s: %q is a folder, expected a file", what, name)
	}
	return file, nil
}

// readDocument reads a whole Markdown document. GitHub has none that is not UTF-8, so that judging
// another text would only blame what cannot be read for being absent.
func readDocument(p process, what, name string) (string, error) {
	text, err := readText(p, what, name)
	if err == nil {
		err = expectUTF8(what, name, text)
	}
	return text, err
}

// expectUTF8 refuses a text in another encoding.
func expectUTF8(what, name, text string) error {
	if len(text) > 1 && (text[0] == 0 || text[1] == 0 || strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff")) {
		return fmt.Errorf("the %s %q is UTF-16 or UTF-32 text: save it as UTF-8", what, name)
	}
	line := 1
	for i, r := range text {
		if _, size := utf8.DecodeRuneInString(text[i:]); r == utf8.RuneError && size == 1 {
			return fmt.Errorf("the %s %q is not UTF-8 text: line %d holds the byte 0x%02X, which is no character: save the file as UTF-8", what, name, line, text[i])
		}
		if r == '\n' {
			line++
		}
	}
	return nil
}

// readText reads a whole text.
func readText(p process, what, name string) (string, error) {
	r, err := open(p, what, name)
	if err != nil {
		return "", err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxDocument+1))
	if err != nil {
		return "", fmt.Errorf("cannot read the %s: %w", what, err)
	}
	if len(data) > maxDocument {
		return "", fmt.Errorf("the %s %q is over %d MiB; a document may have 1 MiB", what, name, maxDocument>>20)
	}
	return string(data), nil
}

// stageFlag is the flag --stage; only the two stages are accepted.
type stageFlag report.Stage

// String is the stage as written on the command line.
func (s *stageFlag) String() string { return string(*s) }

// Type is how the help names the value.
func (s *stageFlag) Type() string { return "review|merge" }

// Set takes the value from the command line.
func (s *stageFlag) Set(value string) error {
	switch stage := report.Stage(value); stage {
	case report.Review, report.Merge:
		*s = stageFlag(stage)
		return nil
	}
	return errors.New("expected review or merge")
}

// headFlag is the flag --head; only a whole commit is accepted, because judging evidence against a
// part of one would accept what GitHub refuses.
type headFlag string

// String is the commit.
func (h *headFlag) String() string { return string(*h) }

// Type is how the help names the value.
func (h *headFlag) Type() string { return "SHA" }

// Set takes the value from the command line.
func (h *headFlag) Set(value string) error {
	if n := len(value); n != 40 && n != 64 || strings.Trim(value, "0123456789abcdef") != "" {
		return errors.New("expected the whole commit, 40 or 64 lower-case hexadecimal digits, as git rev-parse HEAD prints it")
	}
	*h = headFlag(value)
	return nil
}
