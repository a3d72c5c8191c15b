package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// readsTerminal reports whether what is read comes from a terminal, where a person can answer.
func readsTerminal(r io.Reader) bool {
	file, is := r.(*os.File)
	return is && term.IsTerminal(int(file.Fd()))
}
