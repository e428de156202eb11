package locks_test

import (
	"encoding/binary"
	"io"
	"net"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A network is one client's way to the server, as a test can break it. It
// carries whole frames, queued, so that the client's writes never block and a
// partition holds what TCP would send again later. It is used as a zk.Dialer.
type network struct {
	mu    sync.Mutex
	out   chan struct{} // closed while frames may pass to the server
	in    chan struct{} // and to the client
	conns map[*pipe]struct{}
	rules []*rule
	sent  map[int32]int // requests by op
	made  int           // connections
	told  int           // notifications
	bare  bool          // the next handshake names no session, as if it had none
	done  sync.WaitGroup
}

// A rule acts once, on the next request with one of the ops.
type rule struct {
	ops    []int32
	before bool // the server never sees the request; else the reply is lost
	xid    int32
	armed  bool // the request has passed, and its reply is awaited
	acted  chan struct{}
}

// ZooKeeper's operation codes.
const (
	opCreate       = 1
	opDelete       = 2
	opGetData      = 4
	opGetChildren2 = 12
	opPing         = 11
	opMulti        = 14
	opSetData      = 5
)

// xidNotification is in place of a request's number in the news of a watch.
const xidNotification = -1

func newNetwork(tb testing.TB) *network {
	n := &network{
		out: make(chan struct{}), in: make(chan struct{}),
		conns: make(map[*pipe]struct{}), sent: make(map[int32]int),
	}
	n.heal()
	tb.Cleanup(func() { n.heal(); n.cut(); n.done.Wait() })
	return n
}

// Dial connects to the server; during a partition it times out.
func (n *network) Dial(kind, address string, timeout time.Duration) (net.Conn, error) {
	select {
	case <-n.gate(&n.out):
	case <-time.After(timeout):
		return nil, &net.OpError{Op: "dial", Net: kind, Err: os.ErrDeadlineExceeded}
	}
	server, err := zktest.Dial(kind, address, timeout)
	if err != nil {
		return nil, err
	}
	client, near := net.Pipe()
	p := &pipe{network: n, near: near, server: server, cut: make(chan struct{})}
	n.mu.Lock()
	n.conns[p] = struct{}{}
	n.made++
	n.mu.Unlock()
	p.carry(near, server, &n.out, p.passOut)
	p.carry(server, near, &n.in, p.passIn)
	return client, nil
}

// unfailing makes a dialer fit for go-zookeeper by itself; see [zktest.Unfailing].
func unfailing(dial zk.Dialer) zk.Dialer {
	return func(network, address string, timeout time.Duration) (net.Conn, error) {
		conn, err := dial(network, address, timeout)
		if err != nil {
			return nil, err
		}
		return zktest.Unfailing(conn), nil
	}
}

// gate returns a channel that is closed when frames may pass.
func (n *network) gate(of *chan struct{}) <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	return *of
}

// partition holds all frames, in both directions, until heal.
func (n *network) partition() {
	n.holdReplies()
	n.mu.Lock()
	defer n.mu.Unlock()
	n.out = shut(n.out)
}

// holdReplies holds what the server sends, until heal.
func (n *network) holdReplies() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.in = shut(n.in)
}

// shut returns a gate that is shut: gate itself, where that is, as heal is to
// let those through who wait at it.
func shut(gate chan struct{}) chan struct{} {
	select {
	case <-gate:
		return make(chan struct{})
	default:
		return gate
	}
}

func (n *network) heal() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, gate := range []chan struct{}{n.out, n.in} {
		select {
		case <-gate:
		default:
			close(gate)
		}
	}
}

// cut breaks every connection; what is on its way is lost.
func (n *network) cut() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for p := range n.conns {
		p.sever()
	}
}

// replaceSession cuts all connections, and has the server open another session for whom
// connects next.
func (n *network) replaceSession() {
	n.mu.Lock()
	n.bare = true
	n.mu.Unlock()
	n.cut()
}

// loseReply cuts the connection instead of delivering the reply to the next
// request with one of the ops; loseRequest instead of delivering the request.
// The channel is closed when that has happened.
func (n *network) loseReply(ops ...int32) <-chan struct{} { return n.addRule(&rule{ops: ops}) }
func (n *network) loseRequest(ops ...int32) <-chan struct{} {
	return n.addRule(&rule{ops: ops, before: true})
}

func (n *network) addRule(r *rule) <-chan struct{} {
	r.acted = make(chan struct{})
	n.mu.Lock()
	defer n.mu.Unlock()
	n.rules = append(n.rules, r)
	return r.acted
}

// requests returns how many requests with op the client has sent.
func (n *network) requests(op int32) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.sent[op]
}

// notifications returns how much news of watches there was.
func (n *network) notifications() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.told
}

// dials returns how many connections have been made.
func (n *network) dials() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.made
}

// A pipe is one connection of a network.
type pipe struct {
	network      *network
	near, server net.Conn
	greeted      bool // the handshake has passed outwards
	welcomed     bool // and its answer inwards
	once         sync.Once
	cut          chan struct{}
}

func (p *pipe) sever() {
	p.once.Do(func() {
		close(p.cut)
		p.near.Close()
		p.server.Close()
	})
}

// carry moves frames from one side to the other while pass allows it.
func (p *pipe) carry(from, to net.Conn, gate *chan struct{}, pass func(frame []byte) bool) {
	queue := make(chan []byte, 4096)
	p.network.done.Go(func() {
		defer close(queue)
		for {
			frame, err := readFrame(from)
			if err != nil {
				return
			}
			queue <- frame
		}
	})
	p.network.done.Go(func() {
		defer to.Close() // the end of the stream, which a partition holds too
		defer func() {
			for range queue {
			}
		}()
		for frame := range queue {
			select {
			case <-p.network.gate(gate):
			case <-p.cut:
				return
			}
			if !pass(frame) {
				p.sever()
				return
			}
			if _, err := to.Write(frame); err != nil {
				from.Close()
				return
			}
		}
		select {
		case <-p.network.gate(gate):
		case <-p.cut:
		}
	})
}

func (p *pipe) passOut(frame []byte) bool {
	p.network.mu.Lock()
	defer p.network.mu.Unlock()
	if !p.greeted {
		p.greeted = true
		if p.network.bare {
			p.network.bare = false
			const begin, end = 20, 28 // after the length, the version, a zxid and the timeout
			clear(frame[begin:end])
		}
		return true
	}
	xid, op := word(frame, 4), word(frame, 8)
	p.network.sent[op]++
	for i, r := range p.network.rules {
		if r.armed || !slices.Contains(r.ops, op) {
			continue
		}
		if r.before {
			p.network.drop(i)
			return false
		}
		r.armed, r.xid = true, xid
		break
	}
	return true
}

func (p *pipe) passIn(frame []byte) bool {
	p.network.mu.Lock()
	defer p.network.mu.Unlock()
	if !p.welcomed {
		p.welcomed = true
		return true
	}
	if word(frame, 4) == xidNotification {
		p.network.told++
	}
	for i, r := range p.network.rules {
		if r.armed && r.xid == word(frame, 4) {
			p.network.drop(i)
			return false
		}
	}
	return true
}

func (n *network) drop(i int) {
	close(n.rules[i].acted)
	n.rules = append(n.rules[:i:i], n.rules[i+1:]...)
}

func word(frame []byte, at int) int32 {
	if len(frame) < at+4 {
		return 0
	}
	return int32(binary.BigEndian.Uint32(frame[at:]))
}

// readFrame returns a frame with its length in front.
func readFrame(r io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	frame := make([]byte, 4+binary.BigEndian.Uint32(size[:]))
	copy(frame, size[:])
	_, err := io.ReadFull(r, frame[4:])
	return frame, err
}
