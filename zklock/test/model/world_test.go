package model

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"time"

	"github.com/zkplayground/zkplayground/zklock/internal/queue"
	"github.com/zkplayground/zkplayground/zklock/test/explore"
)

const (
	clients   = 3
	sessions  = 2 // of each client, one after the other
	maxZnodes = 16
	// unit is what the session clock takes a frame to need until the leader knows of it.
	unit    = time.Millisecond
	timeout = 8 * unit
)

// A world is the leader, and the clients, each at a server that follows it.
type world struct {
	*scene
	left    budget           // what may still happen
	znodes  [maxZnodes]znode // in the order in which they were created: the index counts transactions
	made    int8
	tree    set // those that exist
	next    int32
	opened  [clients]int8 // sessions so far, of which the last
	open    [clients]bool // has not ended
	recent  []transaction // those that some server has not taken in
	highest int64         // the greatest token by which anybody ever held
	clients [clients]client
}

// A znode is one of a client's in the lock's directory.
type znode struct {
	client, session, guid int8
	sequence              int32
	name                  string
}

// A set is one of znodes, by their indexes.
type set uint16

func only(k int8) set         { return 1 << k }
func (s set) has(k int8) bool { return k >= 0 && s&only(k) != 0 }
func (s set) each() (ks []int8) {
	for ; s != 0; s &= s - 1 {
		ks = append(ks, int8(bits.TrailingZeros16(uint16(s))))
	}
	return ks
}

// A transaction is a change of the directory. The end of a session is one, too.
type transaction struct {
	creates int8 // -1 for none
	deletes set
	ends    int8 // the client whose session it ends, -1 for none
}

var (
	errFence  = errors.New("the fence lets a late holder in, or keeps the right one out")
	errOrphan = errors.New("a znode that nobody needs stays forever")
)

// begin is the first world of a scene.
func (s scene) begin() *world {
	w := &world{scene: &s, left: s.budget, next: s.counter, highest: math.MinInt64}
	for i := range w.clients {
		w.clients[i].own = none
	}
	return w
}

const none = -1

// commit does a transaction at the leader.
func (w *world) commit(t transaction) {
	if t.creates >= 0 {
		w.tree |= only(t.creates)
	}
	t.deletes &= w.tree
	w.tree &^= t.deletes
	w.recent = append(w.recent[:len(w.recent):len(w.recent)], t)
	for i := range w.clients {
		w.clients[i].behind++
	}
}

// create makes the next znode of a client. The server's counter sticks at its end.
func (w *world) create(i int) int8 {
	c, k := &w.clients[i], w.made
	w.made++
	name := queue.NumberedName(guidOf(int8(i), c.guid), queue.LockMarker, w.next)
	w.znodes[k] = znode{int8(i), w.opened[i], c.guid, w.next, name}
	if w.next < math.MaxInt32 {
		w.next++
	}
	w.commit(transaction{creates: k, ends: none})
	return k
}

// remove deletes a znode, and makes the directory anew with it if its numbers are high
// and it is empty then.
func (w *world) remove(k int8) {
	renew := w.znodes[k].sequence >= queue.ResetSequence && (w.tree == only(k) || w.flaw == resetBesideOthers)
	deletes := only(k)
	if renew {
		deletes, w.next = w.tree, 0
	}
	w.commit(transaction{creates: none, deletes: deletes, ends: none})
}

// endSession is the leader's.
func (w *world) endSession(i int) {
	w.open[i] = false
	var deletes set
	for _, k := range w.tree.each() {
		if z := w.znodes[k]; z.client == int8(i) && z.session == w.opened[i] {
			deletes |= only(k)
		}
	}
	w.commit(transaction{creates: none, deletes: deletes, ends: int8(i)})
}

// settle has servers take in what makes no difference to their clients, and drops what all
// have taken in.
func (w *world) settle() {
	most := int8(0)
	for i := range w.clients {
		c := &w.clients[i]
		for c.behind > 0 && w.indifferent(i, w.recent[len(w.recent)-int(c.behind)]) {
			w.apply(i)
		}
		most = max(most, c.behind)
	}
	w.recent = w.recent[len(w.recent)-int(most):]
}

// indifferent reports whether it is the same to a client when its server takes in a
// transaction: it is told nothing, and will not read what was before.
func (w *world) indifferent(i int, t transaction) bool {
	c := &w.clients[i]
	switch {
	case t.ends == int8(i) && c.clock.Linked():
		return false
	case c.phase == waiting:
		return c.clock.Linked() && t.deletes&c.watched == 0
	default:
		return t.creates < 0 || t.creates != c.own || c.phase != creating
	}
}

// guidOf is a client's in one of its attempts. Later ones sort first.
func guidOf(client, attempt int8) string {
	return fmt.Sprintf("%032x", 255-16*int(client)-int(attempt))
}

func (w *world) nameOf(k int8) string { return w.znodes[k].name }

// list reads the queue among znodes that a server shows.
func (w *world) list(shown set) []queue.Contender {
	var names []string
	for _, k := range shown.each() {
		names = append(names, w.nameOf(k))
	}
	contenders, _ := queue.Read(names, queue.Mutex.Markers, math.MaxInt32)
	return contenders
}

// named is the opposite of nameOf.
func (w *world) named(name string) int8 {
	for k := w.made - 1; k >= 0; k-- {
		if w.nameOf(k) == name {
			return k
		}
	}
	return none
}

// token is what the resource is told.
func (w *world) token(k int8) int64 {
	if w.flaw == numberForToken {
		return int64(w.znodes[k].sequence)
	}
	return int64(k)
}

// Unsafe finds two clients who believe that they hold, and, of the clients whose znodes
// exist, two such, or one that the resource would refuse. The last two are what the guard
// and the token promise whatever the clocks do.
func (w *world) Unsafe() error {
	believe, valid, refused := 0, 0, false
	for i := range w.clients {
		c := &w.clients[i]
		if !c.believes() {
			continue
		}
		believe++
		if !w.tree.has(c.own) {
			continue
		}
		valid++
		refused = refused || w.token(c.own) < w.highest
	}
	switch {
	case believe > 1 && !w.late:
		return explore.ErrTwoHold
	case valid > 1 || refused:
		return errFence
	default:
		return nil
	}
}

// Asleep finds who waits though it is the first, and znodes of which nobody knows.
func (w *world) Asleep() error {
	needed := set(0)
	for i := range w.clients {
		if c := &w.clients[i]; c.own >= 0 {
			needed |= only(c.own)
		}
	}
	if w.tree&^needed != 0 {
		return errOrphan
	}
	queue := w.list(w.tree)
	for i := range w.clients {
		c := &w.clients[i]
		if c.phase == waiting && (!w.tree.has(c.own) || queue[0].Name == w.nameOf(c.own)) {
			return explore.ErrAsleep
		}
	}
	return nil
}

func (w *world) Holds() bool {
	for i := range w.clients {
		if w.clients[i].believes() {
			return true
		}
	}
	return false
}
