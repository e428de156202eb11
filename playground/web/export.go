package web

import (
	"io"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/site/export"
)

// ExportConfig is what pages of recordings are made of.
func (c Config) ExportConfig() export.Config {
	return export.Config{Static: c.Static, Lessons: c.Lessons, Scenarios: c.Scenarios, Catalogue: run.Catalogue()}
}

// exportPage answers with a run's recording as a page that works without a server, to
// be saved as a file.
func (s *Server) exportPage(c echo.Context) error {
	recording, err := s.askedRecording(c)
	if err != nil {
		return err
	}
	page, err := export.New(s.config.ExportConfig())
	if err != nil {
		return err
	}
	return s.download(c, download{contentType: echo.MIMETextHTMLCharsetUTF8, name: fileName(recording) + ".html",
		write: func(w io.Writer) error { return writePage(w, page, recording) }})
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
	recording, err := event.OpenRecording(reader, check.Follow)
	if err != nil {
		return err
	}
	defer recording.Close()
	return page.Write(w, recording)
}
