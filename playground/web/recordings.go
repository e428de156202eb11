package web

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
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
func (s *Server) runs(c echo.Context) error {
	r, err := s.config.Rooms.Get(c.Param("room"))
	if err != nil {
		return err
	}
	runs := []runEntry{}
	for _, recording := range r.Recordings() {
		run := recording.Run
		runs = append(runs, runEntry{ID: run.ID, Scenario: run.Scenario, Title: run.Title, State: run.State, Seed: run.Seed,
			Clients: run.Clients, Events: run.Events, At: run.At, Bytes: recording.Size})
	}
	return c.JSON(http.StatusOK, map[string]any{"runs": runs})
}

// recording answers with a run's recording, to be saved as a file.
func (s *Server) recording(c echo.Context) error {
	r, err := s.config.Rooms.Get(c.Param("room"))
	if err != nil {
		return err
	}
	recording, err := r.Recording(c.Request().Context(), c.QueryParam("run"))
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, "application/zstd")
	header.Set(echo.HeaderContentDisposition, fmt.Sprintf("attachment; filename=%q", fileName(recording)))
	header.Set("Cache-Control", "no-store")
	if recording.Size > 0 {
		header.Set(echo.HeaderContentLength, strconv.FormatInt(recording.Size, 10))
	}
	c.Response().WriteHeader(http.StatusOK)
	w := deadlineWriter{c.Response(), s.config.WriteTimeout}
	if recording.CopyTo(w) != nil || w.done() != nil {
		// Either the reader has gone, or the run has made way for others. Only a
		// broken connection tells that a part is missing.
		panic(http.ErrAbortHandler)
	}
	return nil
}

// recordingSuffix ends the name of a recording's file.
const recordingSuffix = ".ndjson.zst"

// fileName is made of names that have neither quotes nor spaces.
func fileName(r room.Recording) string {
	return fmt.Sprintf("%s-seed%d-%s", r.Run.Scenario, r.Run.Seed, r.Run.ID) + recordingSuffix
}

// A deadlineWriter gives the reader of an answer so much time for each part of it.
type deadlineWriter struct {
	http.ResponseWriter
	timeout time.Duration
}

func (w deadlineWriter) Write(b []byte) (int, error) {
	if err := http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Now().Add(w.timeout)); err != nil {
		return 0, err
	}
	return w.ResponseWriter.Write(b)
}

// done lets the next request on the connection take its time.
func (w deadlineWriter) done() error {
	return http.NewResponseController(w.ResponseWriter).SetWriteDeadline(time.Time{})
}
