package lessons

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
)

// fileName matches LOCALE/NN-slug.md. A slug is what may stand in an address
// and in an HTML attribute as it is.
var fileName = regexp.MustCompile(`^([a-z]{2,3}(?:-[A-Z]{2})?)/(\d\d)-([a-z0-9]+(?:-[a-z0-9]+)*)\.md$`)

// Load reads and renders every LOCALE/*.md of the file system, and the course.json that
// tells how they belong together. An error is an
// [*Error] that names the file and the line; it is the first one found, since
// most have one cause.
func Load(fsys fs.FS) (*Library, error) {
	names, err := fs.Glob(fsys, "*/*.md")
	if err != nil {
		return nil, fmt.Errorf("list lessons: %w", err)
	}
	course, err := readCourse(fsys)
	if err != nil {
		return nil, err
	}
	library := &Library{pages: make(map[string]*pages), course: course}
	renderers := make(map[string]*lessonRenderer)
	for _, locale := range Locales {
		library.pages[locale] = newPages(locale)
		renderers[locale] = newLessonRenderer(library.pages[locale])
	}
	for _, name := range names {
		lesson, err := loadFile(fsys, name, renderers[LocaleFor(path.Dir(name))])
		if err != nil {
			return nil, err
		}
		library.lessons = append(library.lessons, lesson)
	}
	slices.SortFunc(library.lessons, byLocaleAndOrder)
	if err := library.check(); err != nil {
		return nil, err
	}
	return library, nil
}

func loadFile(fsys fs.FS, name string, renderer *lessonRenderer) (Lesson, error) {
	lesson, err := lessonFromName(name)
	if err != nil {
		return Lesson{}, err
	}
	source, err := fs.ReadFile(fsys, name)
	if err != nil {
		return Lesson{}, &Error{File: name, Err: err}
	}
	return renderer.render(lesson, source)
}

func lessonFromName(name string) (Lesson, error) {
	parts := fileName.FindStringSubmatch(name)
	if parts == nil {
		return Lesson{}, &Error{File: name, Err: ErrName}
	}
	order, err := strconv.Atoi(parts[2])
	if err != nil || order == 0 {
		return Lesson{}, &Error{File: name, Err: fmt.Errorf("%w: NN counts from 01", ErrName)}
	}
	return Lesson{Locale: parts[1], Order: order, Slug: parts[3], file: name}, nil
}

// check looks at the lessons together: what no file can get wrong by itself.
func (l *Library) check() error {
	if !slices.ContainsFunc(l.lessons, func(lesson Lesson) bool { return lesson.Locale == DefaultLocale }) {
		return &Error{File: DefaultLocale, Err: ErrEmpty}
	}
	for i, lesson := range l.lessons {
		if err := cmp.Or(duplicate(lesson, l.lessons[:i]), l.deadLink(lesson)); err != nil {
			return err
		}
	}
	return l.checkCourse()
}

func duplicate(lesson Lesson, earlier []Lesson) error {
	for _, other := range earlier {
		if other.Locale == lesson.Locale && (other.Slug == lesson.Slug || other.Order == lesson.Order) {
			return &Error{File: lesson.file, Err: fmt.Errorf("%w: see %s", ErrDuplicate, other.file)}
		}
	}
	return nil
}

// deadLink checks the links to the files of other lessons of the same locale: what is not
// translated is there in [DefaultLocale].
func (l *Library) deadLink(lesson Lesson) error {
	for _, link := range lesson.links {
		targets := []string{path.Join(lesson.Locale, link.file), path.Join(DefaultLocale, link.file)}
		if !slices.ContainsFunc(l.lessons, func(other Lesson) bool { return slices.Contains(targets, other.file) }) {
			return &Error{File: lesson.file, Line: link.line, Err: fmt.Errorf("%w: %s", ErrLink, link.file)}
		}
	}
	return nil
}
