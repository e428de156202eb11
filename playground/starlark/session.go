package starlark

import (
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zookeeper/zk"
)

// dialPause is before each attempt to connect.
const dialPause = 20 * time.Millisecond

// An onlyServer is a host provider without the library's pause of a second.
type onlyServer struct {
	address string
	closing atomic.Bool
}

func (s *onlyServer) Init([]string) error { return nil }
func (s *onlyServer) Len() int            { return 1 }
func (s *onlyServer) Connected()          {}

// Next has a client that closes start over, where the library looks whether it does.
func (s *onlyServer) Next() (string, bool) { return s.address, s.closing.Load() }

func (s *onlyServer) dial(network, address string, timeout time.Duration) (net.Conn, error) {
	time.Sleep(dialPause)
	return net.DialTimeout(network, address, timeout)
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}

// connect opens a session, whose events are told by a callback that must not block.
func connect(address string, timeout time.Duration, told func(zk.Event)) (*zk.Conn, func(), error) {
	server := &onlyServer{address: address}
	conn, _, err := zk.Connect([]string{address}, timeout, zk.WithHostProvider(server), zk.WithDialer(server.dial),
		zk.WithEventCallback(told), zk.WithLogger(quiet{}), zk.WithLogInfo(false))
	if err != nil {
		return nil, nil, err
	}
	return conn, func() { server.closing.Store(true); conn.Close() }, nil
}

// states are what has happened to a session, by the names that a source knows.
type states struct {
	mu  sync.Mutex
	all []string
}

var stateNames = map[zk.State]string{
	zk.StateDisconnected: "disconnected",
	zk.StateHasSession:   "connected",
	zk.StateExpired:      "expired",
}

// maxStates is how many are kept that nobody has taken.
const maxStates = 100

func (s *states) add(state zk.State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name := stateNames[state]; name != "" && len(s.all) < maxStates {
		s.all = append(s.all, name)
	}
}

func (s *states) take() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.all
	s.all = nil
	return all
}
