package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/zkplayground/zkplayground/playground/console"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
)

// A typist is somebody at a console of the API.
type typist struct {
	*site
	conn   *websocket.Conn
	client int
	prompt string
	watch  string // what the newest watch said
}

// dialConsole opens a console of a room, or fails with the answer.
func (s *site) dialConsole(room, lane string) (*websocket.Conn, *http.Response, error) {
	s.Helper()
	dialer := websocket.Dialer{Jar: s.client.Jar}
	return dialer.DialContext(s.within(), "ws://"+s.address+room+"/console?lane="+lane, nil)
}

// sit opens a console of the room main that has joined and is connected.
func (s *site) sit(lane string) *typist {
	s.Helper()
	conn, response, err := s.dialConsole("/api/rooms/main", lane)
	if err != nil {
		s.Fatalf("console: %v, %v", response, err)
	}
	s.Cleanup(func() { conn.Close() })
	deadline, _ := s.within().Deadline()
	if err := conn.SetReadDeadline(deadline); err != nil {
		s.Fatal(err)
	}
	t := &typist{site: s, conn: conn}
	joined := t.next().Joined
	if joined == nil {
		s.Fatal("the first frame does not say who the console is")
	}
	t.client = joined.Client
	for !strings.Contains(t.prompt, "CONNECTED") {
		t.next()
	}
	return t
}

// next reads a frame, which must come.
func (t *typist) next() console.Frame {
	t.Helper()
	f, err := t.read()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (t *typist) read() (f console.Frame, err error) {
	err = t.conn.ReadJSON(&f)
	if f.Prompt != "" {
		t.prompt = f.Prompt
	}
	if f.Output != nil && f.Output.Stream == "watch" {
		t.watch = f.Output.Text
	}
	return f, err
}

func (t *typist) send(request any) {
	t.Helper()
	if err := t.conn.WriteJSON(request); err != nil {
		t.Fatal(err)
	}
}

// does sends a line, and returns what it answers.
func (t *typist) does(line string) string {
	t.Helper()
	t.send(map[string]string{"line": line})
	var text strings.Builder
	for {
		f := t.next()
		if f.Output != nil && f.Output.Stream != "watch" {
			text.WriteString(f.Output.Text)
		}
		if f.Done {
			return text.String()
		}
	}
}

// until reads until a frame pleases.
func (t *typist) until(pleases func(console.Frame) bool) console.Frame {
	t.Helper()
	for {
		if f := t.next(); pleases(f) {
			return f
		}
	}
}

// slow is a scenario in which a hold takes long enough to be met.
const slow = `{"name": "slow", "title": "Slow", "lanes": [{"name": "mutex", "title": "Mutex", "recipe": "mutex"}],
	"clients": 2, "session": "4s", "hold": {"min": "300ms", "max": "300ms"}, "think": {"min": "1ms", "max": "2ms"}, "seed": 1}`

// TestConsoleIsAClient: by commands alone a visitor queues up between two clients, is
// woken, holds as long as it likes, crashes, and the others go on once its session has
// timed out. Then it starts again.
func TestConsoleIsAClient(t *testing.T) {
	t.Parallel()
	s := open(t)
	described := s.start(`{"scenario": ` + slow + `}`)
	r := s.run()
	c := s.sit("")
	if c.client != 3 {
		t.Errorf("the console is client %d, want 3", c.client)
	}
	own := strings.TrimSpace(strings.TrimPrefix(c.does("create -e -s /lock/lock-"), "Created "))
	path := described.Lanes[0].Root + own
	s.await(r, func(e event.Event) bool {
		return e.Kind == event.TreeCreated && e.Path == path && e.Client == 3 && e.Cause == "client"
	})
	for ahead := c.ahead(own); ahead != ""; ahead = c.ahead(own) {
		if strings.HasPrefix(c.does("stat -w "+ahead), "Node does not exist") {
			continue
		}
		for !strings.Contains(c.watch, "type:NodeDeleted path:"+ahead) {
			c.next()
		}
	}
	waits := s.await(r, func(e event.Event) bool { return e.Kind == event.LockWaiting && e.Predecessor == path })
	before := r.Log().Len()
	s.want(http.StatusOK, http.MethodPost, "/api/rooms/main/faults", `{"client": 3, "fault": "crash"}`)
	if gone := c.until(func(f console.Frame) bool { return f.Gone != "" }); !strings.Contains(gone.Gone, "crashed") {
		t.Errorf("the console is told %q", gone.Gone)
	}
	s.await(r, func(e event.Event) bool { return e.Kind == event.TreeDeleted && e.Path == path && e.Cause == "expiry" })
	s.await(r, func(e event.Event) bool {
		return e.Kind == event.LockAcquired && e.Client == waits.Client && e.Seq > before
	})
	c.send(map[string]bool{"start": true})
	c.until(func(f console.Frame) bool { return strings.Contains(f.Prompt, "(CONNECTED) 0") })
	if got := c.does("ls /"); got != "[lock]\n" {
		t.Errorf("ls / says %q", got)
	}
	s.await(r, func(e event.Event) bool {
		return e.Kind == event.FaultInjected && e.Fault == "start-again" && e.Client == 3
	})
	for _, lane := range r.Summary().Lanes {
		for _, v := range lane.Verdicts {
			if v.Verdict == event.Violated {
				t.Errorf("%s: %s", v.Check, v.Why)
			}
		}
	}
}

// ahead is the znode before the console's own, as the queue shows it; empty at its head.
func (t *typist) ahead(own string) string {
	t.Helper()
	number := func(name string) string { return name[len(name)-10:] }
	ahead := ""
	for _, name := range strings.Split(strings.Trim(strings.TrimSpace(t.does("ls /lock")), "[]"), ", ") {
		if n := number(name); n < number(own) && (ahead == "" || n > number(ahead)) {
			ahead = "/lock/" + name
		}
	}
	return ahead
}

// TestConsoleEnds: the session ends with the page, with quit and with the run, and says
// so where somebody hears.
func TestConsoleEnds(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.startQuick()
	r := s.run()
	away, quits, stays := s.sit("mutex"), s.sit("mutex"), s.sit("mutex")
	for _, c := range []*typist{away, quits, stays} {
		if got := c.does("create -e /mine-" + fmt.Sprint(c.client)); !strings.HasPrefix(got, "Created") {
			t.Error(got)
		}
	}
	left := func(c *typist) {
		t.Helper()
		s.await(r, func(e event.Event) bool { return e.Kind == event.SessionClosed && e.Client == c.client })
		s.await(r, func(e event.Event) bool { return e.Kind == event.NoteLeft && e.Client == c.client })
	}
	away.conn.Close()
	left(away)
	quits.send(map[string]string{"line": "quit"})
	if f := quits.until(func(f console.Frame) bool { return f.Ended != "" }); f.Ended != "you have left" {
		t.Errorf("quit: %q", f.Ended)
	}
	left(quits)
	if got := stays.does("ls /"); got != fmt.Sprintf("[lock, mine-%d]\n", stays.client) {
		t.Errorf("what is left: %s", got)
	}
	s.want(http.StatusOK, http.MethodDelete, "/api/rooms/main/run", "")
	if f := stays.until(func(f console.Frame) bool { return f.Ended != "" }); !strings.Contains(f.Ended, "the run has ended") {
		t.Errorf("at the end of the run: %q", f.Ended)
	}
	if _, err := stays.read(); !websocket.IsCloseError(err, websocket.CloseNormalClosure) {
		t.Errorf("then %v", err)
	}
	for _, lane := range []string{"mutex", "other"} {
		conn, _, err := s.dialConsole("/api/rooms/main", lane)
		if err != nil {
			t.Fatal(err)
		}
		refused := &typist{site: s, conn: conn}
		if f := refused.next(); f.Ended == "" {
			t.Errorf("without a run, lane %s: %+v", lane, f)
		}
		conn.Close()
	}
}

// TestConsoleIsForWhoControls: who may only look at a run is no client of it, and who may
// no more ends.
func TestConsoleIsForWhoControls(t *testing.T) {
	t.Parallel()
	s := open(t, guarded)
	teacher, student := s.teacher(), s.visitor()
	class, code := teacher.openClass()
	student.join(code)
	teacher.want(http.StatusCreated, http.MethodPost, class+"/run", `{"scenario": `+quick+`}`)
	if _, response, err := student.dialConsole(class, ""); err == nil || response.StatusCode != http.StatusForbidden {
		t.Errorf("a student: %v, %v", response, err)
	}
	teacher.want(http.StatusOK, http.MethodPatch, class+"/class", `{"seat": "offer"}`)
	student.want(http.StatusOK, http.MethodPatch, class+"/class", `{"seat": "take"}`)
	conn, _, err := student.dialConsole(class, "")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	c := &typist{site: student, conn: conn}
	c.until(func(f console.Frame) bool { return strings.Contains(f.Prompt, "CONNECTED") })
	teacher.want(http.StatusOK, http.MethodPatch, class+"/class", `{"seat": "free"}`)
	if f := c.until(func(f console.Frame) bool { return f.Ended != "" }); !strings.Contains(f.Ended, "not yours to control") {
		t.Errorf("without the seat: %q", f.Ended)
	}
}

// TestConsoleLimits: a person has few consoles, a room too; a line has a length; and a
// console that is asked for much, or that nobody reads, holds up nobody.
func TestConsoleLimits(t *testing.T) {
	t.Parallel()
	s := open(t, func(u *setup) { u.room.MaxConsoles = 2 })
	s.startQuick()
	c, other := s.sit(""), s.sit("")
	if _, response, err := s.dialConsole("/api/rooms/main", ""); err == nil || response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a third console: %v, %v", response, err)
	}
	s.want(http.StatusUpgradeRequired, http.MethodGet, "/api/rooms/main/console", "")
	if got := c.does("ls " + strings.Repeat("x", console.LongestLine)); !strings.Contains(got, "too long") {
		t.Errorf("a long line: %.100q", got)
	}
	if got := c.does("setquota -n 1 /lock"); !strings.Contains(got, "outside of this room") {
		t.Errorf("setquota: %q", got)
	}
	if got := c.does("connect 127.0.0.1:2181"); !strings.Contains(got, "connects to nothing else") {
		t.Errorf("connect: %q", got)
	}
	if first, second := c.does("deleteall /lock/x"), c.does("deleteall /lock"); strings.Contains(first, "mean it") || !strings.Contains(second, "mean it") {
		t.Errorf("deleteall: %q, %q", first, second)
	}
	c.send(map[string]string{"complete": "ls /l"})
	f := c.until(func(f console.Frame) bool { return f.Completions != nil })
	if text, _ := json.Marshal(f.Completions); string(text) != `{"of":"ls /l","start":4,"words":["lock"]}` {
		t.Errorf("completions: %s", text)
	}

	// other says a lot, and does not read.
	wide := other.does("create /wide")
	for i := range 20 {
		other.does(fmt.Sprintf("create /wide/%s-%d", strings.Repeat("w", 2000), i))
	}
	for range 200 {
		if err := other.conn.WriteJSON(map[string]string{"line": "ls /wide"}); err != nil {
			break // it has said enough
		}
	}
	for range 20 {
		if got := c.does("ls /lock"); !strings.HasPrefix(got, "[") {
			t.Errorf("beside a busy console: %q %q", got, wide)
		}
	}
	s.awaitMore(s.run())
}

// awaitMore waits until the run has gone on.
func (s *site) awaitMore(r *run.Run) {
	s.Helper()
	n := r.Log().Len()
	s.await(r, func(e event.Event) bool { return e.Kind == event.LockAcquired && e.Seq > n })
}

// TestConsoleOnOddMessages: what is no request ends the console, and nothing else.
func TestConsoleOnOddMessages(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.startQuick()
	for _, odd := range []string{"ls /", "[]", `{"line": 5}`, "\x00"} {
		c := s.sit("")
		if err := c.conn.WriteMessage(websocket.TextMessage, []byte(odd)); err != nil {
			t.Fatal(err)
		}
		if f := c.until(func(f console.Frame) bool { return f.Ended != "" }); !strings.Contains(f.Ended, "no request") {
			t.Errorf("%q: %q", odd, f.Ended)
		}
	}
	s.awaitMore(s.run())
}
