package site

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"slices"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/static"
)

// ErrNotBundled is returned where the scripts of the pages have not been bundled.
var ErrNotBundled = errors.New("the page is not bundled, run `make lib` and build the program again")

// bundle is where the scripts and styles of the pages are, as `make lib` makes them.
const bundle = "lib/site"

// pages writes everything of a site but its recordings.
type pages struct {
	config    Config
	templates *template.Template
	locales   []string
	sentences map[string]map[string]string // by locale, and by the English ones
	course    []lessons.Lesson             // those of the default locale, in their order
}

func newPages(config Config) (*pages, error) {
	if _, err := fs.Stat(config.Static, bundle); errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotBundled
	}
	templates, err := template.ParseFS(config.Static, "site/*.html")
	if err != nil {
		return nil, fmt.Errorf("read the templates: %w", err)
	}
	p := &pages{config: config, templates: templates, sentences: map[string]map[string]string{}}
	for _, lesson := range config.Lessons.All() {
		if !slices.Contains(p.locales, lesson.Locale) {
			p.locales = append(p.locales, lesson.Locale)
			if p.sentences[lesson.Locale], err = static.Sentences(config.Static, lesson.Locale); err != nil {
				return nil, err
			}
		}
		if lesson.Locale == lessons.DefaultLocale {
			p.course = append(p.course, lesson)
		}
	}
	return p, nil
}

// write writes them, and says how many pages there are.
func (p *pages) write(f *folder) (int, error) {
	if err := p.writeAssets(f); err != nil {
		return 0, err
	}
	written := 0
	for _, locale := range p.locales {
		course, err := p.courseData(locale)
		if err == nil {
			err = p.writePage(f, mapPath(locale), "course.html", course)
		}
		if err != nil {
			return 0, err
		}
		written++
		for i := range p.course {
			data, err := p.lessonData(locale, i)
			if err != nil {
				return 0, err
			}
			if err := p.writePage(f, lessonPath(locale, data.Lesson.Slug), "lesson.html", data); err != nil {
				return 0, err
			}
			written++
		}
	}
	return written, nil
}

// writeAssets writes what the pages have in common.
func (p *pages) writeAssets(f *folder) error {
	catalogue, err := json.Marshal(p.config.Catalogue)
	if err != nil {
		return err
	}
	icon, err := fs.ReadFile(p.config.Static, "css/icon.svg")
	if err != nil {
		return err
	}
	err = errors.Join(f.write("static/catalogue.json", catalogue), f.write("static/icon.svg", icon),
		f.write("static/code.css", lessons.StyleSheet()))
	if err != nil {
		return err
	}
	return fs.WalkDir(p.config.Static, bundle, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(p.config.Static, name)
		if err != nil {
			return err
		}
		return f.write("static/"+name[len(bundle)+1:], content)
	})
}

func (p *pages) writePage(f *folder, name, template string, data any) error {
	var text bytes.Buffer
	if err := p.templates.ExecuteTemplate(&text, template, data); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return f.write(name, text.Bytes())
}

// mapPath is where the map of the course lies, in a language.
func mapPath(locale string) string {
	if locale == lessons.DefaultLocale {
		return "index.html"
	}
	return lessonPath(locale, "index")
}

func lessonPath(locale, slug string) string { return path.Join("lessons", locale, slug+".html") }

// fromLesson leads from the page of a lesson to the site's directory.
const fromLesson = "../../"

// A page is what every page has.
type page struct {
	// Locale is the language of the page, and Root leads from it to the site's directory.
	Locale, Root string
	// Map leads to the map of the course.
	Map string
	// Others are the same page in other languages.
	Others []entry
	// ZooKeeper is the version of the server that the runs were recorded on.
	ZooKeeper string

	sentences map[string]string
}

// languages are the names of languages, each in itself.
var languages = map[string]string{"en": "English", "zh": "中文", "ru": "Русский"}

// T is a sentence in the language of the page, or as it is where that has none.
func (p page) T(english string) string { return cmp.Or(p.sentences[english], english) }

// An entry leads to a page.
type entry struct {
	Title, Href string
	// Locale is the language of the page, where that may be another one.
	Locale string
}

// page is the page whose path is a function of its language.
func (p *pages) page(locale, root string, at func(locale string) string) page {
	result := page{sentences: p.sentences[locale], Locale: locale, Root: root, Map: root + mapPath(locale), ZooKeeper: p.config.ZooKeeper}
	for _, other := range p.locales {
		if other != locale {
			result.Others = append(result.Others, entry{Title: languages[other], Href: root + at(other), Locale: other})
		}
	}
	return result
}

// A coursePage is what the map of the course is made of.
type coursePage struct {
	page
	// First leads to the lesson to begin with.
	First entry
	// Content is the map itself.
	Content template.HTML
}

func (p *pages) courseData(locale string) (coursePage, error) {
	root := ""
	if locale != lessons.DefaultLocale {
		root = fromLesson
	}
	data := coursePage{page: p.page(locale, root, mapPath), First: p.entry(locale, root, 0)}
	var document bytes.Buffer
	if err := p.config.Lessons.WriteMap(&document, locale, root); err != nil {
		return data, err
	}
	content, err := adaptMap(document.Bytes(), p.config.Lessons.In(locale), func(slug string) string { return root + lessonPath(locale, slug) })
	data.Content = template.HTML(content) // rendered by package lessons
	return data, err
}

// entry leads to the page of a lesson.
func (p *pages) entry(locale, root string, index int) entry {
	lesson, _ := p.config.Lessons.Get(locale, p.course[index].Slug) // the default locale has it
	return entry{Title: lesson.Title, Href: root + lessonPath(locale, lesson.Slug), Locale: lesson.Locale}
}

// A lessonPage is what the page of a lesson is made of.
type lessonPage struct {
	page
	Lesson  lessons.Lesson
	Content template.HTML
	// First is the name of the recording to begin with, and FirstTitle its card's.
	First, FirstTitle string
	// Place is the number of the lesson among all.
	Place, All     int
	Previous, Next *entry
	// Foreign says that there is no translation, so that the text is in another language.
	Foreign bool
}

func (p *pages) lessonData(locale string, index int) (lessonPage, error) {
	lesson, _ := p.config.Lessons.Get(locale, p.course[index].Slug) // the default locale has it
	data := lessonPage{page: p.page(locale, fromLesson, func(other string) string { return lessonPath(other, lesson.Slug) }),
		Lesson: lesson, Place: index + 1, All: len(p.course), Foreign: lesson.Locale != locale,
		Previous: p.neighbour(locale, index-1), Next: p.neighbour(locale, index+1),
		First: CardName(lesson.Scenarios[0]), FirstTitle: lesson.Scenarios[0].Title}
	content, err := p.adapt(lesson, data.page)
	data.Content = template.HTML(content) // rendered by package lessons, in safe mode
	return data, err
}

// neighbour leads to another lesson of the same language, nil where there is none.
func (p *pages) neighbour(locale string, index int) *entry {
	if index < 0 || index >= len(p.course) {
		return nil
	}
	found := p.entry(locale, fromLesson, index)
	return &found
}
