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
func (s *Session) HostProvider() zk.HostProvider { return s.pacer }

// A pacer decides which server is tried next, and when. It is go-zookeeper's
// zk.HostProvider; the library's own waits a second before it returns to the
// first server, which is longer than a short session lives.
type pacer struct {
	closing context.Context // ends with hangUp
	hangUp  context.CancelFunc

	mu       sync.Mutex
	servers  []string
	next     int
	failures int // attempts since a server last answered a handshake
}

var _ zk.HostProvider = (*pacer)(nil)

func newPacer() *pacer {
	closing, hangUp := context.WithCancel(context.Background())
	return &pacer{closing: closing, hangUp: hangUp}
}

// Init takes the servers, whose names are looked up at each attempt.
func (p *pacer) Init(servers []string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(servers) == 0 {
		return errNoServers
	}
	p.servers = servers
	return nil
}

// Len returns the number of servers.
func (p *pacer) Len() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.servers)
}

// Next returns the servers in turn. Only a closing client is told to start
// over: that is where go-zookeeper looks whether it should stop.
func (p *pacer) Next() (server string, retryStart bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	server = p.servers[p.next%len(p.servers)]
	p.next++
	return server, p.closing.Err() != nil
}

// Connected is called after each handshake.
func (p *pacer) Connected() {}

// wait pauses before an attempt when every server has failed lately.
func (p *pacer) wait() error {
	pause := time.NewTimer(p.pause())
	defer pause.Stop()
	select {
	case <-pause.C:
		return nil
	case <-p.closing.Done():
		return ErrClosed
	}
}

// pause counts an attempt, and returns how long to wait before it.
func (p *pacer) pause() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	again := p.failures - max(1, len(p.servers))
	p.failures++
	if again < 0 {
		return 0
	}
	return min(minPause<<min(again, 10), maxPause)
}

// reset is called when a server has answered a handshake.
func (p *pacer) reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failures = 0
}
