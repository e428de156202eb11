package web_test

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/web"
)

// narrow makes the server's side of each connection hold little, so that it
// soon notices who does not read.
type narrow struct{ net.Listener }

func (n narrow) Accept() (net.Conn, error) {
	conn, err := n.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return conn, conn.(*net.TCPConn).SetWriteBuffer(32 << 10)
}

func narrowed(u *setup) { u.wrap = func(l net.Listener) net.Listener { return narrow{l} } }

// lazy dials connections that hold little on the viewer's side.
func (s *site) lazy() *websocket.Dialer {
	return &websocket.Dialer{ReadBufferSize: 512, NetDial: func(network, address string) (net.Conn, error) {
		conn, err := net.Dial(network, address)
		if err != nil {
			return nil, err
		}
		return conn, conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	}}
}

// viewers is how many streams of the room main are open.
func (s *site) viewers() int {
	s.Helper()
	r, err := s.rooms.Get(room.Main)
	if err != nil {
		s.Fatal(err)
	}
	return r.Viewers()
}

// fill makes the room's run tell more than a narrow connection holds.
func (s *site) fill() {
	s.Helper()
	s.startQuick()
	if err := s.run().Log().Wait(s.within(), 1000); err != nil {
		s.Fatal(err)
	}
}

// flood makes the log of the room's run longer than what may be under way to a viewer.
func (s *site) flood() *event.Log {
	s.Helper()
	log, events := s.run().Log(), recorded(s)
	for i := 0; log.Size() < 4<<20; i++ {
		if _, err := log.Append(events[i%len(events)]); err != nil {
			s.Fatal(err)
		}
	}
	return log
}

// slowViewer says whether a viewer has been too slow.
func (s *site) slowViewer() bool {
	s.Helper()
	return strings.Contains(string(s.ask("GET", "/metrics", "").body), "\nplayground_slow_viewers_total 1")
}

func TestViewerThatDoesNotReadIsLetGo(t *testing.T) {
	t.Parallel()
	s := open(t, narrowed, func(u *setup) { u.web.WriteTimeout = 8 * time.Second })
	s.fill()
	s.ask("DELETE", runPath, "")
	asleep := s.watchWith(s.lazy(), "")
	awake := s.watch("")
	awake.until("told the end", awake.complete)
	if n := s.viewers(); n != 2 {
		t.Errorf("%d viewers, want both: who reads was held up by who does not", n)
	}
	s.eventually("the sleeper is gone", func() bool { return s.viewers() == 1 })
	if !s.slowViewer() {
		t.Error("the sleeper is not counted as too slow")
	}
	for err := error(nil); err == nil; err = asleep.next() {
		if asleep.complete() {
			t.Fatal("the sleeper was told everything")
		}
	}
	back := s.watch(fmt.Sprintf("from=%d&run=%s", asleep.last+1, asleep.run.ID))
	asleep.conn = back.conn
	asleep.until("told the end", asleep.complete)
	if !slices.Equal(asleep.lines, awake.lines) {
		t.Errorf("the sleeper comes back and was told %d events in all, others %d", len(asleep.lines), len(awake.lines))
	}
}

// TestViewerThatDoesNotReadIsToldWhy: its connection holds what was sent to it, and
// then why it was closed.
func TestViewerThatDoesNotReadIsToldWhy(t *testing.T) {
	t.Parallel()
	s := open(t, func(u *setup) { u.web.WriteTimeout = 3 * time.Second })
	s.start(`{"scenario": ` + still + `}`)
	asleep := s.watchWith(&websocket.Dialer{EnableCompression: true}, "")
	log := s.flood()
	s.eventually("the viewer is let go", s.slowViewer)
	var err error
	for err == nil {
		err = asleep.next()
	}
	if closed := new(websocket.CloseError); !errors.As(err, &closed) || closed.Code != web.CloseTooSlow || closed.Text == "" {
		t.Errorf("the stream ended with %v, want code %d and why", err, web.CloseTooSlow)
	}
	if asleep.last == 0 || asleep.last >= log.Len() {
		t.Errorf("it was told %d events of %d", asleep.last, log.Len())
	}
	asleep.conn = s.watch(fmt.Sprintf("from=%d&run=%s", asleep.last+1, asleep.run.ID)).conn
	asleep.until("told the rest", func() bool { return asleep.last >= log.Len() })
}

// TestViewerThatReadsAByteAtATimeIsLetGo: it takes something, but next to nothing.
func TestViewerThatReadsAByteAtATimeIsLetGo(t *testing.T) {
	s := open(t, func(u *setup) { u.web.WriteTimeout = 200 * time.Millisecond })
	s.start(`{"scenario": ` + still + `}`)
	w := s.watchWith(s.lazy(), "")
	s.flood()
	one := make([]byte, 1)
	s.eventually("the viewer is let go", func() bool {
		_, _ = w.conn.NetConn().Read(one)
		return s.slowViewer()
	})
	if s.run().State() != event.Running {
		t.Errorf("the run is %s", s.run().State())
	}
}

func TestViewerThatMisbehavesIsDisconnected(t *testing.T) {
	s := open(t)
	s.startQuick()
	well := s.watch("")
	for name, misbehave := range map[string]func(*watcher) error{
		"huge message": func(w *watcher) error {
			return w.conn.WriteMessage(websocket.TextMessage, []byte(strings.Repeat("x", 1<<20)))
		},
		"no websocket": func(w *watcher) error { _, err := w.conn.NetConn().Write([]byte("GET / HTTP/1.1\r\n\r\n")); return err },
		"close":        func(w *watcher) error { return w.conn.WriteMessage(websocket.CloseMessage, nil) },
		"cut":          func(w *watcher) error { w.cut(); return nil },
	} {
		w := s.watch("")
		if err := misbehave(w); err != nil {
			t.Logf("%s: %v", name, err) // it may be disconnected while it sends
		}
		for w.next() == nil {
		}
		s.eventually(name+" is disconnected", func() bool { return s.viewers() == 1 })
	}
	far := s.run().Log().Len() + 100
	well.until("told what comes next", func() bool { return well.last >= far })
	if s.run().State() != event.Running {
		t.Errorf("the run is %s", s.run().State())
	}
}

// TestProbeIsAnswered, also when there is nothing else to tell, and however often.
func TestProbeIsAnswered(t *testing.T) {
	s := open(t)
	w := s.watch("")
	w.until("told of no run", func() bool { return len(w.frames) == 2 })
	for range 100 {
		if err := w.conn.WriteMessage(websocket.TextMessage, []byte(`{"probe":true}`)); err != nil {
			t.Fatal(err)
		}
	}
	_, answer, err := w.conn.ReadMessage()
	if err != nil || string(answer) != `{"probe":true}` {
		t.Errorf("the answer is %q, %v", answer, err)
	}
}

func TestWhatElseViewersSayIsIgnored(t *testing.T) {
	s := open(t)
	w := s.watch("")
	if err := w.conn.WriteMessage(websocket.TextMessage, []byte(`{"run": "DROP TABLE"}`)); err != nil {
		t.Fatal(err)
	}
	s.startQuick()
	w.until("told an event", func() bool { return w.last > 0 })
}

func TestShutdownClosesStreams(t *testing.T) {
	s := open(t)
	s.startQuick()
	watchers := []*watcher{s.watch(""), s.watch(""), s.watch("from=100000")}
	watchers[0].until("told an event", func() bool { return watchers[0].last > 0 })
	if err := s.server.Shutdown(s.within()); err != nil {
		t.Fatal(err)
	}
	if n := s.viewers(); n != 0 {
		t.Errorf("%d viewers after the shutdown", n)
	}
	for _, w := range watchers {
		var err error
		for err == nil {
			err = w.next()
		}
		if closed := new(websocket.CloseError); !errors.As(err, &closed) || closed.Code != websocket.CloseGoingAway || closed.Text == "" {
			t.Errorf("the stream ended with %v, want code %d and why", err, websocket.CloseGoingAway)
		}
	}
}

// TestShutdownWaitsForNobodyWhoDoesNotCare tries again when that took long: the
// machine may have stood still, but who waits for them is late every time.
func TestShutdownWaitsForNobodyWhoDoesNotCare(t *testing.T) {
	const most = 4 * time.Second
	took := 2 * most
	for tries := 0; took > most && tries < 5; tries++ {
		took = shutdownBesideTheCareless(t)
	}
	if took > most {
		t.Errorf("Shutdown took %v", took)
	}
}

// shutdownBesideTheCareless says how long a shutdown takes while one viewer does
// not read and one connection is not used.
func shutdownBesideTheCareless(t *testing.T) time.Duration {
	t.Helper()
	s := open(t, narrowed)
	s.fill()
	s.watchWith(s.lazy(), "") // never reads
	unused, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	defer unused.Close()
	began := time.Now()
	if err := s.server.Shutdown(s.within()); err != nil {
		t.Error(err)
	}
	if n := s.viewers(); n != 0 {
		t.Errorf("Shutdown left %d viewers", n)
	}
	return time.Since(began)
}
