package web_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
)

// attend opens a browser's stream of a class.
func (s *site) attend(class string) *websocket.Conn {
	s.Helper()
	dialer := websocket.Dialer{Jar: s.client.Jar}
	conn, _, err := dialer.DialContext(s.within(), "ws://"+s.address+class+"/stream", nil)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { conn.Close() })
	deadline, _ := s.within().Deadline()
	if err := conn.SetReadDeadline(deadline); err != nil {
		s.Fatal(err)
	}
	return conn
}

// lagging reads a teacher's stream until it has told that so many lag behind.
func (s *site) lagging(teacher *websocket.Conn, want int) {
	s.Helper()
	var frame struct {
		Room *struct{ Class struct{ Here, Lagging int } }
	}
	for frame.Room == nil || frame.Room.Class.Here != 2 || frame.Room.Class.Lagging != want {
		_, text, err := teacher.ReadMessage()
		if err != nil {
			s.Fatalf("waiting until %d lag behind: %v", want, err)
		}
		frame.Room = nil
		if err := json.Unmarshal(text, &frame); err != nil {
			s.Fatal(err)
		}
	}
}

// TestWhoLagsBehind wants a teacher to be told, and nobody else, how many members do not
// read what they are sent, until they do.
func TestWhoLagsBehind(t *testing.T) {
	t.Parallel()
	s := open(t, guarded)
	teacher, awake, asleep := s.teacher(), s.visitor(), s.visitor()
	class, code := teacher.openClass()
	awake.join(code)
	asleep.join(code)
	teacher.want(http.StatusCreated, http.MethodPost, class+"/run", `{"scenario": `+quick+`}`)
	watched, sleeping := awake.attend(class), asleep.attend(class)
	var readers sync.WaitGroup
	read := func(conn *websocket.Conn, each func(text string)) {
		readers.Go(func() {
			for {
				_, text, err := conn.ReadMessage()
				if err != nil {
					return
				}
				each(string(text))
			}
		})
	}
	read(watched, func(text string) {
		if strings.Contains(text, `"lagging"`) {
			t.Errorf("a member was told %s", text)
		}
	})
	present := teacher.attend(class)
	s.lagging(present, 1)
	read(sleeping, func(string) {})
	s.lagging(present, 0)
	watched.Close()
	sleeping.Close()
	readers.Wait()
}
