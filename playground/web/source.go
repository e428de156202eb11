package web

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/challenge"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/judge"
	"github.com/zkplayground/zkplayground/playground/judging"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/starlark"
)

// maxSourceRuns is how many runs may be under way at once whose programs visitors have
// written: each client of them is a process.
const maxSourceRuns = 10

// checkSources says what keeps a room from running the sources of a scenario: their errors,
// or that too many other rooms do.
func (s *Server) checkSources(r *room.Room, asked scenario.Scenario) error {
	sources := false
	for _, lane := range asked.Lanes {
		if lane.Source == "" {
			continue
		}
		sources = true
		if err := starlark.Check(lane.Source); err != nil {
			return err
		}
	}
	if !sources {
		return nil
	}
	running := 0
	s.config.Rooms.Each(func(other *room.Room) {
		if current, _ := other.Current(); other != r && current != nil && current.State() == event.Running &&
			slices.ContainsFunc(current.Describe().Lanes, func(l event.Lane) bool { return l.Source != "" }) {
			running++
		}
	})
	if running >= maxSourceRuns {
		return fmt.Errorf("%w: %d rooms run locks that visitors have written", room.ErrFull, running)
	}
	return nil
}

// listTemplates answers with sources to begin with.
func (s *Server) listTemplates(c echo.Context) error {
	return c.JSON(http.StatusOK, map[string]any{"templates": starlark.Templates(), "maxBytes": starlark.MaxSource})
}

// listChallenges answers with what each challenge begins with, and a source that solves it.
func (s *Server) listChallenges(c echo.Context) error {
	return c.JSON(http.StatusOK, map[string]any{"challenges": challenge.All()})
}

// A judgementRequest is the body of POST .../judgement.
type judgementRequest struct {
	Source    string   `json:"source"`
	Challenge string   `json:"challenge"`
	Trials    []string `json:"trials"`
	Seed      int64    `json:"seed"`
}

// trials are those of the challenge, or of the names, or all for every lock.
func (r judgementRequest) trials() ([]judge.Trial, error) {
	if r.Challenge != "" {
		found, err := challenge.Find(r.Challenge)
		if err != nil {
			return nil, err
		}
		return found.Trials(), nil
	}
	var trials []judge.Trial
	for _, name := range r.Trials {
		t, ok := judge.Find(name)
		if !ok {
			return nil, fail(http.StatusBadRequest, "unknown_trial", "there is no trial %q, playground judge -trial help lists them", name)
		}
		if !slices.ContainsFunc(trials, func(other judge.Trial) bool { return other.Name == name }) {
			trials = append(trials, t)
		}
	}
	if len(trials) == 0 {
		return judge.Trials(), nil
	}
	return trials, nil
}

func (s *Server) startJudgement(c echo.Context, r *room.Room) error {
	request := judgementRequest{Seed: 1}
	if err := readJSON(c, &request); err != nil {
		return err
	}
	trials, err := request.trials()
	if err != nil {
		return err
	}
	if request.Source != "" {
		if err := starlark.Check(request.Source); err != nil {
			return err
		}
	}
	j, err := s.config.Judgements.Start(r, judging.Order{Source: request.Source, Challenge: request.Challenge, Seed: request.Seed}, trials)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, map[string]any{"judgement": j})
}

func (s *Server) judgement(c echo.Context, r *room.Room) error {
	j, err := s.config.Judgements.Of(r)
	switch {
	case errors.Is(err, judging.ErrNone): // every page asks, and a 404 is a complaint in a browser's console
		return c.JSON(http.StatusOK, map[string]any{"judgement": nil})
	case err != nil:
		return err
	}
	return c.JSON(http.StatusOK, map[string]any{"judgement": j})
}

func (s *Server) stopJudgement(c echo.Context, r *room.Room) error {
	if err := s.config.Judgements.Stop(r); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}
