package console

import (
	"context"
	"net"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/latch"
)

// endSession bounds the good end of a session; one that is not closed by then ends by
// its timeout.
const endSession = time.Second

// An ending is why a process is gone, for the person at the console. It is the cause of
// the process's context.
type ending struct{ *event.Reason }

func (e ending) Error() string { return e.English() }

var (
	crashed = ending{event.NewCode("console-crashed", "The process has crashed. Its session lives on until the server times it out, and its ephemeral znodes with it.").With()}
	closed  = ending{event.NewCode("console-closed", "The process has closed its session, and ended. Its ephemeral znodes went with it.").With()}
)

// A Config is what a console needs.
type Config struct {
	// Server is the name in the prompt.
	Server string
	// Session is the session timeout to request.
	Session time.Duration
	// Serve carries one connection to ZooKeeper, to its end.
	Serve func(ctx context.Context, conn net.Conn) error
	// Start requests another process when one is gone: StartAgain follows, or an
	// error that says why not.
	Start func(ctx context.Context) error
	// Keep are znodes that others need: to delete one takes the same line twice.
	Keep []string
	// Out takes what the console says.
	Out *Outbox
}

// A Console is one process after the other, each with a session. Its methods are safe
// for concurrent use.
type Console struct {
	config Config
	gate   latch.Latch   // shut while the program is paused
	again  chan struct{} // has an element when another process is to begin
	conns  sync.WaitGroup

	mu   sync.Mutex
	end  context.CancelCauseFunc // of the process
	done chan struct{}           // closed when it has ended
}

// New returns a console that does nothing before Run.
func New(config Config) *Console {
	return &Console{config: config, again: make(chan struct{}, 1)}
}

// Run does requests until ctx ends, there are no more, or one of them is quit; then it
// says so. All that it began has ended when it returns. It is called once.
func (c *Console) Run(ctx context.Context, requests <-chan Request) (quit bool) {
	defer c.conns.Wait()
	for {
		life, end := context.WithCancelCause(ctx)
		done := make(chan struct{})
		c.mu.Lock()
		c.end, c.done = end, done
		c.mu.Unlock()
		quit := c.process(life, requests)
		why := context.Cause(life)
		end(nil)
		close(done)
		gone, is := why.(ending)
		if !is {
			return quit
		}
		c.config.Out.Put(Frame{Gone: gone.Error(), Reason: gone.Reason})
		if !c.awaitStart(ctx, requests) {
			return false
		}
	}
}

// awaitStart waits for the start of another process; false means that there is none.
func (c *Console) awaitStart(ctx context.Context, requests <-chan Request) bool {
	for {
		select {
		case <-c.again:
			return true
		case r, more := <-requests:
			if !more {
				return false
			}
			if !r.Start {
				continue // typed before it was gone
			}
			if err := c.config.Start(ctx); err != nil {
				c.config.Out.Write("err", err.Error()+"\n")
			}
		case <-ctx.Done():
			return false
		}
	}
}

// Pause stops the console's code, which then reads and writes nothing.
func (c *Console) Pause() { c.gate.Shut() }

// Resume lets it go on.
func (c *Console) Resume() { c.gate.Open() }

// Crash ends the process at once.
func (c *Console) Crash() { c.finish(crashed) }

// Leave closes the session in good order, as far as ctx allows, and ends the process.
func (c *Console) Leave(ctx context.Context) {
	select {
	case <-c.finish(closed):
	case <-ctx.Done():
	}
}

// finish ends the process, if there is one; what it returns is closed when it has ended.
func (c *Console) finish(why ending) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end == nil { // before Run
		done := make(chan struct{})
		close(done)
		return done
	}
	c.end(why)
	return c.done
}

// StartAgain begins another process after one that is gone.
func (c *Console) StartAgain() {
	select {
	case c.again <- struct{}{}:
	default:
	}
}

// dial opens a connection to ZooKeeper.
func (c *Console) dial(life context.Context) net.Conn {
	near, far := net.Pipe()
	c.conns.Go(func() {
		defer far.Close()
		_ = c.config.Serve(life, far) // the session reports the end of its connection
	})
	return &gatedConn{Conn: near, gate: &c.gate, life: life}
}

// A gatedConn is a connection of a program that can be paused: then it neither reads nor
// writes, not even heartbeats.
type gatedConn struct {
	net.Conn
	gate *latch.Latch
	life context.Context
}

func (c *gatedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if paused := c.gate.Wait(c.life); paused != nil {
		return 0, paused
	}
	return n, err
}

func (c *gatedConn) Write(b []byte) (int, error) {
	if err := c.gate.Wait(c.life); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}
