// Package lessons turns the Markdown files of the playground's lessons into
// HTML, and their fenced blocks into things that a reader can act on.
//
// A lesson is one file, LOCALE/NN-slug.md. Its first line is its title, its
// number is its place in the course, and there is no other metadata in it. Four kinds
// of fenced block are more than code:
//
//   - scenario holds the JSON of a [RunCard]: which scenario to run, with how
//     many clients, how slowly, with which seed, and what the lesson says of it in
//     figures. It becomes a card with a button.
//
//   - predict holds the JSON of a [Question]: what will happen, and why. It
//     becomes a group of radio buttons with the answers folded away below, and
//     works without a script.
//
//   - do holds the JSON of a [Task]: what to do, and the commands, faults and Go that do
//     it. It becomes a card with the answer folded away.
//
//   - check holds the JSON of a [Check]: when the goal of the tasks before it is met. It
//     becomes a card that says, beside a run, how the goal stands, why, and at which
//     event that is to be seen.
//
//   - challenge holds the JSON of a [Challenge]: a lock to mend. It becomes a card that opens
//     the lock in the page's editor, has it judged, and says how it stands.
//
// # How to fold a part
//
// A quotation that begins with a heading is folded below that: what a newcomer may skip.
//
//	> ### Which timeouts a server grants
//	>
//	> It grants one within its own bounds.
//
// It has text, code and pictures, and no card. It is open in print, and opened by a search
// in the page and by a link to it. The minutes of a lesson do not count it.
//
// # How to ask a question
//
// A question is about a run, and "shownAt" says when that has shown the answer: a decisive
// instant of the scenario by its name, {"goal": NAME} for a check of the lesson, or events,
// one after the other, in the words of a check:
//
//	"shownAt": [{"event": "gave up", "number": 2}, {"event": "waits", "number": 3}],
//	"measured": [{"lane": "herd", "figure": "woken per release", "atLeast": 6.5, "atMost": 7}]
//
// Without it that is the goal of the next check or, where a run card comes first, the end
// of its run. Until then the page says of no answer whether it is right. Where the answer
// is a figure, "measured" says which, and its bounds where the right choice is right: a run
// that comes to another figure tells that one alone.
//
// # How to name what is on the page
//
// A button, a tab or a menu is named by what stands on it: in bold in the text, after
// "press" or "choose" in what is told of an act. Translations name it as the page does
// in their language; static/test/lesson-labels.test.js holds them against the page.
//
// Each language has one word for a thing, which its file in lessons/glossary gives, with the
// words that are not used for it. A sentence of an English lesson has 25 words at most.
//
// # How to write a check
//
//	{
//	  "name": "gone-with-you",           progress is kept by it: it never changes
//	  "goal": "An ephemeral znode of yours has gone with your session.",
//	  "scenario": "by-hand",             one that a card of the lesson runs
//	  "inAnyOrder": false,
//	  "steps": [
//	    {"event": "created", "path": "/*", "mode": "ephemeral", "znode": "mine",
//	     "is": "you have made an ephemeral znode", "missing": "Make one, anywhere."},
//	    {"event": "session closed",
//	     "is": "your session has ended", "missing": "Type quit."}
//	  ],
//	  "mistakes": [
//	    {"event": "deleted", "by": "anyone", "znode": "mine", "undoes": true,
//	     "why": "It was deleted by a command: any znode goes like that."}
//	  ],
//	  "tooEarly": "That the znode is gone: it must go with the session.",
//	  "wrong": ["create -e /guest", "delete /guest", "quit"]
//	}
//
// The goal is the sentence that the reader sees, so write it first, and then steps that
// say no more and no less. A step is an event, with "times" as often as that says; what
// events there are, and what can be asked of each, stands in one table in
// playground/goal/happening.go, and a misspelt one is told with its line and all that
// there are. It is the reader's own unless "by" says "others" or "anyone". The same
// "znode", or "client", in two steps is the same one. Steps come in their order, or in
// any with "inAnyOrder", where one with "follows" still comes after the step before it.
// "missing" is what the reader hears while the step is the next. A mistake explains what
// the reader has just done; with "undoes", the steps before it are to be done again: that
// is "and afterwards not".
//
// Ask for what must come about, never for how: who makes ten other znodes first has made
// the one that counts, too. The acts of the tasks since the last check are the solution;
// "wrong" is the attempt that you would expect, and must not pass. Both are done in a run
// of the scenario by TestExercises of playground/site/exercise. An act is a line for the
// console, a fault, or the wait for an event:
//
//	"how": [
//	  {"break": {"client": 1, "fault": "pause", "for": "6s", "when": "hold"},
//	   "says": "Press Break… at client 1, choose Pause, 6 s, when it next holds."},
//	  {"wait": {"event": "acquired", "number": 2}},
//	  "ls /lock"
//	]
//
// A wait is for what happens after the act before it has begun. The fields of a break are
// those of POST .../faults, or "you" for the reader's own client. A number that depends on
// the moment is no number in a line: "delete /lock/lock-{last}" has that of the reader's
// newest znode of such a name, {last but one} that of the one before it. A task that types
// has the same in "go"; one that breaks may have in "shell" what does that to a client
// outside of the playground.
//
// # How to state a figure
//
// What a lesson says of a run in figures is held against the run by a test, when its run
// card has the words and the bounds:
//
//	"states": [{"says": "seven clients wake", "lane": "herd", "figure": "woken per release",
//	            "atLeast": 6.5, "atMost": 7}]
//
// The figures are those of [FigureNames]. A translation states the same ones, in words of its
// own text.
//
// # The course
//
// The file course.json says how the lessons make a course: its parts, and for each lesson
// how long it takes, what is done in it included, and which lessons it builds on. [Library.WriteMap]
// draws it. What a teacher needs beside the lessons is in the package below, teacher.
//
// A link to #stage-NAME points at a part of the page, or at an instant of the run,
// beside the lesson: the page lights it, or goes there.
//
// [Load] reads and renders everything once, and refuses what a reader would
// only notice as something missing: a fence with an unknown name or field, raw
// HTML, a link that leads nowhere. After that a [Library] is
// read-only: lessons are served from memory and nothing can fail.
//
// The package does not know which scenarios and faults exist ([Library.Validate] takes
// them), does not run them, and does not listen to HTTP. It writes no
// inline script and no inline style, so a strict content security policy holds.
package lessons
