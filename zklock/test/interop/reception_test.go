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

// receive serves a witness to other processes until t ends, and returns its
// address. A client sends "enter WHO MODE NODE" or "leave WHO", a line each,
// and is answered "ok" when the witness has taken note.
func receive(t *testing.T, w *witness) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r := &reception{witness: w, open: make(map[net.Conn]struct{})}
	r.work.Go(func() { r.accept(listener) })
	t.Cleanup(func() {
		if err := listener.Close(); err != nil {
			t.Error(err)
		}
		r.close()
	})
	return listener.Addr().String()
}

// A reception is the connections to a witness.
type reception struct {
	witness *witness
	work    sync.WaitGroup

	mu     sync.Mutex
	closed bool
	open   map[net.Conn]struct{}
}

func (r *reception) accept(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return // closed: the contenders would report any other failure
		}
		if r.admit(conn) {
			r.work.Go(func() { r.serve(conn) })
		}
	}
}

// admit keeps conn to be closed at the end, unless that has come.
func (r *reception) admit(conn net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		conn.Close()
		return false
	}
	r.open[conn] = struct{}{}
	return true
}

// close hangs up, and waits until nobody is served any more.
func (r *reception) close() {
	r.mu.Lock()
	r.closed = true
	for conn := range r.open {
		conn.Close()
	}
	r.mu.Unlock()
	r.work.Wait()
}

func (r *reception) serve(conn net.Conn) {
	defer conn.Close()
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		reply := "ok"
		if err := r.note(lines.Text()); err != nil {
			reply = err.Error()
		}
		if _, err := fmt.Fprintln(conn, reply); err != nil {
			return // the client has gone, and knows why
		}
	}
}

var errRequest = errors.New("want enter WHO MODE NODE, or leave WHO")

func (r *reception) note(request string) error {
	words := strings.Fields(request)
	switch {
	case len(words) == 4 && words[0] == "enter" && (words[2] == string(read) || words[2] == string(write)):
		return r.witness.enter(words[1], mode(words[2]), words[3])
	case len(words) == 2 && words[0] == "leave":
		r.witness.leave(words[1])
		return nil
	default:
		return errRequest
	}
}
