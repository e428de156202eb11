// Package teacher has what a course is taught with: for each lesson a presenter page, plans
// for a class of so many minutes, and sheets for before and after a class.
//
// A presenter page is LOCALE/teacher/SLUG.md beside the lessons:
//
//	# The herd effect                     the title of the lesson, as it stands there
//
//	Time: 12 minutes
//
//	## Aim                                what a student can say afterwards
//	## Say                                what to say
//	## Click                              what to click in order, and what is to be seen
//	## If it goes wrong                   what goes wrong, and how to go on
//	## The popular wrong vote             each a heading ### Question N, choice N
//	## They will ask                      questions, each a ### heading with its answer
//	## Exit question                      likewise
//
// These sections, all of them and no others, in every locale under these English names. A
// vote names a question of the lesson, and one of its choices, by their places; the choice
// must be a wrong one. Below it stands what to say then.
//
// A link to #scenario-NAME opens the playground at the lesson with that scenario, which must
// be one that the lesson runs. A link to a Markdown file, seen from the one it stands in,
// leads to that document.
//
// A plan is LOCALE/plans/MINUTES.md, or NxMINUTES.md for N sessions: a title, and for each
// session some words and a table. A row is a step: minutes, the lesson as a link to
// ../teacher/SLUG.md or other words, and what is done. The minutes of a table come to those
// of the name. #scenario-NAME is one of the row's lesson.
//
// A sheet is LOCALE/sheets/NAME.md: a title, and what there is to read. Its pictures
// are in static/drawings. The solutions of all goals are no file: they are made of
// the lessons, and of the locks that are given to [Load].
//
// [Load] reads and renders everything once, and says by file and line what is wrong, as
// [lessons.Load] does. The documents have no script and no inline style, and are made to be
// printed.
package teacher
