// Package lessons turns the Markdown files of the playground's lessons into
// HTML, and their fenced blocks into things that a reader can act on.
//
// A lesson is one file, LOCALE/NN-slug.md. Its first line is its title, its
// number is its place in the course, and there is no other metadata. Two kinds
// of fenced block are more than code:
//
//   - scenario holds the JSON of a [RunCard]: which scenario to run, with how
//     many clients, how slowly, with which seed. It becomes a card with a
//     button.
//   - predict holds the JSON of a [Question]: what will happen, and why. It
//     becomes a group of radio buttons with the answers folded away below, and
//     works without a script.
//
// A link to #stage-NAME points at a part of the page, or at an instant of the run,
// beside the lesson: the page lights it, or goes there.
//
// [Load] reads and renders everything once, and refuses what a reader would
// only notice as something missing: a fence with an unknown name or field, raw
// HTML, a link that leads nowhere. After that a [Library] is
// read-only: lessons are served from memory and nothing can fail.
//
// The package does not know which scenarios exist ([Library.Validate] takes
// their names), does not run them, and does not listen to HTTP. It writes no
// inline script and no inline style, so a strict content security policy holds.
package lessons
