// Package attempts reads attempt carriers, the comments that tell of every run of a check that did not
// pass at once, and judges them (design section 6, A1 to A12): are they well-formed, was a run
// repeated as the retry rule allows, is anything lost of what was recorded, whose hand is the triage,
// and what does the episode of each check amount to. It also writes carriers, refusing what it would
// refuse to read. It is pure: comments with their revisions, roles and references come in as [Facts].
// What a failed or blocked entry of the body needs of an episode is left to package checks.
//
// # How a comment is read
//
// A text is cut into pieces at its live markers and at its headings of level 1 to 4 (outline). What
// stands under a level-4 heading is a subsection: its fields are read by the table of its kind, and
// everything that is wrong with its form is kept with it. A reading then says what the pieces mean
// together: which check the marker names, and which subsections stand under the heading of that
// check. Earlier revisions are read only from the first heading on that they do not share with the
// revision before.
//
// # The retry rule as a machine (A5)
//
// Attempts are fed in order. There is one state for each command and artifact. Commands are the same by
// the rule of section 5, and without what changes nothing of a run: a comment, a semicolon, parentheses
// or braces around the whole, env or exec before it. An artifact is its object: a range is its end.
//
//	timeout    the foreground timeout after which nothing passed; none at the start
//	escalated  the longer foreground run that was allowed; none at the start
//	tried      strategy and timeout of every attempt since the last pass that did not pass
//
//	an attempt arrives                        it is
//	foreground, with a timeout before it      allowed when a prediction for it stands between the two, its
//	                                          timeout is larger and the predicted one, and nothing was
//	                                          escalated; then it is the escalation. Else refused.
//	tried before, timed out then              refused
//	tried before, failed or blocked then      allowed, with a warning
//	anything else                             allowed
//
// An allowed attempt moves the state on: a pass clears timeout and tried, a timeout is remembered in
// both, a failure in tried. A refused attempt leaves no trace, so that a proper retry stays possible
// after it, and a triage that lets it stand makes no later attempt refused.
//
// # A pass (A9)
//
// A pass settles what did not pass before it when its command is the check's, alone or within a longer
// one, or a part of it by a strategy of parts. Another command, or one that runs nothing, leaves the
// episode active, until the check's own is run or a maintainer triages.
//
// # Append-only as a machine (A7)
//
// For each check of a comment, the moments of the comment are fed in order: GitHub's revisions, texts
// that the service saw and GitHub does not show, acceptances by maintainers, the deletion.
//
//	kept    the history: the longest sequence of well-formed attempts and predictions; empty at first
//	owed    triage of maintainers that stood there, until its own author replaces it or takes it back
//	now     what the last text holds
//
//	a moment arrives                          then
//	a text that begins with kept              kept becomes that text
//	a text that does not                      it is a rewrite and adds nothing
//	a deletion                                is a text that holds nothing
//	an acceptance                             kept becomes now, when it names nothing
//
// An acceptance that names what is lost, by its digest, covers exactly that, whenever it was given.
//
// At the end the history is lost as far as now does not begin with kept or lacks what is owed. Texts
// are compared by what their entries say, so that white space, bullets and line ends are no rewrite.
// A triage may stand between attempts, since the revision that introduced it tells when it was
// written. What another comment than the check's carrier lost is not lost when it stands there.
//
// # Whose hand a triage is (A6, A12)
//
// The same pass over the moments remembers which text introduced each triage. A triage that was lost
// and put back keeps its hand, unless a maintainer took it away. A triage that names a comment counts
// by that comment's author, when the comment was never edited and says the same. A triage covers its
// attempt as it stood: an attempt that was recorded or corrected afterwards needs another one.
//
// # Who recorded attempts (section 10)
//
// Everybody in whose text an attempt appeared first, in any comment that is or was a carrier, and the
// author of that comment. Moving the attempts, deleting the comment, or a maintainer's acceptance of
// what is lost takes nobody off that list: the work was done. A text that is gone may have held one,
// so that its editor is on the list; an editor who is not known may be anybody.
package attempts
