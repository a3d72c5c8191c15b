//go:build race

package verify

const raceDetector = true
