// Package github is the one place that talks to GitHub: it signs in as the App or with a token,
// turns a live pull request into a Snapshot, and reads and writes check runs (design section 14,
// Loading and Publishing; the guards around ghinstallation are those of design section 18).
//
// It knows GitHub's transport, errors and shapes. What the facts mean is left to the judges, when
// to try again is left to the caller: every failure is an [*Error] whose Kind says what happened.
package github
