package streamtest_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/zkplayground/zkplayground/playground/streamtest"
)

// told is a server that tells each viewer the same, and then closes the stream.
func told(t *testing.T, code int, frames ...string) (address string, queries <-chan string) {
	t.Helper()
	asked := make(chan string, 10)
	var telling sync.WaitGroup // the server does not wait for who has taken the connection over
	upgrader := websocket.Upgrader{EnableCompression: true, WriteBufferSize: 64}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		telling.Add(1)
		defer telling.Done()
		asked <- r.URL.RawQuery + " " + r.Header.Get("Cookie")
		conn, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer conn.Close()
		answered := make(chan struct{})
		conn.SetPongHandler(func(text string) error { close(answered); return nil })
		_ = conn.WriteControl(websocket.PingMessage, []byte("?"), time.Now().Add(time.Minute))
		for _, frame := range frames {
			_ = conn.WriteMessage(websocket.TextMessage, []byte(frame))
		}
		_ = conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(time.Minute))
		for {
			if _, _, err := conn.ReadMessage(); err != nil {
				break
			}
		}
		select {
		case <-answered:
		default:
			t.Error("the ping was not answered")
		}
	}))
	t.Cleanup(func() { server.Close(); telling.Wait() })
	return strings.TrimPrefix(server.URL, "http://"), asked
}

const (
	first  = `{"run":{"id":"a","at":5}}`
	second = `{"run":{"id":"b","at":5}}`
	none   = `{"run":null}`
)

// TestViewer: every event once, in order, within a frame and from one to the next.
func TestViewer(t *testing.T) {
	tests := []struct {
		name   string
		frames []string
		wrong  bool
		due    int64
	}{
		{"whole", []string{first, events(1, 2), events(3), `{"zookeeper":{}}`, events(4)}, false, 5},
		{"many", []string{first, events(many(1, 9000)...), events(9001)}, false, 9002},
		{"another run", []string{none, first, events(1, 2), second, events(1)}, false, 2},
		{"the same run told again", []string{first, events(1, 2), first, events(3)}, false, 4},
		{"no run between two", []string{first, events(1, 2), none, second, events(1)}, false, 2},
		{"missing in a frame", []string{first, events(1, 3)}, true, 1},
		{"twice in a frame", []string{first, events(1, 1)}, true, 1},
		{"missing between frames", []string{first, events(1), events(3)}, true, 2},
		{"a frame twice", []string{first, events(1), events(1)}, true, 2},
		{"not from the first", []string{first, events(2)}, true, 1},
		{"the former run goes on", []string{first, events(1), second, events(2)}, true, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			address, _ := told(t, websocket.CloseNormalClosure, test.frames...)
			frames := streamtest.NewFrames()
			for _, plain := range []bool{false, true, true} { // the last reads what is known
				v, err := frames.Dial(t.Context(), streamtest.Config{Address: address, Path: "/", Plain: plain})
				if err != nil {
					t.Fatal(err)
				}
				for err == nil {
					_, err = v.Next()
				}
				if errors.Is(err, streamtest.ErrWrongEvent) != test.wrong || v.Due() != test.due {
					t.Errorf("plain %v: %v at event %d; want wrong %v, %d", plain, err, v.Due(), test.wrong, test.due)
				}
				v.Close()
			}
		})
	}
}

// TestViewerComesBack where it was, as who it was.
func TestViewerComesBack(t *testing.T) {
	address, queries := told(t, streamtest.TooSlow, first, events(1, 2))
	v, err := streamtest.NewFrames().Dial(t.Context(), streamtest.Config{Address: address, Path: "/", Header: http.Header{"Cookie": {"who=me"}}})
	if err != nil {
		t.Fatal(err)
	}
	var told []streamtest.Frame
	for err == nil {
		var frame streamtest.Frame
		if frame, err = v.Next(); err == nil {
			told = append(told, frame)
		}
	}
	if !errors.Is(err, streamtest.ErrTooSlow) {
		t.Errorf("the end is %v", err)
	}
	if len(told) != 2 || told[0].Run.ID != "a" || told[0].Run.At != 5 || told[1].First != 1 || told[1].Last != 2 || told[1].At != 10 {
		t.Errorf("told %+v", told)
	}
	if err := v.Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Next(); err != nil { // and answers the ping before that
		t.Error(err)
	}
	v.Close()
	if first, second := <-queries, <-queries; first != " who=me" || second != "from=3&run=a who=me" {
		t.Errorf("asked %q, then %q", first, second)
	}
}

// events is a frame with these events, each 10 times its number after the run began.
func events(numbers ...int) string {
	var list []string
	for _, n := range numbers {
		list = append(list, fmt.Sprintf(`{"seq":%d,"at":%d,"kind":"note"}`, n, 10*n))
	}
	return `{"events":[` + strings.Join(list, ",") + `]}`
}

func many(from, to int) (numbers []int) {
	for n := from; n <= to; n++ {
		numbers = append(numbers, n)
	}
	return numbers
}
