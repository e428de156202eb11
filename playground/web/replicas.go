package web

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/cluster"
	"github.com/zkplayground/zkplayground/playground/room"
)

// Where several playgrounds share the rooms out, each answers for all: what is about a room
// it carries to the one that has that. A browser says by cookies which class it is in, and
// which room is its own, so that all these are at one place.

const (
	// replicaHeader has the key of the replicas in what one carries to another.
	replicaHeader = "Playground-Replica"
	classCookie   = "playground-class"
	ownCookie     = "playground-own"
	// reachTimeout is how long one may take to answer the other's call.
	reachTimeout = time.Second
)

var (
	errMoved = fail(http.StatusServiceUnavailable, "moved", "the room is changing its playground, try again in a moment")
	errAway  = fail(http.StatusServiceUnavailable, "moved", "the playground that has this room does not answer; another takes the room over, try again in some seconds")
)

// replicas is what a server knows of the others.
type replicas struct {
	cluster *cluster.Cluster
	key     string
	client  *http.Client

	mu       sync.Mutex
	followed map[followedRoom]*followed
}

func newReplicas(c *cluster.Cluster) *replicas {
	if c == nil {
		return nil
	}
	dialer := net.Dialer{Timeout: reachTimeout}
	return &replicas{cluster: c, followed: make(map[followedRoom]*followed), key: c.Key("replica"), client: &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, MaxIdleConnsPerHost: 100}}}
}

// sent says whether another replica has sent a request.
func (r *replicas) sent(request *http.Request) bool {
	return r != nil && hmac.Equal([]byte(request.Header.Get(replicaHeader)), []byte(r.key))
}

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
		case address == "" || address == s.replicas.cluster.Here():
			return next(c)
		case s.replicas.sent(c.Request()):
			return errMoved
		default:
			return s.carry(c, name, address)
		}
	}
}

// placeOf is the address of the replica that is to answer a request, empty for this one,
// and the room that it is about, if there is one.
func (s *Server) placeOf(c echo.Context) (name, address string, err error) {
	ctx := c.Request().Context()
	names, err := s.roomsOf(c)
	if err != nil {
		return "", "", err
	}
	for _, name := range names {
		if !room.IsName(name) {
			continue
		}
		if address, found, err := s.ownerOf(ctx, name); found || err != nil {
			return name, address, err
		}
	}
	makes := c.Request().Method == http.MethodPost && (c.Path() == "/api/rooms" || c.Path() == "/api/classes")
	if !makes || s.replicas.sent(c.Request()) {
		return "", "", nil
	}
	return "", s.leastLoaded(ctx), nil
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
	return s.replicas.cluster.RoomOfCode(c.Request().Context(), room.NormalCode(request.Code))
}

// maxCodeBody is the most that is read to find a code.
const maxCodeBody = 1 << 10

// ownerOf is the address of the replica that has a room, empty for this one; a room that
// nobody has any more it takes over. Found is false if there is no such room.
func (s *Server) ownerOf(ctx context.Context, name string) (address string, found bool, err error) {
	if _, err := s.config.Rooms.Get(name); err == nil {
		return "", true, nil
	}
	here := s.replicas.cluster.Here()
	address, err = s.replicas.cluster.Owner(ctx, name)
	if err != nil || address != "" && address != here {
		return address, true, err
	}
	text, err := s.replicas.cluster.Kept(ctx, name)
	if err != nil || text == nil && name != room.Main {
		return "", false, err
	}
	if s.draining.Load() {
		return "", true, errMoved
	}
	if class := room.ClassRoomOf(text); class != "" && class != name {
		if address, found, err := s.ownerOf(ctx, class); err != nil || found && address != "" {
			return address, true, err
		}
	}
	err = s.config.Rooms.TakeOver(ctx, name)
	switch {
	case errors.Is(err, cluster.ErrOwned): // somebody was quicker
		return "", true, errMoved
	case errors.Is(err, room.ErrNoRoom):
		return "", false, nil
	}
	return "", true, err
}

// A load is how much a replica has to do.
type load struct {
	Clients float64 `json:"clients"` // of runs under way
	Rooms   float64 `json:"rooms"`
}

// load answers another replica that asks.
func (s *Server) load(c echo.Context) error {
	switch {
	case !s.replicas.sent(c.Request()):
		return errNoEndpoint
	case s.draining.Load():
		return errMoved
	}
	return c.JSON(http.StatusOK, load{Clients: count(s.config.Rooms, clients), Rooms: count(s.config.Rooms, one)})
}

// leastLoaded is the replica with the fewest clients, and then the fewest rooms, of those
// that answer; empty for this one.
func (s *Server) leastLoaded(ctx context.Context) string {
	addresses, err := s.replicas.cluster.Replicas(ctx)
	if err != nil {
		s.config.Log.Warn("a room begins here, as the others are not known", "error", err)
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	type loaded struct {
		address string
		load
	}
	answers := make([]*loaded, len(addresses))
	var asking sync.WaitGroup
	for i, address := range addresses {
		asking.Go(func() {
			if found, err := s.askLoad(ctx, address); err == nil {
				answers[i] = &loaded{address, found}
			}
		})
	}
	asking.Wait()
	answers = slices.DeleteFunc(answers, func(l *loaded) bool { return l == nil })
	if len(answers) == 0 {
		return ""
	}
	return slices.MinFunc(answers, func(a, b *loaded) int {
		return cmp.Or(cmp.Compare(a.Clients, b.Clients), cmp.Compare(a.Rooms, b.Rooms))
	}).address
}

func (s *Server) askLoad(ctx context.Context, address string) (found load, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address+s.config.BasePath+"/api/replica", nil)
	if err != nil {
		return found, err
	}
	request.Header.Set(replicaHeader, s.replicas.key)
	response, err := s.replicas.client.Do(request)
	if err != nil {
		return found, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return found, fmt.Errorf("replica %s: %s", address, response.Status)
	}
	return found, json.NewDecoder(response.Body).Decode(&found)
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
		if !room.IsName(name) {
			return ""
		}
		ctx := c.Request().Context()
		if owner, err := s.replicas.cluster.Owner(ctx, name); err == nil && owner != "" {
			return name
		}
		if text, err := s.replicas.cluster.Kept(ctx, name); err == nil && text != nil {
			return name
		}
		return ""
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
