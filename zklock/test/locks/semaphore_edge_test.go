package locks_test

import (
	"errors"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// The directory is made anew when its numbers are high and nobody is there,
// and keeps its limit.
func TestSemaphoreSequenceEdge(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{Dir: zktest.SnapshotDir(t, map[string]int32{
		"/high/lock": firstReset - 1, "/busy/lock": firstReset, "/end/lock": sticking,
	})})
	conn := server.Conn(t)
	for name, test := range map[string]func(*world){
		"high": testSemaphoreRenews, "busy": testSemaphoreBusyWhileHigh, "end": testSemaphoreAtTheEnd,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(&world{TB: t, server: server, conn: conn, path: "/" + name + "/lock"})
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
