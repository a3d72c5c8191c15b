package report

import (
	"embed"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/txtar"
)

// ExampleHead is the pull request's head commit in every example.
const ExampleHead = "b7d41e9f02c36a58d1f4e07b9c8a25630fe1d794"

// Examples show one code on the smallest realistic documents. Context stands in both of them.
type Examples struct {
	Context []Part
	Wrong   []Part // provokes the code
	Right   []Part // avoids it, and everything is satisfied
}

// Part is one piece of an example. What no part gives is as in the plainest pull request that
// succeeds: a task with the check [RC-1] `npm test`, and a body that proves it.
type Part struct {
	Place  Place
	Text   string
	Times  int  // how often Text stands there one after another; 1 but for examples of size
	Hidden bool // needed to judge the example, not to understand it
}

// Place is where a part of an example stands.
type Place string

// The places of parts.
const (
	PlaceBody    Place = "body"    // the whole pull request body
	PlaceHead    Place = "head"    // instead of the head marker of the Evidence section
	PlaceEntries Place = "entries" // instead of the entries of the Evidence section
	PlaceIssue   Place = "issue"   // the whole task
	PlaceChecks  Place = "checks"  // instead of the text of the task's Required Checks section
	PlaceFacts   Place = "facts"   // JSON members laid over the Snapshot
	PlaceNote    Place = "note"    // a sentence for the reader
)

// The examples are text archives (golang.org/x/tools/txtar), one per area. A file's name reads
// "CODE SIDE PLACE [hidden] [times N]": CODE may be an area with ".*", SIDE is wrong, right or
// both. <U+200B> stands for that character.
//
//go:embed examples/*.txt
var exampleFiles embed.FS

var allExamples = sync.OnceValues(func() (map[Code]Examples, error) {
	all := map[Code]Examples{}
	entries, err := exampleFiles.ReadDir("examples")
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		data, err := exampleFiles.ReadFile("examples/" + entry.Name())
		if err != nil {
			return nil, err
		}
		for _, file := range txtar.Parse(data).Files {
			if err := addPart(all, file); err != nil {
				return nil, fmt.Errorf("examples/%s: %w", entry.Name(), err)
			}
		}
	}
	return all, nil
})

// Examples returns the examples of the code; false when it has none, as the codes of parts that
// are still to come.
func (c Code) Examples() (Examples, bool) {
	all, err := allExamples()
	if err != nil {
		return Examples{}, false
	}
	e, ok := all[c]
	if !ok || len(e.Wrong) == 0 {
		return Examples{}, false
	}
	area, _, _ := strings.Cut(string(c), ".")
	e.Context = append(append([]Part(nil), all[Code(area+".*")].Context...), e.Context...)
	return e, true
}

func addPart(all map[Code]Examples, file txtar.File) error {
	words := strings.Fields(file.Name)
	if len(words) < 3 {
		return fmt.Errorf("%q: want CODE SIDE PLACE", file.Name)
	}
	code, side := Code(words[0]), words[1]
	part := Part{Place: Place(words[2]), Text: string(file.Data), Times: 1}
	for rest := words[3:]; len(rest) > 0; rest = rest[1:] {
		switch {
		case rest[0] == "hidden":
			part.Hidden = true
		case rest[0] == "times" && len(rest) > 1:
			n, err := strconv.Atoi(rest[1])
			if err != nil {
				return fmt.Errorf("%q: %w", file.Name, err)
			}
			part.Times, rest = n, rest[1:]
		default:
			return fmt.Errorf("%q: unknown option %q", file.Name, rest[0])
		}
	}
	e := all[code]
	switch side {
	case "both":
		e.Context = append(e.Context, part)
	case "wrong":
		e.Wrong = append(e.Wrong, part)
	case "right":
		e.Right = append(e.Right, part)
	default:
		return fmt.Errorf("%q: unknown side %q", file.Name, side)
	}
	all[code] = e
	return nil
}

// Content is the text of the part as it stands in the document: repeated, and with the characters
// that cannot be shown.
func (p Part) Content() string {
	text := escapedCharacter().ReplaceAllStringFunc(p.Text, func(s string) string {
		n, err := strconv.ParseUint(s[3:len(s)-1], 16, 32)
		if err != nil {
			return s
		}
		return string(rune(n))
	})
	if p.Times > 1 {
		text = strings.Repeat(strings.TrimSuffix(text, "\n"), p.Times)
	}
	return text
}

var escapedCharacter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`<U\+[0-9A-F]{4,6}>`)
})
