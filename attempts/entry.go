package attempts

import "strconv"

// Attempt is one run of a check (A3). Fields hold what is written, white space collapsed; words of
// a fixed list are folded to the spelling of that list.
type Attempt struct {
	Number          int64  // 0: not given; writing takes the next number
	Artifact        string // a commit, tree:, range: or patch: reference
	Command         string
	Strategy        string // one of Strategies
	TimeoutMS       string // a positive integer, Unknown or None
	Outcome         string // one of Outcomes
	DurationMS      string // a positive integer, Unknown or None
	Required        string // "true" or "false"
	PartialEvidence string
	ProposedNext    string // one of Strategies, Unknown or None
	Candidate       string // one of Candidates; required for a timeout
	RecordedBy      string // Engineer
	RecordedAt      string // ISO-8601 in UTC
}

// Prediction announces a longer foreground run after a foreground timeout (A4).
type Prediction struct {
	For        int64 // number of the attempt to come; 0 when written means the next one
	BasedOn    int64
	Evidence   string
	WindowMS   string // <min>-<max>
	ChosenMS   string
	RecordedBy string
	RecordedAt string
}

// Triage is a decision about one attempt (A6).
type Triage struct {
	Attempt        int64
	Classification string // one of Classifications
	Reference      string // None for Pending and OneOff
	Reason         string
	TriagedBy      string // Maintainer
	TriagedAt      string // ISO-8601 in UTC
	Comment        string // id of the comment whose /triage line it repeats (A12), "" without one
}

// attempt is the subsection as an Attempt.
func (s *subsection) attempt() Attempt {
	return Attempt{
		Number: s.number, Artifact: s.get(attemptArtifact), Command: s.get(attemptCommand), Strategy: s.get(attemptStrategy),
		TimeoutMS: s.get(attemptTimeout), Outcome: s.get(attemptOutcome), DurationMS: s.get(attemptDuration), Required: s.get(attemptRequired),
		PartialEvidence: s.get(attemptPartial), ProposedNext: s.get(attemptNext), Candidate: s.get(attemptCandidate),
		RecordedBy: s.get(attemptBy), RecordedAt: s.get(attemptAt),
	}
}

// values are the fields in the order of their table.
func (a Attempt) values() []string {
	return []string{
		attemptArtifact: a.Artifact, attemptCommand: a.Command, attemptStrategy: a.Strategy, attemptTimeout: a.TimeoutMS,
		attemptOutcome: a.Outcome, attemptDuration: a.DurationMS, attemptRequired: a.Required, attemptPartial: a.PartialEvidence,
		attemptNext: a.ProposedNext, attemptCandidate: a.Candidate, attemptBy: a.RecordedBy, attemptAt: a.RecordedAt,
	}
}

// prediction is the subsection as a Prediction.
func (s *subsection) prediction() Prediction {
	based, _ := number(s.get(predictionBased))
	return Prediction{
		For: s.number, BasedOn: based, Evidence: s.get(predictionEvidence), WindowMS: s.get(predictionWindow), ChosenMS: s.get(predictionChosen),
		RecordedBy: s.get(predictionBy), RecordedAt: s.get(predictionAt),
	}
}

func (p Prediction) values() []string {
	based := ""
	if p.BasedOn != 0 {
		based = strconv.FormatInt(p.BasedOn, 10)
	}
	return []string{
		predictionBased: based, predictionEvidence: p.Evidence, predictionWindow: p.WindowMS, predictionChosen: p.ChosenMS,
		predictionBy: p.RecordedBy, predictionAt: p.RecordedAt,
	}
}

// decision is the subsection as a Triage.
func (s *subsection) decision() Triage {
	return Triage{
		Attempt: s.number, Classification: s.get(triageClassification), Reference: s.get(triageReference), Reason: s.get(triageReason),
		TriagedBy: s.get(triageBy), TriagedAt: s.get(triageAt), Comment: s.get(triageComment),
	}
}

func (t Triage) values() []string {
	return []string{
		triageClassification: t.Classification, triageReference: t.Reference, triageReason: t.Reason,
		triageBy: t.TriagedBy, triageAt: t.TriagedAt, triageComment: t.Comment,
	}
}
