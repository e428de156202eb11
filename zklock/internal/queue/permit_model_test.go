package queue

import (
	"errors"
	"fmt"
	"testing"

	"github.com/zkplayground/zkplayground/zklock/test/explore"
)

// A permitScene is what an exploration of permits begins with.
type permitScene struct {
	size, limit int // the clients, and the permits at first
	holders     int // of the clients, who have come one by one
	resize      int // another limit that may be stored, 0 for none
	reconnects  int
	flaw        permitFlaw
}

// A permitFlaw is a mistake that a test makes to see the model find it.
type permitFlaw int

const (
	noPermitFlaw     permitFlaw = iota
	neverTell                   // a holder does not write into its znode
	deafToWrite                 // the event of that wakes nobody
	blindToWrite                // who reads a znode that was written to waits all the same
	trustTheOld                 // who is older than the limit and has not written is taken for a waiter
	silentResize                // another limit wakes nobody
	deafToReconnect             // a reconnect wakes nobody
	onePermitTooMany            // the limit is taken for one more
	mixedMoments                // a listing is judged by a limit of another moment
	neverSleep                  // a sleeper lists again without being woken
)

func (s permitScene) String() string {
	return fmt.Sprintf("clients=%d limit=%d holders=%d resize=%d reconnects=%d", s.size, s.limit, s.holders, s.resize, s.reconnects)
}

func (s permitScene) first() *permitWorld {
	m := &permitWorld{permitScene: s, stored: Limit{s.limit, 2}, most: s.limit, clients: make([]permitClient, s.size)}
	for i := range s.holders {
		m.line = append(m.line, i)
		m.clients[i] = permitClient{phase: holding, created: m.stored.At + 1}
	}
	return m
}

// Whatever order things happen in, and whoever crashes or gives up at any moment: no
// more hold than may, nobody sleeps while a permit is free, and nobody is busy for
// ever.
func TestPermitModel(t *testing.T) {
	t.Parallel()
	for _, s := range []permitScene{
		{size: 3, limit: 1, reconnects: 1},
		{size: 3, limit: 2, reconnects: 1},
		{size: 3, limit: 1, resize: 2},
		{size: 3, limit: 2, resize: 1},
		{size: 4, limit: 2, holders: 1},
		{size: 4, limit: 3, holders: 3, resize: 2},
	} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			found, err := explore.Every(s.first())
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d states, in %d of them somebody holds", found.Worlds, found.Held)
			if found.Held < 500 {
				t.Error("permits are hardly ever held")
			}
		})
	}
}

// Each part of the protocol is needed: the model finds its absence.
func TestPermitModelFindsFlaws(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		scene permitScene
		want  error
	}{
		{"a holder tells nobody", permitScene{size: 4, limit: 2, holders: 2, flaw: neverTell}, explore.ErrAsleep},
		{"deaf to a holder's write", permitScene{size: 4, limit: 2, holders: 2, flaw: deafToWrite}, explore.ErrAsleep},
		{"blind to a holder's write", permitScene{size: 4, limit: 2, holders: 2, flaw: blindToWrite}, explore.ErrAsleep},
		{"trust who is older than the limit", permitScene{size: 4, limit: 3, holders: 3, resize: 2, flaw: trustTheOld}, explore.ErrAsleep},
		{"a limit raised in silence", permitScene{size: 2, limit: 1, resize: 2, flaw: silentResize}, explore.ErrAsleep},
		{"listing and limit of two moments", permitScene{size: 2, limit: 1, resize: 2, flaw: mixedMoments}, explore.ErrAsleep},
		{"deaf to a reconnect", permitScene{size: 2, limit: 1, reconnects: 1, flaw: deafToReconnect}, explore.ErrAsleep},
		{"one permit too many", permitScene{size: 3, limit: 2, flaw: onePermitTooMany}, explore.ErrTwoHold},
		{"never asleep", permitScene{size: 2, limit: 1, flaw: neverSleep}, explore.ErrBusy},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if found, err := explore.Every(c.scene.first()); !errors.Is(err, c.want) {
				t.Errorf("%v after %d states, want: %v", err, found.Worlds, c.want)
			}
		})
	}
}
