package chroot_test

import (
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// A speaker is a client that says what the test makes it say.
type speaker struct {
	*testing.T
	net.Conn
	decoder  *wire.Decoder
	session  int64
	password string
	notified []*wire.Frame
	xid      int
}

// connect opens a connection without a session.
func connect(t *testing.T, address string) *speaker {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(testTimeout)); err != nil {
		t.Fatal(err)
	}
	return &speaker{T: t, Conn: conn, decoder: wire.NewDecoder()}
}

// speak opens a connection and a session.
func speak(t *testing.T, address string) *speaker {
	t.Helper()
	s := connect(t, address)
	if f := s.open(0, 0, noPassword); f.Session == 0 {
		t.Fatalf("no session: %+v", f)
	}
	return s
}

// open asks for a session, and returns the answer.
func (s *speaker) open(zxid, session int64, password string) *wire.Frame {
	s.Helper()
	s.send(connectRequest(zxid, session, password))
	f := s.hear()
	s.session, s.password = f.Session, string(f.Password)
	return f
}

func (s *speaker) send(payload []byte) {
	s.Helper()
	s.decoder.Request(payload)
	if _, err := s.Write(prefixed(payload)); err != nil {
		s.Fatal(err)
	}
}

// ask makes a request and waits for its reply.
func (s *speaker) ask(op int, body ...any) *wire.Frame {
	s.Helper()
	return s.askRaw(op, encode(body...))
}

func (s *speaker) askRaw(op int, body []byte) *wire.Frame {
	s.Helper()
	s.xid++
	xid := s.xid
	if op == ping {
		xid = -2
	}
	s.send(append(encode(xid, op), body...))
	for {
		f := s.hear()
		if f.Kind != wire.Notification {
			return f
		}
		s.notified = append(s.notified, f)
	}
}

// hear reads and decodes the next frame.
func (s *speaker) hear() *wire.Frame {
	s.Helper()
	payload, err := s.frame()
	if err != nil {
		s.Fatal(err)
	}
	return s.decoder.Reply(payload)
}

func (s *speaker) frame() ([]byte, error) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(s, head); err != nil {
		return nil, err
	}
	payload := make([]byte, int(head[2])<<8|int(head[3])|int(head[1])<<16)
	_, err := io.ReadFull(s, payload)
	return payload, err
}

// expectEnd waits until the connection has ended.
func (s *speaker) expectEnd() {
	s.Helper()
	for {
		_, err := s.frame()
		if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
			s.Fatal("the connection does not end")
		}
		if err != nil {
			return
		}
	}
}

// all reads until the connection ends.
func (s *speaker) all() string {
	s.Helper()
	data, err := io.ReadAll(s)
	if err != nil {
		s.Fatal(err)
	}
	return string(data)
}

// untilEnd reads until the connection has ended, in whatever way.
func (s *speaker) untilEnd() string {
	data, _ := io.ReadAll(s)
	return string(data)
}
