package zklock_test

import (
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/zktest"
)

// keptData is what somebody may keep on a lock directory.
func keptData() map[string]string {
	return map[string]string{
		"short":             "x",
		"long":              strings.Repeat("x", 5000),
		"as a mark":         strings.Repeat("x", markLength),
		"another's mark":    markOf(1, 7),
		"nearly a mark":     strings.Repeat("x", markLength-1),
		"nearly a mark too": strings.Repeat("x", markLength+1),
	}
}

// What somebody writes while marks are made stays, and the lock goes on.
func TestDataAmongMarksIsKept(t *testing.T) {
	t.Parallel()
	for name, data := range keptData() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			c := w.contend(w.dialSome(fewContenders), zklock.WithMarks(markedQueue))
			c.comesToBeMarked(20)
			w.set(data)
			c.goesOn(60)
			w.kept(data)
			c.stop()
			w.quiet(zklock.NewMutex(w.dial(session), w.path, zklock.WithMarks(markedQueue)))
			w.kept(data)
		})
	}
}

// The same where it was there before.
func TestDataBeforeMarksIsKept(t *testing.T) {
	t.Parallel()
	for name, data := range keptData() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if _, err := w.conn.Create(w.path, []byte(data), 0, zk.WorldACL(zk.PermAll)); err != nil {
				t.Fatal(err)
			}
			w.quiet(zklock.NewMutex(w.dial(session), w.path))
			w.kept(data)
			c := w.contend(w.dialSome(fewContenders), zklock.WithMarks(markedQueue))
			c.goesOn(60)
			c.stop()
			w.quiet(zklock.NewMutex(w.dial(session), w.path))
			w.kept(data)
		})
	}
}

// Somebody takes the data away again: then there are marks again.
func TestMarksComeBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.contend(w.dialSome(fewContenders), zklock.WithMarks(markedQueue))
	c.comesToBeMarked(20)
	w.set("kept")
	c.goesOn(30)
	w.kept("kept")
	w.set("")
	c.comesToBeMarked(20)
}

// Data that is more than a client takes in does not hold up the queue.
func TestTooMuchDataAmongMarks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session, zklock.WithBuffers(4096, 4096))
	c := w.contend(append(w.dialSome(fewContenders-1, zklock.WithBuffers(4096, 4096)), s), zklock.WithMarks(markedQueue))
	eventually(w, "marks are read", func() bool { return network.requests(opMultiRead) > 0 })
	w.set(strings.Repeat("x", 20000))
	c.goesOn(60)
}

// A directory whose numbers are used up is started again if all that is in it
// is a mark. Data that only looks like one is somebody's.
func TestExhaustedWithAMark(t *testing.T) {
	t.Parallel()
	const marked, other, kept = "/marked", "/other", "/kept"
	counters := map[string]int32{marked: sticking, other: sticking, kept: sticking}
	server := zktest.StartOwn(t, zkserver.Config{Dir: zktest.SnapshotDir(t, counters)})
	conn := server.Conn(t)
	at := func(path string) *world { return &world{TB: t, server: server, conn: conn, path: path} }

	w := at(marked)
	before := w.directory()
	w.set(markOf(before.Czxid, math.MaxInt32))
	lease, number := w.lockNumbered(zklock.NewMutex(w.dial(session), marked))
	if number != 0 || w.directory().Czxid == before.Czxid {
		t.Errorf("number %d, want a new directory", number)
	}
	w.unlock(lease)

	for path, data := range map[string]string{other: markOf(before.Czxid+1, 7), kept: strings.Repeat("x", markLength)} {
		w := at(path)
		w.set(data)
		if _, err := zklock.NewMutex(w.dial(session), path).Lock(w.within()); !errors.Is(err, zklock.ErrSequenceExhausted) {
			t.Errorf("%s: %v, want ErrSequenceExhausted", path, err)
		}
		w.kept(data)
	}
}

// Data that is more than a client takes in is no mark, and is not read.
func TestExhaustedWithMuchData(t *testing.T) {
	t.Parallel()
	const path = "/lock"
	server := zktest.StartOwn(t, zkserver.Config{Dir: zktest.SnapshotDir(t, map[string]int32{path: sticking})})
	w := &world{TB: t, server: server, conn: server.Conn(t), path: path}
	data := strings.Repeat("x", 5000)
	w.set(data)
	s, network := w.dialThrough(session, zklock.WithBuffers(4096, 4096))
	if _, err := zklock.NewMutex(s, path).Lock(w.within()); !errors.Is(err, zklock.ErrSequenceExhausted) {
		t.Errorf("%v, want ErrSequenceExhausted", err)
	}
	if n := network.dials(); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
	w.kept(data)
}

// Nor does such data hold up a release that looked for a mark.
func TestMuchDataWhileHeld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lock := zklock.NewMutex(w.dial(session, zklock.WithBuffers(4096, 4096)), w.path)
	w.quiet(lock)
	w.set(strings.Repeat("x", markLength))
	lease := w.lock(lock)
	data := strings.Repeat("x", 5000)
	w.set(data)
	w.unlock(lease)
	w.kept(data)
}

// A dataClient is not go-zookeeper's own, and counts what is read of the
// lock directory.
type dataClient struct {
	*zk.Conn
	path string
	read *atomic.Int32
}

func (c dataClient) Get(path string) ([]byte, *zk.Stat, error) {
	if path == c.path {
		c.read.Add(1)
	}
	return c.Conn.Get(path)
}

// What has been found to be no mark is not read again until it changes.
func TestDataThatIsNoMarkIsReadOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	read := new(atomic.Int32)
	s := w.bring(func(conn *zk.Conn) zklock.Client { return dataClient{conn, w.path, read} })
	w.quietAnew(s)
	for times := range int32(2) {
		w.set(strings.Repeat("x", markLength))
		w.quietAnew(s)
		if n := read.Load(); n != times+1 {
			t.Errorf("read %d times, want %d", n, times+1)
		}
	}
}

// The numbers of a new directory begin again, and a mark that was copied from
// the old one says nothing of them. It is somebody's data.
func TestMarkOfAnotherDirectory(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	sessions := w.dialSome(fewContenders)
	w.unlock(w.lock(zklock.NewMutex(sessions[0], w.path)))
	mark := markOf(w.directory().Czxid, 40)
	if err := w.conn.Delete(w.path, -1); err != nil {
		t.Fatal(err)
	}
	if _, err := w.conn.Create(w.path, []byte(mark), 0, zk.WorldACL(zk.PermAll)); err != nil {
		t.Fatal(err)
	}
	c := w.contend(sessions, zklock.WithMarks(markedQueue))
	c.goesOn(120)
	w.kept(mark)
	c.stop()
	w.quiet(zklock.NewMutex(sessions[0], w.path))
	w.kept(mark)
}
