//go:build race

package growth

// full is the largest input that is tried. The race detector makes everything many times slower, so
// that large inputs are left to runs without it.
const full = 128 << 10
