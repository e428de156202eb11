package web_test

import (
	"encoding/json"
	"fmt"
	"net"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/step"
	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// A watcher is a viewer of the stream who notes what it was told.
type watcher struct {
	testing.TB
	conn *websocket.Conn

	frames    []string // what each frame was about
	zookeeper zkserver.Status
	servers   []zkserver.Status
	run       *event.Run        // the run of the newest frame about one; nil for none
	lines     []string          // the events of that run, in JSON
	first     event.Event       // the oldest of them
	last      int64             // the number of the newest
	script    [][]scenario.Step // of that run
	judged    int64             // the newest number of the room's judgement
}

// watch connects to the stream of the room main with a query such as "from=3".
func (s *site) watch(query string) *watcher {
	s.Helper()
	return s.watchWith(websocket.DefaultDialer, query)
}

func (s *site) watchWith(dialer *websocket.Dialer, query string) *watcher {
	s.Helper()
	conn, response, err := dialer.DialContext(s.within(), "ws://"+s.address+streamPath+"?"+query, nil)
	if err != nil {
		s.Fatalf("stream: %v, %v", response, err)
	}
	s.Cleanup(func() { conn.Close() })
	deadline, _ := s.within().Deadline()
	if err := conn.SetReadDeadline(deadline); err != nil {
		s.Fatal(err)
	}
	return &watcher{TB: s.TB, conn: conn}
}

// A frame is any of the stream's.
type frame struct {
	ZooKeeper *zkserver.Status  `json:"zookeeper"`
	Servers   []zkserver.Status `json:"servers"`
	Run       json.RawMessage   `json:"run"`
	Judgement int64             `json:"judgement"`
	Steps     *step.Change      `json:"steps"`
	Events    []json.RawMessage `json:"events"`
}

// next reads one frame; the error is that of the connection.
func (w *watcher) next() error {
	_, text, err := w.conn.ReadMessage()
	if err != nil {
		return err
	}
	var f frame
	if err := json.Unmarshal(text, &f); err != nil {
		return fmt.Errorf("frame %q: %w", text, err)
	}
	w.judged = max(w.judged, f.Judgement)
	switch {
	case f.ZooKeeper != nil:
		w.frames, w.zookeeper, w.servers = append(w.frames, "zookeeper"), *f.ZooKeeper, f.Servers
		return nil
	case f.Run != nil:
		return w.takeRun(f.Run)
	case f.Steps != nil:
		return w.takeSteps(*f.Steps)
	case f.Events == nil:
		w.frames = append(w.frames, "news")
		return nil
	default:
		w.frames = append(w.frames, "events")
		return w.takeEvents(f.Events)
	}
}

func (w *watcher) takeRun(text []byte) error {
	var run *event.Run
	if err := json.Unmarshal(text, &run); err != nil {
		return err
	}
	w.frames = append(w.frames, "run")
	if run == nil || w.run != nil && run.ID != w.run.ID {
		w.lines, w.last, w.script = nil, 0, nil
	}
	w.run = run
	return nil
}

// takeSteps insists that nothing is missing before the change.
func (w *watcher) takeSteps(c step.Change) error {
	w.frames = append(w.frames, "steps")
	if w.run == nil || c.From > len(w.script) {
		return fmt.Errorf("steps from group %d on, after %d", c.From, len(w.script))
	}
	w.run.Step, w.run.Steps = c.Step, c.Steps
	w.script = append(w.script[:c.From], c.Script...)
	return nil
}

// takeEvents insists that events follow each other.
func (w *watcher) takeEvents(lines []json.RawMessage) error {
	if w.run == nil || len(lines) == 0 {
		return fmt.Errorf("%d events, of the run %v", len(lines), w.run)
	}
	for _, line := range lines {
		var e event.Event
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		if w.last == 0 && len(e.State) > 0 { // it stands for those before
			w.last = e.Seq - 1
		}
		if e.Seq != w.last+1 {
			return fmt.Errorf("event %d after event %d", e.Seq, w.last)
		}
		if w.lines == nil {
			w.first = e
		}
		w.last = e.Seq
		w.lines = append(w.lines, string(line))
	}
	return nil
}

// until reads frames until the condition is met.
func (w *watcher) until(what string, met func() bool) {
	w.Helper()
	for !met() {
		if err := w.next(); err != nil {
			w.Fatalf("waiting until %s: %v", what, err)
		}
	}
}

// count is how many frames were about something.
func (w *watcher) count(what string) int {
	n := 0
	for _, about := range w.frames {
		if about == what {
			n++
		}
	}
	return n
}

// complete says whether the watcher has been told all of a finished run.
func (w *watcher) complete() bool {
	return w.run != nil && w.run.State == event.Finished && w.last >= w.run.Events
}

// cut drops the connection as a network does: without a word.
func (w *watcher) cut() {
	w.Helper()
	if err := w.conn.NetConn().(*net.TCPConn).SetLinger(0); err != nil {
		w.Fatal(err)
	}
	w.conn.Close()
}
