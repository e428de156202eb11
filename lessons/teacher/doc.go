// Package teacher has what a course is taught with: for each lesson a presenter page, and
// plans for a class of so many minutes.
//
// A presenter page is LOCALE/teacher/SLUG.md beside the lessons:
//
//	# The herd effect                     the title of the lesson, as it stands there
//
//	Time: 12 minutes
//
//	## Say                                what to say
//	## Click                              what to click in order, and what is to be seen
//	## They will ask                      questions, each a ### heading with its answer
//
// These sections, all of them and no others, in every locale under these English names. A
// link to #scenario-NAME opens the playground at the lesson with that scenario, which must
// be one that the lesson runs; a link to SLUG.md leads to another page.
//
// A plan is LOCALE/plans/MINUTES.md: a title, some words, and one table, a row for each
// step: minutes, the lesson as a link to ../teacher/SLUG.md or other words, and what is
// done. The minutes of the rows come to those of its name. #scenario-NAME is one of the
// row's lesson.
//
// [Load] reads and renders everything once, and says by file and line what is wrong, as
// [lessons.Load] does. The documents have no script and no inline style, and are made to be
// printed.
package teacher
