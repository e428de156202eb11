package zklock

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/direct"
	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
)

// A Client is what a [Session] needs of a ZooKeeper connection. *zk.Conn is
// one; the methods mean what they mean there. It may grow with the package:
// embed a *zk.Conn in one of your own. That gets every request, where those that
// are sent directly would go past a plain *zk.Conn.
type Client interface {
	Create(path string, data []byte, flags int32, acl []zk.ACL) (string, error)
	CreateContainer(path string, data []byte, flags int32, acl []zk.ACL) (string, error)
	Delete(path string, version int32) error
	Exists(path string) (bool, *zk.Stat, error)
	Get(path string) ([]byte, *zk.Stat, error)
	GetW(path string) ([]byte, *zk.Stat, <-chan zk.Event, error)
	Set(path string, data []byte, version int32) (*zk.Stat, error)
	GetACL(path string) ([]zk.ACL, *zk.Stat, error)
	Children(path string) ([]string, *zk.Stat, error)
	ChildrenW(path string) ([]string, *zk.Stat, <-chan zk.Event, error)
	Multi(ops ...any) ([]zk.MultiResponse, error)
	Sync(path string) (string, error)
	State() zk.State
	SessionID() int64
}

var _ Client = (*zk.Conn)(nil)

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
	conn, events, err := zk.Connect(servers, timeout,
		zk.WithDialer(s.Dialer(config.dialer)),
		zk.WithHostProvider(s.hosts),
		zk.WithEventCallback(s.EventCallback),
		zk.WithLogger(config.logger),
		zk.WithLogInfo(false),
		zk.WithMaxBufferSize(config.receive),
		zk.WithMaxConnBufferSize(config.send))
	if err != nil {
		s.stop()
		s.hosts.close()
		return nil, fmt.Errorf("zklock: dial: %w", err)
	}
	s.mu.Lock()
	s.owned, s.events = conn, events
	s.mu.Unlock()
	s.bind(conn)
	return s, nil
}

func newDialConfig(opts []DialOption) dialConfig {
	c := dialConfig{session: newSessionConfig(), receive: defaultBuffer, send: defaultBuffer}
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

// quiet is a logger that says nothing.
type quiet struct{}

func (quiet) Printf(string, ...any) {}

// The session timeouts that can be requested: the protocol has 32 bits for a
// number of milliseconds, and go-zookeeper closes a connection at once for 0.
const (
	minTimeout = time.Millisecond
	maxTimeout = math.MaxInt32 * time.Millisecond
)

// minBuffer is the least size of a buffer: the locks' own requests, and the
// answers to them, take up to 200 bytes for the shortest path. With less than
// 16, go-zookeeper panics.
const minBuffer = 256

// checkDial refuses what no session can be made with.
func checkDial(servers []string, timeout time.Duration, config dialConfig) error {
	if timeout < minTimeout || timeout > maxTimeout {
		return fmt.Errorf("%w: the timeout %v is not from %v to %v", ErrArguments, timeout, minTimeout, maxTimeout)
	}
	if least := min(config.receive, config.send); least < minBuffer {
		return fmt.Errorf("%w: a buffer of %d bytes, the least is %d", ErrArguments, least, minBuffer)
	}
	return checkServers(servers, config.dialer == nil)
}

// checkServers looks at more than that there are some only where they are to be
// dialed by TCP: a dialer of the caller's may understand other addresses.
func checkServers(servers []string, tcp bool) error {
	if len(servers) == 0 {
		return fmt.Errorf("%w: there are no servers", ErrArguments)
	}
	for i, address := range zk.FormatServers(servers) {
		if servers[i] == "" || tcp && !dialable(address) {
			return fmt.Errorf("%w: the server %q is not host:port, without scheme and chroot", ErrArguments, servers[i])
		}
	}
	return nil
}

// dialable reports whether an address can be dialed, given that its names can
// be looked up. A scheme and a chroot have a slash, which no name has.
func dialable(address string) bool {
	host, port, err := net.SplitHostPort(address)
	if err != nil || port == "" || strings.ContainsAny(host+port, "/, \t\r\n") {
		return false
	}
	number, err := strconv.Atoi(port)
	return err != nil || number >= 1 && number <= math.MaxUint16
}

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
		if err := s.hosts.pause(); err != nil {
			return nil, err
		}
		s.mu.Lock()
		s.server = address
		s.mu.Unlock()
		conn, err := next(network, address, timeout)
		s.mu.Lock()
		defer s.mu.Unlock()
		if err != nil {
			s.failure = err
			return nil, err
		}
		return s.observe(conn)
	}
}

// observe makes conn the session's newest connection. The caller holds s.mu.
func (s *Session) observe(conn net.Conn) (net.Conn, error) {
	if s.hosts.closing.Err() != nil {
		conn.Close()
		return nil, ErrClosed
	}
	s.conn = protocol.NewConn(conn, observer{s}, s.config.receive, &s.history)
	if !s.config.direct {
		return s.conn, nil
	}
	s.direct = direct.NewConn(s.conn, &s.calls)
	return s.direct, nil
}

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

// Next returns the servers in turn. Only a closing client is made to start
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
