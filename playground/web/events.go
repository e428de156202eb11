package web

import (
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/event"
)

// linesAtOnce is how many events are read from the log at a time.
const linesAtOnce = 2048

// events answers with the log as it is now, one event a line; before the first
// run there are none.
func (s *Server) events(c echo.Context) error {
	from, err := fromParam(c)
	if err != nil {
		return err
	}
	r, err := s.config.Rooms.Get(c.Param("room"))
	if err != nil {
		return err
	}
	c.Response().Header().Set(echo.HeaderContentType, "application/x-ndjson")
	c.Response().Header().Set("Cache-Control", "no-store")
	c.Response().WriteHeader(http.StatusOK)
	run, _ := r.Current()
	if run == nil {
		return nil
	}
	if err := s.writeEvents(c.Response(), run.Log(), from); err != nil {
		// Either the reader has gone, or the log was removed because another run
		// took its place. Only a broken connection tells that lines are missing.
		panic(http.ErrAbortHandler)
	}
	return nil
}

// writeEvents writes the events from from on that the log has by now.
func (s *Server) writeEvents(to http.ResponseWriter, log *event.Log, from int64) error {
	connection := http.NewResponseController(to)
	for last := log.Len(); from <= last; {
		lines, n, err := log.Lines(from, min(linesAtOnce, int(last-from+1)))
		if err != nil {
			return err
		}
		if err := connection.SetWriteDeadline(time.Now().Add(s.config.WriteTimeout)); err != nil {
			return err
		}
		if _, err := to.Write(lines); err != nil {
			return err
		}
		from += int64(n)
	}
	return connection.SetWriteDeadline(time.Time{}) // the next request may take its time
}

// fromParam is the event to begin with, by default the first.
func fromParam(c echo.Context) (int64, error) {
	text := c.QueryParam("from")
	if text == "" {
		return 1, nil
	}
	from, err := strconv.ParseInt(text, 10, 64)
	if errors.Is(err, strconv.ErrSyntax) || errors.Is(err, strconv.ErrRange) || from < 1 {
		return 0, fail(http.StatusBadRequest, "bad_from", "from=%s is no event number, events are numbered from 1", text)
	}
	return from, nil
}
