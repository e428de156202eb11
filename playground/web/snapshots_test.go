package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/room"
)

const snapshotPath = "/api/rooms/main/snapshot"

// snapshot is the body that brings one of a run.
func snapshot(run string, seq int64) string {
	return fmt.Sprintf(`{"run": %q, "seq": %d, "view": "what came of %d events"}`, run, seq, seq)
}

// long starts a run that has had some events and tells nothing more; it returns its id,
// and how many.
func (s *site) long() (id string, events int64) {
	s.Helper()
	s.startQuick()
	if err := s.run().Log().Wait(s.within(), 300); err != nil {
		s.Fatal(err)
	}
	s.want(http.StatusOK, "DELETE", runPath, "")
	return s.run().ID(), s.run().Log().Len()
}

// TestLateViewer wants who comes late, and takes snapshots, to be sent the newest one and
// then the events that follow; everybody else gets every event.
func TestLateViewer(t *testing.T) {
	t.Parallel()
	s := open(t)
	id, events := s.long()
	s.want(http.StatusNoContent, "PUT", snapshotPath, snapshot(id, 200))
	s.want(http.StatusNoContent, "PUT", snapshotPath, snapshot(id, 100)) // older: another page was faster

	late := s.watch("snapshot=yes")
	late.until("told the end", late.complete)
	if want := (room.Snapshot{Run: id, Seq: 200, View: "what came of 200 events"}); late.snapshot != want {
		t.Errorf("snapshot %+v, want %+v", late.snapshot, want)
	}
	if got := int64(len(late.lines)); got != events-200 {
		t.Errorf("told %d events, want the %d after the snapshot", got, events-200)
	}
	for _, other := range []struct {
		who, query string
		has        int64
	}{{"takes none", "", 0}, {"comes back", "snapshot=yes&from=2&run=" + id, 1}} {
		w := s.watch(other.query)
		w.last = other.has
		w.until("told the end", w.complete)
		if w.snapshot.Seq != 0 {
			t.Errorf("who %s was sent a snapshot", other.who)
		}
	}

	s.startQuick()
	next := s.watch("snapshot=yes")
	next.until("told an event", func() bool { return next.last > 0 })
	if next.snapshot.Seq != 0 {
		t.Error("the snapshot of one run was sent for the next")
	}
}

// TestBadSnapshots wants what cannot be one of the current run to be refused.
func TestBadSnapshots(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.want(http.StatusConflict, "PUT", snapshotPath, snapshot("nothing", 1)) // there is no run yet
	id, events := s.long()
	for what, body := range map[string]string{
		"another run": snapshot("another", 1), "no event": snapshot(id, 0),
		"an event to come": snapshot(id, events+1), "no view": fmt.Sprintf(`{"run": %q, "seq": 1}`, id),
	} {
		if a := s.ask("PUT", snapshotPath, body); a.status != http.StatusConflict || !strings.Contains(string(a.body), `"bad_snapshot"`) {
			t.Errorf("%s: %d %s", what, a.status, a.body)
		}
	}
	large := strings.Repeat("x", 100<<10)
	s.want(http.StatusNoContent, "PUT", snapshotPath, fmt.Sprintf(`{"run": %q, "seq": 1, "view": %q}`, id, large))
	s.want(http.StatusRequestEntityTooLarge, "PUT", snapshotPath, fmt.Sprintf(`{"run": %q, "seq": 2, "view": %q}`, id, strings.Repeat(large, 11)))
}

// TestSnapshotsOfOthers wants nobody but who may control a run to say what it looks like.
func TestSnapshotsOfOthers(t *testing.T) {
	t.Parallel()
	s := open(t, guarded)
	s.client = s.teacher().client
	id, _ := s.long()
	visitor := s.visitor()
	visitor.want(http.StatusForbidden, "PUT", snapshotPath, snapshot(id, 1))
}
