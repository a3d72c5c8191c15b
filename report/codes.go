package report

import "sync"

// Code names one kind of finding. Codes are stable: they are never renamed or reused. The
// constants stand beside their table rows, in one file per area.
type Code string

// Definition is one row of the code table (design section 8).
type Definition struct {
	Code     Code
	Severity Severity // as usually reported
	Owner    Owner    // as usually reported
	Varies   bool     // severity or owner depends on the document or the policy; Meaning says how
	Rule     string   // what in the design defines it, such as "E6" or "section 5.4"
	Meaning  string   // for the reference: when it is reported
	Message  string   // said when the judge knows nothing more exact; the Meaning when empty
	Help     string   // what to do about it; judges that know the exact line to write say that instead
}

// tables lists the areas in the order of the reference.
func tables() [][]Definition {
	return [][]Definition{
		documentDefinitions,
		headDefinitions,
		entryDefinitions,
		evidenceDefinitions,
		observationDefinitions,
		checkDefinitions,
		contractDefinitions,
		taskDefinitions,
		carrierDefinitions,
		attemptDefinitions,
		triageDefinitions,
		policyDefinitions,
		approvalDefinitions,
		criterionDefinitions,
		attestationDefinitions,
		gateDefinitions,
	}
}

// Definitions returns the whole table, always in the same order, as a copy.
func Definitions() []Definition {
	var all []Definition
	for _, area := range tables() {
		all = append(all, area...)
	}
	return all
}

var byCode = sync.OnceValue(func() map[Code]Definition {
	index := map[Code]Definition{}
	for _, d := range Definitions() {
		index[d.Code] = d
	}
	return index
})

// Lookup returns the row of a code.
func Lookup(code Code) (Definition, bool) {
	d, ok := byCode()[code]
	return d, ok
}

// New makes a diagnostic with the severity, owner and help of the table. An empty message means
// the table's own. A code that is not in the table becomes an error of the operator, so that a
// forgotten row never passes.
func New(code Code, message string) Diagnostic {
	d, ok := Lookup(code)
	if !ok {
		d = Definition{Severity: Error, Owner: Operator, Meaning: "the gate reported a code it does not know"}
	}
	if message == "" {
		message = d.Message
	}
	if message == "" {
		message = d.Meaning
	}
	return Diagnostic{Code: code, Severity: d.Severity, Owner: d.Owner, Message: message, Help: d.Help}
}
