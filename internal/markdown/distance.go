package markdown

// maxDistanceText bounds the text whose edit distance is computed; longer text is never near.
const maxDistanceText = 200

// Distance is the Levenshtein distance of two short strings in characters; a string over 200 bytes
// is as far away as it is long.
func Distance(a, b string) int {
	if len(a) > maxDistanceText || len(b) > maxDistanceText {
		return max(len(a), len(b))
	}
	x, y := []rune(a), []rune(b)
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range x {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range y {
			cost := diagonal
			if r != s {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(y)]
}
