package zklock

import (
	"slices"
	"sync"
	"testing"

	"github.com/go-zookeeper/zk"
)

const heirNode = "/lock/_c_heir-lock-0000000011"

// awaitHeir asks for the watch on an heir, which is not there, and returns the
// request and its event.
func (c *frameConn) awaitHeir(t *testing.T) (*watchRequest, <-chan zk.Event) {
	t.Helper()
	requests := watchRequests(c.session, heirNode)
	requests[0].awaited = true
	c.receive(t, replyFrame(c.sendSet(t, requests), 9, 0))
	event, err := outcomeOf(t, requests[0])
	if err != nil {
		t.Fatal(err)
	}
	return requests[0], event
}

// removals returns how many watches have been taken back.
func (p *packets) removals() (n int) {
	for _, packet := range p.written {
		if op, _ := int32At(packet, 8); op == opRemoveWatches {
			n++
		}
	}
	return n
}

// readWatch is a read with a watch, of go-zookeeper's.
func readWatch(node string) []byte {
	return stream(message(nil).int32(2).int32(opGetData).text(node).bool(true))
}

// A watch is taken back unless others have set one, or it is used up.
func TestUnwatch(t *testing.T) {
	created, deleted := notification(zk.EventNodeCreated, heirNode), notification(zk.EventNodeDeleted, heirNode)
	for name, c := range map[string]struct {
		before func(*testing.T, *frameConn)
		want   int
	}{
		"not made": {func(*testing.T, *frameConn) {}, 1},
		"made":     {func(t *testing.T, c *frameConn) { c.receive(t, created) }, 0},
		"made, and watched by go-zookeeper": {func(t *testing.T, c *frameConn) {
			c.receive(t, created)
			c.Write(readWatch(heirNode))
		}, 0},
		"asked for by go-zookeeper": {func(_ *testing.T, c *frameConn) { c.Write(readWatch(heirNode)) }, 0},
		"found missing by another": {func(t *testing.T, c *frameConn) {
			xid := c.sendSet(t, watchRequests(c.session, heirNode))
			c.receive(t, deleted, replyFrame(xid, 9, 0))
		}, 1},
		"awaited by another": {func(t *testing.T, c *frameConn) { c.awaitHeir(t) }, 0},
	} {
		conn, p := openExchange(t)
		_, event := conn.awaitHeir(t)
		c.before(t, conn)
		if !conn.unwatch(heirNode, event) || p.removals() != c.want {
			t.Errorf("%s: %d watches taken back, want %d", name, p.removals(), c.want)
		}
	}
}

// Who looks for the znode, and does not find it, leaves the watch on its making
// where it is. So it is taken back when that is known.
func TestUnwatchWhileAnotherLooks(t *testing.T) {
	c, p := openExchange(t)
	_, event := c.awaitHeir(t)
	xid := c.sendSet(t, watchRequests(c.session, heirNode))
	if c.unwatch(heirNode, event) || p.removals() > 0 {
		t.Errorf("%d watches taken back before the answer", p.removals())
	}
	c.receive(t, notification(zk.EventNodeDeleted, heirNode), replyFrame(xid, 9, 0))
	if !c.unwatch(heirNode, event) || p.removals() != 1 {
		t.Errorf("%d watches taken back after it", p.removals())
	}
}

// A read that is being answered has set its watch, which is not taken back with
// that of who awaited the znode, whatever comes first.
func TestUnwatchBesideAnAnswer(t *testing.T) {
	for range 2000 {
		c, p := openExchange(t)
		_, event := c.awaitHeir(t)
		p.written = nil
		read := dataWatchRequest(heirNode, func(<-chan zk.Event) {})
		c.exchange([]outgoing{{frame: read.frame, errand: newCall(read)}})
		xid, _ := int32At(p.written[0], 4)
		var both sync.WaitGroup
		both.Go(func() { c.unwatch(heirNode, event) })
		c.receive(t, notification(zk.EventNodeCreated, heirNode), replyFrame(xid, 9, 0))
		both.Wait()
		if p.removals() > 0 {
			t.Fatal("taken back")
		}
	}
}

// Where too much is under way, a watch is taken back later; where the
// connection has gone, so has the watch.
func TestUnwatchLater(t *testing.T) {
	c, p := openExchange(t)
	_, event := c.awaitHeir(t)
	for sent := true; sent; _, sent = c.own() {
	}
	if c.unwatch(heirNode, event) || p.removals() > 0 || c.waitersOf(heirNode) != 1 {
		t.Errorf("%d taken back, %d wait", p.removals(), c.waitersOf(heirNode))
	}
	c.Close()
	if !c.unwatch(heirNode, event) || p.removals() > 0 || c.waitersOf(heirNode) > 0 {
		t.Errorf("closed: %d taken back, %d wait", p.removals(), c.waitersOf(heirNode))
	}
	if c.session.heirless.Load() {
		t.Error("no more heirs")
	}
}

// What is awaited is asked for as a watch on a znode that is not there.
func TestAwaitedInSet(t *testing.T) {
	c, p := openExchange(t)
	requests := watchRequests(c.session, nearNode, heirNode)
	requests[1].awaited = true
	c.sendSet(t, requests)
	a := answer{rest: p.written[0][4+4+4+8:]}
	var lists [3][]string
	for i := range lists {
		lists[i], _ = a.texts(func([]byte) bool { return true })
	}
	if !slices.Equal(lists[0], []string{nearNode}) || !slices.Equal(lists[1], []string{heirNode}) || lists[2] != nil {
		t.Errorf("watches on data, on existence and on children: %q", lists)
	}
}

// A server that does not know the request gets no more reason for one; that it
// knows no such watch is no failure.
func TestUnwatchAnswers(t *testing.T) {
	const unknown, noWatcher = -6, -121
	for code, heirless := range map[int32]bool{0: false, noWatcher: false, unknown: true} {
		c, p := openExchange(t)
		_, event := c.awaitHeir(t)
		p.written = nil
		c.unwatch(heirNode, event)
		xid, _ := int32At(p.written[0], 4)
		c.receive(t, replyFrame(xid, 9, code))
		if got := c.session.heirless.Load(); got != heirless {
			t.Errorf("code %d: heirless %v", code, got)
		}
	}
}
