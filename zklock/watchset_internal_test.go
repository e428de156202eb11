package zklock

import (
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"
)

// The two that a guess names.
const (
	nearNode = "/lock/_c_near-lock-0000000008"
	farNode  = "/lock/_c_far-lock-0000000007"
)

// watchRequests are requests for watches on znodes that were read before.
func watchRequests(s *Session, nodes ...string) (requests []*watchRequest) {
	for _, node := range nodes {
		requests = append(requests, &watchRequest{session: s, node: node, connection: s.nextConnection(), readable: true})
	}
	return requests
}

// sendSet asks for watches in one request, and returns its number.
func (c *frameConn) sendSet(t *testing.T, requests []*watchRequest) (xid int32) {
	t.Helper()
	p := c.Conn.(*packets)
	if !c.exchange(outgoingOf(requests)) {
		t.Fatal("not sent")
	}
	xid, _ = int32At(p.written[len(p.written)-1], 4)
	return xid
}

func notification(kind zk.EventType, path string) message {
	return message(replyFrame(xidNotification, -1, 0)).int32(int32(kind)).int32(int32(zk.StateHasSession)).text(path)
}

// waitersOf returns how many wait for events of the znode.
func (c *frameConn) waitersOf(node string) int {
	c.watchers.mu.Lock()
	defer c.watchers.mu.Unlock()
	return len(c.watchers.waiting[node])
}

// outcomeOf returns the outcome of a request that has been answered.
func outcomeOf(t *testing.T, r *watchRequest) (<-chan zk.Event, error) {
	t.Helper()
	if !r.sent.over() {
		t.Fatalf("%s: no answer", r.node)
	}
	return r.sent.wait(t.Context())
}

// The bytes are those of SetWatches, with a zxid behind which no change can be.
func TestWatchSetFrame(t *testing.T) {
	c, p := openExchange(t)
	c.sendSet(t, watchRequests(c.session, nearNode, farNode))
	if len(p.written) != 1 {
		t.Fatalf("sent in %d packets", len(p.written))
	}
	a := answer{rest: p.written[0]}
	if length := a.int32(); int(length) != len(p.written[0])-4 {
		t.Errorf("a length of %d in %d bytes", length, len(p.written[0]))
	}
	if xid := a.int32(); xid != firstXid {
		t.Errorf("xid %d", xid)
	}
	if op, zxid := a.int32(), a.int64(); op != opSetWatches || zxid != math.MaxInt64 {
		t.Errorf("op %d, relative to zxid %#x", op, zxid)
	}
	all := func([]byte) bool { return true }
	data, _ := a.texts(all)
	_, existence := a.texts(all)
	_, children := a.texts(all)
	if !slices.Equal(data, []string{nearNode, farNode}) || existence != 0 || children != 0 {
		t.Errorf("watches on data %q, %d on existence, %d on children", data, existence, children)
	}
	if a.short || len(a.rest) != 0 {
		t.Errorf("short %v, %d bytes too many", a.short, len(a.rest))
	}
}

// The server tells of a znode that is not there before it replies.
func TestWatchSetOutcomes(t *testing.T) {
	for name, c := range map[string]struct {
		before []message // events that arrive before the reply
		code   int32
		err    error        // of the near one; the far one exists
		event  zk.EventType // the near one's, 0 for none yet
		waits  int          // for more of the near one's
		far    error
	}{
		"there":            {waits: 1},
		"missing":          {before: []message{notification(zk.EventNodeDeleted, nearNode)}, err: zk.ErrNoNode},
		"an older watch's": {before: []message{notification(zk.EventNodeDataChanged, nearNode)}, event: zk.EventNodeDataChanged},
		"an older watch's, and missing": {before: []message{
			notification(zk.EventNodeDeleted, nearNode), notification(zk.EventNodeDeleted, nearNode)}, err: zk.ErrNoNode},
		"another's": {before: []message{notification(zk.EventNodeDeleted, "/lock/another")}, waits: 1},
		"refused":   {code: -112, err: zk.ErrSessionExpired, far: zk.ErrSessionExpired},
		"missing, and refused": {before: []message{notification(zk.EventNodeDeleted, nearNode)},
			code: -112, err: zk.ErrSessionExpired, far: zk.ErrSessionExpired},
	} {
		t.Run(name, func(t *testing.T) {
			conn, _ := openExchange(t)
			requests := watchRequests(conn.session, nearNode, farNode)
			xid := conn.sendSet(t, requests)
			conn.receive(t, append(c.before, replyFrame(xid, 9, c.code))...)
			event, err := outcomeOf(t, requests[0])
			if !errors.Is(err, c.err) || len(event) > 0 != (c.event != 0) || len(event) > 0 && (<-event).Type != c.event {
				t.Errorf("near: %d events, %v", len(event), err)
			}
			if n := conn.waitersOf(nearNode); n != c.waits {
				t.Errorf("near: %d wait, want %d", n, c.waits)
			}
			if _, err := outcomeOf(t, requests[1]); !errors.Is(err, c.far) || (conn.waitersOf(farNode) == 1) != (err == nil) {
				t.Errorf("far: %v, %d wait", err, conn.waitersOf(farNode))
			}
		})
	}
}

// What happens to a znode after the reply is told to whoever waits for it, and
// stays with us.
func TestWatchSetEvent(t *testing.T) {
	c, _ := openExchange(t)
	requests := watchRequests(c.session, nearNode, farNode)
	xid := c.sendSet(t, requests)
	if passed := c.receive(t, replyFrame(xid, 9, 0), notification(zk.EventNodeDeleted, farNode)); len(passed) > 0 {
		t.Errorf("go-zookeeper gets %x", passed)
	}
	near, _ := outcomeOf(t, requests[0])
	far, _ := outcomeOf(t, requests[1])
	if len(near) != 0 || len(far) != 1 || (<-far).Type != zk.EventNodeDeleted {
		t.Error("not the event of the one that has gone")
	}
}

// The reply may come when somebody has been waiting for the same znode for
// long, and that one goes on.
func TestWatchSetBesideAnother(t *testing.T) {
	c, _ := openExchange(t)
	older := c.watchers.add(nearNode, false)
	xid := c.sendSet(t, watchRequests(c.session, nearNode))
	younger := c.watchers.add(nearNode, false)
	c.receive(t, replyFrame(xid, 9, -112), notification(zk.EventNodeDeleted, nearNode))
	if len(older) != 1 || len(younger) != 1 {
		t.Errorf("told: %d and %d", len(older), len(younger))
	}
}

// A broken connection ends all the requests of a set, also when an event has
// come, and leaves nothing behind.
func TestWatchSetEndsWithTheConnection(t *testing.T) {
	deleted := notification(zk.EventNodeDeleted, nearNode)
	for name, end := range map[string]func(*testing.T, *frameConn, *packets){
		"closed":              func(_ *testing.T, c *frameConn, _ *packets) { c.Close() },
		"closed after events": func(t *testing.T, c *frameConn, _ *packets) { c.receive(t, deleted); c.Close() },
		"not writable":        func(_ *testing.T, c *frameConn, p *packets) { p.fails = io.ErrShortWrite; c.own() },
	} {
		c, p := openExchange(t)
		requests := watchRequests(c.session, nearNode, farNode)
		c.sendSet(t, requests)
		end(t, c, p)
		for _, r := range requests {
			if _, err := outcomeOf(t, r); !errors.Is(err, zk.ErrConnectionClosed) {
				t.Errorf("%s: %s: %v", name, r.node, err)
			}
		}
		if len(c.watchers.waiting) != 0 {
			t.Errorf("%s: %v wait", name, c.watchers.waiting)
		}
	}
}

// A set that could not be written has been sent, as far as anybody can know.
func TestWatchSetNotWritable(t *testing.T) {
	c, p := openExchange(t)
	p.fails = io.ErrShortWrite
	requests := watchRequests(c.session, nearNode)
	c.sendSet(t, requests)
	if _, err := outcomeOf(t, requests[0]); !errors.Is(err, zk.ErrConnectionClosed) || len(c.watchers.waiting) != 0 {
		t.Errorf("%v, %v wait", err, c.watchers.waiting)
	}
}

// A watch that nobody waits for any more is left to the next waiter, whether
// it was given up before the answer or after.
func TestWatchSetGivenUp(t *testing.T) {
	deleted := []message{notification(zk.EventNodeDeleted, nearNode)}
	changed := []message{notification(zk.EventNodeDataChanged, nearNode)}
	for name, c := range map[string]struct {
		late   bool
		before []message
		left   int  // watches
		good   bool // so that the next waiter takes it
	}{
		"before":              {left: 1, good: true},
		"after":               {late: true, left: 1, good: true},
		"before, and missing": {before: deleted},
		"after, and missing":  {late: true, before: deleted},
		"before, and changed": {before: changed, left: 1},
		"after, and changed":  {late: true, before: changed, left: 1},
	} {
		conn, _ := openExchange(t)
		requests := watchRequests(conn.session, nearNode)
		xid := conn.sendSet(t, requests)
		if !c.late {
			requests[0].leave()
		}
		conn.receive(t, append(slices.Clone(c.before), replyFrame(xid, 9, 0))...)
		if c.late {
			requests[0].leave()
		}
		spares := &conn.session.spares
		if left := len(spares.left[nearNode]); left != c.left {
			t.Errorf("%s: %d left", name, left)
		}
		if good := spares.take(nearNode, requests[0].connection) != nil; good != c.good {
			t.Errorf("%s: taken by the next: %v", name, good)
		}
	}
}

// One request is only for znodes that have been read, and for paths that
// go-zookeeper would send.
func TestOutgoingOf(t *testing.T) {
	unread := func(requests []*watchRequest) []*watchRequest {
		requests[len(requests)-1].readable = false
		return requests
	}
	s := NewSession()
	t.Cleanup(s.stop)
	for name, c := range map[string]struct {
		requests []*watchRequest
		ops      []int32 // -1 for one that go-zookeeper has to send
	}{
		"none":            {nil, nil},
		"one":             {watchRequests(s, nearNode), []int32{opSetWatches}},
		"two":             {watchRequests(s, nearNode, farNode), []int32{opSetWatches}},
		"one not read":    {unread(watchRequests(s, nearNode)), []int32{opGetData}},
		"second not read": {unread(watchRequests(s, nearNode, farNode)), []int32{opGetData, opGetData}},
		"strange second":  {watchRequests(s, nearNode, "/lock/\u00e4"), []int32{-1}},
		"strange first":   {watchRequests(s, "/lock/\u00e4", nearNode), []int32{-1}},
		"large together":  {watchRequests(s, "/"+strings.Repeat("a", maxDirect/2), "/"+strings.Repeat("b", maxDirect/2)), []int32{-1}},
	} {
		var ops []int32
		for _, o := range outgoingOf(c.requests) {
			op := int32(-1)
			if o.frame != nil {
				op, _ = int32At(o.frame, frameHeader)
			}
			ops = append(ops, op)
		}
		if !slices.Equal(ops, c.ops) {
			t.Errorf("%s: %v, want %v", name, ops, c.ops)
		}
	}
}

// Nothing is expected of a set that is not sent.
func TestWatchSetNotSent(t *testing.T) {
	c, _ := newExchange(t) // go-zookeeper has sent nothing yet
	if c.exchange(outgoingOf(watchRequests(c.session, nearNode))) || len(c.watchers.waiting) != 0 {
		t.Errorf("sent, or %v wait", c.watchers.waiting)
	}
}
