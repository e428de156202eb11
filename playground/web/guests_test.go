package web_test

import (
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/guests"
	"github.com/zkplayground/zkplayground/playground/room"
)

// takingGuests gives each room a port.
func takingGuests(t *testing.T) func(*setup) {
	t.Helper()
	const address = "127.0.0.1:0"
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	server := guests.New(listener, guests.Config{Address: address, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(server.Close)
	return func(u *setup) {
		server.Use(func() event.Server { return event.Server{} }, nil)
		u.room.Opened, u.web.Guests = func(r *room.Room) { server.Open(r) }, server
	}
}

// TestWhoIsToldWhereGuestsJoin: whoever may control a run is, and nobody else; and why
// the last one could not join.
func TestWhoIsToldWhereGuestsJoin(t *testing.T) {
	s := open(t, guarded, takingGuests(t))
	teacher, student, stranger := s.teacher(), s.visitor(), s.visitor()
	class, code := teacher.openClass()
	student.join(code)
	own := stranger.own()
	for _, test := range []struct {
		who  string
		site *site
		room string
		told bool
	}{
		{"the teacher", teacher, class, true}, {"a student of the class", student, class, false},
		{"a visitor", stranger, "/api/rooms/main", false}, {"the owner", stranger, own, true},
	} {
		var me struct{ Guests *guests.Status }
		test.site.decode(test.site.ask(http.MethodGet, test.room+"/me", ""), http.StatusOK, &me)
		if told := me.Guests != nil && me.Guests.Address != ""; told != test.told {
			t.Errorf("%s is told %+v", test.who, me.Guests)
			continue
		}
		if me.Guests == nil {
			continue
		}
		conn, err := net.Dial("tcp", me.Guests.Address)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Read(make([]byte, 1)) // returns when it is closed, as there is no run
		conn.Close()
		test.site.decode(test.site.ask(http.MethodGet, test.room+"/me", ""), http.StatusOK, &me)
		if me.Guests.Refused != guests.ErrNoRun.Error() {
			t.Errorf("%s is told %+v, want that there is no run", test.who, me.Guests)
		}
	}
	if metrics := s.ask(http.MethodGet, "/metrics", "").body; !strings.Contains(string(metrics), "playground_guests_turned_away_total 2\n") {
		t.Error("the metrics do not tell of those who were turned away")
	}
}
