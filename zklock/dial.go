package zklock

import (
	"fmt"
	"net"
	"time"

	"github.com/go-zookeeper/zk"
)

// Dial returns a session with a connection of its own to one of the servers,
// each "host:port", asking for the given session timeout; the server may grant
// another, see [Session.Timeout]. It does not wait for the connection: Lock
// does, and WaitConnected. Close the session to free what it uses.
func Dial(servers []string, timeout time.Duration, opts ...DialOption) (*Session, error) {
	config := dialConfig{
		session: sessionConfig{newGUID: randomGUID},
		dialer:  net.DialTimeout,
		logger:  quiet{},
		receive: defaultBuffer,
		send:    defaultBuffer,
	}
	for _, opt := range opts {
		opt.applyDial(&config)
	}
	config.session.receive = config.receive
	s := newSession(config.session)
	conn, events, err := zk.Connect(servers, timeout,
		zk.WithDialer(s.Dialer(config.dialer)),
		zk.WithHostProvider(s.pacer),
		zk.WithEventCallback(s.EventCallback),
		zk.WithLogger(config.logger),
		zk.WithLogInfo(false),
		zk.WithMaxBufferSize(config.receive),
		zk.WithMaxConnBufferSize(config.send))
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

// quiet is a logger that says nothing.
type quiet struct{}

func (quiet) Printf(string, ...any) {}
