package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/store"
	"github.com/zkplayground/zkplayground/playground/store/resp"
	"github.com/zkplayground/zkplayground/playground/wire"
)

var (
	// ErrImpossible is returned when a client is in no state for a fault.
	ErrImpossible = errors.New("the fault is not possible now")
	// ErrZooKeeper is returned for a fault that ZooKeeper was asked for without an answer,
	// and ErrStore for one that another store was asked for.
	ErrZooKeeper = errors.New("ZooKeeper does not answer")
	ErrStore     = errors.New("the store does not answer")
	// ErrNotRunning is returned when the run is stopping or has finished.
	ErrNotRunning = errors.New("the run is not running")
)

// A Recorder takes the events of a run, in the order in which they happen. Its
// methods are safe for concurrent use.
type Recorder interface {
	Record(event.Event)
	// RecordIf records e if still says so at the instant at which it would be
	// recorded.
	RecordIf(still func() bool, e event.Event) bool
	// Now is the run's clock, in microseconds.
	Now() int64
}

// Config is what the clients of a run share.
type Config struct {
	Scenario  scenario.Scenario
	ZooKeeper wire.Ensemble
	// Store has the lock of the client's lane, if that is not in ZooKeeper.
	Store store.Store
	// Program is what clients run whose recipe is a program; nil if there is none.
	Program  *ProgramConfig
	Recorder Recorder
	// DialContext opens connections; see [DialLimit].
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)
	// Grace ends when there is no time left to finish a turn.
	Grace context.Context
	// HandshakeTimeout is how long a client that is being connected may take
	// until it can be closed, so that it leaves no session behind.
	HandshakeTimeout time.Duration
	// Stepping says that frames are delivered by hand now, so that nothing may
	// time out.
	Stepping func() bool
}

// A Participant takes part in a run with a connection of its own. Its methods
// are safe for concurrent use.
type Participant struct {
	lane      string
	directory string // of its lane's lock
	number    int
	config    Config
	tap       *wire.Tap
	link      *link.Link
	active    *activeFaults
	owner     owner           // of the session
	life      context.Context // ends with the client
	stop      context.CancelFunc

	crashed atomic.Bool    // whatever is left of it does nothing that counts
	left    atomic.Bool    // it is closing its session, or has, and will do no more
	leaving sync.WaitGroup // closes its session and leaves
	waiting sync.WaitGroup // faults that wait for something to happen on the link
}

// An owner is the program that has a participant's session.
type owner interface {
	// mayPause says why the program's own code cannot be stopped, if so.
	mayPause() error
	// pause stops it, and resume lets it go on.
	pause()
	resume()
	// died is told that the program is gone, once its link is dead.
	died()
	// heard is told each frame of the link after the log, and must not block.
	heard(e event.Event)
	// leave returns what closes the session in good order, or why that cannot be.
	leave() (func(), error)
	// again starts another program in the place of this one, which must be gone.
	again(scenario.Fault) error
}

// newParticipant returns one that has not connected yet.
func newParticipant(lane event.Lane, number int, config Config) *Participant {
	p := &Participant{lane: lane.Name, directory: lane.Path, number: number, config: config, active: newActiveFaults()}
	p.tap = wire.NewTap(lane.Name, number, config.Recorder.Now, p.heard)
	p.link = link.New(config.linkConfig(p.tap, number))
	p.life, p.stop = context.WithCancel(context.Background())
	return p
}

// linkConfig is that of a client's link to where its lane's lock is.
func (c Config) linkConfig(tap *wire.Tap, number int) link.Config {
	own := link.Config{Observer: tap, Clock: c.Recorder.Now, DialGate: c.ZooKeeper.Ready, DialContext: c.DialContext,
		Random: jitterOf(c.Scenario.Seed, number)}
	if c.Store != nil {
		own.Protocol = link.Protocol{NewFramer: func() link.Framer { return resp.NewFramer() }, NewDecoder: func() link.Decoder { return resp.NewDecoder() }}
		own.DialGate, own.DialContext = c.Store.Await, c.Store.DialContext
	}
	return own
}

// Lane is the name of the client's lane.
func (p *Participant) Lane() string { return p.lane }

// Number is the client's number in its lane, from 1.
func (p *Participant) Number() int { return p.number }

// Link is the client's connection.
func (p *Participant) Link() *link.Link { return p.link }

// HasSession says whether the server has granted the client a session.
func (p *Participant) HasSession() bool {
	id, _, _ := p.tap.Session()
	return id != 0
}

// SetDelay makes the link carry each frame for that long from now on.
func (p *Participant) SetDelay(d time.Duration) { p.link.SetDelay(d, d) }

// Inject does f, which must be valid, and returns when it has taken effect.
func (p *Participant) Inject(ctx context.Context, f scenario.Fault) error {
	kind, ok := faultOf(f.Name)
	switch {
	case !ok:
		return fmt.Errorf("%w %q", scenario.ErrUnknownFault, f.Name)
	case kind.Lasts:
		return p.begin(kind, f)
	default:
		return kind.do(ctx, p, f)
	}
}

// RunEnds is why all that lasts is over with the run.
var RunEnds = event.NewCode("run-ends", "the run ends")

// Free ends whatever holds the client up, so that it can end: the run is over
// and there is nothing more to see.
func (p *Participant) Free() {
	p.endFaults(RunEnds.With())
	p.link.ClearDelay()
}

// emit records an event of the client's own. Of a crashed client only what
// becomes of its frames is told.
func (p *Participant) emit(e event.Event) (recorded bool) {
	e.Lane, e.Client = p.lane, p.number
	dropped := e.Kind == event.WireDropped
	return p.config.Recorder.RecordIf(func() bool { return dropped || !p.crashed.Load() }, e)
}

// heard records what the tap tells.
func (p *Participant) heard(e event.Event) {
	p.emit(e)
	p.owner.heard(e)
}

// present says why nothing can happen to the client any more, if so.
func (p *Participant) present() error {
	switch {
	case p.crashed.Load():
		return fmt.Errorf("%w: client %d has crashed already", ErrImpossible, p.number)
	case p.left.Load():
		return fmt.Errorf("%w: client %d has closed its session and is gone", ErrImpossible, p.number)
	}
	return nil
}

// closeLink ends the connection and waits for everything that hangs on it.
func (p *Participant) closeLink() {
	p.link.Close()
	p.waiting.Wait()
}
