package locks_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// The numbers of znodes from which something is different.
const (
	firstReset = 1 << 30           // whose release starts the counter again, when nobody else is there
	lastUsed   = 1<<31 - 1<<20 - 1 // greater ones are refused
	sticking   = math.MaxInt32     // which the server gives again and again
)

// edgeTests run for every recipe, each on a directory whose next child gets
// number. They share one server.
var edgeTests = []struct {
	name   string
	number int32
	run    func(*world, recipe)
}{
	{"refuse", sticking, testRefuse},
	{"refuse-negative", sticking, testRefuseNegative},
	{"refuse-until-deleted", sticking, testRefuseUntilDeleted},
	{"renew", sticking, testRenew},
	{"last", lastUsed - 1, testLastNumber},
	{"reset", firstReset - 1, testReset},
	{"reset-reply-lost", firstReset, testResetReplyLost},
	{"reset-request-lost", firstReset, testResetRequestLost},
	{"waiter", firstReset, testNoResetUnderWaiter},
	{"stray", firstReset, testNoResetOverStray},
	{"data", firstReset, testResetKeepsData},
	{"data-while-held", firstReset, testResetKeepsDataOfHolder},
	{"acl", firstReset, testResetKeepsACL},
	{"hidden-acl", firstReset, testNoResetOfHiddenACL},
	{"no-permission", firstReset, testNoResetWithoutPermission},
	{"contention", firstReset - 50, testContentionAcrossReset},
}

// edgeDirectory is where a test of edgeTests finds its number.
func edgeDirectory(test string, r recipe) string { return "/" + test + "/" + r.name + "/lock" }

// tieDirectory is the same for TestTieDoesNotOvertake.
func tieDirectory(r recipe) string { return "/tie/" + r.name }

// newEdgeWorld is newWorld on a directory whose counter is not at its beginning.
func newEdgeWorld(tb testing.TB, path string) *world {
	counters := map[string]int32{
		"/go-zookeeper/lock":   sticking - 2,
		"/semaphore-high/lock": firstReset - 1, "/semaphore-busy/lock": firstReset, "/semaphore-end/lock": sticking,
		"/multi/new": 0, "/multi/used": lastUsed + 1, "/multi/half": firstReset, "/multi/full": firstReset,
		"/hook/mutex": sticking, "/hook/multi/a": 0, "/hook/multi/b": sticking,
	}
	for _, r := range recipes {
		counters[tieDirectory(r)] = sticking
		for _, test := range edgeTests {
			counters[edgeDirectory(test.name, r)] = test.number
		}
	}
	server := zktest.StartPrepared(tb, counters)
	return &world{TB: tb, server: server, conn: server.Conn(tb), path: path}
}

func TestSequenceEdge(t *testing.T) {
	t.Parallel()
	for _, test := range edgeTests {
		for _, r := range recipes {
			t.Run(test.name+"/"+r.name, func(t *testing.T) {
				t.Parallel()
				test.run(newEdgeWorld(t, edgeDirectory(test.name, r)), r)
			})
		}
	}
}

// What the edge is: the counter stops at its greatest value, so that everybody gets
// the same number, and go-zookeeper's lock takes everybody for the first. Before
// ZooKeeper 3.6 the counter goes on with the least: a second client holds, and the
// third gets an error.
func TestGoZooKeeperLockAtTheEdge(t *testing.T) {
	t.Parallel()
	w := newEdgeWorld(t, "/go-zookeeper/lock")
	for range 2 { // quiet acquisitions, which use up the last good numbers
		if err := w.lockTextbook().Unlock(); err != nil {
			t.Fatal(err)
		}
	}
	want := []int{sticking, sticking, sticking}
	if strings.HasPrefix(w.server.Managed().Version(), "3.5.") {
		want = []int{math.MinInt32, sticking}
	}
	for range want {
		w.lockTextbook() // and keep it
	}
	var holders []int
	for _, name := range w.children() {
		_, number, _ := strings.Cut(name, "-lock-")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Error(err)
		}
		holders = append(holders, n)
	}
	slices.Sort(holders)
	if !slices.Equal(holders, want) {
		t.Errorf("holders %d, want %d", holders, want)
	}
}

// lockTextbook takes go-zookeeper's own lock for a new session.
func (w *world) lockTextbook() *zk.Lock {
	w.Helper()
	lock := zk.NewLock(w.server.Conn(w), w.path, zk.WorldACL(zk.PermAll))
	locked := make(chan error, 1)
	go func() { locked <- lock.Lock() }()
	if err := receive(w, locked, "go-zookeeper's lock"); err != nil {
		w.Fatal(err)
	}
	return lock
}

// lockNumbered takes a lock, and returns the number of its znode too.
func (w *world) lockNumbered(l zklock.Locker) (lease *zklock.Lease, number int32) {
	w.Helper()
	lease = w.lock(l, &zklock.Trace{Enqueued: func(i zklock.EnqueuedInfo) { number = i.Sequence }})
	return lease, number
}

// refused sees to it that three clients at once are all refused.
func (w *world) refused(r recipe) {
	w.Helper()
	var clients []*attempt
	for range 3 {
		clients = append(clients, w.beginLock(r.make(w.dial(session), w.path)))
	}
	for _, client := range clients {
		if err := client.failed(w); !errors.Is(err, zklock.ErrSequenceExhausted) {
			w.Errorf("Lock = %v, want ErrSequenceExhausted", err)
		}
		if client.count("acquired") > 0 {
			w.Error("a refused client has held")
		}
	}
}

func testRefuse(w *world, r recipe) {
	w.keepChild() // or else the directory would be made anew
	w.refused(r)
	w.onlyChild()
	if lease, err := r.make(w.dial(session), w.path).TryLock(w.within()); !errors.Is(err, zklock.ErrSequenceExhausted) {
		w.Errorf("TryLock = %v, %v; want ErrSequenceExhausted", lease, err)
	}
	w.onlyChild()
}

// keepChild makes a child of the directory that is no contender, and onlyChild waits
// until there is no other.
func (w *world) keepChild() {
	w.Helper()
	if _, err := w.conn.Create(w.path+"/kept", nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
		w.Fatal(err)
	}
}

func (w *world) onlyChild() {
	w.Helper()
	eventually(w, "the contenders are gone", func() bool { return len(w.children()) == 1 })
}

// Creates that are under way together get numbers beyond the greatest, which
// are negative; then the counter falls back. Nobody can tell who was first.
func testRefuseNegative(w *world, r recipe) {
	var creates []any
	for i := range 3 {
		creates = append(creates, &zk.CreateRequest{
			Path: fmt.Sprintf("%s/_c_%032d-lock-", w.path, i), Acl: zk.WorldACL(zk.PermAll),
			Flags: zk.FlagEphemeralSequential,
		})
	}
	made, err := w.server.Conn(w).Multi(creates...)
	if err != nil {
		w.Fatal(err)
	}
	for i, number := range []string{"2147483647", "-2147483648", "-2147483647"} {
		if !strings.HasSuffix(made[i].String, "-lock-"+number) {
			w.Errorf("made %s, want number %s", made[i].String, number)
		}
	}
	w.refused(r)
	eventually(w, "the refused are gone", func() bool { return len(w.children()) == len(made) })
}

// The remedy that the error names.
func testRefuseUntilDeleted(w *world, r recipe) {
	w.keepChild()
	w.refused(r)
	w.onlyChild()
	w.delete(w.path + "/kept")
	before := w.directory()
	if err := w.conn.Delete(w.path, -1); err != nil {
		w.Fatal(err)
	}
	w.startsAgain(r.make(w.dial(session), w.path), zklock.Token(before.Pzxid))
}

// Who is alone in a directory that is used up starts it again.
func testRenew(w *world, r recipe) {
	before := w.directory()
	lease, number := w.lockNumbered(r.make(w.dial(session), w.path))
	if number != 0 || lease.Token() <= zklock.Token(before.Pzxid) {
		w.Errorf("number %d, token %d after %d; want a new directory", number, lease.Token(), before.Pzxid)
	}
	w.unlock(lease)
}

// The last number that is used is a good one, and the next is not.
func testLastNumber(w *world, r recipe) {
	holder, number := w.lockNumbered(r.exclusive(w.dial(session), w.path))
	if number != lastUsed-1 {
		w.Errorf("number %d, want %d", number, lastUsed-1)
	}
	waiter := w.startLock(r.make(w.dial(session), w.path))
	w.refused(r)
	w.unlock(holder)
	last := waiter.held(w)
	if end := fmt.Sprint(lastUsed); !strings.HasSuffix(last.Node(), end) {
		w.Errorf("held with %s, want number %s", last.Node(), end)
	}
	w.unlock(last)
	w.empties()
}

// startsAgain takes the lock until the counter has begun anew, while the tokens
// go on. One more quiet acquisition than there was must be enough: a release
// after a wait need not know that it is alone.
func (w *world) startsAgain(l zklock.Locker, last zklock.Token) {
	w.Helper()
	var numbers []int32
	for range 2 {
		lease, number := w.lockNumbered(l)
		if lease.Token() <= last {
			w.Errorf("token %d after %d", lease.Token(), last)
		}
		last = lease.Token()
		w.unlock(lease)
		if numbers = append(numbers, number); number == 0 {
			return
		}
	}
	w.Errorf("numbers %d, want 0", numbers)
}

// directory returns the lock directory's Stat, nil when it does not exist.
func (w *world) directory() *zk.Stat {
	w.Helper()
	found, stat, err := w.conn.Exists(w.path)
	if err != nil {
		w.Fatal(err)
	}
	if !found {
		return nil
	}
	return stat
}

// The directory is made anew when its numbers are high and nobody is there,
// and keeps its limit.
func TestSemaphoreSequenceEdge(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]func(*world){
		"high": testSemaphoreRenews, "busy": testSemaphoreBusyWhileHigh, "end": testSemaphoreAtTheEnd,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(newEdgeWorld(t, "/semaphore-"+name+"/lock"))
		})
	}
}

func testSemaphoreRenews(w *world) {
	p, other := w.semaphore(2), w.semaphore(2)
	w.unlock(w.lock(other))
	if err := p.Resize(w.within(), 3); err != nil {
		w.Fatal(err)
	}
	before := w.directory()
	last := w.lock(p)
	w.unlock(last)
	lease, number := w.lockNumbered(p)
	if after := w.directory(); number != 0 || after.Czxid == before.Czxid || lease.Token() <= last.Token() {
		w.Errorf("number %d, token %d after %d, in directory %+v", number, lease.Token(), last.Token(), after)
	}
	w.hold(p, 2)
	w.lockRefused(p)
	if _, err := other.Acquire(w.within()); !errors.Is(err, zklock.ErrLimitMismatch) { // it has not seen the change
		w.Errorf("Acquire = %v, want ErrLimitMismatch", err)
	}
}

func testSemaphoreBusyWhileHigh(w *world) {
	holder := w.lock(w.semaphore(2))
	before := w.directory()
	p := w.semaphore(2)
	for range 3 {
		w.unlock(w.lock(p))
	}
	if after := w.directory(); after.Czxid != before.Czxid {
		w.Errorf("directory %+v, want the one from before, %+v", after, before)
	}
	if err := holder.Check(w.within()); err != nil {
		w.Error(err)
	}
}

func testSemaphoreAtTheEnd(w *world) {
	last := w.directory().Pzxid
	lease, number := w.lockNumbered(w.semaphore(1)) // in a directory made anew
	if number != 0 || lease.Token() <= zklock.Token(last) {
		w.Errorf("number %d, token %d after %d", number, lease.Token(), last)
	}
	w.unlock(lease)
}
