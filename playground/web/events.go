package web

import (
	"errors"
	"io"
	"net/http"
	"strconv"

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
	run, _ := r.Current()
	return s.download(c, download{contentType: "application/x-ndjson", plain: true, write: func(w io.Writer) error {
		if run == nil {
			return nil
		}
		return writeEvents(w, run.Log(), from)
	}})
}

// writeEvents writes the events from from on that the log has by now.
func writeEvents(to io.Writer, log *event.Log, from int64) error {
	for last := log.Len(); from <= last; {
		lines, n, err := log.Lines(from, min(linesAtOnce, int(last-from+1)))
		if err != nil {
			return err
		}
		if _, err := to.Write(lines); err != nil {
			return err
		}
		from += int64(n)
	}
	return nil
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
