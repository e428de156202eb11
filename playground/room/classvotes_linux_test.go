package room_test

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/room"
)

// TestClassVotesAtOnce: 200 members vote within a second. Those who watch are told, and the
// room is written, some times a second, and each vote is on the disk when it is answered.
func TestClassVotesAtOnce(t *testing.T) {
	const voters = 200
	dir := t.TempDir()
	h := reopen(t, keepIn(dir))
	r := h.openClass()
	member := func(i int) room.Person { return room.Person{ID: fmt.Sprint("member-", i)} }
	var joining sync.WaitGroup
	for i := range voters {
		joining.Go(func() { h.join(member(i), r) })
	}
	joining.Wait()

	written := countMoves(t, filepath.Join(dir, r.Name()))
	changes := countChanges(r)
	var voting sync.WaitGroup
	for i := range voters {
		voting.Go(func() {
			time.Sleep(time.Duration(i) * time.Second / voters) // they do not all press at once
			if err := r.Class().Vote(member(i), "who wakes up?", i%3); err != nil {
				t.Error(err)
			}
		})
	}
	began := time.Now()
	voting.Wait()
	most := 12 + 8*int(time.Since(began)/time.Second) // twice the rate, and what comes at once
	left := copyOf(t, dir)                            // by a program that is killed now
	told, writes := changes(), written()
	t.Logf("%d votes: told of %d times, written %d times", voters, told, writes)
	if told > most || writes > most {
		t.Errorf("told of %d times and written %d times, want at most %d", told, writes, most)
	}
	after := reopen(t, keepIn(left))
	votes := after.room(r.Name()).Class().Votes(teacher, true)
	if len(votes) != 1 || votes[0].Voters != voters {
		t.Errorf("a kill leaves the votes %+v, want those of %d", votes, voters)
	}
}

// countMoves counts how often the file of a room is replaced, until it is asked.
func countMoves(t *testing.T, dir string) (count func() int) {
	t.Helper()
	watch, err := syscall.InotifyInit1(syscall.IN_NONBLOCK)
	if err == nil {
		// Linux counts equal events that follow each other as one.
		_, err = syscall.InotifyAddWatch(watch, dir, syscall.IN_CREATE|syscall.IN_MOVED_TO)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Close(watch) })
	return func() (moved int) {
		buffer := make([]byte, 1<<20)
		n, _ := syscall.Read(watch, buffer) // fails if there is no event
		for events := buffer[:max(n, 0)]; len(events) > 0; {
			mask, name := binary.NativeEndian.Uint32(events[4:]), binary.NativeEndian.Uint32(events[12:])
			if mask&syscall.IN_MOVED_TO != 0 {
				moved++
			}
			events = events[syscall.SizeofInotifyEvent+name:]
		}
		return moved
	}
}

// countChanges counts how often who watches a room is told that it has changed.
func countChanges(r *room.Room) (count func() int) {
	ended, told := make(chan struct{}), make(chan int)
	go func() {
		for n := 0; ; n++ {
			_, changed := r.Current()
			select {
			case <-changed:
			case <-ended:
				told <- n
				return
			}
		}
	}()
	return func() int { close(ended); return <-told }
}
