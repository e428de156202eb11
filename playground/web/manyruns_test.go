package web_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/gorilla/websocket"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// manyRuns is how many runs TestManyRunsLeaveNothing starts and stops; `make runs` 500.
var manyRuns = flag.Int("runs", 20, "how many runs TestManyRunsLeaveNothing starts and stops")

const (
	// firstRuns is how many it takes until all places are had, and all runs that are to
	// be kept are there.
	firstRuns = 12
	// mostHeap is how much more memory may be in use in the end: the logs of the last
	// runs are not all of the same length.
	mostHeap = 8 << 20
	// atRest is how often in a row the figures must be the same.
	atRest = 5
)

// TestManyRunsLeaveNothing: however many runs there were, with viewers, and however many
// rooms made way for others, in the end there is no more of anything than after the first.
func TestManyRunsLeaveNothing(t *testing.T) {
	l := &ledger{conn: zktest.Start(t).Conn(t), logs: t.TempDir()}
	l.site = open(t, func(u *setup) {
		l.base = u.room.Base
		u.room.MaxRooms, u.room.KeepRuns, u.room.IdleTime, u.room.LogDir = 4, 2, time.Nanosecond, l.logs
	})
	for number := range firstRuns {
		l.run(number)
	}
	before := l.settle(func(figures) bool { return true })
	t.Logf("after %d runs: %s", firstRuns, before)
	for number := range *manyRuns {
		l.run(number)
		if done := number + 1; done%100 == 0 && done < *manyRuns {
			t.Logf("%d runs later: %s", done, l.figures())
		}
	}
	after := l.settle(func(f figures) bool {
		return f.goroutines <= before.goroutines && f.open <= before.open && f.named <= before.named && f.znodes <= before.znodes
	})
	t.Logf("%d runs later: %s", *manyRuns, after)
	if after.heap > before.heap+mostHeap {
		t.Errorf("%d KiB of memory are in use, %d KiB were before", after.heap>>10, before.heap>>10)
	}
}

// A ledger starts and stops runs, and counts what there is.
type ledger struct {
	*site
	conn *zk.Conn
	base string // of the znodes
	logs string // the directory of the logs
}

// run has a run in the main room or in a new one, with a viewer from its beginning and
// one who comes late.
func (l *ledger) run(number int) {
	l.Helper()
	ctx, cancel := context.WithTimeout(l.Context(), timeout) // and not within, which lasts as long as the test
	defer cancel()
	r, err := l.rooms.Get(room.Main)
	if number%3 != 0 {
		r, err = l.rooms.Create(ctx, room.Person{ID: "teacher", Teacher: true})
	}
	if err != nil {
		l.Fatal(err)
	}
	asked, err := scenario.Decode([]byte(quick))
	if err != nil {
		l.Fatal(err)
	}
	first := l.view(ctx, r.Name())
	defer first.Close()
	run, err := r.Start(ctx, asked)
	if err != nil {
		l.Fatal(err)
	}
	l.read(ctx, first, event.LockReleased)
	l.fetch(ctx, "/api/rooms/"+r.Name()+"/events")
	late := l.view(ctx, r.Name())
	defer late.Close()
	if err := r.Stop(ctx); err != nil {
		l.Fatal(err)
	}
	if err := run.Wait(ctx); err != nil {
		l.Error(err)
	}
	l.read(ctx, late, event.NoteFinished)
}

// view opens the stream of a room.
func (l *ledger) view(ctx context.Context, name string) *websocket.Conn {
	l.Helper()
	conn, _, err := websocket.DefaultDialer.DialContext(ctx, "ws://"+l.address+"/api/rooms/"+name+"/stream?from=1", nil)
	if err != nil {
		l.Fatal(err)
	}
	return conn
}

// read reads a stream until an event of a kind comes.
func (l *ledger) read(ctx context.Context, conn *websocket.Conn, kind event.Kind) {
	l.Helper()
	deadline, _ := ctx.Deadline()
	if err := conn.SetReadDeadline(deadline); err != nil {
		l.Fatal(err)
	}
	for {
		_, frame, err := conn.ReadMessage()
		if err != nil {
			l.Fatalf("wait for %s: %v", kind, err)
		}
		if strings.Contains(string(frame), `"kind":"`+string(kind)+`"`) {
			return
		}
	}
}

// fetch reads an answer to its end.
func (l *ledger) fetch(ctx context.Context, path string) {
	l.Helper()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+l.address+path, nil)
	if err != nil {
		l.Fatal(err)
	}
	response, err := l.client.Do(request)
	if err != nil {
		l.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil || response.StatusCode != http.StatusOK {
		l.Fatalf("GET %s: %s, %v", path, response.Status, err)
	}
}

// figures are what there is of everything that could be left.
type figures struct {
	goroutines, open, named, znodes int
	heap                            uint64
}

func (f figures) String() string {
	return fmt.Sprintf("%d goroutines, %d KiB of memory, %d open files, %d files with a name, %d znodes",
		f.goroutines, f.heap>>10, f.open, f.named, f.znodes)
}

func (l *ledger) figures() figures {
	l.Helper()
	f := figures{goroutines: runtime.NumGoroutine(), znodes: l.below(l.base)}
	if files, err := os.ReadDir("/proc/self/fd"); err == nil { // on Linux
		f.open = len(files)
	}
	files, err := os.ReadDir(l.logs)
	if err != nil {
		l.Fatal(err)
	}
	f.named = len(files)
	runtime.GC()
	runtime.GC() // what finalizers have freed
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	f.heap = memory.HeapAlloc
	return f
}

// below is how many znodes there are at and below a path.
func (l *ledger) below(node string) int {
	l.Helper()
	names, _, err := l.conn.Children(node)
	if errors.Is(err, zk.ErrNoNode) {
		return 0
	}
	if err != nil {
		l.Fatal(err)
	}
	n := 1
	for _, name := range names {
		n += l.below(node + "/" + name)
	}
	return n
}

// settle returns the figures once they please and stay as they are: connections and
// recordings take a while to end.
func (l *ledger) settle(pleases func(figures) bool) figures {
	l.Helper()
	var last figures
	same := 0
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(timeout); same < atRest; {
		now := l.figures()
		heap := now.heap
		now.heap, last.heap = 0, 0
		if same++; now != last || !pleases(now) {
			same = 0
		}
		last = now
		last.heap = heap
		select {
		case <-tick.C:
		case <-deadline:
			l.Fatalf("there are still %s", last)
		}
	}
	return last
}
