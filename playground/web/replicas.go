package web

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/web/replica"
)

// Where several playgrounds share the rooms out, each answers for all: what is about a room
// it carries to the one that has that. A browser says by cookies which class it is in, and
// which room is its own, so that all these are at one place.

const (
	classCookie = "playground-class"
	ownCookie   = "playground-own"
)

// toOwner carries a request to the replica that has its room.
func (s *Server) toOwner(next echo.HandlerFunc) echo.HandlerFunc {
	if s.replicas == nil {
		return next
	}
	return func(c echo.Context) error {
		name, address, err := s.placeOf(c)
		switch {
		case err != nil:
			return err
		case s.replicas.Here(address):
			return next(c)
		case s.replicas.Sent(c.Request()):
			return replica.ErrMoved
		default:
			return s.replicas.Carry(c.Response(), c.Request(), replica.Sender{Address: c.RealIP(), Scheme: c.Scheme()}, name, address)
		}
	}
}

// placeOf is the address of the replica that is to answer a request, empty for this one,
// and the room that it is about, if there is one.
func (s *Server) placeOf(c echo.Context) (name, address string, err error) {
	names, err := s.roomsOf(c)
	if err != nil {
		return "", "", err
	}
	name, address, err = s.replicas.Place(c.Request().Context(), names...)
	if name != "" || err != nil {
		return name, address, err
	}
	makes := c.Request().Method == http.MethodPost && (c.Path() == "/api/rooms" || c.Path() == "/api/classes")
	if !makes || s.replicas.Sent(c.Request()) {
		return "", "", nil
	}
	address, err = s.replicas.LeastLoaded(c.Request().Context())
	return "", address, err
}

// roomsOf are the rooms that a request may be about. The first that exists counts.
func (s *Server) roomsOf(c echo.Context) ([]string, error) {
	switch path := c.Path(); {
	case path == "/api/classes/join":
		name, err := s.roomOfCode(c)
		return []string{name}, err
	case path == "/api/classes/leave" || path == "/api/classes/goals":
		return []string{cookie(c, classCookie)}, nil
	case path == "/api/rooms":
		return []string{cookie(c, classCookie), cookie(c, ownCookie)}, nil
	case strings.HasPrefix(path, "/api/rooms/:room/"):
		return []string{c.Param("room")}, nil
	default:
		return nil, nil
	}
}

// roomOfCode is the room of the class that a request wants to join.
func (s *Server) roomOfCode(c echo.Context) (string, error) {
	body, err := io.ReadAll(io.LimitReader(c.Request().Body, maxCodeBody))
	if err != nil {
		return "", fail(http.StatusBadRequest, "bad_json", "the body did not arrive: %s", err)
	}
	c.Request().Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), c.Request().Body))
	var request struct{ Code string }
	if json.Unmarshal(body, &request) != nil {
		return "", nil // the handler says what is wrong
	}
	return s.replicas.RoomOfCode(c.Request().Context(), request.Code)
}

// maxCodeBody is the most that is read to find a code.
const maxCodeBody = 1 << 10

// load answers another replica that asks.
func (s *Server) load(c echo.Context) error {
	switch {
	case !s.replicas.Sent(c.Request()):
		return errNoEndpoint
	case s.draining.Load():
		return replica.ErrMoved
	}
	return c.JSON(http.StatusOK, replica.Load{Vacancy: s.config.Rooms.Vacancy(), Clients: count(s.config.Rooms, clients), Rooms: count(s.config.Rooms, one)})
}

// remember has the browser say from now on which room is its own, or its class's; an empty
// name is none.
func (s *Server) remember(c echo.Context, cookie, name string) {
	if s.replicas != nil {
		setCookie(c, cookie, name)
	}
}

// An elsewhere is the rooms of a person that another replica may have: its own, and its
// class's.
type elsewhere struct{ own, class string }

// elsewhereOf is what the sender's cookies say, as far as there are such rooms.
func (s *Server) elsewhereOf(c echo.Context) (at elsewhere) {
	if s.replicas == nil {
		return at
	}
	exists := func(name string) string {
		if !s.replicas.Exists(c.Request().Context(), name) {
			return ""
		}
		return name
	}
	return elsewhere{own: exists(cookie(c, ownCookie)), class: exists(cookie(c, classCookie))}
}

// addTo adds them for a person of whom this replica has none.
func (at elsewhere) addTo(has *standing, p room.Person) {
	has.Own = cmp.Or(has.Own, at.own)
	if has.InClass == "" && at.class != "" {
		has.InClass, has.Member = at.class, !p.Teacher
	}
}
