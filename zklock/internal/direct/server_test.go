package direct

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A served client has a session with a real server, over connections that carry calls.
type served struct {
	*testing.T
	*zk.Conn
	Client
	history protocol.History
	root    string
	ready   chan *Conn // each connection, once it has a session

	mu     sync.Mutex
	newest *Conn
}

func newServed(t *testing.T) *served {
	server := zktest.Start(t)
	s := &served{T: t, root: server.Root(t), ready: make(chan *Conn, 100)}
	conn, _, err := zk.Connect([]string{server.Address()}, zktest.DefaultSession, zk.WithDialer(s.dial),
		zk.WithEventCallback(s.happened), zk.WithHostProvider(new(oneHost)), zk.WithLogger(silent{}), zk.WithLogInfo(false))
	if err != nil {
		t.Fatal(err)
	}
	s.Conn = conn
	t.Cleanup(conn.Close)
	return s
}

func (s *served) dial(network, address string, timeout time.Duration) (net.Conn, error) {
	conn, err := net.DialTimeout(network, address, timeout)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest = NewConn(protocol.NewConn(conn, unobserved{}, 0, &s.history), &s.Client)
	return s.newest, nil
}

func (s *served) happened(event zk.Event) {
	if event.State == zk.StateHasSession && event.Type == zk.EventSession {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ready <- s.newest
	}
}

// A oneHost gives one address, at once.
type oneHost struct{ address string }

func (h *oneHost) Init(servers []string) error { h.address = servers[0]; return nil }
func (h *oneHost) Len() int                    { return 1 }
func (h *oneHost) Next() (string, bool)        { return h.address, false }
func (h *oneHost) Connected()                  {}

type silent struct{}

func (silent) Printf(string, ...any) {}

// reading is a request to read a znode.
func reading(node string) *Call {
	return NewCall(End(Begin(protocol.OpGetData).Text(node).Bool(false), node))
}

// Calls and go-zookeeper's requests share a connection, and each gets its own replies.
func TestBesideGoZookeeper(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	conn := <-s.ready
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for round := range 50 {
				node := fmt.Sprintf("%s/%d-%d", s.root, i, round)
				if err := s.readBothWays(conn, node); err != nil {
					t.Errorf("%s: %v", node, err)
				}
			}
		})
	}
	all.Wait()
}

// readBothWays makes a znode, and reads it both ways.
func (s *served) readBothWays(conn *Conn, node string) error {
	if _, err := s.Create(node, []byte(node), 0, zk.WorldACL(zk.PermAll)); err != nil {
		return err
	}
	call, missing := reading(node), reading(node+"-missing")
	sent := conn.Send(call, missing)
	data, stat, err := s.Get(node)
	if err != nil || !sent { // somebody was writing
		return err
	}
	<-call.Done()
	reply, _, err := call.Reply()
	if err != nil {
		return err
	}
	if gotData, gotStat := reply.Text(), reply.Stat(); gotData != string(data) || *gotStat != *stat || reply.Err() != nil {
		return fmt.Errorf("%q, %+v, %v; want %q, %+v", gotData, gotStat, reply.Err(), data, stat)
	}
	<-missing.Done()
	if _, _, err := missing.Reply(); err != zk.ErrNoNode {
		return fmt.Errorf("%v, want %v", err, zk.ErrNoNode)
	}
	return nil
}

// A connection that breaks ends its calls; the next one of the session carries calls
// again. The server takes the client back though only calls know its last transaction.
func TestCallsAfterAReconnect(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	conn := <-s.ready
	session := s.SessionID()
	for range 5 {
		written := NewCall(End(Begin(protocol.OpSetData).Text(s.root).Bytes(nil).Int32(-1), s.root))
		if !conn.Send(written) {
			t.Fatal("not sent")
		}
		<-written.Done()
		cut := reading(s.root)
		conn.Send(cut)
		conn.Close()
		<-cut.Done()
		if _, _, err := cut.Reply(); err != nil && !errors.Is(err, zk.ErrConnectionClosed) {
			t.Errorf("cut off: %v", err)
		}
		if conn.Send(reading(s.root)) {
			t.Error("sent on a connection that is closed")
		}
		conn = <-s.ready
	}
	if s.SessionID() != session {
		t.Error("it is another session")
	}
}
