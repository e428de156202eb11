package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// TestClassVotesAtOnce: 50 members vote within a second, and watch. Each is told how the
// votes stand some times a second, and at last how they all do.
func TestClassVotesAtOnce(t *testing.T) {
	const voters = 50
	s := open(t, guarded, func(u *setup) { u.room.MaxViewers = voters })
	class, code := s.teacher().openClass()
	members, streams := make([]*site, voters), make([]*websocket.Conn, voters)
	for i := range members {
		members[i] = s.visitor()
		members[i].join(code)
		streams[i] = members[i].attend(class)
	}
	var frames atomic.Int64 // of those that tell of the room
	var here, watching sync.WaitGroup
	here.Add(voters)
	for _, stream := range streams {
		watching.Go(func() {
			everybody, told := fmt.Sprintf(`"here":%d,`, voters), fmt.Sprintf(`"voters":%d,`, voters)
			for voted, all := false, false; !voted; {
				_, text, err := stream.ReadMessage()
				if err != nil {
					t.Errorf("before all votes are told: %v", err)
					return
				}
				if frame := string(text); strings.Contains(frame, `"room":`) {
					frames.Add(1)
					voted = strings.Contains(frame, told)
					if !all && strings.Contains(frame, everybody) {
						all = true
						here.Done()
					}
				}
			}
		})
	}
	here.Wait()

	frames.Store(0)
	began := time.Now()
	var voting sync.WaitGroup
	for i, member := range members {
		voting.Go(func() {
			time.Sleep(time.Duration(i) * time.Second / voters) // they do not all press at once
			member.want(http.StatusNoContent, http.MethodPost, class+"/votes", fmt.Sprintf(`{"question": "who wakes up?", "choice": %d}`, i%3))
		})
	}
	voting.Wait()
	watching.Wait()
	took := time.Since(began)
	t.Logf("%d votes in %v: %d frames to %d viewers", voters, took, frames.Load(), voters)
	if most := voters * (12 + 8*int64(took/time.Second)); frames.Load() > most {
		t.Errorf("%d frames for %d votes to as many viewers in %v, want at most %d", frames.Load(), voters, took, most)
	}
}
