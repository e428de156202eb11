package lessons

import "io"

// A mapPart is a part of the course as its map shows it.
type mapPart struct {
	Title   string
	Lessons []mapLesson
}

// A mapLesson is a lesson, and what the course says of it.
type mapLesson struct {
	Lesson
	// Number counts from 1.
	Number, Minutes int
	// Servers is how many some of its goals need, where one does not do.
	Servers int
	// Needs are the lessons that it builds on.
	Needs []Lesson
}

// WriteMap writes the map of the course as an HTML document: its parts and lessons, how
// long each takes, what it builds on, and its goals. A script of the page adds which of
// them this browser has met. A lesson is opened in the playground; a link beside it leads
// to its document, to be printed. Links are relative: root leads to BASE as in
// [Library.WriteDocument], from BASE/lessons/LOCALE it is "../". An error is the writer's.
func (l *Library) WriteMap(w io.Writer, locale, root string) error {
	locale = LocaleFor(locale)
	parts := l.mapParts(locale)
	lessons, minutes, goals, fallback := 0, 0, 0, false
	for _, part := range parts {
		for _, lesson := range part.Lessons {
			lessons, minutes, goals = lessons+1, minutes+lesson.Minutes, goals+len(lesson.Goals())
			fallback = fallback || lesson.Locale != locale
		}
	}
	return l.pages[locale].execute(w, "map.html", map[string]any{
		"Locale": locale, "Root": root, "Parts": parts, "Lessons": lessons, "Minutes": minutes, "Goals": goals, "Fallback": fallback,
		"First": l.In(locale)[0]})
}

// mapParts are the parts of the course; lessons without a course are one part.
func (l *Library) mapParts(locale string) []mapPart {
	byName := make(map[string]mapLesson)
	all := mapPart{}
	for i, lesson := range l.In(locale) {
		place := l.Place(lesson.Slug)
		one := mapLesson{Lesson: lesson, Number: i + 1, Minutes: place.Minutes, Servers: place.Servers}
		for _, need := range place.Needs {
			one.Needs = append(one.Needs, byName[need].Lesson)
		}
		byName[lesson.Slug] = one
		all.Lessons = append(all.Lessons, one)
	}
	if len(l.course) == 0 {
		return []mapPart{all}
	}
	parts := make([]mapPart, len(l.course))
	for i, part := range l.course {
		parts[i].Title = part.TitleIn(locale)
		for _, place := range part.Lessons {
			parts[i].Lessons = append(parts[i].Lessons, byName[place.Slug])
		}
	}
	return parts
}
