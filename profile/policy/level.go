package policy

import "slices"

// Level is how much is asked of a pull request (design section 10).
type Level string

// The levels, as the policy and a task write them.
const (
	LevelOff               Level = "off"
	LevelChecks            Level = "checks"
	LevelChecksReview      Level = "checks+review"
	LevelChecksHuman       Level = "checks+human"
	LevelChecksReviewHuman Level = "checks+review+human"
)

// Levels lists every level.
func Levels() []Level {
	return []Level{LevelOff, LevelChecks, LevelChecksReview, LevelChecksHuman, LevelChecksReviewHuman}
}

// ParseLevel reads a level as it is written, exactly.
func ParseLevel(s string) (Level, bool) {
	l := Level(s)
	return l, slices.Contains(Levels(), l)
}

// Review reports whether an independent review is asked for.
func (l Level) Review() bool { return l == LevelChecksReview || l == LevelChecksReviewHuman }

// Human reports whether the approval of a person is asked for.
func (l Level) Human() bool { return l == LevelChecksHuman || l == LevelChecksReviewHuman }

// Join is the least level that asks for everything that both ask for.
func (l Level) Join(other Level) Level {
	for _, of := range Levels() {
		if of.AtLeast(l) && of.AtLeast(other) {
			return of
		}
	}
	return LevelChecksReviewHuman
}

// AtLeast reports whether l asks for everything that other asks for. Of checks+review and
// checks+human neither is at least the other.
func (l Level) AtLeast(other Level) bool {
	switch {
	case other == LevelOff:
		return true
	case l == LevelOff:
		return false
	}
	return (l.Review() || !other.Review()) && (l.Human() || !other.Human())
}
