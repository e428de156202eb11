package web

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/site/export"
)

// A runEntry is what the list of runs has of each.
type runEntry struct {
	ID       string      `json:"id"`
	Scenario string      `json:"scenario"`
	Title    string      `json:"title,omitempty"`
	State    event.State `json:"state"`
	Seed     int64       `json:"seed"`
	Clients  int         `json:"clients"`
	// Events and At are event.Run's.
	Events int64 `json:"events"`
	At     int64 `json:"at"`
	// Bytes is the size of the recording; left out for the current run, whose
	// recording is made for each who asks.
	Bytes int64 `json:"bytes,omitempty"`
}

// runs lists the runs whose recordings can be had, newest first.
func (s *Server) runs(c echo.Context, r *room.Room) error {
	runs := []runEntry{}
	for _, recording := range r.Recordings() {
		run := recording.Run
		runs = append(runs, runEntry{ID: run.ID, Scenario: run.Scenario, Title: run.Title, State: run.State, Seed: run.Seed,
			Clients: run.Clients, Events: run.Events, At: run.At, Bytes: recording.Size})
	}
	return c.JSON(http.StatusOK, map[string]any{"runs": runs, "keeps": s.config.Rooms.Keeps()})
}

// recording answers with a run's recording, to be saved as a file.
func (s *Server) recording(c echo.Context, r *room.Room) error {
	recording, err := r.Recording(c.Request().Context(), c.QueryParam("run"))
	if err != nil {
		return err
	}
	return s.download(c, download{contentType: "application/zstd", name: fileName(recording) + ".ndjson.zst", size: recording.Size,
		write: recording.CopyTo})
}

// maxRecording is the largest file of a recording that a page may send to be upgraded, and
// maxRecordingText how much of its text is read: a page reads no more.
const (
	maxRecording     = "64M"
	maxRecordingText = 256 << 20
)

// upgradeRecording answers with the recording in the body, which may be of an older
// version, as one of this version. The page reads only those.
func (s *Server) upgradeRecording(c echo.Context) error {
	var upgraded bytes.Buffer
	switch err := event.UpgradeRecording(&upgraded, c.Request().Body, maxRecordingText, check.Follow); {
	case errors.Is(err, event.ErrNotRecording):
		return fail(http.StatusBadRequest, "not_a_recording", "%v", err)
	case err != nil:
		return err
	}
	return c.Blob(http.StatusOK, "application/zstd", upgraded.Bytes())
}

// fileName is how a file of a run is called, without its ending. It is made of names
// that have neither quotes nor spaces.
func fileName(r room.Recording) string {
	return fmt.Sprintf("%s-seed%d-%s", r.Run.Scenario, r.Run.Seed, r.Run.ID)
}

// ExportConfig is what pages of recordings are made of.
func (c Config) ExportConfig() export.Config {
	return export.Config{Static: c.Static, Lessons: c.Lessons, Scenarios: c.Scenarios, Catalogue: run.Catalogue()}
}

// exportPage answers with a run's recording as a page that works without a server, to
// be saved as a file.
func (s *Server) exportPage(c echo.Context, r *room.Room) error {
	recording, err := r.Recording(c.Request().Context(), c.QueryParam("run"))
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
