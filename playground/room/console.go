package room

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/console"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// A Console is somebody's part in a run: a guest whose program is a command line.
type Console struct {
	run     *run.Run
	guest   *client.Guest
	program *console.Console
}

// EnterConsole counts a console in, up to the quota; the caller leaves when done. Who
// types watches, too.
func (r *Room) EnterConsole() (leave func(), err error) {
	r.mu.Lock()
	if r.consoles >= r.config.MaxConsoles {
		defer r.mu.Unlock()
		return nil, full("max-consoles", "%d consoles are open in this room", r.consoles)
	}
	r.consoles++
	r.mu.Unlock()
	left := func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.consoles--
	}
	leaveRoom, err := r.Enter()
	if err != nil {
		left()
		return nil, err
	}
	return func() { left(); leaveRoom() }, nil
}

// OpenConsole lets a console take part in a lane of the current run; empty is the first.
// What it says goes to out. Errors are those of run.Run.Join.
func (r *Room) OpenConsole(lane string, out *console.Outbox) (*Console, error) {
	current, _ := r.Current()
	if current == nil {
		return nil, fmt.Errorf("%w: start one first", client.ErrNotRunning)
	}
	c := &Console{run: current}
	paths := lanePaths(current.Describe().Lanes, lane)
	c.program = console.New(console.Config{Server: r.name, Session: time.Duration(current.Scenario().Session), Out: out,
		Keep: paths, Start: c.start,
		Serve: func(ctx context.Context, conn net.Conn) error { return c.guest.Serve(ctx, conn) }})
	var err error
	c.guest, err = current.Join(run.Joining{Lane: lane, Kind: event.Console, Program: c.program,
		Sessions: r.config.Sessions, Limits: r.config.Guest.OfConnection(), Version: r.config.Describe().Build})
	return c, err
}

// lanePaths are what a guest of a lane sees that the lane's clients need. The name is
// that of run.Joining.
func lanePaths(lanes []event.Lane, name string) []string {
	for _, lane := range lanes {
		if name == "" && lane.Store == "" || lane.Name == name {
			paths := []string{lane.Path[len(lane.Root):]}
			for _, lock := range lane.Locks {
				paths = append(paths, lock[len(lane.Root):])
			}
			return paths
		}
	}
	return nil
}

// start asks for another process in the place of one that is gone.
func (c *Console) start(ctx context.Context) error {
	return c.run.Inject(ctx, scenario.Fault{Name: client.StartAgain, Lane: c.Lane(), Client: c.Number()})
}

// Lane is the name of its lane.
func (c *Console) Lane() string { return c.guest.Lane() }

// Number is the number that it has there.
func (c *Console) Number() int { return c.guest.Number() }

// Running says whether the run goes on.
func (c *Console) Running() bool { return c.run.State() == event.Running }

// Run is console.Console.Run.
func (c *Console) Run(ctx context.Context, requests <-chan console.Request) (quit bool) {
	return c.program.Run(ctx, requests)
}

// Leave ends its part in the run, and returns when nothing of it is left.
func (c *Console) Leave(why *event.Reason) { c.guest.Close(why) }
