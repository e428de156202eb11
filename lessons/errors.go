package lessons

import (
	"errors"
	"fmt"
)

// What can be wrong with a lesson. [Load] and [Library.Validate] wrap these in
// an [*Error] that says where.
var (
	// ErrName: a file is not named LOCALE/NN-slug.md.
	ErrName = errors.New("name is not LOCALE/NN-slug.md")
	// ErrDuplicate: two lessons of a locale share a slug or a number.
	ErrDuplicate = errors.New("duplicate lesson")
	// ErrTitle: the first line is not "# Title", or there is a second one.
	ErrTitle = errors.New(`the first line, and no other, must be "# Title"`)
	// ErrFence: a fenced block has no name, an unknown name, or more than a name.
	ErrFence = errors.New("unknown fence")
	// ErrRunCard: a scenario block is not the JSON of a complete run card.
	ErrRunCard = errors.New("bad run card")
	// ErrQuestion: a predict block is not the JSON of a complete question.
	ErrQuestion = errors.New("bad question")
	// ErrTask: a do block is not the JSON of a complete task.
	ErrTask = errors.New("bad task")
	// ErrCheck: a check block is not the JSON of a complete check.
	ErrCheck = errors.New("bad check")
	// ErrChallenge: a challenge block is not the JSON of a complete challenge.
	ErrChallenge = errors.New("bad challenge")
	// ErrFold: a quotation is not a heading and what is folded below it, or has a card in it.
	ErrFold = errors.New("bad fold")
	// ErrNothingToRun: a lesson has no run card.
	ErrNothingToRun = errors.New("lesson has no scenario block")
	// ErrRawHTML: the text contains HTML, which would be left out silently.
	ErrRawHTML = errors.New("raw HTML is not allowed")
	// ErrLink: a link to a lesson's file, or to a part of the page, leads nowhere.
	ErrLink = errors.New("link that leads nowhere")
	// ErrUnknownScenario: a run card names a scenario that is not there.
	ErrUnknownScenario = errors.New("unknown scenario")
	// ErrTranslation: a lesson has other runs, questions, tasks, checks or challenges than the one of
	// its slug in [DefaultLocale], or another number.
	ErrTranslation = errors.New("not a translation")
	// ErrCourse: course.json is not the JSON of a course, or not one of these lessons.
	ErrCourse = errors.New("bad course")
	// ErrEmpty: there is no lesson at all in [DefaultLocale].
	ErrEmpty = errors.New("no lessons")
)

// An Error says in which file of a lesson, and where it is known on which line,
// something is wrong.
type Error struct {
	// File is the path below the root given to [Load].
	File string
	// Line counts from 1; 0 means the file as a whole.
	Line int
	// Err wraps one of the sentinels of this package or a file system's error.
	Err error
}

// Error returns "file:line: what is wrong".
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %v", e.File, e.Err)
	}
	return fmt.Sprintf("%s:%d: %v", e.File, e.Line, e.Err)
}

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }
