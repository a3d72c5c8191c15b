//go:build !race

package growth

// full is the largest input that is tried: that of design section 17.
const full = 1 << 20
