package web_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
)

// refused are the counters of what was refused, by the reason.
func (s *site) refused() map[string]string {
	s.Helper()
	counters := make(map[string]string)
	for _, line := range regexp.MustCompile(`(?m)^playground_refused_total\{reason="([^"]*)"\} (\d+)$`).
		FindAllStringSubmatch(string(s.want(http.StatusOK, http.MethodGet, "/metrics", "").body), -1) {
		counters[line[1]] = line[2]
	}
	return counters
}

// TestHostileRequests: each is refused with its code, and counted under its reason and no
// other, and a run of somebody else notices nothing.
func TestHostileRequests(t *testing.T) {
	s := open(t, guarded, func(u *setup) { u.room.MaxRooms = 5 })
	bystander := s.bystander()
	teacher, student, stranger := s.teacher(), s.visitor(), s.visitor()
	class, code := teacher.openClass()
	student.join(code)
	other, otherCode := teacher.openClass()
	teacher.want(http.StatusOK, http.MethodPatch, other+"/class", `{"locked": true}`)
	_, port, _ := strings.Cut(s.address, ":")
	forged := "playground-teacher-" + port + "="

	const forbidden = http.StatusForbidden
	requests := []struct {
		name               string
		who                *site
		method, path, body string
		headers            []string
		status             int
		code, reason       string
	}{
		{"foreign host", s, "GET", "/", "", []string{"Host", "evil.example"}, forbidden, "foreign_host", "foreign_host"},
		{"foreign origin", teacher, "POST", class + "/run", "", []string{"Origin", "http://evil.example"}, forbidden, "foreign_origin", "foreign_origin"},
		{"page of a foreign site", teacher, "POST", class + "/run", "", []string{"Sec-Fetch-Site", "cross-site"}, forbidden, "foreign_origin", "foreign_origin"},
		{"stream for a foreign origin", teacher, "GET", class + "/stream", "", []string{"Connection", "Upgrade", "Upgrade", "websocket",
			"Sec-WebSocket-Version", "13", "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==", "Origin", "http://evil.example"}, forbidden, "foreign_origin", "foreign_origin"},
		{"guessed teacher link", stranger, "GET", "/?teacher=guessed", "", nil, forbidden, "wrong_token", "teacher_token"},
		{"forged teacher", s, "POST", "/api/classes", "", []string{"Cookie", forged + strings.Repeat("0f", 32)}, forbidden, "forbidden", "role"},
		{"token as a cookie", s, "POST", "/api/classes", "", []string{"Cookie", forged + token}, forbidden, "forbidden", "role"},
		{"guessed code", stranger, "POST", "/api/classes/join", `{"code": "zzzzzz"}`, nil, http.StatusNotFound, "no_such_class", "code"},
		{"class that lets nobody in", stranger, "POST", "/api/classes/join", fmt.Sprintf(`{"code": %q}`, otherCode), nil, forbidden, "locked", "locked"},
		{"other class: events", student, "GET", other + "/events", "", nil, forbidden, "forbidden", "role"},
		{"other class: stream", student, "GET", other + "/stream", "", nil, forbidden, "forbidden", "role"},
		{"other class: vote", student, "POST", other + "/votes", `{"question": "q", "choice": 1}`, nil, forbidden, "forbidden", "role"},
		{"goals of no class", stranger, "POST", "/api/classes/goals", `{"goals": ["znodes/one-of-each"]}`, nil, forbidden, "forbidden", "role"},
		{"other class: seat", student, "PATCH", other + "/class", `{"seat": "take"}`, nil, forbidden, "forbidden", "role"},
		{"seat that is not offered", student, "PATCH", class + "/class", `{"seat": "take"}`, nil, forbidden, "forbidden", "role"},
		{"somebody else's room", student, "DELETE", "/api/rooms/" + bystander.room + "/run", "", nil, forbidden, "forbidden", "role"},
		{"much", teacher, "POST", class + "/run", strings.Repeat("x", 80<<10), nil, http.StatusRequestEntityTooLarge, "too_large", "too_large"},
		{"last place", teacher, "POST", "/api/rooms", "", nil, http.StatusServiceUnavailable, "full", "full"},
	}
	for _, r := range requests {
		t.Run(r.name, func(t *testing.T) {
			before := s.refused()
			a := r.who.in(t).ask(r.method, r.path, r.body, r.headers...)
			if got, _ := r.who.in(t).failure(a); a.status != r.status || got != r.code {
				t.Errorf("%d %s, want %d %s", a.status, got, r.status, r.code)
			}
			s.in(t).mustCount(before, r.reason)
		})
	}
	bystander.mustBeUndisturbed()
}

// mustCount insists that one was refused since, for the reason.
func (s *site) mustCount(before map[string]string, reason string) {
	s.Helper()
	want := maps.Clone(before)
	n := 0
	_, _ = fmt.Sscan(want[reason], &n)
	want[reason] = fmt.Sprint(n + 1)
	if now := s.refused(); !maps.Equal(now, want) {
		s.Errorf("counted %v, want %v", now, want)
	}
}

// TestGuesses wants who guesses the teacher's link or a code to be told to wait, and that
// to be counted, too; others at the address may still try.
func TestGuesses(t *testing.T) {
	s := open(t, guarded)
	_, code := s.teacher().openClass()
	for name, guess := range map[string]func(*site) answer{
		"link": func(s *site) answer { return s.ask(http.MethodGet, "/?teacher=guessed", "") },
		"code": func(s *site) answer { return s.ask(http.MethodPost, "/api/classes/join", `{"code": "zzzzzz"}`) },
	} {
		t.Run(name, func(t *testing.T) {
			guesser := s.in(t).visitor()
			const most = 10
			for n := range most {
				if a := guess(guesser); a.status == http.StatusTooManyRequests {
					t.Errorf("guess %d: %s", n+1, a.body)
				}
			}
			before := s.refused()
			a := guess(guesser)
			if code, _ := guesser.failure(a); a.status != http.StatusTooManyRequests || code != "too_fast" {
				t.Errorf("after %d guesses: %d %s", most, a.status, code)
			}
			s.in(t).mustCount(before, "guesses")
			s.in(t).teacher()
			s.in(t).visitor().join(code)
		})
	}
	for range 200 { // as many persons as it takes
		s.visitor().ask(http.MethodGet, "/?teacher=guessed", "")
	}
	if a := s.visitor().ask(http.MethodGet, "/?teacher="+token, ""); a.status != http.StatusTooManyRequests {
		t.Errorf("after 200 guesses of as many persons: %d", a.status)
	}
	s.visitor().join(code)
}

// TestOversizeMessage wants a viewer that says too much to be closed, and counted, and
// another viewer to notice nothing.
func TestOversizeMessage(t *testing.T) {
	s := open(t, guarded)
	bystander := s.bystander()
	for _, size := range []int{1<<10 + 1, 1 << 20} {
		before := s.refused()
		w := s.watch("")
		_ = w.conn.WriteMessage(websocket.TextMessage, []byte(strings.Repeat("x", size))) // it may be closed before all is sent
		err := w.next()
		for err == nil {
			err = w.next()
		}
		if size < 64<<10 && !websocket.IsCloseError(err, websocket.CloseMessageTooBig) { // else the connection may be reset
			t.Errorf("%d bytes: %v, want close code %d", size, err, websocket.CloseMessageTooBig)
		}
		s.eventually("the message is counted", func() bool { return s.refused()["message_too_large"] != before["message_too_large"] })
		s.mustCount(before, "message_too_large")
	}
	bystander.mustBeUndisturbed()
}

// TestOnePersonTakesNotAllStreams wants one student to leave room for the others.
func TestOnePersonTakesNotAllStreams(t *testing.T) {
	s := open(t, guarded, func(u *setup) { u.room.MaxViewers = 30 })
	teacher, greedy, modest := s.teacher(), s.visitor(), s.visitor()
	class, code := teacher.openClass()
	greedy.join(code)
	modest.join(code)
	stream := func(who *site) (*websocket.Conn, int) {
		dialer := &websocket.Dialer{Jar: who.client.Jar}
		conn, response, err := dialer.DialContext(s.within(), "ws://"+s.address+class+"/stream", nil)
		if response == nil {
			t.Fatal(err)
		}
		if err == nil {
			t.Cleanup(func() { conn.Close() })
		}
		return conn, response.StatusCode
	}
	const most = 20
	var last *websocket.Conn
	for range most {
		conn, status := stream(greedy)
		if status != http.StatusSwitchingProtocols {
			t.Fatalf("one of the first %d streams: %d", most, status)
		}
		last = conn
	}
	before := s.refused()
	if _, status := stream(greedy); status != http.StatusTooManyRequests {
		t.Errorf("one too many: %d", status)
	}
	s.mustCount(before, "streams by person")
	if _, status := stream(modest); status != http.StatusSwitchingProtocols {
		t.Errorf("another student: %d", status)
	}
	last.Close()
	s.eventually("a place is free again", func() bool {
		_, status := stream(greedy)
		return status == http.StatusSwitchingProtocols
	})
}

// TestTwoInOneRole: of many who take the driver's seat at once one has it, and of two
// teachers neither shuts the other out; who has no seat any more is refused.
func TestTwoInOneRole(t *testing.T) {
	s := open(t, guarded)
	bystander := s.bystander()
	teacher, second := s.teacher(), s.teacher()
	class, code := teacher.openClass()
	students := make([]*site, 8)
	for i := range students {
		students[i] = s.visitor()
		students[i].join(code)
	}
	teacher.want(http.StatusOK, http.MethodPatch, class+"/class", `{"seat": "offer"}`)
	var taking sync.WaitGroup
	statuses := make([]int, len(students))
	for i, student := range students {
		taking.Go(func() { statuses[i] = student.ask(http.MethodPatch, class+"/class", `{"seat": "take"}`).status })
	}
	taking.Wait()
	var driver *site
	for i, status := range statuses {
		switch {
		case status == http.StatusOK && driver == nil:
			driver = students[i]
		case status != http.StatusForbidden:
			t.Fatalf("the answers are %v, want one 200, and 403", statuses)
		}
	}
	if got, want := s.refused()["role"], fmt.Sprint(len(students)-1); driver == nil || got != want {
		t.Fatalf("the answers are %v, %s counted, want %s", statuses, got, want)
	}
	const live, paused = `{"mode": "live"}`, `{"mode": "paused", "at": 7}`
	driver.want(http.StatusNoContent, http.MethodPut, class+"/presented", live)
	for _, t := range []*site{teacher, second} { // one presents at a time
		t.want(http.StatusConflict, http.MethodPut, class+"/presented", paused)
	}
	second.want(http.StatusOK, http.MethodPatch, class+"/class", `{"seat": "free"}`)
	driver.want(http.StatusForbidden, http.MethodPut, class+"/presented", live)
	for _, t := range []*site{teacher, second} {
		t.want(http.StatusNoContent, http.MethodPut, class+"/presented", paused)
		t.want(http.StatusCreated, http.MethodPost, class+"/run", `{"scenario": `+quick+`}`)
	}
	bystander.mustBeUndisturbed()
}
