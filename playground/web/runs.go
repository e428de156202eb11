package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/step"
)

// startTimeout bounds the start of a run, the end of the one before included.
const startTimeout = 10 * time.Second

// A startRequest is the body of POST .../run. What is left out is the scenario's.
type startRequest struct {
	// Scenario is a shipped scenario's name, or a scenario.
	Scenario json.RawMessage    `json:"scenario"`
	Clients  *int               `json:"clients"`
	Delay    *scenario.Duration `json:"delay"`
	Seed     *int64             `json:"seed"`
	// Step begins the run in step mode.
	Step *bool `json:"step"`
	// Source is the program of the scenario's lanes whose recipe is one, in Starlark. The
	// scenario is then scenario.YourLock if none is named.
	Source string `json:"source"`
}

// readJSON decodes a request's body strictly; an empty body is an empty object.
func readJSON(c echo.Context, into any) error {
	body, err := io.ReadAll(c.Request().Body)
	if tooLarge := new(echo.HTTPError); errors.As(err, &tooLarge) {
		return tooLarge
	}
	if err != nil {
		return fail(http.StatusBadRequest, "bad_json", "the body did not arrive: %s", err)
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fail(http.StatusBadRequest, "bad_json", "the body cannot be read: %s", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return fail(http.StatusBadRequest, "bad_json", "something follows the JSON in the body")
	}
	return nil
}

func (s *Server) scenario(request startRequest) (scenario.Scenario, error) {
	asked, err := s.baseScenario(request)
	if err != nil {
		return scenario.Scenario{}, err
	}
	if request.Source != "" {
		asked = asked.WithSource(request.Source, s.catalogue)
	}
	if request.Clients != nil {
		asked.Clients = *request.Clients
	}
	if request.Delay != nil {
		asked.Delay = *request.Delay
	}
	if request.Seed != nil {
		asked.Seed = *request.Seed
	}
	if request.Step != nil {
		asked.Step = *request.Step
	}
	return asked, nil
}

func (s *Server) baseScenario(request startRequest) (scenario.Scenario, error) {
	text := request.Scenario
	yours := scenario.YourLock()
	var name string
	switch {
	case request.Source != "" && (len(text) == 0 || json.Unmarshal(text, &name) == nil && name == yours.Name):
		return yours, nil
	case len(text) == 0 || string(text) == "null":
		return scenario.Scenario{}, fmt.Errorf("%w: name one, there are %v", scenario.ErrInvalid, s.config.Scenarios.Names())
	case json.Unmarshal(text, &name) == nil:
		return s.config.Scenarios.Find(name)
	default:
		return scenario.Decode(text) // Start validates it, changed as asked
	}
}

func (s *Server) startRun(c echo.Context, r *room.Room) error {
	var request startRequest
	if err := readJSON(c, &request); err != nil {
		return err
	}
	asked, err := s.scenario(request)
	if err != nil {
		return err
	}
	if asked.BreaksServers(s.catalogue) {
		if err := r.Allow(s.personOf(c), room.BreakServers); err != nil {
			return err
		}
	}
	if err := s.checkSources(r, asked); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), startTimeout)
	defer cancel()
	run, err := r.Start(ctx, asked)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, map[string]any{"run": run.Describe()})
}

func (s *Server) stopRun(c echo.Context, r *room.Room) error {
	run, err := currentRun(r)
	if err != nil {
		return err
	}
	if err := r.Stop(c.Request().Context()); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]any{"run": run.Describe(), "summary": run.Summary()})
}

// changeRun changes a run that is under way.
func (s *Server) changeRun(c echo.Context, run *run.Run) error {
	var request struct {
		Delay  *scenario.Duration `json:"delay"`
		Inject scenario.Injection `json:"inject"`
	}
	if err := readJSON(c, &request); err != nil {
		return err
	}
	if request.Delay == nil && request.Inject == nil {
		return fail(http.StatusBadRequest, "bad_json", "name what to change: delay or inject")
	}
	if err := request.Inject.Validate(s.catalogue); err != nil { // before anything is changed
		return err
	}
	if request.Delay != nil {
		if err := run.SetDelay(time.Duration(*request.Delay)); err != nil {
			return err
		}
	}
	if request.Inject != nil {
		if err := run.SetInjection(request.Inject); err != nil {
			return err
		}
	}
	return c.JSON(http.StatusOK, map[string]any{"run": run.Describe(), "inject": run.Scenario().Inject})
}

// injectFault does the fault that the body is, see [scenario.Fault]. A fault of the
// servers has no client and no lane.
func (s *Server) injectFault(c echo.Context, r *room.Room) error {
	run, err := currentRun(r)
	if err != nil {
		return err
	}
	var request scenario.Fault
	if err := readJSON(c, &request); err != nil {
		return err
	}
	if s.catalogue.BreaksServers(request.Name) {
		if err := r.Allow(s.personOf(c), room.BreakServers); err != nil {
			return err
		}
	}
	if err := run.Inject(c.Request().Context(), request); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, request)
}

// disarm disarms the faults that are armed for what the body names; all without one.
func disarm(c echo.Context, run *run.Run) error {
	var request struct {
		Lane   string `json:"lane"`
		Client *int   `json:"client"`
		Fault  string `json:"fault"`
	}
	if err := readJSON(c, &request); err != nil {
		return err
	}
	n, err := run.Disarm(request.Lane, request.Client, request.Fault)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string]int{"disarmed": n})
}

func summary(c echo.Context, run *run.Run) error {
	return c.JSON(http.StatusOK, run.Summary())
}

// ofRun has what is about a run answer requests to its room.
func ofRun(handle func(echo.Context, *run.Run) error) roomHandler {
	return func(c echo.Context, r *room.Room) error {
		run, err := currentRun(r)
		if err != nil {
			return err
		}
		return handle(c, run)
	}
}

func currentRun(r *room.Room) (*run.Run, error) {
	run, _ := r.Current()
	if run == nil {
		return nil, errNoRun
	}
	return run, nil
}

// stepUndo is the one command of step mode that concerns the room: it begins a
// new run.
const stepUndo = "undo"

// steps tells what waits to be delivered by hand, and what was done so far.
func steps(c echo.Context, run *run.Run) error {
	return c.JSON(http.StatusOK, run.Steps())
}

// step does a command of step mode.
func (s *Server) step(c echo.Context, r *room.Room) error {
	run, err := currentRun(r)
	if err != nil {
		return err
	}
	var command step.Command
	if err := readJSON(c, &command); err != nil {
		return err
	}
	if command.Do == stepUndo {
		return undo(c, r, command)
	}
	result, err := run.Step(c.Request().Context(), command)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, result)
}

func undo(c echo.Context, r *room.Room, command step.Command) error {
	if command != (step.Command{Do: stepUndo}) {
		return fail(http.StatusBadRequest, "bad_step", "undo takes nothing else")
	}
	ctx, cancel := context.WithTimeout(c.Request().Context(), startTimeout)
	defer cancel()
	run, err := r.Undo(ctx)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, map[string]any{"run": run.Describe()})
}
