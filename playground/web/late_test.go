package web_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// TestLateViewer wants who comes late, and goes on from states, to be sent the newest one and
// then the events that follow; everybody else gets every event.
func TestLateViewer(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.startQuick()
	for s.run().NewestState() == 0 {
		if err := s.run().Log().Wait(s.within(), s.run().Log().Len()+100); err != nil {
			t.Fatal(err)
		}
	}
	s.want(http.StatusOK, "DELETE", runPath, "")
	events, state := s.run().Log().Len(), s.run().NewestState()

	late := s.watch("state=yes")
	late.until("told the end", late.complete)
	if got := int64(len(late.lines)); got != events-state+1 {
		t.Errorf("told %d events, want the %d from the newest state on", got, events-state+1)
	}
	if late.first.Kind != event.StateWhole || late.first.Seq != state {
		t.Errorf("the first event is %s, number %d; want the state, number %d", late.first.Kind, late.first.Seq, state)
	}
	for who, query := range map[string]string{"goes on from none": "", "comes back": "state=yes&from=2&run=" + s.run().ID()} {
		w := s.watch(query)
		if query != "" {
			w.last = 1
		}
		w.until("told the end", w.complete)
		if w.last != events || int64(len(w.lines)) < events-1 {
			t.Errorf("who %s was told %d events of %d", who, len(w.lines), events)
		}
	}

	for at, want := range map[string]int64{"0": 1, "9000000000": state} {
		a := s.want(http.StatusOK, "GET", eventsPath+"?to="+strconv.FormatInt(state, 10)+"&run="+s.run().ID()+"&at="+at, "")
		lines := bytes.Split(bytes.TrimSpace(a.body), []byte("\n"))
		var first event.Event
		if err := json.Unmarshal(lines[0], &first); err != nil {
			t.Fatal(err)
		}
		if first.Seq != want || int64(len(lines)) != state-want+1 {
			t.Errorf("up to the state, from the one before %s: %d events from %d on, want %d from %d on", at, len(lines), first.Seq, state-want+1, want)
		}
	}

	s.startQuick()
	next := s.watch("state=yes")
	next.until("told an event", func() bool { return next.last > 0 })
	if next.first.Seq != 1 {
		t.Errorf("of the next run the first event is number %d", next.first.Seq)
	}
}
