package queue

import (
	"errors"
	"fmt"
	"testing"

	"github.com/zkplayground/zkplayground/zklock/test/explore"
)

// A scene is what an exploration of turns begins with.
type scene struct {
	queue      string // the places in their order: L locks, R reads, W writes
	recipe     Recipe
	reconnects int
	writes     int // into znodes of the queue
	flaw       turnFlaw

	kinds  []Kind          // of the places
	znodes []Contender     // by the number that a place has for its znode
	number map[string]int8 // the opposite
}

// A turnFlaw is a mistake that a test makes to see the model find it.
type turnFlaw int

const (
	noTurnFlaw       turnFlaw = iota
	trustPredecessor          // who sees the one just ahead go takes the lock
	trustLookAhead            // who sees the one before that go does not list
	trustDeletion             // a writer that goes may not have become a reader
	trustChange               // any event stands for a deletion
	sleepOnMissing            // a watch on what is gone is waited for
	askForMissing             // a watch on what is gone is asked for again
	ignoreReconnect           // a reconnect is nothing
	keepWatches               // a reconnect puts in doubt, but its watches are kept
	passReaders               // a writer does not wait for readers
	listEarlier               // the first listing may be older than the own znode
	alwaysAlone               // a create need not be alone to hold
)

func (s scene) String() string {
	return fmt.Sprintf("%s %+v reconnects=%d writes=%d", s.queue, s.recipe, s.reconnects, s.writes)
}

// first makes up the names of the znodes, two for each place: that of its kind, and
// that of the reader which it may become.
func (s scene) first() *turnWorld {
	s.znodes, s.number = []Contender{{}}, make(map[string]int8)
	for i, letter := range s.queue {
		kind := kindOf(string(letter))
		if s.flaw == trustDeletion {
			kind.Final = always
		}
		if s.flaw == passReaders {
			kind.Blockers = writers
		}
		s.kinds = append(s.kinds, kind)
		for _, marker := range []string{kind.Marker, ReadMarker} {
			z := Contender{NumberedName(fmt.Sprintf("%032x", len(s.znodes)), marker, int32(i)), marker, int32(i)}
			s.number[z.Name] = int8(len(s.znodes))
			s.znodes = append(s.znodes, z)
		}
	}
	return &turnWorld{scene: &s, reconnects: s.reconnects, writes: s.writes}
}

// Whatever order things happen in, and whoever crashes, gives up or releases at any
// moment: nobody holds beside another whom it excludes, and nobody waits forever.
func TestTurnModel(t *testing.T) {
	t.Parallel()
	scenes := []scene{
		{queue: "LLL", recipe: Default, reconnects: 2},
		{queue: "LLL", recipe: Default, reconnects: 1, writes: 1},
		{queue: "LLLL", recipe: Default},
		{queue: "LLL", recipe: Textbook, reconnects: 1},
		{queue: "LL", recipe: Default, reconnects: 2, writes: 2},
	}
	for _, queue := range []string{"RRW", "RWR", "RWW", "WRR", "WRW", "WWR", "WWW"} {
		scenes = append(scenes, scene{queue: queue, recipe: Default, reconnects: 1}, scene{queue: queue, recipe: Textbook})
	}
	for _, s := range scenes {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			found, err := explore.Every(s.first())
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d states, in %d of them the lock is held", found.Worlds, found.Held)
			if found.Held < 50 {
				t.Error("the lock is hardly ever held")
			}
		})
	}
}

// A model that never fails shows nothing: it finds each mistake, in a scene that is
// sound without it.
func TestTurnModelFindsFlaws(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		scene scene
		want  error
	}{
		{"trust the one ahead", scene{queue: "LLL", flaw: trustPredecessor}, explore.ErrTwoHold},
		{"trust the look-ahead", scene{queue: "WRW", flaw: trustLookAhead}, explore.ErrTwoHold},
		{"trust a writer's deletion", scene{queue: "WW", flaw: trustDeletion}, explore.ErrTwoHold},
		{"take a write for a deletion", scene{queue: "LL", writes: 1, flaw: trustChange}, explore.ErrTwoHold},
		{"sleep on what is missing", scene{queue: "LL", flaw: sleepOnMissing}, explore.ErrAsleep},
		{"ask again for what is missing", scene{queue: "LL", flaw: askForMissing}, explore.ErrBusy},
		{"ignore a reconnect", scene{queue: "LL", reconnects: 1, flaw: ignoreReconnect}, explore.ErrAsleep},
		{"keep watches over a reconnect", scene{queue: "LL", reconnects: 1, flaw: keepWatches}, explore.ErrAsleep},
		{"a writer passes readers", scene{queue: "RW", flaw: passReaders}, explore.ErrTwoHold},
		{"a listing from before the create", scene{queue: "LL", flaw: listEarlier}, explore.ErrTwoHold},
		{"alone beside others", scene{queue: "LL", flaw: alwaysAlone}, explore.ErrTwoHold},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.scene.recipe = Default
			found, err := explore.Every(c.scene.first())
			if !errors.Is(err, c.want) {
				t.Fatalf("%v after %d states, want: %v", err, found.Worlds, c.want)
			}
			c.scene.flaw = noTurnFlaw
			if _, err := explore.Every(c.scene.first()); err != nil {
				t.Errorf("without the flaw: %v", err)
			}
		})
	}
}
