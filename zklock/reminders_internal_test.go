package zklock

import (
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A reminded is a log of what reminders say.
type reminded struct {
	reminders
	logged sync.Mutex
	said   []string
}

func (r *reminded) in(delay time.Duration, what string) *reminder {
	return r.add(delay, func() {
		r.logged.Lock()
		defer r.logged.Unlock()
		r.said = append(r.said, what)
	})
}

func (r *reminded) wantSaid(t *testing.T, after time.Duration, want ...string) {
	t.Helper()
	time.Sleep(after) // of the bubble's clock
	synctest.Wait()
	r.logged.Lock()
	defer r.logged.Unlock()
	if !slices.Equal(r.said, want) {
		t.Errorf("said %q, want %q", r.said, want)
	}
	r.said = nil
}

// Each is called in its time, in whatever order they were asked for.
func TestReminders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := new(reminded)
		r.in(30, "third")
		r.in(10, "first")
		r.in(20, "second")
		r.wantSaid(t, 9)
		r.wantSaid(t, 1, "first")
		r.in(5, "before the second")
		r.wantSaid(t, 5, "before the second")
		r.wantSaid(t, 15, "second", "third")
		r.in(0, "at once")
		r.wantSaid(t, 0, "at once")
		r.in(-time.Hour, "long ago")
		r.wantSaid(t, 0, "long ago")
		r.in(1, "after a rest")
		r.wantSaid(t, time.Hour, "after a rest")
	})
}

// What is taken back is not called, and does not keep others from it.
func TestRemindersTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := new(reminded)
		first := r.in(10, "first")
		r.in(20, "second")
		third := r.in(30, "third")
		first.takeBack()
		third.takeBack()
		r.wantSaid(t, time.Hour, "second")
		if len(r.queue) > 0 {
			t.Errorf("%d left", len(r.queue))
		}
	})
}

// Of many that are taken back at once, the next to be called has them all
// forgotten, so that there is no more of them than come in one delay.
func TestRemindersForget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := new(reminded)
		most := 0
		for range 1000 {
			r.in(10, "never").takeBack()
			time.Sleep(time.Nanosecond)
			synctest.Wait()
			most = max(most, len(r.queue))
		}
		if most > 11 {
			t.Errorf("%d at a time", most)
		}
		r.wantSaid(t, time.Hour)
	})
}

// After the end there are none.
func TestRemindersStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := new(reminded)
		r.in(10, "before")
		r.stop()
		r.in(10, "after")
		r.wantSaid(t, time.Hour)
		new(reminders).stop() // of a session that never held
	})
}
