package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/room"
)

// takeSnapshot keeps what a page has made of the run, for those who come late to it.
func (s *Server) takeSnapshot(c echo.Context) error {
	r, err := s.config.Rooms.Get(c.Param("room"))
	if err != nil {
		return err
	}
	var snapshot room.Snapshot
	if err := readJSON(c, &snapshot); err != nil {
		return err
	}
	if err := r.TakeSnapshot(snapshot); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
