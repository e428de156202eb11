package chroot

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/wire"
)

const (
	// DefaultHandshakeTimeout bounds the time until a client's first frame is there.
	DefaultHandshakeTimeout = 10 * time.Second
	// DefaultStallTimeout bounds the time for which a client does not read.
	DefaultStallTimeout = 10 * time.Second
	// acceptPause is how long not to accept when that has failed, as it does while
	// there are too many open files.
	acceptPause = 100 * time.Millisecond
)

// ErrTooMany: more connections than the limit; this one was closed.
var ErrTooMany = errors.New("chroot: too many connections")

// A Guest is one connection of a client.
type Guest struct {
	// Address is the client's host:port.
	Address string
	// Session is the one that the client wants to resume; 0 is none. It has been
	// opened below the same root.
	Session int64
}

// Config configures [Serve] and [ServeConn]. Root, Sessions and Dial are needed;
// the fields of the same name are those of [ConnConfig].
type Config struct {
	Root     string
	Sessions *Sessions
	Limits   Limits
	// Dial connects a guest to the server, when its first frame has come and is one
	// of ZooKeeper's.
	Dial       func(ctx context.Context, guest Guest) (net.Conn, error)
	NewestZxid func(ctx context.Context) (int64, error)
	// Version is the answer to a four-letter word that asks for it, whole as a server says
	// it: there are clients that read its commit, too.
	Version string
	// Refused and Ended report what happens to a guest: requests that were refused, and
	// why its connection has ended, nil if the client wanted it. They are called from
	// several goroutines and must not block.
	Refused func(Guest, Refusal)
	Ended   func(Guest, error)
	// Slowed reports, from time to time, that a guest asks for more than Limits.Requests. It
	// must not block.
	Slowed func(Guest)
	// HandshakeTimeout and StallTimeout are the defaults unless set.
	HandshakeTimeout, StallTimeout time.Duration
	// Connection, if set, is called by Serve for the configuration of one connection in place
	// of all this but Limits.Connections; what is an error closes it. Then nothing else
	// is needed here. It must not block.
	Connection func(Guest) (Config, error)
	// Dialogue, if set, has each connection that begins with "{", which no frame does, until it
	// returns. It finds these first bytes in begun.
	Dialogue func(ctx context.Context, conn net.Conn, begun []byte)
}

// server is a Serve under way.
type server struct {
	config Config
	guests sync.WaitGroup

	mu   sync.Mutex
	open int
}

// Serve lets clients in that connect to the listener, until ctx ends. It closes the
// listener and returns when all connections have ended and nothing is under way any
// more. The error is nil if ctx has ended.
func Serve(ctx context.Context, listener net.Listener, config Config) error {
	s, err := newServer(config)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	ctx, cancel := context.WithCancel(ctx)
	defer s.guests.Wait()
	defer cancel()
	defer context.AfterFunc(ctx, func() { listener.Close() })()
	for {
		guest, err := listener.Accept()
		switch {
		case err == nil:
			s.guests.Go(func() { s.welcome(ctx, guest) })
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, net.ErrClosed):
			return fmt.Errorf("accept: %w", err)
		default:
			clock.Sleep(ctx, acceptPause)
		}
	}
}

func newServer(config Config) (*server, error) {
	s := &server{config: config.withDefaults()}
	if config.Connection != nil {
		return s, nil
	}
	return s, s.config.check()
}

func (c Config) withDefaults() Config {
	if c.Slowed == nil {
		c.Slowed = func(Guest) {}
	}
	if c.Refused == nil {
		c.Refused = func(Guest, Refusal) {}
	}
	if c.Ended == nil {
		c.Ended = func(Guest, error) {}
	}
	if c.HandshakeTimeout <= 0 {
		c.HandshakeTimeout = DefaultHandshakeTimeout
	}
	if c.StallTimeout <= 0 {
		c.StallTimeout = DefaultStallTimeout
	}
	return c
}

// check says whether every connection would be refused.
func (c Config) check() error {
	_, err := NewConn(c.connConfig(context.Background(), nil))
	return err
}

// welcome serves one connection from its first to its last byte.
func (s *server) welcome(ctx context.Context, guest net.Conn) {
	defer guest.Close()
	who := Guest{Address: guest.RemoteAddr().String()}
	if !s.enter() {
		s.config.Refused(who, Refusal{Op: event.OpConnect, Code: wire.QuotaExceeded, Why: ErrTooMany.Error()})
		s.config.Ended(who, ErrTooMany)
		return
	}
	defer s.leave()
	config := s.config
	if config.Connection != nil {
		own, err := config.Connection(who)
		if err != nil {
			s.config.Ended(who, err)
			return
		}
		config = own.withDefaults()
	}
	_ = config.serve(ctx, guest, who, s.connections)
}

// ServeConn carries the frames of one connection that is there already, and closes it.
// It returns why it has ended, nil if the client or ctx wanted it, when nothing is
// under way any more.
func ServeConn(ctx context.Context, guest net.Conn, config Config) error {
	defer guest.Close()
	config = config.withDefaults()
	return config.serve(ctx, guest, Guest{Address: guest.RemoteAddr().String()}, func() int { return 1 })
}

// serve carries a guest's frames; connections says how many there are.
func (c Config) serve(ctx context.Context, guest net.Conn, who Guest, connections func() int) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, func() { guest.Close() })()
	answered, err := c.relay(ctx, guest, &who, connections)
	if !answered {
		c.Ended(who, err)
	}
	return err
}

// relay carries a guest's frames, unless it only asked by a word, or speaks lines.
func (c Config) relay(ctx context.Context, guest net.Conn, who *Guest, connections func() int) (answered bool, err error) {
	if err := guest.SetDeadline(time.Now().Add(c.HandshakeTimeout)); err != nil {
		return false, err
	}
	begun, answered, err := c.first(guest, connections)
	if answered || err != nil {
		return answered, err
	}
	if begun[0] == '{' && c.Dialogue != nil {
		if err := guest.SetDeadline(time.Time{}); err != nil {
			return false, err
		}
		c.Dialogue(ctx, guest, begun)
		return true, nil
	}
	conn, err := NewConn(c.connConfig(ctx, who))
	if err != nil {
		return false, err
	}
	defer conn.Close()
	return false, newRelay(c, conn, guest, who).run(ctx, begun)
}

func (c Config) connConfig(ctx context.Context, who *Guest) ConnConfig {
	config := ConnConfig{Root: c.Root, Sessions: c.Sessions, Limits: c.Limits}
	config.Refused = func(r Refusal) { c.Refused(*who, r) }
	if c.NewestZxid != nil {
		config.NewestZxid = func() (int64, error) { return c.NewestZxid(ctx) }
	}
	return config
}

func (s *server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if over(s.config.Limits.Connections, s.open+1) {
		return false
	}
	s.open++
	return true
}

func (s *server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
}

func (s *server) connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}
