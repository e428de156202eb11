package site

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/internal/fragment"
)

// liveAlone are what a lesson can point at and a recording has not.
var liveAlone = []string{"console", "faults", "delay", "stop", "live"}

// adapt makes the inside of a lesson's article fit a page of the site: what starts a run
// plays a recording, and a link leads to a file.
func (p *pages) adapt(lesson lessons.Lesson, page page) (string, error) {
	article, err := fragment.Parse(lesson.HTML)
	if err != nil {
		return "", err
	}
	sections := false
	for _, element := range fragment.Elements(article) {
		switch {
		case element.Data == "h2":
			sections = true
		case element.Data == "h3" && !sections: // of a card before the first section
			fragment.SetAttribute(element, "aria-level", "2")
		case fragment.HasClass(element, "run-card"):
			err = p.adaptCard(element, page)
		case fragment.HasClass(element, "goal"):
			name := "solution-" + strings.ReplaceAll(fragment.Attribute(element, "data-check"), "/", "-")
			err = p.replaceLink(element, "goal", map[string]any{"Page": page, "Recording": name})
		case fragment.HasClass(element, "challenge"):
			err = p.replaceLink(element, "own", page)
		case element.Data == "a" && !fragment.HasClass(element, "run-link"):
			err = adaptLink(element)
		}
		if err != nil {
			return "", fmt.Errorf("lesson %s: %w", lesson.Slug, err)
		}
	}
	return fragment.Inner(article)
}

// adaptCard lets the button of a card play its recording.
func (p *pages) adaptCard(card *html.Node, page page) error {
	name := fmt.Sprintf("%s-%s-%s-%s", fragment.Attribute(card, "data-scenario"), fragment.Attribute(card, "data-clients"),
		fragment.Attribute(card, "data-delay"), fragment.Attribute(card, "data-seed"))
	for _, element := range fragment.Elements(card) {
		switch {
		case fragment.HasClass(element, "run-button"):
			fragment.SetAttribute(element, "data-recording", name)
			fragment.SetAttribute(element, "disabled", "") // until the page's script can play it
			var text strings.Builder
			if err := p.templates.ExecuteTemplate(&text, "play", page); err != nil {
				return err
			}
			fragment.SetText(element, html.UnescapeString(text.String()))
		case fragment.HasClass(element, "run-link"):
			fragment.Remove(element)
		}
	}
	return nil
}

// replaceLink puts a template in the place of the link into the playground: it says how a
// goal is reached without one here, or with one elsewhere.
func (p *pages) replaceLink(card *html.Node, template string, data any) error {
	for _, element := range fragment.Elements(card) {
		if !fragment.HasClass(element, "run-link") {
			continue
		}
		var own bytes.Buffer
		if err := p.templates.ExecuteTemplate(&own, template, data); err != nil {
			return err
		}
		if err := fragment.Replace(element, own.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// adaptLink makes a link lead to a file of the site, to a part of the page, or elsewhere.
func adaptLink(link *html.Node) error {
	href, stage := fragment.Attribute(link, "href"), fragment.Attribute(link, "data-stage")
	lesson := fragment.Attribute(link, "data-lesson")
	switch {
	case slices.Contains(liveAlone, stage):
		fragment.Unwrap(link)
	case stage != "":
		fragment.SetAttribute(link, "href", "#stage")
	case lesson != "":
		fragment.SetAttribute(link, "href", lesson+".html")
	case !strings.HasPrefix(href, "#") && !strings.HasPrefix(href, "https://"):
		return fmt.Errorf("a link to %q leads nowhere without a playground", href)
	}
	return nil
}

// adaptMap takes out of the map of the course what a page of the site shows of it, and
// lets its links lead to files. What a goal takes no recording has, so that only
// predictions can be counted.
func adaptMap(document []byte, course []lessons.Lesson, fileOf func(slug string) string) (string, error) {
	found, err := fragment.Parse(document)
	if err != nil {
		return "", err
	}
	shown := found
	for _, element := range fragment.Elements(found) {
		switch {
		case element.Data == "main":
			shown = element
		case element.Data == "h1" || fragment.HasClass(element, "map-progress") || fragment.HasClass(element, "map-next"):
			fragment.Remove(element)
		case fragment.HasClass(element, "map-lesson"):
			slug := fragment.Attribute(element, "id")
			i := slices.IndexFunc(course, func(l lessons.Lesson) bool { return l.Slug == slug })
			fragment.SetAttribute(element, "data-questions", fmt.Sprint(len(course[i].Questions)))
		case fragment.HasClass(element, "map-print"): // the lesson's own page is what there is
			fragment.Remove(element)
		case fragment.Attribute(element, "data-lesson") != "":
			fragment.SetAttribute(element, "href", fileOf(fragment.Attribute(element, "data-lesson")))
		}
	}
	return fragment.Inner(shown)
}
