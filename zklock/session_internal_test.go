package zklock

import (
	"context"
	"net"
	"testing"

	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
)

// The end of a connection that is not the newest one is no news, that of the newest
// is the session's.
func TestClosingOfFormerConnection(t *testing.T) {
	s := NewSession(WithDirectRequests(false))
	defer s.Close(context.Background())
	var conns []*protocol.Conn
	for range 2 {
		near, far := net.Pipe()
		defer far.Close()
		s.mu.Lock()
		conn, err := s.observe(near)
		s.mu.Unlock()
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		conns = append(conns, conn.(*protocol.Conn))
	}
	for i, ends := range []bool{false, true} {
		observer{s}.Closing(conns[i])
		if ended := s.background.Err() != nil; ended != ends {
			t.Errorf("connection %d has been closed: the session has ended: %v", i, ended)
		}
	}
}
