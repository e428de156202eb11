package zklock_test

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// opRemoveWatches takes back the watch for an heir.
const opRemoveWatches = 18

// With a delay of never, all waits are short ones, and nobody watches its own
// znode; with none, no wait is.
const never, none = time.Hour, 0

// A succession is a roundabout of which one, the waiter, awaits heirs: the
// others go by what they see. So the waiter's watches are the only ones on
// znodes that are not there.
type succession struct {
	*roundabout
	session *zklock.Session // of the waiter
	network *network
	waiter  *attempt // its last that awaited an heir
	before  expense  // of what came before
	cost    expense  // of the waiter's last acquisition
}

// An expense is what a client has sent and been told.
type expense struct {
	counts map[int32]int // requests by op
	news   int
}

func (n *network) expense() expense { return expense{n.counts(), n.notifications()} }

// since returns what e is more than before.
func (e expense) since(before expense) expense {
	counts := maps.Clone(e.counts)
	for op, n := range before.counts {
		counts[op] -= n
	}
	return expense{counts, e.news - before.news}
}

func (e expense) lists() int { return e.counts[opGetChildren] + e.counts[opGetChildren2] }

// opGetChildren lists without the directory's metadata.
const opGetChildren = 8

// newSuccession is of four clients with a session each.
func newSuccession(t *testing.T) *succession {
	t.Helper()
	w := newHighWorld(t)
	s, n := w.dialThrough(session)
	return w.successionOf(s, n, w.awaiting(s), w.careful(), w.careful(), w.careful())
}

// newHighWorld is a world where an heir is believed in though others are busy
// with the server: its numbers are high.
func newHighWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.makeDirectory()
	for range 10 {
		w.takeNumbers(1000)
	}
	return w
}

// awaiting is a lock that awaits heirs; careful is one that does not.
func (w *world) awaiting(s *zklock.Session, opts ...zklock.Option) zklock.Locker {
	return zklock.NewMutex(s, w.path, append(opts, zklock.WithOwnDelay(never))...)
}

func (w *world) careful() zklock.Locker {
	w.Helper()
	return zklock.NewMutex(w.dial(session), w.path, zklock.WithOwnDelay(none))
}

// successionOf is of locks of which the first awaits heirs.
func (w *world) successionOf(s *zklock.Session, n *network, locks ...zklock.Locker) *succession {
	w.Helper()
	return &succession{roundabout: newRoundabout(w, foreseeingRounds, locks...), session: s, network: n}
}

func (w *world) makeDirectory() {
	w.Helper()
	if _, err := w.conn.Create(w.path, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
		w.Fatal(err)
	}
}

// takeNumbers has the directory count on, in one transaction.
func (w *world) takeNumbers(n int) {
	w.Helper()
	node := w.path + "/stray"
	var ops []any
	for range n {
		ops = append(ops, &zk.CreateRequest{Path: node, Acl: zk.WorldACL(zk.PermAll)}, &zk.DeleteRequest{Path: node, Version: -1})
	}
	if _, err := w.conn.Multi(ops...); err != nil {
		w.Fatal(err)
	}
}

// awaited returns the znodes that are watched, and are not there.
func (w *world) awaited() (nodes []string) {
	w.Helper()
	children := w.children()
	for node := range w.server.Watches(w) {
		if path.Dir(node) == w.path && !slices.Contains(children, path.Base(node)) {
			nodes = append(nodes, node)
		}
	}
	return nodes
}

// lastNode is that of the last in the line.
func (w *world) lastNode() (last string) {
	w.Helper()
	for _, name := range w.children() {
		if last == "" || numberOf(name) > numberOf(last) {
			last = name
		}
	}
	return w.path + "/" + last
}

// numberOf is what a znode's name ends in.
func numberOf(node string) string { return node[len(node)-10:] }

// numbered returns the znode of that number, "" for none.
func (w *world) numbered(number string) string {
	w.Helper()
	for _, name := range w.children() {
		if strings.HasSuffix(name, number) {
			return name
		}
	}
	return ""
}

// lockOf is the lock of the i-th in the full line.
func (s *succession) lockOf(i int) zklock.Locker {
	return s.locks[(s.next+i)%len(s.locks)]
}

// isNext reports whether the waiter's lock is the next to come.
func (s *succession) isNext() bool { return s.next%len(s.locks) == 0 }

// turns goes on by one. The waiter hears of an heir before anybody else goes.
func (s *succession) turns() {
	s.Helper()
	s.goes()
	s.takesStock()
	s.comes()
	if s.queue[1] == s.waiter {
		eventually(s, "the waiter has heard", func() bool {
			return s.waiter.count("looked-ahead")+s.waiter.count("listed") > 0
		})
	}
}

// takesStock is for the moment before the waiter comes.
func (s *succession) takesStock() {
	if s.isNext() {
		now := s.network.expense()
		s.cost, s.before = now.since(s.before), now
	}
}

// patientRounds are more than heirs are ever rested from: that may be long where
// the machine stands still until connections break.
const patientRounds = 300

// awaits goes on until the waiter is the last in the line, and awaits an heir.
func (s *succession) awaits() (heir string) {
	s.Helper()
	for range patientRounds * len(s.locks) {
		if (s.next-1)%len(s.locks) == 0 {
			if awaited := s.awaited(); len(awaited) == 1 {
				s.waiter = s.queue[len(s.queue)-1]
				return awaited[0]
			}
		}
		s.turns()
	}
	s.Fatal("no heir is awaited")
	return ""
}

// told goes on until the waiter has held the lock and come back, and reports
// whether an heir of the znode two ahead told it when.
func (s *succession) told() bool {
	s.Helper()
	passed := s.queue[len(s.queue)-1-2]
	for s.queue[0] != s.waiter {
		s.turns()
	}
	s.turns()
	return s.waiter.count("looked-ahead EventNodeCreated "+passed.lease.Node()) == 1
}

// takesBack runs do, which has the waiter await an heir no more, and returns
// when that watch has been taken back. It repeats it where nothing was awaited.
func (s *succession) takesBack(do func()) {
	s.Helper()
	for range patientRounds {
		s.awaits()
		before := s.network.requests(opRemoveWatches)
		do()
		eventually(s, "nothing is awaited", func() bool { return len(s.awaited()) == 0 })
		took := s.network.requests(opRemoveWatches) - before
		s.anew()
		if took == 1 {
			return
		}
	}
	s.Error("no watch was taken back")
}

// holds goes on until the waiter holds the lock; nobody comes back.
func (s *succession) holds() {
	s.Helper()
	for s.queue[0] != s.waiter {
		s.goes()
	}
}

// goesAround goes on until the waiter has held the lock, and gone. The others
// have come back.
func (s *succession) goesAround() {
	s.Helper()
	for s.queue[0] != s.waiter {
		s.turns()
	}
	s.goes()
}

// anew has all go, and stand in line again.
func (s *succession) anew() {
	s.Helper()
	for len(s.queue) > 0 {
		s.goes()
	}
	s.empties()
	s.next = 0
	for range s.locks {
		s.comes()
	}
}
