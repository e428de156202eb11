package zklock

import (
	"fmt"
	"time"

	"github.com/go-zookeeper/zk"
)

// Dial returns a session with a connection of its own to one of the servers,
// each "host:port", asking for the given session timeout. Servers have neither
// a scheme nor a chroot; the port is 2181 where there is none. It does not wait
// for the connection: Lock does, and WaitConnected. Close the session to free
// what it uses.
//
// The timeout is how long a crashed holder blocks the lock, and how long a
// pause or a partition may be that a holder survives. The server bounds it, by
// default to 2 to 20 of its ticks, which are 4 s to 40 s for ticks of 2 s; see
// [Session.Timeout].
//
// The error wraps [ErrArguments] for a timeout that is not from 1 ms to
// 2147483647 ms, and for servers and buffers that cannot work.
func Dial(servers []string, timeout time.Duration, opts ...DialOption) (*Session, error) {
	config := newDialConfig(opts)
	if err := checkDial(servers, timeout, config); err != nil {
		return nil, err
	}
	s := newSession(config.session)
	conn, events, err := s.connect(servers, timeout, config)
	if err != nil {
		s.stop()
		s.pacer.hangUp()
		return nil, fmt.Errorf("zklock: dial: %w", err)
	}
	s.mu.Lock()
	s.owned, s.events = conn, events
	s.mu.Unlock()
	s.Bind(conn)
	return s, nil
}

func newDialConfig(opts []DialOption) dialConfig {
	c := dialConfig{
		session: sessionConfig{newGUID: randomGUID},
		receive: defaultBuffer,
		send:    defaultBuffer,
	}
	for _, opt := range opts {
		if opt != nil {
			opt.applyDial(&c)
		}
	}
	if c.logger == nil {
		c.logger = quiet{}
	}
	c.session.receive, c.session.send = c.receive, c.send
	return c
}

// connect makes a connection that the session observes.
func (s *Session) connect(servers []string, timeout time.Duration, config dialConfig) (*zk.Conn, <-chan zk.Event, error) {
	return zk.Connect(servers, timeout,
		zk.WithDialer(s.Dialer(config.dialer)),
		zk.WithHostProvider(s.pacer),
		zk.WithEventCallback(s.EventCallback),
		zk.WithLogger(config.logger),
		zk.WithLogInfo(false),
		zk.WithMaxBufferSize(config.receive),
		zk.WithMaxConnBufferSize(config.send))
}

// quiet is a logger that says nothing.
type quiet struct{}

func (quiet) Printf(string, ...any) {}
