package zklock

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"slices"
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
// each "host:port", asking for the given session timeout. The port is 2181 where there
// is none, and there is no scheme. Dial does not wait for the connection: Lock does, and
// WaitConnected. Close the session to free what it uses.
//
// A chroot may follow the last server, as in strings.Split("a:2181,b:2181/app", ","). The
// paths of locks are below it then, and it is made where it is missing. All paths that
// are returned are whole, and so are those of requests through [Session.Client].
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
	servers, config.session.root = cutRoot(servers)
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
	s.secrets = len(config.secrets)
	s.mu.Unlock()
	s.bind(conn)
	s.work.Go(func() { s.authenticate(conn, config.secrets) })
	return s, nil
}

// cutRoot takes the chroot off the last server, if that has one.
func cutRoot(servers []string) (without []string, root string) {
	last := len(servers) - 1
	if last < 0 {
		return servers, ""
	}
	host, root, found := strings.Cut(servers[last], "/")
	if !found || host == "" || !dialable(zk.FormatServers([]string{host})[0]) {
		return servers, ""
	}
	return append(slices.Clone(servers[:last]), host), strings.TrimRight("/"+root, "/")
}

// authenticate sends the credentials, before which nothing is locked. go-zookeeper sends
// those that the server has taken again on each connection.
func (s *Session) authenticate(conn *zk.Conn, secrets []secret) {
	for _, secret := range secrets {
		for pause := minRetry; ; pause = min(2*pause, maxRetry) {
			err := conn.AddAuth(secret.scheme, secret.auth)
			s.mu.Lock()
			switch {
			case err == nil:
				s.secrets, s.refusal = s.secrets-1, nil
				s.broadcast()
			case errors.Is(err, zk.ErrAuthFailed):
				s.refusal = fmt.Errorf("authenticate by %s: %w", secret.scheme, err)
			}
			s.mu.Unlock()
			if err == nil {
				break
			}
			if sleep(s.background, pause) != nil {
				return
			}
		}
	}
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
	if root := config.session.root; root != "" {
		if err := checkPath(root); err != nil {
			return fmt.Errorf("%w: chroot: %w", ErrArguments, err)
		}
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
			return fmt.Errorf("%w: the server %q is not host:port, without a scheme", ErrArguments, servers[i])
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
			s.failure = named(err, address)
			return nil, err
		}
		return s.observe(conn)
	}
}

// named returns the error of an attempt to connect with the server's address, which
// package net's errors have, and others, as those of TLS, may not.
func named(err error, address string) error {
	if op := (*net.OpError)(nil); errors.As(err, &op) {
		return err
	}
	return fmt.Errorf("dial %s: %w", address, err)
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
