package zklock

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/go-zookeeper/zk"
)

// Attempts to connect are this far apart, doubled after each that failed.
const (
	minPause = 20 * time.Millisecond
	maxPause = 500 * time.Millisecond
)

var errNoServers = errors.New("zklock: the list of servers is empty")

// HostProvider returns the order in which the servers of a connection of your
// own are tried. It is for zk.WithHostProvider: the library's provider waits a
// second before each attempt at an only server. Use it only together with
// Dialer, which makes the pauses.
func (s *Session) HostProvider() zk.HostProvider { return s.hosts }

// A hostProvider decides which server is tried next, and when. The library's own
// waits a second before it returns to the first server, which is longer than a
// short session lives.
type hostProvider struct {
	closing context.Context
	close   context.CancelFunc

	mu       sync.Mutex
	servers  []string
	next     int
	failures int // attempts since a server last answered a handshake
}

var _ zk.HostProvider = (*hostProvider)(nil)

func newHostProvider() *hostProvider {
	closing, end := context.WithCancel(context.Background())
	return &hostProvider{closing: closing, close: end}
}

// Init takes the servers, whose names are looked up at each attempt.
func (p *hostProvider) Init(servers []string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(servers) == 0 {
		return errNoServers
	}
	p.servers = servers
	return nil
}

// Len returns the number of servers.
func (p *hostProvider) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.servers)
}

// Next returns the servers in turn. Only a closing client is told to start
// over: that is where go-zookeeper looks whether it should stop.
func (p *hostProvider) Next() (server string, retryStart bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	server = p.servers[p.next%len(p.servers)]
	p.next++
	return server, p.closing.Err() != nil
}

// Connected is called after each handshake.
func (p *hostProvider) Connected() {}

// pause waits before an attempt when every server has failed lately.
func (p *hostProvider) pause() error {
	timer := time.NewTimer(p.nextPause())
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-p.closing.Done():
		return ErrClosed
	}
}

// nextPause counts an attempt, and returns how long to wait before it.
func (p *hostProvider) nextPause() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	again := p.failures - max(1, len(p.servers))
	p.failures++
	if again < 0 {
		return 0
	}
	return min(minPause<<min(again, 10), maxPause)
}

// accepted takes in that a server has answered a handshake.
func (p *hostProvider) accepted() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failures = 0
}
