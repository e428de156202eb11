package wire

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"
)

// handshake opens a session on a new connection and returns the server's answer.
func handshake(ctx context.Context, conn net.Conn, o Options) (*Frame, error) {
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	granted, err := exchangeConnect(conn, o)
	if !stop() {
		return nil, context.Cause(ctx)
	}
	return granted, err
}

func exchangeConnect(conn net.Conn, o Options) (*Frame, error) {
	timeout := o.Timeout
	if timeout <= 0 {
		timeout = DefaultTimeout
	}
	request := connectFrame(o.SessionID, o.Password, timeout)
	if _, err := conn.Write(request); err != nil {
		return nil, err
	}
	payload, err := readFrame(conn)
	if err != nil {
		return nil, err
	}
	return decodeConnect(request[prefix:], payload)
}

func decodeConnect(request, response []byte) (*Frame, error) {
	d := NewDecoder()
	d.Request(request)
	f := d.Reply(response)
	if f.Kind == Undecoded {
		return nil, fmt.Errorf("the server sent %s", f.Why)
	}
	return f, f.Code.err()
}

// readFrame reads one frame and returns it without the length in front.
func readFrame(r io.Reader) ([]byte, error) {
	var head [prefix]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := int32(binary.BigEndian.Uint32(head[:]))
	if n < 0 || n > DefaultLimit {
		return nil, fmt.Errorf("%w: %d bytes", ErrFrameLength, n)
	}
	payload := make([]byte, n)
	_, err := io.ReadFull(r, payload)
	return payload, err
}
