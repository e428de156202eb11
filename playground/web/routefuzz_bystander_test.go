package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gorilla/websocket"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
)

// calm is a scenario whose sessions outlive a busy machine.
const calm = `{"name": "calm", "title": "Calm", "lanes": [{"name": "mutex", "title": "Mutex", "recipe": "mutex"}],
	"clients": 2, "session": "20s", "hold": {"min": "20ms", "max": "40ms"}, "think": {"min": "5ms", "max": "10ms"}, "seed": 1}`

// A bystander is a student of a class of her own, with a run in a room of her own, which
// she watches.
type bystander struct {
	*site
	room    string
	run     *run.Run
	conn    *websocket.Conn
	reading sync.WaitGroup
	last    atomic.Int64 // the newest event that she was told
}

func (s *site) bystander() *bystander {
	s.Helper()
	_, code := s.teacher().openClass()
	b := &bystander{site: s.visitor()}
	b.join(code)
	b.room = strings.TrimPrefix(b.own(), "/api/rooms/")
	b.want(http.StatusCreated, http.MethodPost, "/api/rooms/"+b.room+"/run", `{"scenario": `+calm+`}`)
	r, err := s.rooms.Get(b.room)
	if err != nil {
		s.Fatal(err)
	}
	b.run, _ = r.Current()
	b.conn, _, err = websocket.DefaultDialer.DialContext(s.within(), "ws://"+s.address+"/api/rooms/"+b.room+"/stream",
		http.Header{"Cookie": {b.cookies()}})
	if err != nil {
		s.Fatal(err)
	}
	b.reading.Go(b.read)
	s.Cleanup(func() {
		b.conn.Close()
		b.reading.Wait()
	})
	return b
}

// read reads the stream until it is closed. Every event must come, and none may tell of
// anything that somebody did to the run.
func (b *bystander) read() {
	for {
		_, text, err := b.conn.ReadMessage()
		if err != nil {
			return
		}
		var frame struct{ Events []event.Event }
		if err := json.Unmarshal(text, &frame); err != nil {
			b.Errorf("the bystander gets %.200q: %v", text, err)
			return
		}
		for _, e := range frame.Events {
			if e.Seq != b.last.Load()+1 {
				b.Errorf("the bystander gets event %d after %d", e.Seq, b.last.Load())
			}
			b.last.Store(e.Seq)
			if strings.HasPrefix(string(e.Kind), "fault.") || e.Kind == event.SessionLost {
				b.Errorf("the bystander's run has %+v", e)
			}
		}
	}
}

// mustBeUndisturbed insists that the run goes on, and that its events are still told.
func (b *bystander) mustBeUndisturbed() {
	b.Helper()
	r, err := b.rooms.Get(b.room)
	if err != nil {
		b.Fatalf("the bystander's room: %v", err)
	}
	if current, _ := r.Current(); current != b.run || current.State() != event.Running {
		b.Fatalf("the bystander's run %s is %s, the current one is %s", b.run.ID(), b.run.State(), current.ID())
	}
	more := b.run.Log().Len() + 50
	b.eventually("the bystander's run goes on", func() bool { return b.last.Load() >= more })
}

// cookies is the header with what the browser has.
func (s *site) cookies() string {
	s.Helper()
	var pairs []string
	for _, c := range s.client.Jar.Cookies(&url.URL{Scheme: "http", Host: s.address, Path: "/"}) {
		pairs = append(pairs, c.Name+"="+c.Value)
	}
	return strings.Join(pairs, "; ")
}

// elsewhere sends requests from an address from which no fuzz comes.
type elsewhere struct{ *http.Transport }

func (e elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Forwarded-For", "203.0.113.1")
	return e.Transport.RoundTrip(r)
}
