package lessons

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// courseFile says how the lessons make a course. It is the same for all locales.
const courseFile = "course.json"

// maxMinutes is the longest that a lesson may take, what is done in it included.
const maxMinutes = 40

// A Part is some lessons of the course that belong together.
type Part struct {
	// Title is its name, by locale.
	Title   map[string]string `json:"title"`
	Lessons []Place           `json:"lessons"`
}

// A Place is what the course says of a lesson.
type Place struct {
	Slug string `json:"slug"`
	// Minutes is how long it takes, what is done in it included.
	Minutes int `json:"minutes"`
	// Needs are the slugs of lessons that it builds on, all of them earlier ones.
	Needs []string `json:"needs"`
	// Servers is how many ZooKeeper servers some of its goals need; 0 means that one does.
	Servers int `json:"servers"`
}

// TitleIn is the part's name in a locale, or else in [DefaultLocale].
func (p Part) TitleIn(locale string) string {
	if title, ok := p.Title[locale]; ok {
		return title
	}
	return p.Title[DefaultLocale]
}

// Course returns the parts of the course, in order; none where the lessons have no
// course.json. The slices are shared and must not be changed.
func (l *Library) Course() []Part { return l.course }

// Place returns what the course says of a lesson; it has the slug alone where it says
// nothing.
func (l *Library) Place(slug string) Place {
	for _, part := range l.course {
		for _, place := range part.Lessons {
			if place.Slug == slug {
				return place
			}
		}
	}
	return Place{Slug: slug}
}

// readCourse reads the course, if the file system has one.
func readCourse(fsys fs.FS) ([]Part, error) {
	text, err := fs.ReadFile(fsys, courseFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &Error{File: courseFile, Err: err}
	}
	var course struct {
		Parts []Part `json:"parts"`
	}
	if err := decodeFence(bytes.TrimSpace(text), &course, ErrCourse); err != nil {
		line := 1
		if bad, ok := errors.AsType[*badFence](err); ok {
			line += bad.line
		}
		return nil, &Error{File: courseFile, Line: line, Err: err}
	}
	return course.Parts, nil
}

// checkCourse sees that the course has the lessons of [DefaultLocale], each once, in the
// order of their numbers.
func (l *Library) checkCourse() error {
	if l.course == nil {
		return nil
	}
	wrong := func(format string, arguments ...any) error {
		return &Error{File: courseFile, Err: fmt.Errorf("%w: %s", ErrCourse, fmt.Sprintf(format, arguments...))}
	}
	var before []string
	for _, part := range l.course {
		if part.Title[DefaultLocale] == "" {
			return wrong("a part has no title in %q", DefaultLocale)
		}
		for _, place := range part.Lessons {
			if place.Minutes < 1 || place.Minutes > maxMinutes {
				return wrong("%s: minutes must be 1 to %d", place.Slug, maxMinutes)
			}
			for _, need := range place.Needs {
				if !slices.Contains(before, need) {
					return wrong("%s needs %q, which no earlier lesson is called", place.Slug, need)
				}
			}
			before = append(before, place.Slug)
		}
	}
	var slugs []string
	for _, lesson := range l.lessons {
		if lesson.Locale == DefaultLocale {
			slugs = append(slugs, lesson.Slug)
		}
	}
	if !slices.Equal(before, slugs) {
		return wrong("it has %q, the files are %q", before, slugs)
	}
	return nil
}
