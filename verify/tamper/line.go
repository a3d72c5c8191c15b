package tamper

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/evidence-gate/evidence-gate/profile/policy"
)

// digestLine is the key with its value on one line: what stands before the value, and what after it.
var digestLine = regexp.MustCompile(`^((?:\x{FEFF})?(?:digest|"digest"|'digest')[ ]*:)[ ]*(?:"[^"]*"|'[^']*'|[^ #"'\r\n]*)([ ]*(?:[ ]#[^\r\n]*)?[\r\n]*)$`)

// WithDigest is the text of a policy file with a digest in its line `digest:`, which is added at the
// end when there is none. Every other byte stays. What it returns is read again and says that digest;
// a file that is written in another way is refused.
func WithDigest(text, digest string) (string, error) {
	before, faults := policy.Read(text, policy.Repository)
	if len(faults) > 0 {
		return "", fmt.Errorf("the policy is not valid: %s", faults[0].Message)
	}
	if before.Digest == digest {
		return text, nil
	}
	edited := appended(text, digest)
	if number := (policy.Effective{Policy: before}).Origin("digest").Line; number > 0 {
		edited = replaced(text, number, digest)
	}
	after, faults := policy.Read(edited, policy.Repository)
	if len(faults) > 0 || after.Digest != digest || Digest(after) != Digest(before) {
		return "", fmt.Errorf("the digest cannot be written without touching other lines: write it yourself, as a line of its own: digest: %s", digest)
	}
	return edited, nil
}

// replaced writes the value into one line, counted from 1. The line stays when it has another form.
func replaced(text string, number int, digest string) string {
	lines := splitLines(text)
	if number <= len(lines) {
		lines[number-1] = digestLine.ReplaceAllString(lines[number-1], "${1} "+digest+"${2}")
	}
	return strings.Join(lines, "")
}

// appended adds the line at the end, with the line breaks of the file.
func appended(text, digest string) string {
	end := "\n"
	if lines := splitLines(text); len(lines) > 0 {
		if first := strings.TrimLeft(lines[0], "\ufeff"); strings.HasSuffix(first, "\r\n") {
			end = "\r\n"
		} else if strings.HasSuffix(first, "\r") {
			end = "\r"
		}
		if last := lines[len(lines)-1]; !strings.HasSuffix(last, "\n") && !strings.HasSuffix(last, "\r") {
			text += end
		}
	}
	return text + "digest: " + digest + end
}

// splitLines splits after each line break, CR, LF or CRLF, as a policy is read.
func splitLines(text string) []string {
	var lines []string
	for text != "" {
		i := strings.IndexAny(text, "\r\n")
		if i < 0 {
			return append(lines, text)
		}
		if strings.HasPrefix(text[i:], "\r\n") {
			i++
		}
		lines = append(lines, text[:i+1])
		text = text[i+1:]
	}
	return lines
}
