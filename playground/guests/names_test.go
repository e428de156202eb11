package guests_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/program"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A speaker is a guest's connection of lines.
type speaker struct {
	*house
	net.Conn
	lines *bufio.Scanner
}

// speak opens one to a room.
func (h *house) speak(name string) *speaker {
	h.Helper()
	conn, err := net.Dial("tcp", h.address(name))
	h.must(err)
	h.Cleanup(func() { conn.Close() })
	h.must(conn.SetDeadline(time.Now().Add(timeout)))
	return &speaker{h, conn, bufio.NewScanner(conn)}
}

// say says one line, and returns the answer.
func (s *speaker) say(line string) program.Message {
	s.Helper()
	if _, err := s.Write([]byte(line + "\n")); err != nil {
		s.Fatal(err)
	}
	return s.answer()
}

func (s *speaker) answer() (m program.Message) {
	s.Helper()
	if !s.lines.Scan() {
		s.Fatalf("no answer: %v", s.lines.Err())
	}
	s.must(json.Unmarshal(s.lines.Bytes(), &m))
	return m
}

// named returns where the guest of that name connects.
func (h *house) named(name string) string {
	h.Helper()
	joined := h.speak(room.Main).say(`{"type":"join","name":"` + name + `"}`)
	if joined.Type != program.Joined || joined.Name != name || joined.Lock != "/lock" {
		h.Fatalf("joined: %+v", joined)
	}
	return joined.Server
}

// connected opens a session of go-zookeeper's.
func (h *house) connected(server string) *zk.Conn {
	h.Helper()
	conn, events, err := zk.Connect([]string{server}, 20*time.Second, zk.WithLogInfo(false))
	h.must(err)
	h.Cleanup(conn.Close)
	for e := range events {
		if e.State == zk.StateHasSession {
			return conn
		}
	}
	h.Fatal("no session")
	return nil
}

// TestNamedGuest: one that says who it is keeps its number, whatever becomes of its
// sessions, and is no guest beside itself.
func TestNamedGuest(t *testing.T) {
	h := open(t, zktest.Start(t), nil)
	run := h.start(h.room(room.Main), 2)
	server := h.named("payments")
	first := h.connected(server)
	if e := run.untilKind(event.NoteJoined, 3); e.Name != "payments" {
		t.Errorf("joined: %+v", e)
	}
	lock := zk.NewLock(first, "/lock", zk.WorldACL(zk.PermAll))
	h.must(lock.Lock())
	if _, err := wire.Dial(h.within(), server, wire.Options{}); err == nil {
		t.Error("two programs are payments")
	}
	if e := run.untilKind(event.NoteRefused, 0); !strings.Contains(e.Why, client.ErrConnected.Error()) {
		t.Errorf("refused: %+v", e)
	}
	first.Close()
	run.untilKind(event.SessionClosed, 3)
	second := h.connected(h.named("payments"))
	run.untilKind(event.SessionGranted, 3)
	h.must(zk.NewLock(second, "/lock", zk.WorldACL(zk.PermAll)).Lock())
	h.must(run.Inject(h.within(), scenario.Fault{Name: "expire", Client: 3}))
	run.untilKind(event.SessionRefused, 3) // and the library opens another by itself
	run.untilKind(event.SessionGranted, 3)
	frames := make(map[int64]bool)
	for _, e := range h.events(run) {
		if e.Kind == event.NoteLeft || e.Kind == event.NoteJoined && e.Client != 3 {
			t.Errorf("%+v", e)
		}
		if e.Kind == event.WireSent && e.Client == 3 {
			if frames[e.Frame] {
				t.Errorf("two frames have the number %d", e.Frame)
			}
			frames[e.Frame] = true
		}
	}
	other := h.connected(h.named("orders"))
	if e := run.untilKind(event.NoteJoined, 4); e.Name != "orders" {
		t.Errorf("joined: %+v", e)
	}
	other.Close()
	second.Close()
	run.finish()
}

// events are those of the run so far.
func (h *house) events(run *log) (all []event.Event) {
	h.Helper()
	for e, err := range run.Run.Log().Follow(h.within(), 1) {
		h.must(err)
		all = append(all, e)
		if e.Seq == run.Run.Log().Len() {
			break
		}
	}
	return all
}

// TestNotADialogue: what does not fit is answered with what was expected, and ends the
// connection.
func TestNotADialogue(t *testing.T) {
	h := open(t, zktest.Start(t), nil)
	h.start(h.room(room.Main), 1)
	for _, line := range []string{`{"type":"join"}`, `{"type":"join","name":"` + strings.Repeat("a", 41) + `"}`, `{"type":"join","name":" a"}`, `{"type":"acquire"}`, `{"join}`} {
		s := h.speak(room.Main)
		if m := s.say(line); m.Type != program.Refused || !strings.Contains(m.Why, "expected") {
			t.Errorf("%s: %+v", line, m)
		}
		if s.lines.Scan() || errors.Is(s.lines.Err(), net.ErrClosed) {
			t.Errorf("%s: the connection goes on", line)
		}
	}
}
