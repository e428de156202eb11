package locks_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"
)

// greatestGUID sorts behind all that are drawn.
var greatestGUID = strings.Repeat("f", 32)

// prefix is what the name of a znode that excludes r begins with, when its guid
// is the greatest.
func (r recipe) prefix() string { return "_c_" + greatestGUID + "-" + r.marker() }

// marker is what stands before the number in such a name.
func (r recipe) marker() string {
	if strings.HasPrefix(r.name, "RWMutex") {
		return "__WRIT__"
	}
	return "lock-"
}

// foreign makes a znode as another client would, in the session of the
// bystander, and returns its path.
func (w *world) foreign(prefix string) string {
	w.Helper()
	node, err := w.conn.Create(w.path+"/"+prefix, nil, zk.FlagEphemeralSequential, zk.WorldACL(zk.PermAll))
	if err != nil {
		w.Fatal(err)
	}
	return node
}

func (w *world) delete(node string) {
	w.Helper()
	if err := w.conn.Delete(node, -1); err != nil {
		w.Fatal(err)
	}
}

// The name of the holder's znode is the last of all, but its number the least.
func TestOrderIsByNumber(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		w.put()
		holder := w.foreign(r.prefix())
		waiter := w.startLock(r.make(w.dial(session), w.path))
		waiter.await(w, "listed 1 of 2", 1)
		if waiter.count("acquired") > 0 {
			w.Fatal("overtook the holder")
		}
		w.delete(holder)
		w.unlock(waiter.held(w))
	})
}

// Two with negative numbers are ahead, as servers before 3.6 made them: they
// are waited for like any others, and the nearest is the greatest number, which
// as text is the least.
func TestNegativeNumberAhead(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		w.put(r.marker()+"-000000007", r.marker()+"-000000005")
		first, nearest := w.path+"/"+r.marker()+"-000000007", w.path+"/"+r.marker()+"-000000005"
		waiter := w.startLock(r.make(w.dial(session), w.path))
		watched := []string{"wait-start " + nearest, "wait-start " + w.path}
		if !slices.ContainsFunc(waiter.all(), func(line string) bool { return slices.Contains(watched, line) }) {
			w.Errorf("does not wait for %s: %q", nearest, waiter.all())
		}
		w.delete(first)
		w.delete(nearest)
		w.unlock(waiter.held(w))
		w.empties()
	})
}

// At its end the counter gives newcomers the number of the holder. By name
// they would be ahead of it.
func TestTieDoesNotOvertake(t *testing.T) {
	t.Parallel()
	for _, r := range recipes {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			w := newEdgeWorld(t, tieDirectory(r))
			holder := w.foreign(r.prefix())
			w.refused(r)
			eventually(w, "only the holder is left", func() bool {
				names := w.children()
				return len(names) == 1 && w.path+"/"+names[0] == holder
			})
		})
	}
}

// Names that begin like ours, and end too early, are no trouble where a znode
// is looked for by its guid.
func TestRecoveryBesideStrays(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		w.put("_c_", "_c", "_c_x", "_c_-", "_c_"+greatestGUID, "_c_"+greatestGUID+"-")
		strays := len(w.children())
		s, network := w.dialThrough(session)
		lost := network.loseReply(opCreate, opMulti)
		record := newRecorder()
		lease := w.lock(r.make(s, w.path), record.trace())
		receive(w, lost, "the loss")
		if n := record.count("enqueued recovered=true failed=false"); n != 1 {
			w.Errorf("recovered %d times, want once: %q", n, record.all())
		}
		w.unlock(lease)
		eventually(w, "its znode is gone", func() bool { return len(w.children()) == strays })
	})
}

// A reader waits for the writer ahead, and not for one who comes later, also
// when it looks at the queue again.
func TestReaderBeforeAWaitingWriter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	writers, _ := w.rw()
	first := w.lock(writers)
	s, network := w.dialThrough(session)
	waiting := w.startLock(reader{newRWMutex(s, w.path)})
	later := w.startLock(writers)
	network.cut()
	waiting.await(t, "listed", 2)
	w.unlock(first)
	lease := waiting.held(t)
	if later.count("acquired") > 0 {
		t.Error("a writer holds beside a reader")
	}
	w.unlock(lease)
	w.unlock(later.held(t))
}

// Two objects on one path, in one session, are two contenders, also when
// neither hears of its create: each finds its own znode.
func TestTwoLocksOfOneSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	w.unlock(w.lock(newMutex(s, w.path)))
	lost := network.loseReply(opCreate, opMulti)
	first := w.lock(newMutex(s, w.path))
	receive(t, lost, "the first loss")
	lost = network.loseReply(opCreate, opMulti)
	second := w.startLock(newMutex(s, w.path))
	receive(t, lost, "the second loss")
	if names := w.children(); len(names) != 2 || second.count("acquired") > 0 {
		t.Fatalf("znodes %q and %q, want two contenders", names, second.all())
	}
	w.unlock(first)
	lease := second.held(t)
	if lease.Node() == first.Node() || lease.Token() <= first.Token() {
		t.Errorf("%s with token %d after %s with %d", lease.Node(), lease.Token(), first.Node(), first.Token())
	}
	w.unlock(lease)
	w.empties()
}
