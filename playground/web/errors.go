package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/lessons/teacher"
	"github.com/zkplayground/zkplayground/playground/challenge"
	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/cluster"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/judging"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/site/export"
	"github.com/zkplayground/zkplayground/playground/starlark"
	"github.com/zkplayground/zkplayground/playground/step"
	"github.com/zkplayground/zkplayground/playground/web/replica"
)

// A failure is an error as a client of the API gets it.
type failure struct {
	Status  int    `json:"-"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (f *failure) Error() string { return f.Code + ": " + f.Message }

func fail(status int, code, format string, args ...any) *failure {
	return &failure{Status: status, Code: code, Message: fmt.Sprintf(format, args...)}
}

var (
	errNoEndpoint    = fail(http.StatusNotFound, "not_found", "there is no such endpoint, playground/API.md lists them")
	errWrongMethod   = fail(http.StatusMethodNotAllowed, "method_not_allowed", "this endpoint does not do that, the Allow header says what it does")
	errTooLarge      = fail(http.StatusRequestEntityTooLarge, "too_large", "a request may carry "+maxBody+"iB at most, a recording "+maxRecording+"iB")
	errForeignOrigin = fail(http.StatusForbidden, "foreign_origin", "commands and streams for other sites are refused")
	errNoCookie      = fail(http.StatusForbidden, "no_cookie", "send the cookie that comes with this answer, so that you are known again")
	errWrongToken    = fail(http.StatusForbidden, "wrong_token", "this is not the teacher's link of this playground, which it prints when it starts")
	errGuesses       = fail(http.StatusTooManyRequests, "too_fast", "too many wrong codes or links, wait ten seconds")
	errNoClassHere   = fail(http.StatusConflict, "no_class", "this room is no class's")
	errBusy          = fail(http.StatusServiceUnavailable, "busy", "many are loading logs and recordings just now, try again in a minute")
	errNoRun         = fail(http.StatusConflict, "not_running", "no run is under way in this room, start one first")
)

// known maps the errors of the packages below to what a client may see of them.
var known = []struct {
	err    error
	status int
	code   string
}{
	{scenario.ErrUnknown, http.StatusNotFound, "unknown_scenario"},
	{scenario.ErrInvalid, http.StatusBadRequest, "bad_scenario"},
	{starlark.ErrSource, http.StatusBadRequest, "bad_source"},
	{scenario.ErrUnknownFault, http.StatusBadRequest, "unknown_fault"},
	{step.ErrNoClient, http.StatusNotFound, "no_such_client"},
	{client.ErrImpossible, http.StatusConflict, "impossible"},
	{scenario.ErrFault, http.StatusBadRequest, "bad_fault"},
	{run.ErrNotOurs, http.StatusConflict, "not_ours"},
	{step.ErrCommand, http.StatusBadRequest, "bad_step"},
	{step.ErrNotStepping, http.StatusConflict, "not_stepping"},
	{step.ErrNoFrame, http.StatusNotFound, "no_such_frame"},
	{step.ErrOutOfOrder, http.StatusConflict, "out_of_order"},
	{client.ErrNotRunning, http.StatusConflict, "not_running"},
	{teacher.ErrUnknown, http.StatusNotFound, "no_such_page"},
	{room.ErrNoUndo, http.StatusConflict, "nothing_to_undo"},
	{room.ErrNoRun, http.StatusNotFound, "no_such_run"},
	{export.ErrNotBundled, http.StatusServiceUnavailable, "not_bundled"},
	{room.ErrForbidden, http.StatusForbidden, "forbidden"},
	{room.ErrPresented, http.StatusBadRequest, "bad_presented"},
	{room.ErrNoSeat, http.StatusConflict, "no_seat"},
	{room.ErrVote, http.StatusBadRequest, "bad_vote"},
	{room.ErrVoteClosed, http.StatusConflict, "vote_closed"},
	{room.ErrRevealed, http.StatusConflict, "revealed"},
	{room.ErrGoal, http.StatusNotFound, "no_such_goal"},
	{room.ErrNoClass, http.StatusNotFound, "no_such_class"},
	{room.ErrLocked, http.StatusForbidden, "locked"},
	{room.ErrNoRoom, http.StatusNotFound, "no_such_room"},
	{run.ErrTooManyGuests, http.StatusServiceUnavailable, "full"},
	{room.ErrMoved, http.StatusServiceUnavailable, codeMoved},
	{cluster.ErrOwned, http.StatusServiceUnavailable, codeMoved},
	{replica.ErrMoved, http.StatusServiceUnavailable, codeMoved},
	{replica.ErrAway, http.StatusServiceUnavailable, codeMoved},
	{replica.ErrUnknown, http.StatusServiceUnavailable, codeUnreachable},
	{room.ErrFull, http.StatusServiceUnavailable, "full"},
	{challenge.ErrUnknown, http.StatusNotFound, "unknown_challenge"},
	{judging.ErrUnderWay, http.StatusConflict, "judging"},
	{judging.ErrNoProgram, http.StatusConflict, "nothing_to_judge"},
	{judging.ErrNone, http.StatusNotFound, "no_judgement"},
	{room.ErrClosed, http.StatusServiceUnavailable, "shutting_down"},
	{event.ErrNoEvent, http.StatusBadRequest, "bad_from"},
	{room.ErrZooKeeper, http.StatusServiceUnavailable, codeUnreachable},
	{client.ErrZooKeeper, http.StatusServiceUnavailable, codeUnreachable},
	{client.ErrStore, http.StatusServiceUnavailable, "store_unreachable"},
	{context.Canceled, http.StatusServiceUnavailable, "broken_off"},
}

// codeForeignHost is for requests that name a host that is not ours.
const codeForeignHost = "foreign_host"

// codeMoved is for a room that is at another playground, or about to be.
const codeMoved = "moved"

// codeUnreachable is for whatever ZooKeeper should have done and did not.
const codeUnreachable = "zookeeper_unreachable"

// failureOf finds what to tell a client about err; inside is true when err is
// our fault and should be looked at.
func failureOf(err error) (f *failure, inside bool) {
	if errors.As(err, &f) {
		return f, false
	}
	for _, k := range known {
		if errors.Is(err, k.err) {
			return fail(k.status, k.code, "%s", strings.ReplaceAll(err.Error(), "\n", "; ")), false
		}
	}
	var httpError *echo.HTTPError
	if errors.As(err, &httpError) {
		return failureOfEcho(httpError), false
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fail(http.StatusServiceUnavailable, "timeout", "this takes too long, try again: %s", err), true
	}
	return fail(http.StatusInternalServerError, "internal", "something went wrong inside: %s", err), true
}

// failureOfEcho translates what the router and the guards complain about.
func failureOfEcho(err *echo.HTTPError) *failure {
	switch err.Code {
	case http.StatusNotFound:
		return errNoEndpoint
	case http.StatusMethodNotAllowed:
		return errWrongMethod
	case http.StatusRequestEntityTooLarge:
		return errTooLarge
	default:
		return fail(err.Code, "bad_request", "%v", err.Message)
	}
}

// refusals are the reasons under which requests that are refused are counted, by the
// code of the answer. Those that come too often are counted by the limit.
var refusals = map[string]string{
	codeForeignHost: codeForeignHost, errForeignOrigin.Code: errForeignOrigin.Code, errTooLarge.Code: errTooLarge.Code, "full": "full",
	"forbidden": "role", "locked": "locked", "no_such_class": "code", errWrongToken.Code: "teacher_token",
}

// handleError answers a request that failed.
func (s *Server) handleError(err error, c echo.Context) {
	f, inside := failureOf(err)
	if inside {
		s.config.Log.Error("request failed", "path", c.Request().URL.Path, "error", err)
	}
	if reason, counted := refusals[f.Code]; counted {
		s.metrics.refused.WithLabelValues(reason).Inc()
	}
	if c.Response().Committed {
		return
	}
	if err := c.JSON(f.Status, map[string]*failure{"error": f}); err != nil {
		s.config.Log.Warn("answer not sent", "path", c.Request().URL.Path, "error", err)
	}
}
