//go:build unix

package verify

// shell runs the steps whose command is a text (design section 12).
const shell = "/bin/sh"
