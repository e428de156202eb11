package site

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/console"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/goal"
	"github.com/zkplayground/zkplayground/playground/run"
)

const (
	// typing is the time between two lines: who watches is to follow.
	typing = 1500 * time.Millisecond
	// answering is how long an answer may take.
	answering = 10 * time.Second
)

// solve does what solves a check, and returns when the goal is met, or cannot be.
func (r *recorder) solve(ctx context.Context, one Run, started *run.Run) error {
	ctx, cancel := context.WithTimeout(ctx, one.length()+patience)
	defer cancel()
	var at *typist
	defer func() {
		started.Stop() // the console leaves with the run, and not before
		<-started.Done()
		at.leave("the run has ended")
	}()
	if err := awaitClients(ctx, started); err != nil {
		return err
	}
	for _, line := range one.Check.Solution {
		if err := pause(ctx, typing); err != nil {
			return err
		}
		if at == nil {
			var err error
			if at, err = r.sit(ctx, started); err != nil {
				return err
			}
		}
		quit, err := at.enter(ctx, line)
		if err != nil {
			return fmt.Errorf("%w: %q is not answered: %w", errWentWrong, line, err)
		}
		if quit {
			at.leave("you have left")
			at = nil
		}
	}
	return pause(ctx, afterwards/2)
}

// awaitClients returns when all clients of the run have queued up.
func awaitClients(ctx context.Context, started *run.Run) error {
	waiting := map[string]bool{}
	for _, lane := range started.Describe().Lanes {
		for client := range lane.Clients {
			waiting[fmt.Sprint(lane.Name, client+1)] = true
		}
	}
	for next := int64(1); len(waiting) > 0; {
		if err := started.Log().Wait(ctx, next); err != nil {
			return fmt.Errorf("%w: not all clients have queued up: %w", errWentWrong, err)
		}
		events, err := started.Log().Read(next, 1<<10)
		if err != nil {
			return err
		}
		for _, e := range events {
			if e.Kind == event.LockEnqueued {
				delete(waiting, fmt.Sprint(e.Lane, e.Client))
			}
		}
		next += int64(len(events))
	}
	return nil
}

func pause(ctx context.Context, length time.Duration) error {
	select {
	case <-time.After(length):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// A typist is somebody at a console of a run.
type typist struct {
	guest    *client.Guest
	requests chan console.Request
	out      *console.Outbox
	end      context.CancelFunc
	ended    chan struct{}
}

// sit opens a console that has joined the first lane and is connected.
func (r *recorder) sit(ctx context.Context, started *run.Run) (*typist, error) {
	t := &typist{requests: make(chan console.Request), out: console.NewOutbox(time.Now), ended: make(chan struct{})}
	program := console.New(console.Config{Server: "playground", Session: time.Duration(started.Scenario().Session), Out: t.out,
		Start: func(context.Context) error { return client.ErrNotRunning },
		Serve: func(ctx context.Context, conn net.Conn) error { return t.guest.Serve(ctx, conn) }})
	var err error
	t.guest, err = started.Join(run.Joining{Kind: event.Console, Program: program, Sessions: r.sessions,
		Version: started.Describe().ZooKeeper.Version})
	if err != nil {
		return nil, err
	}
	var life context.Context
	life, t.end = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(t.ended)
		program.Run(life, t.requests)
	}()
	return t, t.await(ctx, func(f console.Frame) bool { return strings.Contains(f.Prompt, "CONNECTED") })
}

// enter enters a line, and returns when it is answered; quit says that the console has
// gone with it.
func (t *typist) enter(ctx context.Context, line string) (quit bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, answering)
	defer cancel()
	select {
	case t.requests <- console.Request{Line: &line}:
	case <-ctx.Done():
		return false, context.Cause(ctx)
	}
	err = t.await(ctx, func(f console.Frame) bool { return f.Done })
	if errors.Is(err, errLeft) && line == "quit" {
		return true, nil
	}
	return false, err
}

// leave ends the console, if there is one, and returns when nothing of it is left.
func (t *typist) leave(why string) {
	if t == nil {
		return
	}
	t.end()
	<-t.ended
	t.guest.Close(why)
}

// errLeft: the console has ended.
var errLeft = errors.New("the console has ended")

// await returns when a frame has come that pleases; those before it are forgotten.
func (t *typist) await(ctx context.Context, pleases func(console.Frame) bool) error {
	for {
		for _, f := range t.out.Take() {
			if pleases(f) {
				return nil
			}
		}
		select {
		case <-t.out.News():
		case <-t.ended:
			return errLeft
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// judged is what the log of a run says of a check.
func judged(check lessons.Check, over *run.Run) (goal.Verdict, error) {
	judge := goal.NewJudge(check.Condition, over.Describe().Lanes)
	for next := int64(1); next <= over.Log().Len(); {
		events, err := over.Log().Read(next, 1<<10)
		if err != nil {
			return goal.Verdict{}, err
		}
		for _, e := range events {
			judge.Take(e)
		}
		next += int64(len(events))
	}
	return judge.Verdict(), nil
}
