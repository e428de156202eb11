package main

import (
	"errors"
	"net"
	"sync"
	"time"
)

// errCut: the session is being closed, so nobody should connect any more.
var errCut = errors.New("connection is being closed")

// A line is a session's TCP connection. The library waits for a server that
// accepts and says nothing, as one does that boots, for several session
// timeouts, and its Close waits with it.
type line struct {
	mu  sync.Mutex
	tcp net.Conn // the newest; nil before the first
	off bool
}

// dial connects, for the library.
func (l *line) dial(network, address string, timeout time.Duration) (net.Conn, error) {
	tcp, err := net.DialTimeout(network, address, timeout)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.off {
		tcp.Close()
		return nil, errCut
	}
	l.tcp = tcp
	return tcp, nil
}

// cut ends the connection, and has further ones refused.
func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.off = true
	if l.tcp != nil {
		l.tcp.Close() // it may be closed already
	}
}

// An onlyHost gives one address at once. The library's own provider waits a
// second before it returns to the only server that there is.
type onlyHost struct {
	mu      sync.Mutex
	address string
}

func (h *onlyHost) Init(servers []string) error {
	if len(servers) != 1 {
		return errors.New("want one server")
	}
	if _, _, err := net.SplitHostPort(servers[0]); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.address = servers[0]
	return nil
}

func (h *onlyHost) Len() int { return 1 }

func (h *onlyHost) Next() (server string, retryStart bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.address, false
}

func (h *onlyHost) Connected() {}
