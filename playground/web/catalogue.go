package web

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// limits is what the page must keep to.
type limits struct {
	Clients int               `json:"clients"`
	Delay   scenario.Duration `json:"delay"`
}

func (s *Server) scenarios(c echo.Context) error {
	catalogue := run.Catalogue()
	return c.JSON(http.StatusOK, map[string]any{
		"scenarios":    s.config.Scenarios,
		"catalogue":    catalogue,
		"faults":       catalogue.FaultNames(scenario.TargetClient),
		"serverFaults": s.config.Rooms.ServerFaults(),
		"lasting":      catalogue.Lasting(),
		"limits":       limits{Clients: s.config.Rooms.MaxClients(), Delay: scenario.Duration(scenario.MaxDelay)},
	})
}

func (s *Server) createRoom(c echo.Context) error {
	s.meet(c)
	p := s.personOf(c)
	if p.ID == "" && !p.Teacher {
		return errNoCookie
	}
	r, err := s.config.Rooms.Create(c.Request().Context(), p)
	if err != nil {
		return err
	}
	s.remember(c, ownCookie, r.Name())
	return c.JSON(http.StatusCreated, map[string]string{"room": r.Name()})
}
