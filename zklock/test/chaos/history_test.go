package chaos_test

import (
	"context"
	"testing"

	"github.com/zkplayground/zkplayground/zklock/test/chaos"
)

// begin takes down that a client gets the lock; the lease ends with end.
func begin(h *chaos.History, node string) (a *chaos.Acquisition, end func()) {
	lease, end := context.WithCancel(context.Background())
	return h.Acquired(chaos.Acquisition{Lock: "lock", Node: node, Called: h.Now()}, lease), end
}

// A lease is looked at when somebody else gets the lock.
func TestHistorySeesOverlap(t *testing.T) {
	h := chaos.NewHistory()
	_, endFirst := begin(h, "first")
	defer endFirst()
	_, endSecond := begin(h, "second")
	defer endSecond()
	got := h.Record().Acquisitions
	if got[0].Held != got[1].Returned {
		t.Errorf("the first was held until %v, want %v, when the second got the lock", got[0].Held, got[1].Returned)
	}
}

// A lease that has ended is not seen held, however late that is written down.
func TestHistorySeesEnd(t *testing.T) {
	h := chaos.NewHistory()
	a, end := begin(h, "first")
	end()
	_, endSecond := begin(h, "second")
	defer endSecond()
	h.Deleted("first")
	h.Releasing(a)
	got := h.Record().Acquisitions[0]
	if got.Held != got.Returned || !got.Lost {
		t.Errorf("held until %v, lost %v; want %v, true", got.Held, got.Lost, got.Returned)
	}
}

// A lease is looked at when its znode has gone.
func TestHistorySeesLateness(t *testing.T) {
	h := chaos.NewHistory()
	_, end := begin(h, "first")
	defer end()
	h.Deleted("first")
	h.Deleted("first") // again, after a reconnect
	got := h.Record().Acquisitions[0]
	if got.Deleted == 0 || got.Held < got.Deleted {
		t.Errorf("deleted %v, held %v; want it held then", got.Deleted, got.Held)
	}
}

func TestHistoryOfUnlock(t *testing.T) {
	h := chaos.NewHistory()
	a, end := begin(h, "first")
	h.Created("another")
	h.Created("first")
	h.Releasing(a)
	end()
	h.Released(a)
	h.Deleted("first")
	got := h.Record().Acquisitions[0]
	if got.Lost || got.Held != got.Ended || got.Freed < got.Ended || got.Deleted < got.Freed || got.Created != 2 {
		t.Errorf("want a lease held until Unlock, got %+v", got)
	}
	if nodes := h.Held(); len(nodes) != 0 {
		t.Errorf("still held: %v", nodes)
	}
}
