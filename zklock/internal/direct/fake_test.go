package direct

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
)

// An unobserved connection tells nobody.
type unobserved struct{}

func (unobserved) HandshakeTimeout(time.Duration) time.Duration             { return time.Minute }
func (unobserved) Accepted(*protocol.Conn, int64, time.Duration, time.Time) {}
func (unobserved) Acknowledged(*protocol.Conn, time.Time, bool)             {}
func (unobserved) Closing(*protocol.Conn)                                   {}
func (unobserved) GivenUp() bool                                            { return false }
func (unobserved) TooLarge(*protocol.Conn)                                  {}
func (unobserved) Failed(*protocol.Conn, bool, error)                       {}

// A fakeConn keeps what is written, packet by packet, and gives what a test has it
// read.
type fakeConn struct {
	net.Conn
	io.Reader
	packets [][]byte
	err     error // of writes
	closed  bool
}

func (c *fakeConn) Read(p []byte) (int, error)       { return c.Reader.Read(p) }
func (c *fakeConn) SetWriteDeadline(time.Time) error { return nil }
func (c *fakeConn) Close() error                     { c.closed = true; return nil }
func (c *fakeConn) Write(p []byte) (int, error) {
	c.packets = append(c.packets, bytes.Clone(p))
	return len(p), c.err
}

// The frames that a test needs.
type message = protocol.Message

func greeting(zxid, session int64) message {
	return message(nil).Int32(0).Int64(zxid).Int32(4000).Int64(session)
}
func answer() message { return message(nil).Int32(0).Int32(4000).Int64(7) }
func replied(xid int32, zxid int64, code int32) message {
	return message(nil).Int32(xid).Int64(zxid).Int32(code)
}

func stream(frames ...message) (b []byte) {
	for _, f := range frames {
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(f))), f...)
	}
	return b
}

// A tested connection plays go-zookeeper and the server.
type tested struct {
	*testing.T
	*Conn
	fake *fakeConn
}

// newTested returns a connection of client past its handshake.
func newTested(t *testing.T, client *Client) *tested {
	c := &tested{T: t, fake: new(fakeConn)}
	c.Conn = NewConn(protocol.NewConn(c.fake, unobserved{}, 0, new(protocol.History)), client)
	c.write(greeting(0, 0))
	c.receive(answer())
	c.fake.packets = nil
	return c
}

// write is go-zookeeper's.
func (c *tested) write(frames ...message) {
	c.Helper()
	if _, err := c.Conn.Write(stream(frames...)); err != nil {
		c.Error(err)
	}
}

// receive lets frames arrive, and returns what go-zookeeper gets of them.
func (c *tested) receive(frames ...message) []byte {
	c.Helper()
	c.fake.Reader = bytes.NewReader(stream(frames...))
	got, err := io.ReadAll(c.Conn)
	if err != nil {
		c.Error(err)
	}
	return got
}

// deletion is a request to delete a znode.
func deletion(node string) *Call {
	return NewCall(End(Begin(protocol.OpDelete).Text(node).Int32(-1), node))
}

// xidAt is the number of the request at that offset of a packet.
func xidAt(packet []byte, at int) int32 { return int32(binary.BigEndian.Uint32(packet[at+4:])) }

// outcome is how a call has ended.
func outcome(t *testing.T, call *Call) (*protocol.Reader, int64, error) {
	t.Helper()
	select {
	case <-call.Done():
	default:
		t.Fatal("the call has not ended")
	}
	return call.Reply()
}
