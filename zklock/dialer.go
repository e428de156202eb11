package zklock

import (
	"net"
	"time"

	"github.com/go-zookeeper/zk"
)

// minHandshake is the least time that a server is given to answer a handshake
// by default.
const minHandshake = time.Second

// Dialer returns a dialer that connects with next and lets the session see
// what passes. For TLS, next is what speaks it: what passes has to be
// ZooKeeper's own frames. It is for zk.WithDialer. It also pauses before attempts that
// follow failed ones, and bounds the wait for the answer to a handshake. A nil
// next is [net.DialTimeout].
func (s *Session) Dialer(next zk.Dialer) zk.Dialer {
	if next == nil {
		next = net.DialTimeout
	}
	return func(network, address string, timeout time.Duration) (net.Conn, error) {
		if err := s.pacer.wait(); err != nil {
			return nil, err
		}
		s.dialed(address)
		conn, err := next(network, address, timeout)
		if err != nil {
			s.unreachable(err)
			return nil, err
		}
		return s.observe(conn)
	}
}

// observe makes conn the session's newest connection.
func (s *Session) observe(conn net.Conn) (net.Conn, error) {
	c := newFrameConn(conn, s)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.pacer.closing.Err() != nil {
		conn.Close()
		return nil, ErrClosed
	}
	s.conn = c
	return c, nil
}

// handshakeTimeout is how long the answer to a handshake may take that asks
// for a session timeout of asked.
func (s *Session) handshakeTimeout(asked time.Duration) time.Duration {
	if s.config.handshake > 0 {
		return s.config.handshake
	}
	return max(minHandshake, asked*2/3)
}
