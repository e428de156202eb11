package web

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"regexp"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/lessons/teacher"
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
		for _, goal := range l.Goals() {
			entries = append(entries, goalEntry{l.Locale, l.Slug, goal.Key, goal.Goal})
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
	return document(c, func(w io.Writer) error { return s.config.Lessons.WriteDocument(w, l, c.Param("locale")) })
}

// courseMap answers with the map of the course.
func (s *Server) courseMap(c echo.Context) error {
	return document(c, func(w io.Writer) error { return s.config.Lessons.WriteMap(w, c.Param("locale"), "../") })
}

// teacherIndex answers with the list of what a teacher has at hand.
func (s *Server) teacherIndex(c echo.Context) error {
	return document(c, func(w io.Writer) error { return s.config.Teacher.WriteIndex(w, teacherOf(c), "../") })
}

// teacherPage answers with one of the documents of that list.
func (s *Server) teacherPage(c echo.Context) error {
	return document(c, func(w io.Writer) error { return s.config.Teacher.Write(w, c.Param("page"), teacherOf(c)) })
}

// teacherOf is who asks for a teacher's page; with ?room=ROOM its links open that room.
func teacherOf(c echo.Context) teacher.Reader {
	reader := teacher.Reader{Locale: c.Param("locale")}
	if room := c.QueryParam("room"); roomName.MatchString(room) {
		reader.Room = room
	}
	return reader
}

// roomName is what a room may be called.
var roomName = regexp.MustCompile(`^[a-z0-9-]{1,64}$`)

// document answers with a document, whole or not at all.
func document(c echo.Context, write func(io.Writer) error) error {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		return fmt.Errorf("document %s: %w", c.Request().URL.Path, err)
	}
	return c.HTMLBlob(http.StatusOK, text.Bytes())
}

// highlight is the style sheet for code in lessons.
func (s *Server) highlight(c echo.Context) error {
	return c.Blob(http.StatusOK, "text/css; charset=utf-8", lessons.StyleSheet())
}
