package web_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/zkplayground/zkplayground/playground/disktest"
	"github.com/zkplayground/zkplayground/playground/event"
)

// TestViewersOfAFullDisk: who watches is told why the log ends, that there is no
// run when the next one does not start, and of the one after that each event once.
func TestViewersOfAFullDisk(t *testing.T) {
	dir := disktest.New(t, 4<<20)
	var refused atomic.Bool
	s := open(t, func(u *setup) {
		u.room.LogDir = dir
		u.room.Gate = func(context.Context) error {
			if refused.Load() {
				return errors.New("no ZooKeeper to be had")
			}
			return nil
		}
	})
	s.startQuick()
	w := s.watch("")
	w.until("an event", func() bool { return w.last > 0 })
	disktest.AwaitTaken(t, dir, 1<<20) // the run has set room aside
	disktest.Fill(t, dir)
	w.until("the end", w.complete)
	note := 0
	for _, line := range w.lines {
		if strings.Contains(line, `"kind":"`+string(event.NoteTruncated)+`"`) {
			note++
		}
	}
	if note != 1 || !strings.Contains(w.lines[len(w.lines)-1], event.ErrNotKept.Error()) {
		t.Errorf("%d notes, and the last event is %s", note, w.lines[len(w.lines)-1])
	}

	refused.Store(true)
	if status := s.ask(http.MethodPost, "/api/rooms/main/run", `{"scenario": `+quick+`}`).status; status != http.StatusServiceUnavailable {
		t.Errorf("the start is answered with %d", status)
	}
	w.until("there is no run", func() bool { return w.run == nil })
	refused.Store(false)
	next := s.startQuick()
	w.until("events of the next run", func() bool { return w.run != nil && w.run.ID == next.ID && w.last > 10 })
}
