package wire

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"time"
)

// A reply is what answers a request: its error code and its body.
type reply struct {
	zxid int64
	code Code
	body reader
}

// A waiting is where a reply goes.
type waiting struct {
	answer chan reply
	told   Told // nil if the caller does not need the code at once
}

// readLoop hands over events and replies in the order in which they arrive.
func (c *Client) readLoop() {
	for {
		c.conn.SetReadDeadline(time.Now().Add(c.timeout * 2 / 3))
		payload, err := readFrame(c.incoming)
		if err == nil {
			err = c.handle(payload)
		}
		if err != nil {
			c.fail(fmt.Errorf("connection lost: %w", err))
			return
		}
	}
}

func (c *Client) handle(payload []byte) error {
	r := reader{rest: payload}
	xid, zxid, code := r.int32(), r.int64(), Code(r.int32())
	switch {
	case r.err != nil:
		return r.err
	case xid == xidNotification:
		return c.handleEvent(max(zxid, 0), &r)
	}
	return c.hand(xid, reply{zxid, code, r})
}

func (c *Client) handleEvent(zxid int64, r *reader) error {
	kind := r.int32()
	r.int32() // state
	e := WatchEvent{Type: eventType(kind), Path: r.string(), Zxid: zxid}
	if err := r.finish(); err != nil {
		return err
	}
	if c.onEvent != nil {
		c.onEvent(e)
	}
	return nil
}

// hand gives a reply to the caller that waits for it.
func (c *Client) hand(xid int32, answer reply) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	asked := c.calls[xid]
	if xid == xidPing && len(c.pings) > 0 {
		asked, c.pings = c.pings[0], c.pings[1:]
	}
	if asked.answer == nil {
		return fmt.Errorf("reply to no request: xid %d", xid)
	}
	delete(c.calls, xid)
	c.zxid = max(c.zxid, answer.zxid)
	if asked.told != nil {
		asked.told(answer.code)
	}
	asked.answer <- answer
	return nil
}

// pingLoop keeps the session alive. A server that is silent is the readLoop's to
// notice.
func (c *Client) pingLoop() {
	ticker := time.NewTicker(max(c.timeout/3, time.Millisecond))
	defer ticker.Stop()
	for {
		select {
		case <-c.life.Done():
			return
		case <-ticker.C:
			if _, err := c.send(newRequest(opPing), nil); err != nil {
				c.fail(err)
				return
			}
		}
	}
}

// send writes a request and returns the channel of its reply.
func (c *Client) send(w *writer, told Told) (<-chan reply, error) {
	answer := make(chan reply, 1)
	c.writeMu.Lock() // keeps the order of pings on the wire and in c.pings
	defer c.writeMu.Unlock()
	xid := c.expect(w.op, waiting{answer, told})
	c.conn.SetWriteDeadline(time.Now().Add(c.timeout * 2 / 3))
	if _, err := c.conn.Write(w.numbered(xid).frame()); err != nil {
		c.fail(fmt.Errorf("connection lost: %w", err))
		return nil, c.Err()
	}
	return answer, nil
}

// specialXids are those of the requests that have no number.
var specialXids = map[opcode]int32{opPing: xidPing, opAuth: xidAuth, opSetWatches2: xidSetWatches}

// expect registers a request of an operation, and returns its xid.
func (c *Client) expect(op opcode, w waiting) int32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	xid, special := specialXids[op]
	if !special {
		c.xid++
		xid = c.xid
	}
	if op == opPing {
		c.pings = append(c.pings, w)
	} else {
		c.calls[xid] = w
	}
	return xid
}

// do makes a request about a path, or none, and has read decode the body of the reply,
// unless it is nil. Told, unless it is nil, gets the reply's code. A request that the
// context abandons may still take effect; none is made for a context that has ended.
func (c *Client) do(ctx context.Context, w *writer, path string, told Told, read func(*reader)) error {
	r, err := c.call(ctx, w, told)
	if err == nil && read != nil {
		read(r)
		err = r.finish()
	}
	switch {
	case err == nil:
		return nil
	case path == "":
		return fmt.Errorf("%s: %w", w.op, err)
	}
	return fmt.Errorf("%s %s: %w", w.op, path, err)
}

// call sends a request and waits for its reply.
func (c *Client) call(ctx context.Context, w *writer, told Told) (*reader, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	answer, err := c.send(w, told)
	if err != nil {
		return nil, err
	}
	select {
	case got := <-answer:
		return &got.body, got.code.err()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-c.life.Done():
	}
	select { // the reply may have come just before the end of the connection
	case got := <-answer:
		return &got.body, got.code.err()
	default:
		return nil, c.Err()
	}
}

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
