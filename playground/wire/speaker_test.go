package wire_test

import (
	"bytes"
	"flag"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/wire/wiretest"
)

var record = flag.Bool("record", false, "write what was said to wiretest/conversation.txt")

const conversation = "wiretest/conversation.txt"

// A speaker talks to a server in frames made by the test, and decodes both
// sides.
type speaker struct {
	t        *testing.T
	conn     net.Conn
	framer   *wire.Framer
	decoder  *wire.Decoder
	arrived  [][]byte // frames not looked at yet
	notified []*wire.Frame
	said     bytes.Buffer // the conversation, a line a frame
	xid      int
}

func newSpeaker(t *testing.T, address string) *speaker {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(timeout)); err != nil {
		t.Fatal(err)
	}
	s := &speaker{t: t, conn: conn, framer: wire.NewFramer(0), decoder: wire.NewDecoder()}
	s.send(encode(0, int64(0), 60_000, int64(0), strings.Repeat("\x00", 16)))
	if f := s.hear(); f.Kind != wire.ConnectResponse || f.Session == 0 || f.Timeout != time.Minute {
		t.Fatalf("the connect response is %+v", f)
	}
	return s
}

// ask makes a request and waits for its reply.
func (s *speaker) ask(op int, body []any) (request, reply *wire.Frame) {
	s.xid++
	xid := s.xid
	if op == ping {
		xid = -2
	}
	request = s.send(append(encode(xid, op), encode(body...)...))
	for {
		reply = s.hear()
		if reply.Kind != wire.Notification {
			return request, reply
		}
		s.notified = append(s.notified, reply)
	}
}

func (s *speaker) send(payload []byte) *wire.Frame {
	f := s.decoder.Request(payload)
	if _, err := s.conn.Write(prefixed(payload)); err != nil {
		s.t.Fatal(err)
	}
	s.said.WriteString(wiretest.Line{Request: true, Payload: payload}.String())
	return f
}

// hear decodes the server's next frame.
func (s *speaker) hear() *wire.Frame {
	buf := make([]byte, 1000)
	for len(s.arrived) == 0 {
		n, err := s.conn.Read(buf)
		if err != nil {
			s.t.Fatal(err)
		}
		if err := s.framer.Feed(buf[:n], func(frame []byte) { s.arrived = append(s.arrived, frame) }); err != nil {
			s.t.Fatal(err)
		}
	}
	payload := s.arrived[0][4:]
	s.arrived = s.arrived[1:]
	s.said.WriteString(wiretest.Line{Payload: payload}.String())
	return s.decoder.Reply(payload)
}

// checkNotifications compares the watch events with those that the
// conversation must have caused, in their order. The last ones are of
// the ephemeral that goes with the session.
func (s *speaker) checkNotifications(root string) {
	var got []string
	for _, f := range s.notified {
		got = append(got, f.Type+" "+strings.Replace(f.Path, root, "~", 1))
	}
	const want = "NodeDataChanged ~/a; NodeDeleted ~/a/s-0000000001; NodeChildrenChanged ~/a; NodeCreated ~/p; " +
		"NodeDeleted ~/a/s-0000000000; NodeChildrenChanged ~/a"
	if all := strings.Join(got, "; "); all != want {
		s.t.Errorf("notifications: %s\nwant: %s", all, want)
	}
}

// save keeps the conversation for the tests that need no server.
func (s *speaker) save() {
	if !*record {
		return
	}
	if err := os.WriteFile(conversation, s.said.Bytes(), 0o644); err != nil {
		s.t.Fatal(err)
	}
}
