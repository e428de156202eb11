package zklock

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// Each server is tried in turn and at once; when all have failed, there are pauses,
// which grow until one answers.
func TestHostProvider(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newHostProvider()
		if err := p.Init([]string{"a", "b"}); err != nil || p.Len() != 2 {
			t.Fatalf("%d servers, %v", p.Len(), err)
		}
		pauses := func(all ...time.Duration) {
			t.Helper()
			for _, want := range all {
				begin := time.Now()
				if err := p.pause(); err != nil || time.Since(begin) != want {
					t.Errorf("paused for %v, want %v: %v", time.Since(begin), want, err)
				}
			}
		}
		pauses(0, 0, minPause, 2*minPause, 4*minPause)
		for range 100 {
			if got := p.nextPause(); got > maxPause {
				t.Fatalf("pause of %v", got)
			}
		}
		pauses(maxPause)
		p.accepted()
		pauses(0, 0, minPause)
		for _, want := range []string{"a", "b", "a"} {
			if server, restart := p.Next(); server != want || restart {
				t.Errorf("next is %s, %v; want %s", server, restart, want)
			}
		}
		p.close()
		if err := p.pause(); !errors.Is(err, ErrClosed) {
			t.Errorf("a closing session still dials: %v", err)
		}
		if _, restart := p.Next(); !restart {
			t.Error("go-zookeeper is not told to look whether it should stop")
		}
	})
	if err := newHostProvider().Init(nil); !errors.Is(err, errNoServers) {
		t.Errorf("no servers: %v", err)
	}
}
