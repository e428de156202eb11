package interop

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
)

// serveWitness serves a witness to other processes until t ends, and returns its
// address. A client sends "enter WHO MODE NODE" or "leave WHO", a line each,
// and is answered "ok" when the witness has taken note.
func serveWitness(t *testing.T, w *witness) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &witnessServer{witness: w, open: make(map[net.Conn]struct{})}
	s.work.Go(func() { s.accept(listener) })
	t.Cleanup(func() {
		if err := listener.Close(); err != nil {
			t.Error(err)
		}
		s.close()
	})
	return listener.Addr().String()
}

// A witnessServer is the connections to a witness.
type witnessServer struct {
	witness *witness
	work    sync.WaitGroup

	mu     sync.Mutex
	closed bool
	open   map[net.Conn]struct{}
}

func (s *witnessServer) accept(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return // closed: the contenders would report any other failure
		}
		if s.keep(conn) {
			s.work.Go(func() { s.serve(conn) })
		}
	}
}

// keep keeps conn to be closed at the end, unless that has come.
func (s *witnessServer) keep(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		conn.Close()
		return false
	}
	s.open[conn] = struct{}{}
	return true
}

// close closes all connections, and waits until nobody is served any more.
func (s *witnessServer) close() {
	s.mu.Lock()
	s.closed = true
	for conn := range s.open {
		conn.Close()
	}
	s.mu.Unlock()
	s.work.Wait()
}

func (s *witnessServer) serve(conn net.Conn) {
	defer conn.Close()
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		reply := "ok"
		if err := s.handle(lines.Text()); err != nil {
			reply = err.Error()
		}
		if _, err := fmt.Fprintln(conn, reply); err != nil {
			return // the client has gone, and knows why
		}
	}
}

var errRequest = errors.New("want enter WHO MODE NODE, or leave WHO")

func (s *witnessServer) handle(request string) error {
	words := strings.Fields(request)
	switch {
	case len(words) == 4 && words[0] == "enter" && (words[2] == string(read) || words[2] == string(write)):
		return s.witness.enter(words[1], mode(words[2]), words[3])
	case len(words) == 2 && words[0] == "leave":
		s.witness.leave(words[1])
		return nil
	default:
		return errRequest
	}
}
