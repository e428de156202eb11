package lessons

import (
	"cmp"
	"embed"
	"io/fs"
	"slices"
)

// DefaultLocale is the locale that every lesson exists in, and the one that
// [Library.Get] falls back to.
const DefaultLocale = "en"

//go:embed course.json en ru zh
var shipped embed.FS

// Files are the lessons that are part of the program, and what stands beside them.
func Files() fs.FS { return shipped }

// A Lesson is one rendered lesson. It is a value; its slices are shared with
// the [Library] and must not be changed.
type Lesson struct {
	// Locale is the name of the lesson's directory, a language tag such as "en".
	Locale string
	// Slug names the lesson in addresses. It is the same in every locale.
	Slug string
	// Title is the text of the first heading.
	Title string
	// Order is the lesson's place in the course, from 1.
	Order int
	// Scenarios are the run cards in the order of the text, at least one.
	Scenarios []RunCard
	// Questions are the predictions asked for, in the order of the text.
	Questions []Question
	// Tasks and Checks are what is to be done and how that is told, in the order of the
	// text.
	Tasks  []Task
	Checks []Check
	// Challenges are the locks to mend, in the order of the text.
	Challenges []Challenge
	// Opening is the first paragraph, as plain text.
	Opening string
	// Words is how many there are to read, cards, code and what is folded left out.
	Words int
	// HTML is the inside of the lesson's article element, title included.
	HTML []byte

	file  string
	links []link
	// folds is how many parts are folded.
	folds int
}

// A Library holds the lessons of every locale. It never changes after [Load]
// and is safe for concurrent use.
type Library struct {
	lessons []Lesson // by locale, then order
	course  []Part
	pages   map[string]*pages // by locale
}

// Shipped loads the lessons that are part of the program.
func Shipped() (*Library, error) {
	return Load(shipped)
}

// All returns every lesson, by locale and then by order. The slice is the
// caller's own.
func (l *Library) All() []Lesson {
	return slices.Clone(l.lessons)
}

// A Goal is what a lesson asks its reader to reach, by a check or a challenge.
type Goal struct{ Key, Goal string }

// Goals are all of the lesson: those of its checks, then those of its challenges.
func (l Lesson) Goals() []Goal {
	var goals []Goal
	for _, check := range l.Checks {
		goals = append(goals, Goal{check.Key(), check.Goal})
	}
	for _, challenge := range l.Challenges {
		goals = append(goals, Goal{challenge.Key(), challenge.Goal})
	}
	return goals
}

// Goals returns the keys of all goals, as they are in [DefaultLocale].
func (l *Library) Goals() []string {
	var keys []string
	for _, lesson := range l.lessons {
		for _, goal := range lesson.Goals() {
			if lesson.Locale == DefaultLocale {
				keys = append(keys, goal.Key)
			}
		}
	}
	return keys
}

// Get returns the lesson with the slug in the locale, or else in
// [DefaultLocale]; the Locale of the lesson tells which one it is. It reports
// false when there is no such lesson.
func (l *Library) Get(locale, slug string) (Lesson, bool) {
	for _, want := range []string{locale, DefaultLocale} {
		for _, lesson := range l.lessons {
			if lesson.Locale == want && lesson.Slug == slug {
				return lesson, true
			}
		}
	}
	return Lesson{}, false
}

// In returns the lessons of the course in their order, each as [Library.Get] has it for
// the locale.
func (l *Library) In(locale string) []Lesson {
	var course []Lesson
	for _, lesson := range l.lessons {
		if lesson.Locale == DefaultLocale {
			found, _ := l.Get(locale, lesson.Slug) // it is there, in English at least
			course = append(course, found)
		}
	}
	return course
}

// neighbours returns the lessons before and after one, nil where the course begins or
// ends.
func (l *Library) neighbours(of Lesson, locale string) (previous, next *Lesson) {
	for _, lesson := range l.In(locale) {
		switch {
		case lesson.Order < of.Order:
			previous = &lesson
		case lesson.Order > of.Order && next == nil:
			next = &lesson
		}
	}
	return previous, next
}

func byLocaleAndOrder(a, b Lesson) int {
	return cmp.Or(cmp.Compare(a.Locale, b.Locale), cmp.Compare(a.Order, b.Order))
}
