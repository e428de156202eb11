package web

import (
	"errors"
	"io"
	"math"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/room"
)

// events answers with the log as it is now, one event a line; before the first
// run there are none. A viewer may ask for the events up to one, and for those from the
// newest state that is not after an instant.
func (s *Server) events(c echo.Context, r *room.Room) error {
	from, err := fromParam(c)
	if err != nil {
		return err
	}
	run, _ := r.Current()
	if id := c.QueryParam("run"); id != "" && (run == nil || run.ID() != id) {
		return room.ErrNoRun
	}
	at, err := numberParam(c, "at", 0, -1, "instant, in microseconds of the run")
	if err != nil {
		return err
	}
	to, err := eventParam(c, "to", math.MaxInt64)
	if err != nil {
		return err
	}
	if run != nil && at >= 0 {
		from = max(from, run.StateAt(at))
	}
	return s.download(c, download{contentType: "application/x-ndjson", plain: true, write: func(w io.Writer) error {
		if run == nil {
			return nil
		}
		return run.Log().WriteLines(w, from, to)
	}})
}

// fromParam is the event to begin with, by default the first.
func fromParam(c echo.Context) (int64, error) { return eventParam(c, "from", 1) }

// eventParam is a parameter that is an event's number.
func eventParam(c echo.Context, name string, absent int64) (int64, error) {
	return numberParam(c, name, 1, absent, "event number, events are numbered from 1")
}

// numberParam is a parameter that is a number and at least least; its error says what it is not.
func numberParam(c echo.Context, name string, least, absent int64, what string) (int64, error) {
	text := c.QueryParam(name)
	if text == "" {
		return absent, nil
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if errors.Is(err, strconv.ErrSyntax) || errors.Is(err, strconv.ErrRange) || number < least {
		return 0, fail(http.StatusBadRequest, "bad_"+name, "%s=%s is no %s", name, text, what)
	}
	return number, nil
}
