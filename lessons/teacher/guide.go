package teacher

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/zkplayground/zkplayground/lessons"
)

// What can be wrong with the teacher's files. [Load] wraps these in a [*lessons.Error]
// that says where.
var (
	// ErrPage: a file is no presenter page.
	ErrPage = errors.New("bad presenter page")
	// ErrNoLesson: a presenter page is named like no lesson.
	ErrNoLesson = errors.New("no lesson is called so")
	// ErrPlan: a file is no plan, or not one of as many minutes as its name says.
	ErrPlan = errors.New("bad plan")
	// ErrSheet: a file is no sheet.
	ErrSheet = errors.New("bad sheet")
)

// ErrUnknown is returned for a document that there is not.
var ErrUnknown = errors.New("a teacher has no such document")

// A Guide has the presenter pages, plans and sheets of every locale. It never changes
// after [Load] and is safe for concurrent use.
type Guide struct {
	library   *lessons.Library
	pages     []Page                        // by locale, in the order of their files
	plans     []Plan                        // by locale, then minutes
	sheets    []Sheet                       // by locale, then name
	mended    map[string]string             // the source of a lock, by its challenge
	documents map[string]*template.Template // by locale
}

// Shipped loads those that are part of the program; mended are the locks that solve the
// challenges, by their names.
func Shipped(library *lessons.Library, mended map[string]string) (*Guide, error) {
	return Load(lessons.Files(), library, mended)
}

// Load reads and renders every LOCALE/teacher/SLUG.md, LOCALE/plans/MINUTES.md and
// LOCALE/sheets/NAME.md of the file system. An error is a [*lessons.Error]; it is the first
// one found.
func Load(fsys fs.FS, library *lessons.Library, mended map[string]string) (*Guide, error) {
	guide := &Guide{library: library, mended: mended, documents: newDocuments()}
	for _, kind := range []struct {
		files string
		load  func(source) error
	}{{"*/teacher/*.md", guide.loadPage}, {"*/plans/*.md", guide.loadPlan}, {"*/sheets/*.md", guide.loadSheet}} {
		if err := each(fsys, kind.files, kind.load); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(guide.plans, func(a, b Plan) int {
		return cmp.Or(cmp.Compare(a.Locale, b.Locale), cmp.Compare(a.Sum(), b.Sum()), cmp.Compare(len(a.Sessions), len(b.Sessions)))
	})
	return guide, nil
}

// each reads the files that match.
func each(fsys fs.FS, pattern string, load func(source) error) error {
	files, err := fs.Glob(fsys, pattern)
	if err != nil {
		return fmt.Errorf("list the teacher's files: %w", err)
	}
	for _, file := range files {
		text, err := fs.ReadFile(fsys, file)
		if err != nil {
			return &lessons.Error{File: file, Err: err}
		}
		if err := load(source{fsys: fsys, file: file, text: text}); err != nil {
			return err
		}
	}
	return nil
}

func (g *Guide) loadPage(from source) error {
	locale, slug := from.names()
	lesson, ok := g.library.Get(locale, slug)
	if !ok {
		return &lessons.Error{File: from.file, Err: ErrNoLesson}
	}
	page, err := from.readPage(lesson)
	page.Locale, page.Slug = locale, slug
	g.pages = append(g.pages, page)
	return err
}

// planName is MINUTES, or NxMINUTES.
var planName = regexp.MustCompile(`^(?:([2-9])x)?([1-9]\d{0,2})$`)

func (g *Guide) loadPlan(from source) error {
	locale, name := from.names()
	found := planName.FindStringSubmatch(name)
	if found == nil {
		return &lessons.Error{File: from.file, Err: fmt.Errorf("%w: its name is neither MINUTES nor NxMINUTES", ErrPlan)}
	}
	sessions, _ := strconv.Atoi(cmp.Or(found[1], "1")) // these are numbers
	minutes, _ := strconv.Atoi(found[2])
	plan, err := from.readPlan(sessions, minutes, func(slug string) (lessons.Lesson, bool) { return g.library.Get(locale, slug) })
	plan.Locale, plan.Name = locale, planPrefix+name
	g.plans = append(g.plans, plan)
	return err
}

func (g *Guide) loadSheet(from source) error {
	locale, name := from.names()
	if _, taken := g.library.Get(locale, name); taken || name == solutionsName || strings.HasPrefix(name, planPrefix) {
		return &lessons.Error{File: from.file, Err: fmt.Errorf("%w: another document is called %q", ErrSheet, name)}
	}
	sheet, err := from.readSheet()
	sheet.Locale, sheet.Name = locale, name
	g.sheets = append(g.sheets, sheet)
	return err
}

// Page returns the presenter page of a lesson in the locale, or else in
// [lessons.DefaultLocale]; its Locale tells which.
func (g *Guide) Page(locale, slug string) (Page, bool) {
	return find(g.pages, locale, func(p Page) (string, bool) { return p.Locale, p.Slug == slug })
}

// Plan returns the plan of the name, likewise.
func (g *Guide) Plan(locale, name string) (Plan, bool) {
	return find(g.plans, locale, func(p Plan) (string, bool) { return p.Locale, p.Name == name })
}

// Sheet returns the sheet of the name, likewise.
func (g *Guide) Sheet(locale, name string) (Sheet, bool) {
	return find(g.sheets, locale, func(s Sheet) (string, bool) { return s.Locale, s.Name == name })
}

// Pages returns the presenter pages in the order of the course, each as [Guide.Page] has
// it.
func (g *Guide) Pages(locale string) []Page {
	var pages []Page
	for _, lesson := range g.library.In(locale) {
		if page, ok := g.Page(locale, lesson.Slug); ok {
			pages = append(pages, page)
		}
	}
	return pages
}

// Plans returns the plans of [lessons.DefaultLocale], each as [Guide.Plan] has it.
func (g *Guide) Plans(locale string) []Plan {
	var plans []Plan
	for _, plan := range g.plans {
		if plan.Locale == lessons.DefaultLocale {
			found, _ := g.Plan(locale, plan.Name) // it is there, in English at least
			plans = append(plans, found)
		}
	}
	return plans
}

// Sheets returns the sheets of [lessons.DefaultLocale], each as [Guide.Sheet] has it.
func (g *Guide) Sheets(locale string) []Sheet {
	var sheets []Sheet
	for _, sheet := range g.sheets {
		if sheet.Locale == lessons.DefaultLocale {
			found, _ := g.Sheet(locale, sheet.Name) // likewise
			sheets = append(sheets, found)
		}
	}
	return sheets
}

// find returns the one that is meant in the locale, or else in the default one.
func find[T any](all []T, locale string, is func(T) (string, bool)) (found T, ok bool) {
	for _, want := range []string{locale, lessons.DefaultLocale} {
		for _, each := range all {
			if in, meant := is(each); meant && in == want {
				return each, true
			}
		}
	}
	return found, false
}

// A source is a file of the teacher's.
type source struct {
	fsys fs.FS
	file string
	text []byte
}

// names are its locale, and its own name.
func (s source) names() (locale, name string) {
	return strings.SplitN(s.file, "/", 2)[0], strings.TrimSuffix(path.Base(s.file), ".md")
}
