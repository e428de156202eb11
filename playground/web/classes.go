package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
	"rsc.io/qr"

	"github.com/zkplayground/zkplayground/playground/guests"
	"github.com/zkplayground/zkplayground/playground/room"
)

// openClass makes a room for a class.
func (s *Server) openClass(c echo.Context) error {
	s.meet(c)
	p := s.personOf(c)
	if !p.Teacher {
		return fmt.Errorf("%w: only a teacher opens classes, see the link that the playground printed when it started", room.ErrForbidden)
	}
	r, err := s.config.Rooms.OpenClass(c.Request().Context(), p)
	if err != nil {
		return err
	}
	s.remember(c, classCookie, r.Name())
	return c.JSON(http.StatusCreated, map[string]string{"room": r.Name(), "code": r.Class().Code()})
}

// joinClass makes the sender a member of the class whose code it sends.
func (s *Server) joinClass(c echo.Context) error {
	var request struct {
		Code string `json:"code"`
	}
	if err := readJSON(c, &request); err != nil {
		return err
	}
	s.meet(c)
	p := s.personOf(c)
	if p.ID == "" {
		return errNoCookie
	}
	var r *room.Room
	err := s.guess(codeRule, p.ID, addressOf(c), func() (err error) {
		r, err = s.config.Rooms.Join(p, request.Code)
		return err
	})
	if err != nil {
		return err
	}
	s.remember(c, classCookie, r.Name())
	return c.JSON(http.StatusOK, map[string]string{"room": r.Name()})
}

// leaveClass ends the sender's membership in its class.
func (s *Server) leaveClass(c echo.Context) error {
	if err := s.config.Rooms.Leave(s.personOf(c)); err != nil {
		return err
	}
	s.remember(c, classCookie, "")
	return c.NoContent(http.StatusNoContent)
}

// changeClass locks a class, or moves the driver's seat.
func (s *Server) changeClass(c echo.Context, r *room.Room) error {
	class := r.Class()
	if class == nil {
		return errNoClassHere
	}
	var request struct {
		Locked *bool  `json:"locked"`
		Seat   string `json:"seat"`
	}
	if err := readJSON(c, &request); err != nil {
		return err
	}
	p := s.personOf(c)
	var err error
	if request.Seat == "take" {
		err = class.TakeSeat(p)
	} else if err = r.Allow(p, room.Present); err == nil {
		err = moveSeat(class, request.Seat)
	}
	if err != nil {
		return err
	}
	if request.Locked != nil {
		if err := r.Allow(p, room.Manage); err != nil {
			return err
		}
		if err := class.Lock(*request.Locked); err != nil {
			return err
		}
	}
	return s.me(c, r)
}

// present shows the members what the presenter sees.
func (s *Server) present(c echo.Context, class *room.Class) error {
	var what room.Presented
	if err := readJSON(c, &what); err != nil {
		return err
	}
	if err := class.Present(s.personOf(c), what); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// vote notes a member's choice.
func (s *Server) vote(c echo.Context, class *room.Class) error {
	request := struct {
		Question string `json:"question"`
		Choice   int    `json:"choice"`
	}{Choice: -1}
	if err := readJSON(c, &request); err != nil {
		return err
	}
	if err := class.Vote(s.personOf(c), request.Question, request.Choice); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// endVote handles what the presenter does to a vote.
func endVote(do func(*room.Class, string) error) roomHandler {
	return ofClass(func(c echo.Context, class *room.Class) error {
		var request struct {
			Question string `json:"question"`
		}
		if err := readJSON(c, &request); err != nil {
			return err
		}
		if err := do(class, request.Question); err != nil {
			return err
		}
		return c.NoContent(http.StatusNoContent)
	})
}

// meetGoals notes which goals of the lessons a member says to have met.
func (s *Server) meetGoals(c echo.Context) error {
	var request struct {
		Goals []string `json:"goals"`
	}
	if err := readJSON(c, &request); err != nil {
		return err
	}
	if err := s.config.Rooms.Meet(s.personOf(c), request.Goals); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

func moveSeat(class *room.Class, how string) error {
	switch how {
	case "":
		return nil
	case "offer", "keep":
		return class.OfferSeat(how == "offer")
	case "free":
		return class.FreeSeat()
	default:
		return fail(http.StatusBadRequest, "bad_seat", "seat is %q, it can be offer, keep, take or free", how)
	}
}

// closeClass closes a class and its room.
func (s *Server) closeClass(c echo.Context, r *room.Room) error {
	if r.Class() == nil {
		return errNoClassHere
	}
	if err := s.config.Rooms.Remove(c.Request().Context(), r); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// ofClass has what is about a class answer requests to its room.
func ofClass(handle func(echo.Context, *room.Class) error) roomHandler {
	return func(c echo.Context, r *room.Room) error {
		if r.Class() == nil {
			return errNoClassHere
		}
		return handle(c, r.Class())
	}
}

// A standing is all in which what persons are told of a room differs, but for a teacher.
type standing struct {
	Role room.Role `json:"role"`
	// Member says that the person is a member of a class, this room's or another one's.
	Member bool `json:"member"`
	// Own and InClass are the room of the person's own, and that of the class of which it is
	// a member or which it has opened; left out where there is none.
	Own     string `json:"own,omitempty"`
	InClass string `json:"inClass,omitempty"`

	choices string // in the votes of the room's class
}

// A roomEntry is what a person is told of a room.
type roomEntry struct {
	Room string `json:"room"`
	standing
	May []room.Action `json:"may"`
	// Class is left out where the room is no class's.
	Class *classEntry `json:"class,omitempty"`
}

type classEntry struct {
	room.ClassState
	Votes []room.VoteState `json:"votes,omitempty"`
	// Goals and the rest are for the teacher. Goals is how many members have met each,
	// Lagging how many of those who are here see what is seconds old.
	Goals     map[string]int `json:"goals,omitempty"`
	Lagging   int            `json:"lagging,omitempty"`
	Code      string         `json:"code,omitempty"`
	Addresses []string       `json:"addresses,omitempty"`
}

func (s *Server) standingOf(p room.Person, r *room.Room, at elsewhere) standing {
	doors := s.config.Rooms.DoorsOf(p)
	has := standing{Role: r.RoleOf(p), Member: doors.Member}
	if doors.Own != nil {
		has.Own = doors.Own.Name()
	}
	if doors.Class != nil {
		has.InClass = doors.Class.Name()
	}
	at.addTo(&has, p)
	if r.Class() != nil {
		has.choices = r.Class().Choices(p)
	}
	return has
}

// describeRoom tells a person what it may know of a room.
func (s *Server) describeRoom(r *room.Room, p room.Person, has standing) roomEntry {
	entry := roomEntry{Room: r.Name(), standing: has, May: has.Role.Rights()}
	if class := r.Class(); class != nil {
		entry.Class = &classEntry{ClassState: class.State(), Votes: class.Votes(p, has.Role.May(room.Present))}
		if p.Teacher {
			entry.Class.Goals = class.GoalsMet()
			entry.Class.Lagging = class.Lagging(time.Now())
			entry.Class.Code, entry.Class.Addresses = class.Code(), s.config.Addresses
		}
	}
	return entry
}

// An entryText is a roomEntry in JSON.
type entryText struct {
	json []byte
	err  error
}

// entryText is made once for all who stand as the person does, until the room changes.
// What a teacher is told changes without that.
func (s *Server) entryText(r *room.Room, p room.Person, at elsewhere) *entryText {
	has := s.standingOf(p, r, at)
	encode := func() any {
		text, err := json.Marshal(s.describeRoom(r, p, has))
		return &entryText{text, err}
	}
	if p.Teacher {
		return encode().(*entryText)
	}
	return r.Shared(has, encode).(*entryText)
}

// me tells who asks what it is in a room.
func (s *Server) me(c echo.Context, r *room.Room) error {
	p := s.personOf(c)
	description := struct {
		roomEntry
		Guests *guests.Status `json:"guests,omitempty"`
	}{roomEntry: s.describeRoom(r, p, s.standingOf(p, r, s.elsewhereOf(c)))}
	if r.RoleOf(p).May(room.Control) && s.config.Guests != nil { // whoever knows the port can join
		if status, open := s.config.Guests.Status(r.Name()); open {
			description.Guests = &status
		}
	}
	return c.JSON(http.StatusOK, description)
}

// qrCode draws the link that joins a class, on one of the machine's addresses.
func (s *Server) qrCode(c echo.Context, class *room.Class) error {
	address := c.QueryParam("address")
	if !slices.Contains(s.config.Addresses, address) {
		return fail(http.StatusBadRequest, "bad_address", "%q is no address of this playground, it has %v", address, s.config.Addresses)
	}
	code, err := qr.Encode(address+"/?code="+class.Code(), qr.M)
	if err != nil {
		return err
	}
	c.Response().Header().Set("Cache-Control", "no-store")
	return c.Blob(http.StatusOK, "image/svg+xml", drawQR(code))
}

// drawQR draws dark squares on a light ground, in both themes, with the margin of four
// squares that readers want.
func drawQR(code *qr.Code) []byte {
	var squares strings.Builder
	for y := range code.Size {
		for x := range code.Size {
			if code.Black(x, y) {
				fmt.Fprintf(&squares, "M%d %dh1v1h-1z", x+4, y+4)
			}
		}
	}
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %[1]d %[1]d" shape-rendering="crispEdges">`+
		`<path fill="#fff" d="M0 0h%[1]dv%[1]dH0z"/><path d="%[2]s"/></svg>`, code.Size+8, squares.String())
}
