package report

// When the severity of a code differs from that of its row, as the meanings say it.
const (
	whenTriaged = " (warning once a maintainer has triaged the attempt)"                           // A7
	whenLeft    = " (warning once a maintainer has triaged the attempt or a later one is allowed)" // A5
	whenChanged = " (error for `profile validate` and for a pull request that changes the file)"   // section 7
)
