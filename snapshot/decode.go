package snapshot

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// MaxBytes bounds the JSON of a Snapshot. Its documents may hold 16 MiB together (design section
// 2, M1), and JSON needs up to twice that for ordinary text. The bound keeps a whole evaluation
// under the 256 MiB of design section 17.
const MaxBytes = 32 << 20

// maxValues bounds how many JSON values a Snapshot may hold, so that a small file of many empty
// members cannot take much more memory than its size. A pull request of 250 commits with 3,000
// changed files and 1,000 long-lived comments stays under 100,000.
const maxValues = 1_000_000

// DecodeError says what in the JSON is not a Snapshot.
type DecodeError struct {
	Path    string // of the offending value, such as "pull_request.labels[2].name"; empty for the whole
	Problem string // what was expected and what was found
}

// Error names the place and the problem.
func (e *DecodeError) Error() string {
	if e.Path == "" {
		return e.Problem
	}
	return e.Path + ": " + e.Problem
}

// Decode reads one Snapshot from JSON and nothing after it. Everything that
// schema/snapshot.schema.json refuses is refused, with its path; so are unknown members where the
// schema leaves objects open, members given twice, and text that is not UTF-8: nothing is silently
// ignored or replaced, because what is not read cannot be judged (design section 1).
func Decode(r io.Reader) (Snapshot, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxBytes+1))
	if err != nil {
		return Snapshot{}, fmt.Errorf("cannot read the snapshot: %w", err)
	}
	if len(data) > MaxBytes {
		return Snapshot{}, &DecodeError{Problem: fmt.Sprintf("the snapshot is over %d MiB, the most that is read", MaxBytes>>20)}
	}
	if err := validJSON(data); err != nil {
		return Snapshot{}, err
	}
	s := scanner{data: data}
	if err := s.value(snapshotShape, path{}); err != nil {
		return Snapshot{}, err
	}
	var snap Snapshot
	if err := json.Unmarshal(data, &snap); err != nil {
		return Snapshot{}, &DecodeError{Problem: "cannot be read as a snapshot: " + err.Error()}
	}
	return snap, nil
}

// validJSON checks the syntax, so that the scanner after it only sees whole values.
func validJSON(data []byte) error {
	if len(data) == 0 {
		return &DecodeError{Problem: "is empty: expected one JSON object"}
	}
	if !utf8.Valid(data) {
		return &DecodeError{Problem: "is not UTF-8 text"}
	}
	if json.Valid(data) {
		return nil
	}
	var syntax *json.SyntaxError
	if err := json.Unmarshal(data, new(json.RawMessage)); errors.As(err, &syntax) {
		line, column := position(data, int(syntax.Offset)-1)
		return &DecodeError{Problem: fmt.Sprintf("is not one JSON value: line %d, column %d: %s", line, column, syntax.Error())}
	}
	return &DecodeError{Problem: "is not one JSON value"}
}

// position turns a byte offset into a line and a column, 1-based and counted in characters.
func position(data []byte, offset int) (line, column int) {
	line, start := 1, 0
	offset = max(0, min(offset, len(data)))
	for i, b := range data[:offset] {
		if b == '\n' {
			line, start = line+1, i+1
		}
	}
	return line, utf8.RuneCount(data[start:offset]) + 1
}
