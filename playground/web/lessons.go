package web

import (
	"bytes"
	"fmt"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/lessons"
)

// A lessonEntry is one line of the list of lessons.
type lessonEntry struct {
	Locale   string `json:"locale"`
	Slug     string `json:"slug"`
	Title    string `json:"title"`
	Order    int    `json:"order"`
	Scenario string `json:"scenario"`
}

func (s *Server) lessons(c echo.Context) error {
	entries := []lessonEntry{}
	for _, l := range s.config.Lessons.All() {
		entries = append(entries, lessonEntry{l.Locale, l.Slug, l.Title, l.Order, l.Scenarios[0].Scenario})
	}
	return c.JSON(http.StatusOK, map[string]any{"lessons": entries})
}

// A goalEntry is one line of the list of goals.
type goalEntry struct {
	Locale string `json:"locale"`
	Lesson string `json:"lesson"`
	// Key is the same in every locale.
	Key  string `json:"key"`
	Goal string `json:"goal"`
}

// goals lists what the lessons ask their readers to reach.
func (s *Server) goals(c echo.Context) error {
	entries := []goalEntry{}
	for _, l := range s.config.Lessons.All() {
		for _, check := range l.Checks {
			entries = append(entries, goalEntry{l.Locale, l.Slug, check.Key(), check.Goal})
		}
	}
	return c.JSON(http.StatusOK, map[string]any{"goals": entries})
}

// lesson answers with one lesson as a document of its own; the page takes the
// article out of it.
func (s *Server) lesson(c echo.Context) error {
	l, ok := s.config.Lessons.Get(c.Param("locale"), c.Param("slug"))
	if !ok {
		return fail(http.StatusNotFound, "no_such_lesson", "there is no lesson %q", c.Param("slug"))
	}
	var document bytes.Buffer
	if err := s.config.Lessons.WriteDocument(&document, l, c.Param("locale")); err != nil {
		return fmt.Errorf("lesson %s: %w", l.Slug, err)
	}
	return c.HTMLBlob(http.StatusOK, document.Bytes())
}

// courseMap answers with the map of the course.
func (s *Server) courseMap(c echo.Context) error {
	var document bytes.Buffer
	if err := s.config.Lessons.WriteMap(&document, c.Param("locale"), "../"); err != nil {
		return fmt.Errorf("map of the course: %w", err)
	}
	return c.HTMLBlob(http.StatusOK, document.Bytes())
}

// highlight is the style sheet for code in lessons.
func (s *Server) highlight(c echo.Context) error {
	return c.Blob(http.StatusOK, "text/css; charset=utf-8", lessons.StyleSheet())
}
