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
	events  chan zk.Event // of znodes
	ready   chan *Conn    // each connection, once it has a session

	mu     sync.Mutex
	newest *Conn
}

func newServed(t *testing.T) *served {
	server := zktest.Start(t)
	s := &served{T: t, root: server.Root(t), events: make(chan zk.Event, 100), ready: make(chan *Conn, 100)}
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
	switch {
	case event.Type != zk.EventSession:
		s.events <- event
	case event.State == zk.StateHasSession:
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

// reading is a request to read a znode, and to watch it.
func reading(node string, watch bool) *Call {
	return NewCall(End(Begin(protocol.OpGetData).Text(node).Bool(watch), node))
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
	call, missing := reading(node, false), reading(node+"-missing", false)
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

// A call creates what go-zookeeper sees, and its reply tells the transaction.
func TestCreateByCall(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	conn, name := <-s.ready, s.root+"/n-"
	call := NewCall(End(Begin(protocol.OpCreate).Text(name).Bytes([]byte("data")).
		ACL(zk.WorldACL(zk.PermAll)).Int32(zk.FlagEphemeralSequential), name))
	if !conn.Send(call) {
		t.Fatal("a new client cannot send")
	}
	<-call.Done()
	reply, zxid, err := call.Reply()
	if err != nil {
		t.Fatal(err)
	}
	data, stat, err := s.Get(reply.Text())
	if err != nil || string(data) != "data" || stat.Czxid != zxid || stat.EphemeralOwner != s.SessionID() {
		t.Errorf("%q, %+v, %v; want the transaction %d", data, stat, err, zxid)
	}
}

// The event of a watch that a call has set is told by go-zookeeper.
func TestWatchByCall(t *testing.T) {
	t.Parallel()
	s := newServed(t)
	call := reading(s.root, true)
	if conn := <-s.ready; !conn.Send(call) {
		t.Fatal("a new client cannot send")
	}
	<-call.Done()
	if _, err := s.Set(s.root, []byte("data"), -1); err != nil {
		t.Fatal(err)
	}
	if event := <-s.events; event.Type != zk.EventNodeDataChanged || event.Path != s.root {
		t.Errorf("%+v", event)
	}
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
		cut := reading(s.root, false)
		conn.Send(cut)
		conn.Close()
		<-cut.Done()
		if _, _, err := cut.Reply(); err != nil && !errors.Is(err, zk.ErrConnectionClosed) {
			t.Errorf("cut off: %v", err)
		}
		if conn.Send(reading(s.root, false)) {
			t.Error("sent on a connection that is closed")
		}
		conn = <-s.ready
	}
	if s.SessionID() != session {
		t.Error("it is another session")
	}
}
