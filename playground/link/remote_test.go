package link_test

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A remoteEnd is the other end of a link's connections, in memory so that a test can
// run in a bubble of synctest: it notes the xids that reach it.
type remoteEnd struct {
	mu    sync.Mutex
	ends  []net.Conn
	xids  []int32
	ended int // connections
}

func (f *remoteEnd) dial(context.Context, string, string) (net.Conn, error) {
	near, end := net.Pipe()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ends = append(f.ends, end)
	go f.listen(end)
	return near, nil
}

func (f *remoteEnd) listen(end net.Conn) {
	defer end.Close()
	framer, buf, answered := wire.NewFramer(0), make([]byte, 1000), false
	for {
		n, err := end.Read(buf)
		framer.Feed(buf[:n], func(raw []byte) {
			f.note(raw, &answered)
		})
		if err != nil {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.ended++
			return
		}
	}
}

func (f *remoteEnd) note(raw []byte, answered *bool) {
	if !*answered {
		*answered = true // a handshake has no xid
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.xids = append(f.xids, int32(binary.BigEndian.Uint32(raw[4:])))
}

func (f *remoteEnd) got() (xids []int32, ended int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.xids), f.ended
}

// pipedLink returns a link with one connection to a far end.
func pipedLink(t *testing.T, o link.Observer) (*link.Link, net.Conn, *remoteEnd) {
	t.Helper()
	f := new(remoteEnd)
	l := link.New(link.Config{Observer: o, DialContext: f.dial, HandshakeTimeout: -1})
	c, err := l.Dial("tcp", "far", time.Second)
	must(t, err)
	return l, c, f
}

// framed puts a payload's length in front of it.
func framed(payload []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(payload))), payload...)
}

// greeting asks for a session of ten seconds.
func greeting() []byte {
	const version, zxid, session, password = 4, 8, 8, 4
	payload := binary.BigEndian.AppendUint32(make([]byte, version+zxid), 10_000)
	return framed(append(payload, make([]byte, session+password)...))
}

const (
	opExists = 3
	opPing   = 11
	xidPing  = -2
)

// exists asks whether there is a znode /a.
func exists(xid int32) []byte {
	return framed(append(header(xid, opExists), 0, 0, 0, 2, '/', 'a', 0))
}

func ping() []byte { return framed(header(xidPing, opPing)) }

func header(xid int32, op uint32) []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(xid)), op)
}

func write(t *testing.T, w io.Writer, frames ...[]byte) {
	t.Helper()
	_, err := w.Write(slices.Concat(frames...))
	must(t, err)
}
