package link

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/latch"
	"github.com/zkplayground/zkplayground/playground/wire"
)

var (
	// ErrCut: the connection was dropped by [Link.Cut] or [Link.Break], or because
	// a reply on it was lost; see [Link.LoseReply].
	ErrCut = errors.New("link: connection cut")
	// ErrKilled: the client was killed; nothing gets through any more.
	ErrKilled = errors.New("link: client killed")
	// ErrClosed: the link was closed by its owner.
	ErrClosed = errors.New("link: closed")
	// ErrHandshakeTimeout: the server accepted a connection and did not answer the first
	// frame in time, as it happens while it starts.
	ErrHandshakeTimeout = errors.New("link: the server does not answer the handshake")
	// ErrNotStepping: frames are delivered by hand only while the link steps.
	ErrNotStepping = errors.New("frames are not delivered by hand now, turn step mode on first")
	// ErrNoFrame: no frame with this number waits to be delivered.
	ErrNoFrame = errors.New("no such frame waits")
	// ErrOutOfOrder: another frame of the same connection has to be delivered
	// first.
	ErrOutOfOrder = errors.New("another frame is ahead of this one")
	// ErrOverflow: more bytes wait in one direction than a link keeps.
	ErrOverflow = errors.New("link: too much waits on the link")
)

// DefaultHandshakeTimeout bounds the wait for a server's first frame.
const DefaultHandshakeTimeout = 2 * time.Second

// Config is what a [Link] is made of. All of it may be left out.
type Config struct {
	// Protocol is what client and server speak; the zero value is ZooKeeper's.
	Protocol Protocol
	// Observer is called for every frame.
	Observer Observer
	// Clock is the log's, in microseconds since the run began, monotonic; nil
	// counts from New.
	Clock func() int64
	// DialGate holds a dial back until it returns, or refuses it with an error:
	// a server that starts accepts connections before it can answer them. Its
	// context ends with the dial's timeout.
	DialGate func(context.Context) error
	// HandshakeTimeout is how long the server may take for its first frame,
	// counted from when the client's first frame leaves the link; 0 is
	// DefaultHandshakeTimeout, negative is for ever.
	HandshakeTimeout time.Duration
	// Random draws the jitter of [Link.Slow], as a number in [0, 1). Both directions
	// call it, at the same time; it must not call the link. Nil is rand.Float64.
	Random func() float64
	// DialContext opens the TCP connection; nil is a net.Dialer's.
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)
}

// A Link carries one client's connections. Its methods may be called
// concurrently.
type Link struct {
	config            Config
	life              context.Context // ends with Kill or Close; its cause says which
	end               context.CancelCauseFunc
	running           sync.WaitGroup // the goroutines of all connections
	out, in           *direction
	process           latch.Latch // shut while the client's process is paused
	replies, requests losses

	mu    sync.Mutex
	conns map[*conn]struct{}
	open  chan struct{} // closed while nothing is blocked
}

// New returns a link that lets everything through at once.
func New(config Config) *Link {
	l := &Link{config: config.withDefaults(), conns: make(map[*conn]struct{})}
	l.life, l.end = context.WithCancelCause(context.Background())
	l.out = newDirection(event.Out, l.config)
	l.in = newDirection(event.In, l.config)
	l.open = make(chan struct{})
	close(l.open)
	return l
}

func (c Config) withDefaults() Config {
	if c.Protocol.NewDecoder == nil {
		c.Protocol = zooKeeper()
	}
	if c.Observer == nil {
		c.Observer = noObserver{}
	}
	if c.Clock == nil {
		began := time.Now()
		c.Clock = func() int64 { return time.Since(began).Microseconds() }
	}
	if c.DialGate == nil {
		c.DialGate = func(context.Context) error { return nil }
	}
	if c.HandshakeTimeout == 0 {
		c.HandshakeTimeout = DefaultHandshakeTimeout
	}
	if c.Random == nil {
		c.Random = rand.Float64
	}
	if c.DialContext == nil {
		c.DialContext = new(net.Dialer).DialContext
	}
	return c
}

// Close ends every connection, refuses further dials with ErrClosed, and waits
// for the link's goroutines. Frames that wait are dropped. Close the client
// library first, so that it does not go on dialling.
func (l *Link) Close() {
	l.finish(ErrClosed)
	l.running.Wait()
}

// NumberAfter numbers the link's frames on from where another link has stopped: a
// client's frames keep one count when it is started again. It is called before the
// first dial.
func (l *Link) NumberAfter(before *Link) {
	l.out.frames, l.in.frames = before.out.numbered(), before.in.numbered()
}

// each calls do for every connection; the caller has l.mu.
func (l *Link) each(do func(*conn)) {
	for c := range l.conns {
		do(c)
	}
}

// An Observer is called for what happens to each frame of a client, in the order in
// which it happens within a direction. A frame is sent or arrives once, may be
// held several times as things change, and ends delivered, received or dropped.
// A frame that crosses at once is only Sent, or only Received.
//
// Calls come from several goroutines, for the two directions at the same time,
// and hold up the frames of the direction: an Observer is quick and never calls
// the link. Frame.Due, Dir and Number are set; see wire.Frame. A wire.Tap is an
// Observer.
type Observer interface {
	// Sent: the client wrote a frame. Due says when it will leave, if it has to
	// wait for that. Sent comes before the server can get any of it.
	Sent(*wire.Frame)
	// Delivered: a frame that had to wait leaves for the server now.
	Delivered(*wire.Frame)
	// Held: a frame, in either direction, waits until Due, or if that is 0 until
	// it is known when it leaves. It is called again when that changes.
	Held(*wire.Frame)
	// Dropped: a frame was discarded with its connection.
	Dropped(*wire.Frame)
	// Received: the client is about to read the frame. Received comes before it
	// can see any of it.
	Received(*wire.Frame)
}

var _ Observer = (*wire.Tap)(nil)

// noObserver is the Observer of a link that has none.
type noObserver struct{}

func (noObserver) Sent(*wire.Frame)      {}
func (noObserver) Delivered(*wire.Frame) {}
func (noObserver) Held(*wire.Frame)      {}
func (noObserver) Dropped(*wire.Frame)   {}
func (noObserver) Received(*wire.Frame)  {}

// A Protocol is what a client and its server speak: how the bytes of a connection are
// cut into frames, and how those are read.
type Protocol struct {
	// NewFramer makes what cuts one direction of a connection into frames.
	NewFramer func() Framer
	// NewDecoder makes what reads the frames of a connection.
	NewDecoder func() Decoder
}

// A Framer reassembles frames from a stream, as a wire.Framer does.
type Framer interface {
	Feed(chunk []byte, each func(frame []byte)) error
	Reuse(frame []byte)
}

// A Decoder reads whole frames, as they pass. It is called for one at a time.
type Decoder interface {
	Request(frame []byte) *wire.Frame
	Reply(frame []byte) *wire.Frame
}

// zooKeeper is the protocol of ZooKeeper.
func zooKeeper() Protocol {
	return Protocol{
		NewFramer:  func() Framer { return wire.NewFramer(0) },
		NewDecoder: func() Decoder { return unprefixed{wire.NewDecoder()} },
	}
}

// unprefixed takes the length off the frames, which stands in front of each.
type unprefixed struct{ decoder *wire.Decoder }

const prefix = 4

func (u unprefixed) Request(frame []byte) *wire.Frame { return u.decoder.Request(frame[prefix:]) }
func (u unprefixed) Reply(frame []byte) *wire.Frame   { return u.decoder.Reply(frame[prefix:]) }
