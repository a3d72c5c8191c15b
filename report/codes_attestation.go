package report

// About signed results (design section 13).
const (
	CodeAttestationSignatureInvalid Code = "attestation.signature_invalid"
	CodeAttestationSubjectMismatch  Code = "attestation.subject_mismatch"
	CodeAttestationCommandMismatch  Code = "attestation.command_mismatch"
	CodeAttestationExpired          Code = "attestation.expired"
	CodeAttestationReplayed         Code = "attestation.replayed"
	CodeAttestationKeyUnknown       Code = "attestation.key_unknown"
	CodeAttestationKeyRevoked       Code = "attestation.key_revoked"
	CodeAttestationNotIndependent   Code = "attestation.not_independent"
)

var attestationDefinitions = []Definition{
	{
		Code: CodeAttestationSignatureInvalid, Severity: Warning, Owner: Maintainer, Rule: "section 13",
		Meaning: "the signature does not verify (no or empty signature included); the result does not count",
		Help:    "sign the result with the key that the policy lists",
	},
	{
		Code: CodeAttestationSubjectMismatch, Severity: Warning, Owner: Maintainer, Rule: "section 13",
		Meaning: "the signed commit, repository or PR is another; the result does not count",
		Help:    "run the job again for this commit",
	},
	{
		Code: CodeAttestationCommandMismatch, Severity: Warning, Owner: Maintainer, Rule: "section 13",
		Meaning: "the signed command or check is another; the result does not count",
		Help:    "run the command that the contract declares",
	},
	{
		Code: CodeAttestationExpired, Severity: Warning, Owner: Maintainer, Rule: "section 13",
		Meaning: "the result came later than 15 minutes after its claim; the result does not count",
		Help:    "ask for the job again and answer within 15 minutes",
	},
	{
		Code: CodeAttestationReplayed, Severity: Warning, Owner: Maintainer, Rule: "section 13",
		Meaning: "the result was accepted before; the result does not count",
		Help:    "ask for a new job",
	},
	{
		Code: CodeAttestationKeyUnknown, Severity: Warning, Owner: Maintainer, Rule: "section 13",
		Meaning: "the key is not listed in the policy at the base; the result does not count",
		Help:    "list the public key in the policy on the base branch",
	},
	{
		Code: CodeAttestationKeyRevoked, Severity: Warning, Owner: Maintainer, Rule: "section 13",
		Meaning: "the key was revoked; the result does not count",
		Help:    "make a new key and list it in the policy",
	},
	{
		Code: CodeAttestationNotIndependent, Severity: Warning, Owner: Maintainer, Rule: "section 13",
		Meaning: "the key's owner took part in the change; the result does not count",
		Help:    "let a verifier of somebody else run the job",
	},
}
