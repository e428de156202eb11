package guests_test

import (
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/guests"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestGuestJoins: a client that connects is in the room's run, with its znodes in the
// queue; one that comes back to its session is the same guest. When the run has ended it
// is told that its session has, and is another guest of the next run.
func TestGuestJoins(t *testing.T) {
	h := open(t, zktest.Start(t), nil)
	main := h.room(room.Main)
	run := h.start(main, 2)
	guest := h.join(room.Main, wire.Options{Timeout: 20 * time.Second})
	if e := run.untilKind(event.NoteJoined, 3); e.Participant != event.Guest {
		t.Errorf("joined: %+v", e)
	}
	node := h.create(guest, "/lock/lock-", wire.EphemeralSequential)
	if e := run.untilKind(event.TreeCreated, 3); e.Path != run.root()+node {
		t.Errorf("created: %+v, want %s", e, node)
	}
	id, password, _ := guest.Session()
	guest.Close() // without a word to the server
	run.untilKind(event.SessionSuspended, 3)
	guest = h.join(room.Main, wire.Options{Timeout: 20 * time.Second, SessionID: id, Password: password})
	run.untilKind(event.SessionResumed, 3)
	if _, err := guest.Exists(h.within(), node); err != nil {
		t.Errorf("its znode: %v", err)
	}
	run.finish()
	run.untilKind(event.NoteLeft, 3)
	if !h.gone(run) {
		t.Error("znodes are left")
	}
	next := h.start(main, 1)
	if _, err := wire.Dial(h.within(), h.address(room.Main), wire.Options{SessionID: id, Password: password}); !errors.Is(err, wire.SessionExpired) {
		t.Errorf("the session of the run before: %v, want %v", err, wire.SessionExpired)
	}
	h.must(h.join(room.Main, wire.Options{}).CloseSession(h.within()))
	next.untilKind(event.NoteJoined, 2)
	if e := next.untilKind(event.NoteLeft, 2); e.Why != "it has closed its session" {
		t.Errorf("left: %q", e.Why)
	}
}

// TestNobodyJoinsWithoutARun: the connection is closed, and it is said why.
func TestNobodyJoinsWithoutARun(t *testing.T) {
	h := open(t, zktest.Start(t), nil)
	conn, err := net.Dial("tcp", h.address(room.Main))
	h.must(err)
	defer conn.Close()
	if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
		t.Errorf("read: %v, want the end", err)
	}
	if status, _ := h.guests.Status(room.Main); status.Refused != guests.ErrNoRun.Error() {
		t.Errorf("status: %+v", status)
	}
}

// TestPortSaysWhatTheServerSays: a client may ask the port for the version, and read its
// commit and date.
func TestPortSaysWhatTheServerSays(t *testing.T) {
	server := zktest.Start(t)
	h := open(t, server, nil)
	h.start(h.room(room.Main), 1)
	real, err := zkserver.Probe(t.Context(), server.Address())
	h.must(err)
	ours, err := zkserver.Probe(t.Context(), h.address(room.Main))
	h.must(err)
	if ours.Build != real.Build || ours.Build == ours.Version {
		t.Errorf("the port says %q, the server %q", ours.Build, real.Build)
	}
}

// TestEachRoomHasAPort: its guests are in its run, and no other room's; a room that goes
// gives it back.
func TestEachRoomHasAPort(t *testing.T) {
	first, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := first.Addr().String()
	first.Close()
	h := open(t, zktest.Start(t), func(g *guests.Config, _ *room.Config) { g.Address = address })
	if got := h.address(room.Main); got != address {
		t.Errorf("the main room is at %s, want %s", got, address)
	}
	own, err := h.Create(h.within(), room.Person{Teacher: true})
	h.must(err)
	port := h.address(own.Name())
	if port == address {
		t.Fatal("two rooms have one port")
	}
	mine, others := h.start(own, 1), h.start(h.room(room.Main), 1)
	guest := h.join(own.Name(), wire.Options{})
	mine.untilKind(event.NoteJoined, 2)
	if n := len(others.Guests()); n != 0 {
		t.Errorf("%d guests in the other room", n)
	}
	id, password, _ := guest.Session()
	if _, err := wire.Dial(h.within(), h.address(room.Main), wire.Options{SessionID: id, Password: password}); !errors.Is(err, wire.SessionExpired) {
		t.Errorf("the session in another room: %v", err)
	}
	h.must(h.Remove(h.within(), own))
	for { // the port comes back when its listener has closed
		again, err := h.Create(h.within(), room.Person{Teacher: true})
		h.must(err)
		if h.address(again.Name()) == port {
			break
		}
		if h.Context().Err() != nil {
			t.Fatal("the port does not come back")
		}
		h.must(h.Remove(h.within(), again))
	}
}

// TestUndeletable: a guest makes znodes that nobody may delete, and leaves. Where the
// playground is the superuser they go with the run; else the guest may not make them.
func TestUndeletable(t *testing.T) {
	const password = "a secret of this test"
	closed := []wire.ACL{{Perms: wire.PermCreate, Scheme: "world", ID: "anyone"}}
	for _, test := range []struct {
		name, password string
		want           error
	}{
		{"superuser", password, nil},
		{"nobody", "", wire.InvalidACL},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := zktest.StartOwn(t, zkserver.Config{SuperPassword: password})
			h := open(t, server, func(_ *guests.Config, r *room.Config) { r.SuperPassword = test.password })
			run := h.start(h.room(room.Main), 1)
			guest := h.join(room.Main, wire.Options{})
			for _, path := range []string{"/mine", "/mine/too", "/mine/too/deep", "/lock/lock-mine"} {
				_, err := guest.CreateNode(h.within(), wire.NewNode{Path: path, ACL: closed})
				if path == "/mine" && !failsWith(err, test.want) {
					t.Errorf("create %s: %v, want %v", path, err, test.want)
				}
			}
			open := h.create(guest, "/open", wire.Persistent)
			if _, err := guest.SetACL(h.within(), open, closed, -1); !failsWith(err, test.want) {
				t.Errorf("setACL: %v, want %v", err, test.want)
			}
			if test.want != nil {
				if e := run.untilKind(event.NoteRefused, 2); e.Err != "InvalidACL" || e.Path != run.root()+"/mine" || e.Why == "" {
					t.Errorf("refused: %+v", e)
				}
			}
			guest.Close()
			run.finish()
			if !h.gone(run) {
				t.Error("znodes are left")
			}
		})
	}
}
