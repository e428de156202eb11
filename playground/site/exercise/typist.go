package exercise

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/console"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
)

// A typist is somebody at a console of a run.
type typist struct {
	seat     *room.Console
	out      *console.Outbox
	requests chan console.Request
	end      context.CancelFunc
	running  sync.WaitGroup
	prompt   string
	ended    chan struct{} // closed when the console has ended
}

// sit opens a console in the first lane of the room's run.
func sit(r *room.Room) (*typist, error) {
	t := &typist{out: console.NewOutbox(time.Now), requests: make(chan console.Request), ended: make(chan struct{})}
	seat, err := r.OpenConsole("", t.out)
	if err != nil {
		return nil, fmt.Errorf("open a console: %w", err)
	}
	t.seat = seat
	ctx, end := context.WithCancel(context.Background())
	t.end = end
	t.running.Go(func() {
		defer close(t.ended)
		seat.Run(ctx, t.requests)
		seat.Leave(event.Text("it has left"))
	})
	return t, nil
}

// enter types a line once the session is connected, and returns when it has been done.
func (t *typist) enter(ctx context.Context, line string) error {
	t.read(func(console.Frame) bool { return false }) // the connection may be lost by now
	for !strings.Contains(t.prompt, "(CONNECTED") {
		if err := t.until(ctx, func(f console.Frame) bool { return f.Prompt != "" }); err != nil {
			return fmt.Errorf("connect: %w", err)
		}
	}
	if err := t.send(ctx, line); err != nil {
		return err
	}
	if err := t.until(ctx, func(f console.Frame) bool { return f.Done }); err != nil {
		return fmt.Errorf("%s: %w", line, err)
	}
	return nil
}

// quit ends the session, and returns when the console has left the run.
func (t *typist) quit(ctx context.Context) error {
	if err := t.send(ctx, "quit"); err != nil {
		return err
	}
	select {
	case <-t.ended:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (t *typist) send(ctx context.Context, line string) error {
	select {
	case t.requests <- console.Request{Line: &line}:
		return nil
	case <-t.ended:
		return ErrOver
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// until reads what the console says until a frame pleases.
func (t *typist) until(ctx context.Context, pleases func(console.Frame) bool) error {
	for {
		select {
		case <-t.out.News():
		case <-t.ended:
			return ErrOver
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if t.read(pleases) {
			return nil
		}
	}
}

// read reads what the console has said, and says whether a frame pleases.
func (t *typist) read(pleases func(console.Frame) bool) (found bool) {
	for _, f := range t.out.Take() {
		if f.Prompt != "" {
			t.prompt = f.Prompt
		}
		if f.Gone != "" {
			t.prompt = ""
		}
		found = found || pleases(f)
	}
	return found
}

// leave ends the console's part in the run.
func (t *typist) leave() {
	t.end()
	t.running.Wait()
}
