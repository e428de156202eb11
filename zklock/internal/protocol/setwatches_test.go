package protocol

import (
	"testing"
	"testing/synctest"
	"time"
)

// The first replies wait until the watches are set again, where there may be some.
func TestAwaitSetWatches(t *testing.T) {
	for name, c := range map[string]struct {
		watches bool          // were set on an earlier connection
		session int64         // that is asked for
		sets    time.Duration // when they are set again, 0 for never
		want    time.Duration
	}{
		"a new session":    {watches: true},
		"no watches":       {session: 7},
		"set again":        {watches: true, session: 7, sets: time.Millisecond, want: time.Millisecond},
		"never set again":  {watches: true, session: 7, want: setWatchesTimeout},
		"set again, late":  {watches: true, session: 7, sets: time.Hour, want: setWatchesTimeout},
		"set again before": {watches: true, session: 7, sets: -1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				history := new(History)
				history.watched.Store(c.watches)
				conn := newTested(t, 0, history)
				conn.connect(c.session)
				begin := time.Now()
				if c.sets < 0 {
					conn.send(requested(1, opSetWatches))
				} else if c.sets > 0 {
					go func() {
						time.Sleep(c.sets)
						conn.send(requested(1, opSetWatches))
					}()
				}
				for range 3 {
					conn.receive(replied(XidNotification))
				}
				if got := time.Since(begin); got != c.want {
					t.Errorf("waited for %v, want %v", got, c.want)
				}
				if got, want := history.watched.Load(), c.watches && (c.want < setWatchesTimeout); got != want {
					t.Errorf("watches may be open: %v, want %v", got, want)
				}
				time.Sleep(2 * time.Hour) // until the late request has been sent
				if !conn.Ready() {
					t.Error("not ready")
				}
				if got, want := history.watched.Load(), c.watches && (c.sets != 0 || c.session == 0); got != want {
					t.Errorf("in the end, watches may be open: %v, want %v", got, want)
				}
			})
		})
	}
}

// Which requests set a watch.
func TestNoteWatch(t *testing.T) {
	for _, c := range []struct {
		request Message
		want    bool
	}{
		{reads(OpGetData, true), true},
		{reads(OpGetData, false), false},
		{reads(OpExists, true), true},
		{reads(opGetChildren, true), true},
		{reads(OpGetChildren2, true), true},
		{reads(OpCreate, true), false},
		{Message(nil).Int32(-9).Int32(OpGetData).Text("/lock").Bool(true), false}, // not go-zookeeper's
		{requested(1, opSetWatches).Bool(true), true},
	} {
		conn := newTested(t, 0, new(History))
		conn.connect(0)
		conn.send(c.request)
		if got := conn.history.watched.Load(); got != c.want {
			t.Errorf("%x: %v", c.request, got)
		}
	}
}
