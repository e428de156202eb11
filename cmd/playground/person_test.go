package main

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/streamtest"
)

// A person is a browser that has opened a page of the site, with cookies of its own.
type person struct {
	*testing.T
	site
	client *http.Client
}

// visit opens a page as a new person.
func (s site) visit(t *testing.T, page string) person {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	p := person{T: t, site: s, client: &http.Client{Transport: transport, Jar: jar, Timeout: timeout}}
	p.must(http.StatusOK, http.MethodGet, page, "")
	return p
}

// ask sends a request. It may be called by any goroutine.
func (p person) ask(method, path, body string) (status int, answer string, err error) {
	request, err := http.NewRequestWithContext(p.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	response, err := p.client.Do(request)
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), err
}

func (p person) must(want int, method, path, body string) string {
	p.Helper()
	status, answer, err := p.ask(method, path, body)
	if err != nil || status != want {
		p.Fatalf("%s %s = %d, %v, want %d: %s", method, path, status, err, want, answer)
	}
	return answer
}

// makeRoom makes a room of the person's own, and returns its path in the API.
func (p person) makeRoom() string {
	p.Helper()
	var made struct{ Room string }
	decode(p.T, p.must(http.StatusCreated, http.MethodPost, "/api/rooms", ""), &made)
	return "/api/rooms/" + made.Room
}

// openClass opens a class, and returns the path of its room, and its code.
func (p person) openClass() (room, code string) {
	p.Helper()
	var class struct{ Room, Code string }
	decode(p.T, p.must(http.StatusCreated, http.MethodPost, "/api/classes", ""), &class)
	return "/api/rooms/" + class.Room, class.Code
}

// start starts a run in a room.
func (p person) start(room, request string) {
	p.Helper()
	p.must(http.StatusCreated, http.MethodPost, room+"/run", request)
}

// end ends the run of a room.
func (p person) end(room string) check.Summary {
	p.Helper()
	var told struct{ Summary check.Summary }
	decode(p.T, p.must(http.StatusOK, http.MethodDelete, room+"/run", ""), &told)
	return told.Summary
}

func decode(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v in %q", err, text)
	}
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
func (p person) follow(frames *streamtest.Frames, room string) *follower {
	p.Helper()
	address, err := url.Parse(p.url)
	if err != nil {
		p.Fatal(err)
	}
	var cookies []string
	for _, cookie := range p.client.Jar.Cookies(address) {
		cookies = append(cookies, cookie.String())
	}
	stream, err := frames.Dial(p.Context(), streamtest.Config{Address: address.Host, Path: room + "/stream",
		Header: http.Header{"Cookie": {strings.Join(cookies, "; ")}}})
	if err != nil {
		p.Fatal(err)
	}
	f := &follower{stream: stream}
	f.done.Go(func() { f.err = f.read() })
	p.Cleanup(func() {
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
