package main

import (
	"crypto/rand"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/streamtest"
)

// A visitor is a person of one test, who has opened a page of the site.
type visitor struct {
	*testing.T
	person
}

// visit opens a page as a new visitor.
func (s site) visit(t *testing.T, page string) visitor {
	t.Helper()
	p := s.person(t, rand.Text())
	if token, isLink := strings.CutPrefix(page, "/?teacher="); isLink {
		return visitor{t, s.openLink(t, p, token)}
	}
	v := visitor{t, p}
	v.must(http.StatusOK, http.MethodGet, page, "")
	return v
}

// ask sends a request. It may be called by any goroutine.
func (v visitor) ask(method, path, body string) (status int, answer string, err error) {
	status, text, err := v.try(v.T, method, path, body)
	return status, string(text), err
}

// must sends a request that must be answered with the status.
func (v visitor) must(want int, method, path, body string) []byte {
	v.Helper()
	return v.person.must(v.T, want, method, path, body)
}

// makeRoom makes a room of the person's own, and returns its path in the API.
func (v visitor) makeRoom() string {
	v.Helper()
	var made struct{ Room string }
	decode(v.T, v.must(http.StatusCreated, http.MethodPost, "/api/rooms", ""), &made)
	return "/api/rooms/" + made.Room
}

// openClass opens a class, and returns the path of its room, and its code.
func (v visitor) openClass() (room, code string) {
	v.Helper()
	var class struct{ Room, Code string }
	decode(v.T, v.must(http.StatusCreated, http.MethodPost, "/api/classes", ""), &class)
	return "/api/rooms/" + class.Room, class.Code
}

// start starts a run in a room.
func (v visitor) start(room, request string) {
	v.Helper()
	v.must(http.StatusCreated, http.MethodPost, room+"/run", request)
}

// end ends the run of a room.
func (v visitor) end(room string) check.Summary {
	v.Helper()
	var told struct{ Summary check.Summary }
	decode(v.T, v.must(http.StatusOK, http.MethodDelete, room+"/run", ""), &told)
	return told.Summary
}

// A follower follows the run of a room, and notes when each frame came.
type follower struct {
	stream *streamtest.Viewer
	done   sync.WaitGroup
	last   atomic.Int64 // the last event that has come

	// What follows is written until done.
	begun   time.Time // when the run began, or a little later
	arrived []arrival
	err     error // why it stopped, if not by a probe
}

// An arrival is that of a frame with events.
type arrival struct {
	when time.Time
	at   time.Duration // of its first event, since the run began
}

// follow opens the stream of a room, as a page does, until the test ends.
func (v visitor) follow(frames *streamtest.Frames, room string) *follower {
	v.Helper()
	stream, err := frames.Dial(v.Context(), streamtest.Config{Address: strings.TrimPrefix(v.site.url, "http://"), Path: room + "/stream",
		Header: http.Header{"Cookie": {v.cookie}}})
	if err != nil {
		v.Fatal(err)
	}
	f := &follower{stream: stream}
	f.done.Go(func() { f.err = f.read() })
	v.Cleanup(func() {
		stream.Close()
		f.done.Wait()
	})
	return f
}

// read reads until a probe is answered.
func (f *follower) read() error {
	for {
		frame, err := f.stream.Next()
		switch {
		case err != nil:
			return err
		case frame.Probe:
			return nil
		case frame.Run != nil && frame.Run.ID != "":
			if begun := frame.Arrived.Add(-microseconds(frame.Run.At)); f.begun.IsZero() || begun.Before(f.begun) {
				f.begun = begun
			}
		case frame.First > 0:
			f.arrived = append(f.arrived, arrival{frame.Arrived, microseconds(frame.At)})
			f.last.Store(frame.Last)
		}
	}
}

// finish waits until the follower has had so many events, and sees that nothing comes
// after them.
func (f *follower) finish(t *testing.T, events int64) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		f.done.Wait()
		close(ended)
	}()
	eventually(t, "a follower has had every event", func() bool {
		select {
		case <-ended:
			return true
		default:
			return f.last.Load() >= events
		}
	})
	err := f.stream.Probe()
	<-ended
	if err := errors.Join(err, f.err); err != nil || f.last.Load() != events {
		t.Errorf("a follower has had %d events of %d: %v", f.last.Load(), events, err)
	}
}

// ages are how old events were when they came to followers of one run, sorted: of each
// frame that came since a moment, the oldest event.
func ages(followers []*follower, since time.Time) (ages []time.Duration) {
	begun := followers[0].begun
	for _, f := range followers {
		if f.begun.Before(begun) {
			begun = f.begun
		}
	}
	for _, f := range followers {
		for _, a := range f.arrived {
			if a.when.After(since) {
				ages = append(ages, a.when.Sub(begun.Add(a.at)))
			}
		}
	}
	slices.Sort(ages)
	return ages
}

func microseconds(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
