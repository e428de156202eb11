package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/sim"
)

// limits is what the page must keep to.
type limits struct {
	Clients int          `json:"clients"`
	Delay   sim.Duration `json:"delay"`
}

func (s *Server) scenarios(c echo.Context) error {
	return c.JSON(http.StatusOK, map[string]any{
		"scenarios":    s.config.Scenarios,
		"faults":       sim.Faults(),
		"serverFaults": s.config.Rooms.ServerFaults(),
		"lasting":      sim.Lasting(),
		"limits":       limits{Clients: s.config.Rooms.MaxClients(), Delay: sim.Duration(sim.MaxDelay)},
	})
}

func (s *Server) createRoom(c echo.Context) error {
	r, err := s.config.Rooms.Create(c.Request().Context())
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, map[string]string{"room": r.Name()})
}
