package demo

import (
	"fmt"
	"io"
	"strings"

	"github.com/evidence-gate/evidence-gate/internal/githubtest"
	"github.com/evidence-gate/evidence-gate/profile/policy"
)

// The colours, as the parameters of a terminal's "select graphic rendition".
const (
	plain = ""
	bold  = "1"
	faint = "2"
	red   = "31"
	green = "32"
	amber = "33"
	cyan  = "36"
)

const (
	defaultWidth = 80
	// narrowest and widest keep lines readable on any terminal.
	narrowest = 40
	widest    = 110
	// indent stands before everything that belongs to a step.
	indent = "  "
)

// page writes the story. It keeps the first error of its writer and writes nothing after it.
type page struct {
	out   io.Writer
	paint painter
	width int
	full  bool
	err   error
}

func newPage(o Options) *page {
	width := o.Width
	if width <= 0 {
		width = defaultWidth
	}
	return &page{out: o.Out, paint: painter(o.Color), width: min(max(width, narrowest), widest), full: o.Full}
}

// painter colours text, or leaves it alone when it is false.
type painter bool

func (p painter) text(color, s string) string {
	if !p || color == plain || s == "" {
		return s
	}
	return "\x1b[" + color + "m" + s + "\x1b[0m"
}

// lines writes whole lines at once, so that a terminal never shows half a step.
func (p *page) lines(lines ...string) {
	if p.err != nil {
		return
	}
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	_, p.err = io.WriteString(p.out, b.String())
}

// prose breaks plain text at the page's width.
func (p *page) prose(text string) []string {
	return wrap(words([]run{{text: text}}), p.width, p.paint)
}

// opening says what runs and why the service judges there.
func (p *page) opening() {
	p.lines(p.prose("Evidence Gate: the real service and a simulated GitHub, on this machine only.")...)
	p.lines("")
	p.lines(p.prose(fmt.Sprintf("%s is enrolled by its policy, %s. (%s has none: there the service publishes nothing.)", repositoryName, policy.Path, otherName))...)
	p.lines("")
	p.lines(p.shift(indent, p.source(policyText))...)
}

// chapter says what a chapter is about and what its task asks for.
func (p *page) chapter(number int, c chapter, task *githubtest.Issue) {
	title := fmt.Sprintf("%d. %s", number, c.title)
	p.lines("", "", p.paint.text(bold, title), p.paint.text(bold, strings.Repeat("═", columns(title))), "")
	p.lines(p.prose(c.about)...)
	p.lines("")
	p.lines(p.prose(fmt.Sprintf("Issue #%d of %s, by %s:", task.Number(), repositoryName, maintainer))...)
	p.lines("")
	p.lines(p.shift(indent, p.source(task.Body()))...)
}

// shift indents lines, except empty ones.
func (p *page) shift(by string, lines []string) []string {
	shifted := make([]string, len(lines))
	for i, line := range lines {
		if line != "" {
			shifted[i] = by + line
		}
	}
	return shifted
}

// source is Markdown as its author wrote it.
func (p *page) source(markdown string) []string {
	lines := strings.Split(strings.TrimSpace(markdown), "\n")
	for i, line := range lines {
		lines[i] = p.paint.text(faint, printable(line))
	}
	return lines
}

var conclusionColors = map[string]string{"success": green, "failure": red}

func colorOf(conclusion string) string {
	if color, ok := conclusionColors[conclusion]; ok {
		return color
	}
	return amber
}

// scene is a step that was played.
type scene struct {
	number int
	told   string
	plain  string
	deed   deed
	answer answer
	run    githubtest.CheckRun
	stays  bool
}

// step writes what somebody did, how the service answered, and the check run that came of it.
func (p *page) step(s scene) {
	lines := []string{"", p.paint.text(bold+";"+colorOf(s.run.Conclusion), s.run.Conclusion) + "  " +
		p.paint.text(bold, fmt.Sprintf("step %d: %s", s.number, s.told)), ""}
	room := p.width - columns(indent)
	paragraph := func(text []string) {
		if len(text) > 0 {
			lines = append(append(lines, p.shift(indent, text)...), "")
		}
	}
	paragraph(wrap(words([]run{{text: s.plain}}), room, p.paint))
	if p.full && s.deed.written != "" {
		paragraph(p.source(s.deed.written))
	}
	if s.deed.asked != nil {
		paragraph(p.answered(s, room))
	}
	p.lines(append(lines, p.checkRun(s.run, !s.stays)...)...)
}

// answered is the service's answer to a command.
func (p *page) answered(s scene, room int) []string {
	lines := wrap(words([]run{{text: s.answer.said()}}), room, p.paint)
	if s.answer.reply != "" {
		lines = append(append(lines, ""), p.shift(indent, drawer{paint: p.paint}.document(s.answer.reply, room-columns(indent)))...)
	}
	if s.answer.added != "" {
		lines = append(append(lines, ""), p.shift(indent, p.source(s.answer.added))...)
	}
	return lines
}

// checkRun draws a published check run: its name, commit and title, then, unless it is as it was, its
// summary, and the rest of it when all is to be shown.
func (p *page) checkRun(published githubtest.CheckRun, anew bool) []string {
	bar := indent + p.paint.text(colorOf(published.Conclusion), "│") + " "
	var documents []string
	if anew {
		documents = append(documents, published.Summary)
	}
	if anew && p.full {
		documents = append(documents, published.Text)
	}
	d := drawer{paint: p.paint}
	room := p.width - columns(indent+"│ ")
	lines := wrap(words([]run{
		{text: published.Name, style: bold}, {text: " on "}, {text: short(published.HeadSHA)}, {text: ": "}, {text: published.Title, style: bold},
	}), room, p.paint)
	for _, document := range documents {
		if drawn := d.document(document, room); len(drawn) > 0 {
			lines = append(append(lines, ""), drawn...)
		}
	}
	for i, line := range lines {
		lines[i] = bar + line
	}
	return lines
}

// closing says what the story took and where to go on.
func (p *page) closing(t tally) {
	p.lines("", p.paint.text(bold, "What happened"))
	p.lines(p.shift(indent, []string{
		fmt.Sprintf("%-3d signed webhooks, each answered 202", t.webhooks),
		fmt.Sprintf("%-3d check runs, one for each head, then updated in place; none in %s", len(t.heads), otherName),
	})...)
	for _, h := range t.heads {
		colored := make([]string, len(h.conclusions))
		for i, conclusion := range h.conclusions {
			colored[i] = p.paint.text(colorOf(conclusion), conclusion)
		}
		p.lines(indent + fmt.Sprintf("      #%d %s: ", h.pull, short(h.sha)) + strings.Join(colored, " → "))
	}
	p.lines(indent + fmt.Sprintf("%-3d requests to GitHub", t.requests))
	for _, kind := range t.kinds {
		p.lines(indent + fmt.Sprintf("      %-2d %s", kind.n, kind.what))
	}
	p.lines("", p.paint.text(bold, "Where to go next"))
	p.lines(p.shift(indent, nextSteps)...)
}

// nextSteps name sections of README.md and what else the demo can show.
var nextSteps = []string{
	"README.md  " + strings.Join(readmeSections, " · "),
	"--full     with this flag: what people wrote, all of each check run",
	"--keep     with this flag: it stays, for the command line and webhooks by hand",
}

var readmeSections = []string{"Writing evidence", "First real set-up", "What each conclusion means"}
