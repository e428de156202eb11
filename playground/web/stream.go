package web

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/web/stream"
)

// CloseTooSlow is the close code of a stream whose viewer did not read what it was
// sent. It may come back and go on after its last event.
const CloseTooSlow = 4008

// CloseRoomGone is the close code of a stream whose room there is no more.
const CloseRoomGone = 4004

// CloseForbidden is the close code of a stream whose viewer may not look at the room any
// more: it has left the class.
const CloseForbidden = 4003

// probe is what a viewer sends that wants to know whether its connection is alive, and
// the answer. A browser does not tell its pages of pings.
const probe = `{"probe":true}`

const (
	// defaultWriteTimeout is Config.WriteTimeout's default.
	defaultWriteTimeout = 10 * time.Second
	// goodbyeTimeout is how long a stream may take to end.
	goodbyeTimeout = time.Second
	// slowGoodbyeTimeout is how long a viewer that was too slow may take to read why.
	slowGoodbyeTimeout = 30 * time.Second
	// A viewer that has not answered a ping for pongTimeout is gone.
	pingEvery   = 20 * time.Second
	pongTimeout = 50 * time.Second
	// askEvery is how often the viewers of a class are asked what they have read, if
	// they were sent anything, and how often the teacher is told how many lag behind.
	askEvery = 2 * time.Second
	// Viewers have little to say on the stream.
	maxViewerMessage = 1 << 10
)

// stream sends a room's run to a viewer, from the event it asks for, and goes
// on with the next run when there is one. A viewer that asks for the first event and
// goes on from states begins at the newest one, if there is one.
func (s *Server) stream(c echo.Context, r *room.Room) error {
	from, err := fromParam(c)
	if err != nil {
		return err
	}
	if !s.streams.enter() {
		return room.ErrClosed
	}
	defer s.streams.leave() // last, so that nobody is left in a room after Shutdown
	leave, err := r.Enter()
	if err != nil {
		return err
	}
	defer leave()
	conn, err := s.upgrade(c)
	if err != nil {
		return nil
	}
	s.metrics.viewers.Inc()
	defer s.metrics.viewers.Dec()
	v := &viewer{server: s, room: r, conn: conn, person: s.personOf(c), elsewhere: s.elsewhereOf(c), next: from, runID: c.QueryParam("run"),
		goesOn: c.QueryParam("state") == "yes"}
	s.serveViewer(v)
	return nil
}

// upgrade makes a request a websocket. It refuses other origins, and answers by itself
// when it fails.
func (s *Server) upgrade(c echo.Context) (*websocket.Conn, error) {
	upgrader := websocket.Upgrader{EnableCompression: true, WriteBufferSize: 16 << 10,
		Error: func(w http.ResponseWriter, r *http.Request, status int, reason error) {
			if status == http.StatusForbidden {
				s.handleError(errForeignOrigin, c)
				return
			}
			s.handleError(fail(status, "bad_handshake", "%s", reason), c)
		}}
	return upgrader.Upgrade(c.Response(), c.Request(), nil)
}

// serveViewer owns the connection. This goroutine writes, one listens for the
// viewer's end and one sees to it that the end does not take long; all have
// ended when it returns.
func (s *Server) serveViewer(v *viewer) {
	conn := v.conn
	ctx, cancel := context.WithCancel(s.life)
	told := make(chan struct{})
	probes := make(chan struct{}, 1)
	v.window, v.probes = stream.NewWindow(s.config.WriteTimeout, ctx.Done()), probes
	if class := v.room.Class(); class != nil {
		defer class.Attend(v.person, v.window.Lags)()
	}
	var others sync.WaitGroup
	others.Go(func() {
		defer cancel()
		if err := listen(conn, v.window, probes); errors.Is(err, websocket.ErrReadLimit) {
			s.metrics.refused.WithLabelValues("message_too_large").Inc()
		}
	})
	others.Go(func() { hurry(ctx, conn, told) })

	code := v.tell(ctx)
	v.leave()
	goodbye := websocket.FormatCloseMessage(code, closeReason(code))
	err := conn.WriteControl(websocket.CloseMessage, goodbye, time.Now().Add(goodbyeTimeout)) // it may be gone already
	if code == CloseTooSlow {
		s.metrics.slowViewers.Inc()
		if err == nil {
			clock.Sleep(ctx, slowGoodbyeTimeout)
		}
	}
	conn.Close()
	close(told)
	others.Wait()
}

// hurry frees a write that is stuck when the stream is to end.
func hurry(ctx context.Context, conn *websocket.Conn, told <-chan struct{}) {
	select {
	case <-told:
		return
	case <-ctx.Done():
	}
	timer := time.NewTimer(goodbyeTimeout)
	defer timer.Stop()
	select {
	case <-told:
	case <-timer.C:
		conn.Close()
	}
}

// listen reads until the viewer is gone, and returns why; it takes the pongs, and passes
// on the probes. A viewer that says too much gets the close code 1009.
func listen(conn *websocket.Conn, window *stream.Window, probes chan<- struct{}) error {
	conn.SetReadLimit(maxViewerMessage)
	alive := func(read string) error {
		window.Answer(read)
		return conn.SetReadDeadline(time.Now().Add(pongTimeout))
	}
	conn.SetPongHandler(alive)
	err := alive("")
	for err == nil {
		var said []byte
		if _, said, err = conn.ReadMessage(); string(said) == probe {
			select {
			case probes <- struct{}{}:
			default: // one is being answered
			}
		}
	}
	return err
}

func closeReason(code int) string {
	switch code {
	case websocket.CloseGoingAway:
		return "the playground is shutting down"
	case websocket.CloseServiceRestart:
		return "another playground has this room now"
	case CloseForbidden:
		return "you may not look at this room any more"
	case CloseRoomGone:
		return "there is no such room any more"
	case CloseTooSlow:
		return "too slow: come back and go on after the last event"
	default:
		return ""
	}
}
