package main

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// typable refuses texts of the command line that are going to be written for others to read and hold a
// character that nobody can type or see, or that a terminal would obey. White space of any kind is
// written as spaces.
func typable(command *cobra.Command) error {
	var found error
	command.Flags().Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		at := strings.IndexFunc(value, func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) })
		switch {
		case found != nil:
		case !utf8.ValidString(value):
			found = usage(command, fmt.Errorf("--%s: expected UTF-8 text, found other bytes", f.Name))
		case at >= 0:
			r, _ := utf8.DecodeRuneInString(value[at:])
			found = usage(command, fmt.Errorf("--%s: expected text without control characters, found U+%04X", f.Name, r))
		}
	})
	return found
}

// harmless is a text as it would be written, in which only what a terminal would obey is written out:
// control characters but for tabs and line ends, and those that turn the direction of writing.
func harmless(text string) string {
	var out strings.Builder
	for i, r := range text {
		obeyed := unicode.IsControl(r) && r != '\t' && r != '\n' && !strings.HasPrefix(text[i:], "\r\n")
		if obeyed || unicode.Is(unicode.Bidi_Control, r) {
			fmt.Fprintf(&out, "<U+%04X>", r)
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}
