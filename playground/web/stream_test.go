package web_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/zkserver"
)

func TestFirstFrames(t *testing.T) {
	s := open(t)
	early := s.watch("")
	early.until("told of no run", func() bool { return len(early.frames) == 2 })
	if early.run != nil || !slices.Equal(early.frames, []string{"zookeeper", "run"}) ||
		early.zookeeper.State != zkserver.Live || early.zookeeper.Version != "3.8.0" {
		t.Errorf("before a run: %v, run %v, ZooKeeper %+v", early.frames, early.run, early.zookeeper)
	}
	id := s.startQuick().ID
	early.until("told of the run", func() bool { return early.last > 0 })

	late := s.watch("from=1")
	late.until("told an event", func() bool { return late.last > 0 })
	if !slices.Equal(late.frames, []string{"zookeeper", "run", "events"}) {
		t.Errorf("during a run: %v", late.frames)
	}
	if early.run.ID != id || late.run.ID != id || late.run.State != event.Running {
		t.Errorf("runs %+v and %+v, want %s", early.run, late.run, id)
	}
}

func TestFromResumes(t *testing.T) {
	s := open(t)
	id := s.startQuick().ID
	if err := s.run().Log().Wait(s.within(), 200); err != nil {
		t.Fatal(err)
	}
	for _, query := range []string{"from=150", "from=150&run=" + id} {
		w := s.watch(query)
		w.last = 149
		w.until("told an event", func() bool { return w.last >= 200 })
	}
	// The events that were asked for are of a run that is no more.
	w := s.watch("from=150&run=gone")
	w.until("told an event", func() bool { return w.last >= 200 })
}

func TestFromBeyondTheEndWaits(t *testing.T) {
	s := open(t)
	s.startQuick()
	far := s.run().Log().Len() + 300
	w := s.watch(fmt.Sprint("from=", far))
	w.last = far - 1
	w.until("told an event", func() bool { return w.last >= far })
}

func TestStopIsTold(t *testing.T) {
	s := open(t)
	s.startQuick()
	w := s.watch("")
	w.until("told an event", func() bool { return w.last > 0 })
	s.ask("DELETE", runPath, "")
	w.until("told the end", w.complete)
	if n := s.run().Log().Len(); w.last != n || w.run.Events != n {
		t.Errorf("told %d events of %d, the log has %d", w.last, w.run.Events, n)
	}
	late := s.watch("")
	late.until("told the end", late.complete)
	if !slices.Equal(late.lines, w.lines) {
		t.Errorf("who comes late is told %d events, others %d", len(late.lines), len(w.lines))
	}
}

// A viewer that is there all the time is told every run from its first event to
// its last, however fast they follow each other.
func TestNewRunsAreToldFromTheirBeginning(t *testing.T) {
	s := open(t)
	w := s.watch("")
	w.until("told of no run", func() bool { return len(w.frames) == 2 })
	for range 8 {
		id := s.startQuick().ID
		before := s.run()
		w.until("told of the run", func() bool { return w.run != nil && w.run.ID == id && w.last > 0 })
		next := s.startQuick().ID
		var told int64
		w.until("told of the next run", func() bool {
			if w.run.ID == id {
				told = w.last
			}
			return w.run.ID == next
		})
		if n := before.Log().Len(); told != n {
			t.Errorf("told %d events of a run with %d", told, n)
		}
		s.ask("DELETE", runPath, "")
		w.until("told the end", w.complete)
	}
}

func TestCutsLoseAndRepeatNothing(t *testing.T) {
	s := open(t)
	id := s.startQuick().ID
	random := rand.New(rand.NewPCG(1, 2))
	all := s.watch("") // what it has seen goes from connection to connection
	// It goes on until there was something to lose: a busy machine tells little.
	for cuts := 0; cuts < 100 || all.last < 50; cuts++ {
		for range random.IntN(6) {
			if err := all.next(); err != nil {
				t.Fatalf("after %d cuts: %v", cuts, err)
			}
		}
		all.cut()
		all.conn = s.watch(fmt.Sprintf("from=%d&run=%s", all.last+1, id)).conn
	}
	s.ask("DELETE", runPath, "")
	all.until("told the end", all.complete)
	if n := s.run().Log().Len(); all.last != n || int64(len(all.lines)) != n {
		t.Errorf("told %d events up to %d, the log has %d", len(all.lines), all.last, n)
	}
}

func TestManyViewersSeeTheSame(t *testing.T) {
	s := open(t)
	s.startQuick()
	watchers := make([]*watcher, 50)
	errs := make([]error, len(watchers))
	var reading sync.WaitGroup
	for i := range watchers {
		w := s.watch("")
		watchers[i] = w
		reading.Go(func() {
			for !w.complete() && errs[i] == nil {
				errs[i] = w.next()
			}
		})
	}
	if err := s.run().Log().Wait(s.within(), s.run().Log().Len()+200); err != nil {
		t.Error(err)
	}
	s.ask("DELETE", runPath, "")
	reading.Wait()
	n := s.run().Log().Len()
	for i, w := range watchers {
		if errs[i] != nil || w.last != n || !slices.Equal(w.lines, watchers[0].lines) {
			t.Errorf("viewer %d: %d events of %d, %v", i+1, w.last, n, errs[i])
		}
	}
}
