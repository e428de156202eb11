package web

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/export"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
)

// ExportConfig is what pages of recordings are made of.
func (c Config) ExportConfig() export.Config {
	return export.Config{Static: c.Static, Lessons: c.Lessons, Scenarios: c.Scenarios, Catalogue: run.Catalogue()}
}

// exportPage answers with a run's recording as a page that works without a server, to
// be saved as a file.
func (s *Server) exportPage(c echo.Context) error {
	r, err := s.config.Rooms.Get(c.Param("room"))
	if err != nil {
		return err
	}
	recording, err := r.Recording(c.Request().Context(), c.QueryParam("run"))
	if err != nil {
		return err
	}
	page, err := export.New(s.config.ExportConfig())
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, echo.MIMETextHTMLCharsetUTF8)
	header.Set(echo.HeaderContentDisposition, fmt.Sprintf("attachment; filename=%q", strings.TrimSuffix(fileName(recording), recordingSuffix)+".html"))
	header.Set("Cache-Control", "no-store")
	c.Response().WriteHeader(http.StatusOK)
	w := deadlineWriter{c.Response(), s.config.WriteTimeout}
	if writePage(w, page, recording) != nil || w.done() != nil {
		panic(http.ErrAbortHandler) // as for a recording: the page is not whole
	}
	return nil
}

// writePage reads the recording while that is written.
func writePage(w io.Writer, page *export.Template, source room.Recording) error {
	reader, writer := io.Pipe()
	written := make(chan struct{})
	go func() {
		defer close(written)
		writer.CloseWithError(source.CopyTo(writer))
	}()
	defer func() {
		reader.Close() // who writes learns that nobody reads any more
		<-written
	}()
	recording, err := event.OpenRecording(reader)
	if err != nil {
		return err
	}
	defer recording.Close()
	return page.Write(w, recording)
}
