package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"os"
	"slices"
	"time"

	"github.com/gorilla/websocket"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/step"
	"github.com/zkplayground/zkplayground/playground/web/stream"
	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// A viewer is the writing side of one stream. What it has told is its only
// state: the log and the room are asked again each time. Events go in frames that all
// viewers share; what is for this one alone it makes itself, with send.
type viewer struct {
	server *Server
	room   *room.Room
	conn   *websocket.Conn
	window *stream.Window
	probes <-chan struct{} // to be answered

	run       *run.Run        // the run whose events are being sent
	runID     string          // its id; before the first run, the id that was asked for
	batches   *stream.Batches // of its log
	next      int64           // the next event to send
	changed   <-chan struct{}
	goesOn    bool      // it goes on from a state, and needs no events before
	current   bool      // all that the room has to tell but events has been sent
	described event.Run // as the viewer was last told
	steps     step.Told // of the run
	servers   []zkserver.Status
	person    room.Person
	elsewhere elsewhere
	presented int64  // Seq of what the presenter saw when the viewer was last told
	judged    int64  // Seq of the room's judgement then
	entry     []byte // what the viewer was last told of the room and itself
}

// tell sends frames until the viewer or the server goes, and returns the close
// code that tells why.
func (v *viewer) tell(ctx context.Context) int {
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	ask := time.NewTicker(askEvery)
	defer ask.Stop()
	for {
		more, err := v.update()
		if err != nil {
			return v.closeCode(err)
		}
		select {
		case <-more:
			clock.Sleep(ctx, v.batches.Wait())
		case <-v.changed:
		case <-ping.C:
			err = v.ping()
		case <-ask.C:
			err = v.attend()
		case <-v.probes:
			err = v.send(json.RawMessage(probe))
		case <-v.room.Gone():
			return CloseRoomGone
		case <-v.room.Moved():
			return websocket.CloseServiceRestart
		case <-ctx.Done():
			err = stream.ErrGone
			if v.server.life.Err() != nil {
				_, _ = v.update() // how the run ended
			}
		}
		if err != nil {
			return v.closeCode(err)
		}
	}
}

// closeCode is how a stream ends after an error. A viewer that was too slow gets the
// code when it reads on; but not if part of a frame is in its way.
func (v *viewer) closeCode(err error) int {
	var network net.Error
	switch {
	case v.server.life.Err() != nil:
		return websocket.CloseGoingAway
	case errors.Is(err, stream.ErrGone):
		return websocket.CloseNormalClosure // it has gone by itself
	case errors.Is(err, room.ErrForbidden):
		return CloseForbidden
	case errors.Is(err, stream.ErrTooSlow), errors.As(err, &network) && network.Timeout():
		return CloseTooSlow
	default:
		return websocket.CloseInternalServerErr
	}
}

// update sends everything that is new and returns a channel that is closed when
// there are more events.
func (v *viewer) update() (<-chan struct{}, error) {
	run, changed := v.room.Current()
	if changed != v.changed { // also when the change came while we did something else
		v.changed, v.current = changed, false
	}
	if err := v.sendZooKeeper(); err != nil {
		return nil, err
	}
	if err := v.sendRun(run); err != nil || run == nil {
		return nil, err
	}
	if err := v.sendEvents(); err != nil {
		return nil, err
	}
	if run.Log().Sealed() && v.next > run.Log().Len() {
		return nil, nil // a nil channel: only another run brings more
	}
	return run.Log().Grown(v.next - 1), nil
}

// sendZooKeeper tells of all servers when any has changed.
func (v *viewer) sendZooKeeper() error {
	servers := v.server.config.ZooKeeper()
	if slices.Equal(servers, v.servers) {
		return nil
	}
	v.servers = servers
	return v.send(map[string]any{"zookeeper": summarize(servers), "servers": servers})
}

// sendRun tells which run the next events belong to, and what has changed of it.
func (v *viewer) sendRun(run *run.Run) error {
	if v.current {
		return nil
	}
	v.current = true
	if run == nil {
		v.leave()
		v.run, v.runID, v.next = nil, "", 1 // whatever it asked for was not of the run to come
		return v.sendWithRoom(map[string]any{"run": nil})
	}
	if err := v.describe(run); err != nil {
		return err
	}
	if err := v.sendWithRoom(map[string]any{}); err != nil {
		return err
	}
	return v.sendSteps(run)
}

// sendWithRoom sends a frame, and in it what the viewer is in the room, what a class is
// shown, and how far the room's judgement is, when that has changed; nothing if there is nothing to tell. A frame that tells
// of no run is made once for all who are told the same.
func (v *viewer) sendWithRoom(frame map[string]any) error {
	if err := v.room.Allow(v.person, room.View); err != nil {
		return err
	}
	entry := v.server.entryText(v.room, v.person, v.elsewhere)
	if entry.err != nil {
		return entry.err
	}
	var news struct {
		noRun     bool
		entry     *entryText
		presented int64
		judged    int64
	}
	alike := frame["run"] == nil && !v.person.Teacher
	_, news.noRun = frame["run"]
	if !bytes.Equal(entry.json, v.entry) {
		v.entry, frame["room"], news.entry = entry.json, json.RawMessage(entry.json), entry
	}
	if class := v.room.Class(); class != nil {
		if now := class.Presented(); now.Seq != v.presented {
			v.presented, frame["presented"], news.presented = now.Seq, now, now.Seq
		}
	}
	if now := v.server.config.Judgements.Seq(v.room); now != v.judged {
		v.judged, frame["judgement"], news.judged = now, now, now
	}
	switch {
	case len(frame) == 0:
		return nil
	case alike:
		return v.write(v.room.Shared(news, func() any { return prepare(frame) }).(prepared))
	default:
		return v.send(frame)
	}
}

// describe describes the run unless the viewer knows it as it is.
func (v *viewer) describe(run *run.Run) error {
	described := run.Describe()
	if run == v.run && described.State == v.described.State && described.Delay == v.described.Delay {
		return nil
	}
	if err := v.turnTo(run); err != nil {
		return err
	}
	v.described = described
	if err := v.sendWithRoom(map[string]any{"run": described}); err != nil {
		return err
	}
	if v.goesOn && v.next == 1 { // it has seen nothing of the run
		v.next = max(1, run.NewestState())
	}
	return nil
}

// sendSteps tells what has been done by hand since the last time.
func (v *viewer) sendSteps(run *run.Run) error {
	change, now, news := run.StepsSince(v.steps)
	v.steps = now
	if !news {
		return nil
	}
	return v.send(map[string]any{"steps": change})
}

// turnTo leaves one run for another. What the one before still had to tell is
// told first.
func (v *viewer) turnTo(run *run.Run) error {
	if run == v.run {
		return nil
	}
	if v.run != nil {
		if err := v.sendEvents(); err != nil {
			return err
		}
	}
	id := run.Describe().ID
	if v.runID != "" && v.runID != id {
		v.next = 1
	}
	v.leave()
	v.run, v.runID, v.steps = run, id, step.Told{}
	v.batches = v.server.batches.Follow(run.Log())
	return nil
}

// leave lets go of the run's batches, if there are any.
func (v *viewer) leave() {
	if v.batches != nil {
		v.server.batches.Leave(v.batches)
		v.batches = nil
	}
}

// sendEvents sends all batches that there are by now. A log that was removed has
// nothing to tell: another run is in its place.
func (v *viewer) sendEvents() error {
	for {
		b, err := v.batches.Next(v.next)
		if errors.Is(err, os.ErrClosed) {
			v.next = v.run.Log().Len() + 1
			return nil
		}
		if err != nil || b == nil {
			return err
		}
		if err := v.write(prepared{b.Message, b.Size, nil}); err != nil {
			return err
		}
		v.next = b.Next
	}
}

// A prepared frame can be sent to many; size is that of its text.
type prepared struct {
	message *websocket.PreparedMessage
	size    int
	err     error
}

func prepare(frame any) prepared {
	text, err := json.Marshal(frame)
	if err != nil {
		return prepared{err: err}
	}
	message, err := websocket.NewPreparedMessage(websocket.TextMessage, text)
	return prepared{message, len(text), err}
}

// send sends a frame to this viewer alone.
func (v *viewer) send(frame any) error { return v.write(prepare(frame)) }

// write sends a frame when there is room for it.
func (v *viewer) write(frame prepared) error {
	if frame.err != nil {
		return frame.err
	}
	if err := v.window.Wait(); err != nil {
		return err
	}
	if err := v.conn.SetWriteDeadline(v.deadline()); err != nil {
		return err
	}
	if err := v.conn.WritePreparedMessage(frame.message); err != nil {
		return err
	}
	if v.window.Add(frame.size) {
		return v.ping()
	}
	return nil
}

// attend asks a viewer of a class what it has read, and looks what has changed of the
// class that nobody is told of.
func (v *viewer) attend() error {
	if v.room.Class() == nil {
		return nil
	}
	v.current = v.current && !v.person.Teacher
	if !v.window.News() {
		return nil
	}
	return v.ping()
}

// ping asks whether the viewer is there, and what it has read.
func (v *viewer) ping() error {
	return v.conn.WriteControl(websocket.PingMessage, v.window.Ask(), v.deadline())
}

func (v *viewer) deadline() time.Time { return time.Now().Add(v.server.config.WriteTimeout) }
