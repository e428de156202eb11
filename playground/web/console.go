package web

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/console"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/room"
)

const (
	// maxConsoleMessage is what a request of a console may have: a line, each byte of
	// which may be an escape in JSON, and a little more.
	maxConsoleMessage = 6*console.LongestLine + 1<<10
	// mostTyped is how many requests may wait while one is being done.
	mostTyped = 16
	// flushEvery is how often a console is shown what it says, at most: many short
	// texts become few frames.
	flushEvery = 25 * time.Millisecond
)

var errNoWebsocket = fail(http.StatusUpgradeRequired, "bad_handshake", "a console is a websocket")

// console lets somebody be a client of the room's run: a session of its own, by
// ZooKeeper's commands. Whoever may control the run may.
func (s *Server) console(c echo.Context, r *room.Room) error {
	if !websocket.IsWebSocketUpgrade(c.Request()) {
		return errNoWebsocket
	}
	if !s.streams.enter() {
		return room.ErrClosed
	}
	defer s.streams.leave()
	leave, err := r.EnterConsole()
	if err != nil {
		return err
	}
	defer leave()
	conn, err := s.upgrade(c)
	if err != nil {
		return nil // the upgrader has answered
	}
	s.metrics.consoles.Inc()
	defer s.metrics.consoles.Dec()
	t := &typist{server: s, room: r, conn: conn, person: s.personOf(c), out: console.NewOutbox(s.config.Now)}
	t.serve(c.QueryParam("lane"))
	return nil
}

// A typist is somebody at a console, on a websocket.
type typist struct {
	server *Server
	room   *room.Room
	person room.Person
	conn   *websocket.Conn
	out    *console.Outbox
}

// serve owns the connection. This goroutine is the console; one reads, one writes and
// one looks whether the console may go on. All have ended when it returns.
func (t *typist) serve(lane string) {
	defer t.conn.Close()
	ctx, end := context.WithCancelCause(t.server.life)
	defer end(nil)
	requests := make(chan console.Request, mostTyped)
	writing, stopWriting := context.WithCancel(context.Background())
	told := make(chan struct{})
	var reader, writer sync.WaitGroup
	reader.Go(func() { hurry(ctx, t.conn, told) })
	reader.Go(func() { defer close(requests); end(t.read(requests)) })
	writer.Go(func() { end(t.write(writing)) })

	why := t.takePart(ctx, end, lane, requests)
	t.out.Put(console.Frame{Ended: why.English(), Reason: why})
	stopWriting()
	writer.Wait()
	code := websocket.CloseNormalClosure
	if t.server.life.Err() != nil {
		code = websocket.CloseGoingAway
	}
	_ = t.conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(goodbyeTimeout)) // it may be gone already
	t.conn.Close()
	close(told)
	reader.Wait()
}

// takePart is the console's part in a run, from joining to leaving. It returns how that
// has ended, for the person.
func (t *typist) takePart(ctx context.Context, end context.CancelCauseFunc, lane string, requests <-chan console.Request) *event.Reason {
	seat, err := t.room.OpenConsole(lane, t.out)
	if err != nil {
		f, _ := failureOf(err)
		return event.Text(f.Message)
	}
	t.out.Put(console.Frame{Joined: &console.Joined{Lane: seat.Lane(), Client: seat.Number()}})
	var watch sync.WaitGroup
	watch.Go(func() { end(t.watch(ctx, seat)) })
	quit := seat.Run(ctx, requests)
	why := youHaveLeft.With()
	if cause := context.Cause(ctx); !quit && cause != nil {
		why = reasonOf(cause)
	}
	end(nil)
	watch.Wait()
	seat.Leave(why)
	return why
}

// An ending is why a console ends, in words.
type ending struct{ *event.Reason }

func (e ending) Error() string { return e.English() }

var (
	// errLeft: the page has gone, so nobody reads why.
	errLeft          = ending{event.NewCode("page-has-gone", "the page has gone").With()}
	errRunEnded      = ending{event.NewCode("session-ended-with-run", "the run has ended, and your session with it").With()}
	errNotYours      = ending{event.NewCode("run-not-yours", "this run is not yours to control any more").With()}
	errNoRoom        = ending{event.NewCode("no-such-room", "there is no such room any more").With()}
	errNotUnderstood = ending{event.NewCode("no-console-request", "this is no request of a console").With()}

	youHaveLeft  = event.NewCode("you-have-left", "you have left")
	shuttingDown = event.NewCode("shutting-down", "the playground is shutting down")
)

func reasonOf(cause error) *event.Reason {
	var said ending
	if errors.As(cause, &said) {
		return said.Reason
	}
	return shuttingDown.With()
}

// watch returns why the console cannot go on, once it cannot.
func (t *typist) watch(ctx context.Context, seat *room.Console) error {
	for {
		_, changed := t.room.Current()
		switch {
		case !seat.Running():
			return errRunEnded
		case t.room.Allow(t.person, room.Control) != nil:
			return errNotYours
		}
		select {
		case <-changed:
		case <-t.room.Gone():
			return errNoRoom
		case <-ctx.Done():
			return nil
		}
	}
}

// read passes on what the page asks for, until the page is gone.
func (t *typist) read(requests chan<- console.Request) error {
	t.conn.SetReadLimit(maxConsoleMessage)
	alive := func(string) error { return t.conn.SetReadDeadline(time.Now().Add(pongTimeout)) }
	t.conn.SetPongHandler(alive)
	for err := alive(""); err == nil; {
		var said []byte
		if _, said, err = t.conn.ReadMessage(); err != nil {
			break
		}
		var r console.Request
		if json.Unmarshal(said, &r) != nil {
			return errNotUnderstood
		}
		select {
		case requests <- r:
		default:
			t.out.Write("err", "not done: too much waits already\n")
		}
	}
	return errLeft
}

// write sends what the console says, all of it before it returns at the end of ctx.
func (t *typist) write(ctx context.Context) error {
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for {
		select {
		case <-t.out.News():
			if t.send(t.out.Take()) != nil {
				return errLeft
			}
			clock.Sleep(ctx, flushEvery)
		case <-ping.C:
			if t.conn.WriteControl(websocket.PingMessage, nil, t.deadline()) != nil {
				return errLeft
			}
		case <-ctx.Done():
			_ = t.send(t.out.Take()) // it may be gone already
			return nil
		}
	}
}

func (t *typist) send(frames []console.Frame) error {
	for _, f := range frames {
		if err := t.conn.SetWriteDeadline(t.deadline()); err != nil {
			return err
		}
		if err := t.conn.WriteJSON(f); err != nil {
			return err
		}
	}
	return nil
}

func (t *typist) deadline() time.Time { return time.Now().Add(t.server.config.WriteTimeout) }
