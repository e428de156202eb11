// Package direct sends requests of zklock's own over a connection that
// go-zookeeper has made, past its queues. go-zookeeper passes each request to
// another goroutine and each reply to a third, and its calls cannot be cancelled,
// so that each takes a fourth. A [Call] takes one wake-up, and can be waited for
// beside other things.
//
//	go-zookeeper ──frames──┐                    ┌──replies──> go-zookeeper
//	                       ├─> Conn ─> server ──┤
//	     Call ──its frame──┘                    └──its reply─> Call
//
// Requests are distinguished by their numbers: go-zookeeper counts up from 1, calls
// have negative numbers. go-zookeeper sees nothing of calls and their replies; it
// does see the events of watches that calls set.
//
// It is worth 12 to 14 % of the throughput of a contended lock, and can be switched
// off: a lock asks go-zookeeper for whatever [Conn.Send] does not take.
package direct

import (
	"errors"
	"math"
	"strings"
	"sync/atomic"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
)

// ErrTooLarge is the error of a call whose reply is larger than allowed.
var ErrTooLarge = errors.New("zklock: the server's reply is too large")

// A Client is what the connections of one client have in common. The zero Client
// is ready; its methods may be called from any goroutine.
type Client struct {
	// MaxRequest is how many bytes a frame may have, and MaxReply a reply, 0 for any
	// number.
	MaxRequest, MaxReply int

	xid      atomic.Int32 // of the last call
	lastZxid atomic.Int64 // the highest in replies to calls
}

// The numbers of calls count up and are negative; the last few of those have a
// meaning in the protocol.
const (
	firstXid = math.MinInt32
	lastXid  = -1024
)

// nextXid numbers the calls of a client, over all its connections: a server of an
// ensemble takes a transaction of the session's for the answer to a request of the
// same number, whatever connection either came through.
func (c *Client) nextXid() int32 {
	for {
		last := c.xid.Load()
		next := last + 1
		if last == 0 || next == lastXid {
			next = firstXid
		}
		if c.xid.CompareAndSwap(last, next) {
			return next
		}
	}
}

// saw takes in the zxid of a reply.
func (c *Client) saw(zxid int64) {
	for last := c.lastZxid.Load(); zxid > last; last = c.lastZxid.Load() {
		if c.lastZxid.CompareAndSwap(last, zxid) {
			return
		}
	}
}

// A Frame is a request as a connection sends it, but for its length and number;
// nil stands for one that go-zookeeper has to send.
type Frame []byte

const (
	frameHeader = 8       // length and number
	maxFrame    = 2 << 10 // bytes; larger ones are left to go-zookeeper
)

// Begin begins the frame of a request for an operation.
func Begin(op int32) protocol.Message {
	return make(protocol.Message, frameHeader, 256).Int32(op)
}

// End returns the frame that message has become, or nil when it is large, or when
// one of the paths is a strange one, which go-zookeeper would refuse to send.
func End(message protocol.Message, paths ...string) Frame {
	if len(message) > maxFrame {
		return nil
	}
	for _, path := range paths {
		if !strings.HasPrefix(path, "/") || strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r > '~' }) {
			return nil
		}
	}
	return Frame(message)
}

// A Call is a request under way.
type Call struct {
	frame Frame
	done  chan struct{}
	reply *protocol.Reader
	zxid  int64
	err   error
}

// NewCall returns a call that sends frame, which is used up.
func NewCall(frame Frame) *Call { return &Call{frame: frame, done: make(chan struct{})} }

// Done returns a channel that is closed when the call has ended.
func (c *Call) Done() <-chan struct{} { return c.done }

// Reply returns the reply to a call that has ended, and its zxid, or the error: the
// server's, as go-zookeeper has it, ErrTooLarge, or zk.ErrConnectionClosed, after
// which the request may have been done or not.
func (c *Call) Reply() (reply *protocol.Reader, zxid int64, err error) {
	return c.reply, c.zxid, c.err
}

// end is called once.
func (c *Call) end(reply *protocol.Reader, zxid int64, err error) {
	c.reply, c.zxid, c.err = reply, zxid, err
	close(c.done)
}

// errClosed is the error of a call whose connection has ended.
var errClosed = zk.ErrConnectionClosed
