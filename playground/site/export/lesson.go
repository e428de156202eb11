package export

import (
	"net/url"

	"github.com/zkplayground/zkplayground/playground/internal/fragment"
)

// lesson returns the lesson that explains a scenario, as the inside of its article;
// nothing for a scenario of the visitor's own, or one without a lesson.
func (t *Template) lesson(name string) (string, error) {
	found, _ := t.config.Scenarios.Find(name) // one that is not known has no lesson
	lesson, ok := t.config.Lessons.Get(t.language, found.Lesson)
	if !ok {
		return "", nil
	}
	content, err := offline(lesson.HTML)
	if lesson.Locale != t.language {
		content = `<div lang="` + lesson.Locale + `">` + content + `</div>`
	}
	return content, err
}

// offline takes out of a lesson what needs the playground: the cards that start a run,
// and the links to other lessons, of which the words stay.
func offline(lesson []byte) (string, error) {
	article, err := fragment.Parse(lesson)
	if err != nil {
		return "", err
	}
	for _, element := range fragment.Elements(article) {
		switch {
		case fragment.HasClass(element, "run-card"):
			fragment.Remove(element)
		case element.Data == "a" && isRelative(fragment.Attribute(element, "href")):
			fragment.Unwrap(element)
		}
	}
	return fragment.Inner(article)
}

// isRelative says that a link leads to another page of the playground.
func isRelative(href string) bool {
	address, err := url.Parse(href)
	return err != nil || !address.IsAbs()
}
