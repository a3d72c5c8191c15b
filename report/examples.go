package report

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
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
	By     string // whose comment it is: one of the people of the examples
	Was    bool   // what stood there before: of a comment before its last edit, of the task when the pull request was opened
	Times  int    // how often Text stands there one after another; 1 but for examples of size
	Hidden bool   // needed to judge the example, not to understand it
}

// The people of the examples.
const (
	ExampleAuthor     = "eng"   // of the pull request, with write permission
	ExampleMaintainer = "lead"  // and author of the task
	ExampleReviewer   = "carol" // who may write and had no part in the work
	ExampleAdmin      = "root"
	ExampleStranger   = "passer" // who may only read
)

// Place is where a part of an example stands.
type Place string

// The places of parts.
const (
	PlaceBody     Place = "body"     // the whole pull request body
	PlaceHead     Place = "head"     // instead of the head marker of the Evidence section
	PlaceEntries  Place = "entries"  // instead of the entries of the Evidence section
	PlaceIssue    Place = "issue"    // the whole task
	PlaceChecks   Place = "checks"   // instead of the text of the task's Required Checks section
	PlaceCriteria Place = "criteria" // the text of the task's Acceptance Criteria section, which is not there without it
	PlaceReviews  Place = "reviews"  // one a line, oldest first, such as "carol approved <commit>"
	PlaceComment  Place = "comment"  // a whole comment of the task, each part one of its own; by the author unless said otherwise
	PlaceAttempts Place = "attempts" // what stands below the heading of the check in the author's attempt carrier
	PlaceTriage   Place = "triage"   // what stands there in a triage comment of the maintainer
	PlacePolicy   Place = "policy"   // the whole policy of the repository
	PlaceProfile  Place = "profile"  // the whole verification profile
	PlaceStage    Place = "stage"    // the stage that is judged; review when not given
	PlaceFacts    Place = "facts"    // JSON members laid over the Snapshot
	PlaceNote     Place = "note"     // a sentence for the reader
)

// The examples are text archives (golang.org/x/tools/txtar), one per area. A file's name reads
// "CODE SIDE PLACE [by LOGIN] [was] [hidden] [times N]": CODE may be an area with ".*", whose parts
// stand for those places that the code itself does not give; SIDE is wrong, right or both.
// <U+200B> stands for that character, and the line "- …" for the fields that are not shown.
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
	var context []Part
	for _, p := range all[Code(area+".*")].Context {
		if !e.replaces(p.Place) {
			context = append(context, p)
		}
	}
	e.Context = append(context, e.Context...)
	return e, true
}

// replaces reports whether the code has a context of its own for a place.
func (e Examples) replaces(place Place) bool {
	return slices.ContainsFunc(e.Context, func(p Part) bool { return p.Place == place })
}

// Shown are the parts that a reader sees, in their order.
func (e Examples) Shown() []Part {
	var shown []Part
	for _, p := range slices.Concat(e.Context, e.Wrong, e.Right) {
		if !p.Hidden {
			shown = append(shown, p)
		}
	}
	return shown
}

func addPart(all map[Code]Examples, file txtar.File) error {
	words := strings.Fields(file.Name)
	if len(words) < 3 {
		return fmt.Errorf("%q: want CODE SIDE PLACE", file.Name)
	}
	code, side := Code(words[0]), words[1]
	part := Part{Place: Place(words[2]), Text: string(file.Data), Times: 1}
	if err := part.options(words[3:]); err != nil {
		return fmt.Errorf("%q: %w", file.Name, err)
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

// options reads what follows the place in the name of a file.
func (p *Part) options(words []string) error {
	for ; len(words) > 0; words = words[1:] {
		switch {
		case words[0] == "hidden":
			p.Hidden = true
		case words[0] == "was":
			p.Was = true
		case words[0] == "by" && len(words) > 1:
			p.By, words = words[1], words[1:]
		case words[0] == "times" && len(words) > 1:
			n, err := strconv.Atoi(words[1])
			if err != nil {
				return err
			}
			p.Times, words = n, words[1:]
		default:
			return fmt.Errorf("unknown option %q", words[0])
		}
	}
	return nil
}

// Content is the text of the part as it stands in the document: repeated, with the fields that are
// not shown and with the characters that cannot be.
func (p Part) Content() string {
	text := escapedCharacter().ReplaceAllStringFunc(withOtherFields(p.Text), func(s string) string {
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
