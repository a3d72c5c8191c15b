// Command github-preflight judges the evidence of a pull request before it is pushed for review
// (design section 15). Each subcommand has a file of its own: options, flags, and a run function
// that calls the package which knows; this file only wires them to the process.
package main

import (
	"os"
	"time"

	"github.com/evidence-gate/evidence-gate/checks"
)

func main() {
	os.Exit(run(os.Args[1:], process{
		stdin:  os.Stdin,
		stdout: os.Stdout,
		stderr: os.Stderr,
		getenv: os.Getenv,
		now:    time.Now,
		sleep:  sleep,
	}, engine{
		evaluate: checks.Evaluate,
		lint:     checks.Lint,
	}))
}
