package web

import (
	"context"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/step"
)

// stepUndo is the one command of step mode that concerns the room: it begins a
// new run.
const stepUndo = "undo"

// steps tells what waits to be delivered by hand, and what was done so far.
func (s *Server) steps(c echo.Context) error {
	run, err := s.current(c)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, run.Steps())
}

// step does a command of step mode.
func (s *Server) step(c echo.Context) error {
	run, err := s.current(c)
	if err != nil {
		return err
	}
	var command step.Command
	if err := readJSON(c, &command); err != nil {
		return err
	}
	if command.Do == stepUndo {
		return s.undo(c, command)
	}
	result, err := run.Step(c.Request().Context(), command)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, result)
}

func (s *Server) undo(c echo.Context, command step.Command) error {
	if command != (step.Command{Do: stepUndo}) {
		return fail(http.StatusBadRequest, "bad_step", "undo takes nothing else")
	}
	r, err := s.config.Rooms.Get(c.Param("room"))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), startTimeout)
	defer cancel()
	run, err := r.Undo(ctx)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, map[string]any{"run": run.Describe()})
}
