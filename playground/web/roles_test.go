package web_test

import (
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/zkplayground/zkplayground/playground/web"
)

const token = "the-teachers-token"

// guarded makes nobody a teacher but who has the token.
func guarded(u *setup) {
	u.web.Guarded, u.web.TeacherToken = true, token
	u.web.Addresses = []string{"http://192.0.2.7:8080", "http://127.0.0.1:8080"}
}

// browser is the site as another browser sees it, with cookies of its own.
func (s *site) browser() *site {
	s.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		s.Fatal(err)
	}
	b := *s
	b.client = &http.Client{Transport: s.client.Transport, Jar: jar}
	return &b
}

// visitor is a browser that has opened the front page.
func (s *site) visitor() *site {
	s.Helper()
	b := s.browser()
	b.want(http.StatusOK, http.MethodGet, "/", "")
	return b
}

// teacher is a browser that was opened with the teacher's link.
func (s *site) teacher() *site {
	s.Helper()
	b := s.browser()
	b.want(http.StatusOK, http.MethodGet, "/?teacher="+token, "")
	return b
}

// want sends a request that must be answered with the status.
func (s *site) want(status int, method, path, body string) answer {
	s.Helper()
	a := s.ask(method, path, body)
	if a.status != status {
		s.Errorf("%s %s %s: %d, want %d: %.300s", method, path, body, a.status, status, a.body)
	}
	return a
}

// openClass opens a class as its teacher, and returns its room's path and its code.
func (s *site) openClass() (path, code string) {
	s.Helper()
	var class struct{ Room, Code string }
	s.decode(s.ask(http.MethodPost, "/api/classes", ""), http.StatusCreated, &class)
	return "/api/rooms/" + class.Room, class.Code
}

// join joins a class.
func (s *site) join(code string) {
	s.Helper()
	s.want(http.StatusOK, http.MethodPost, "/api/classes/join", fmt.Sprintf(`{"code": %q}`, code))
}

// own makes a room of the browser's own and returns its path.
func (s *site) own() string {
	s.Helper()
	var made struct{ Room string }
	s.decode(s.ask(http.MethodPost, "/api/rooms", ""), http.StatusCreated, &made)
	return "/api/rooms/" + made.Room
}

// TestWhoMayDoWhat sends every verb as everybody.
func TestWhoMayDoWhat(t *testing.T) {
	s := open(t, guarded)
	teacher, student, other, stranger := s.teacher(), s.visitor(), s.visitor(), s.visitor()
	class, code := teacher.openClass()
	student.join(code)
	other.join(code)
	sandbox := student.own()
	people := []struct {
		name string
		*site
	}{{"teacher", teacher}, {"student", student}, {"other student", other}, {"stranger", stranger}, {"no cookie", s.browser()}}

	// In turn: the teacher, the student whose sandbox it is, another student, a
	// stranger, and a program without a cookie. 0 means that the answer is not 403.
	const no, yes = http.StatusForbidden, 0
	start := `{"scenario": ` + quick + `}`
	requests := []struct {
		method, path, body                        string
		teacher, student, other, stranger, nobody int
	}{
		{"POST", class + "/run", start, yes, no, no, no, no},
		{"PATCH", class + "/run", `{"delay": "1ms"}`, yes, no, no, no, no},
		{"POST", class + "/faults", `{"fault": "crash", "client": 1}`, yes, no, no, no, no},
		{"DELETE", class + "/faults", ``, yes, no, no, no, no},
		{"POST", class + "/steps", `{"do": "on"}`, yes, no, no, no, no},
		{"GET", class + "/me", ``, yes, yes, yes, no, no},
		{"GET", class + "/steps", ``, yes, yes, yes, no, no},
		{"GET", class + "/events", ``, yes, yes, yes, no, no},
		{"GET", class + "/summary", ``, yes, yes, yes, no, no},
		{"GET", class + "/runs", ``, yes, yes, yes, no, no},
		{"GET", class + "/recording", ``, yes, yes, yes, no, no},
		{"GET", class + "/export.html", ``, yes, yes, yes, no, no},
		{"GET", class + "/stream", ``, yes, yes, yes, no, no},
		{"DELETE", class + "/run", ``, yes, no, no, no, no},
		{"PUT", class + "/presented", `{"mode": "live"}`, yes, no, no, no, no},
		{"POST", class + "/votes", `{"question": "a", "choice": 1}`, no, yes, yes, no, no},
		{"POST", class + "/votes/reveal", `{"question": "a"}`, yes, no, no, no, no},
		{"POST", class + "/votes/close", `{"question": "a"}`, yes, no, no, no, no},
		{"POST", "/api/classes/goals", `{"goals": ["znodes/one-of-each"]}`, no, yes, yes, no, no},
		{"PATCH", class + "/class", `{"locked": true}`, yes, no, no, no, no},
		{"PATCH", class + "/class", `{"seat": "offer"}`, yes, no, no, no, no},
		{"GET", class + "/class/qr.svg?address=http://192.0.2.7:8080", ``, yes, no, no, no, no},
		{"GET", class + "/class/results", ``, yes, no, no, no, no},
		{"DELETE", class + "/class", ``, 0, no, no, no, no},
		{"POST", sandbox + "/run", start, yes, yes, no, no, no},
		{"GET", sandbox + "/me", ``, yes, yes, no, no, no},
		{"GET", sandbox + "/events", ``, yes, yes, no, no, no},
		{"GET", sandbox + "/stream", ``, yes, yes, no, no, no},
		{"POST", sandbox + "/faults", `{"fault": "kill-leader"}`, yes, no, no, no, no},
		{"POST", sandbox + "/run", strings.Replace(start, `"seed": 1`, `"seed": 1, "faults": [{"at": "1s", "fault": "kill-leader"}]`, 1), yes, no, no, no, no},
		{"DELETE", sandbox + "/run", ``, yes, yes, no, no, no},
		{"POST", "/api/rooms/main/run", start, yes, no, no, no, no},
		{"GET", "/api/rooms/main/runs", ``, yes, yes, yes, yes, yes},
		{"POST", "/api/classes", ``, yes, no, no, no, no},
	}
	for _, r := range requests {
		for i, status := range []int{r.nobody, r.stranger, r.other, r.student, r.teacher} { // the teacher last, who ends the class
			who := people[len(people)-1-i]
			a := who.ask(r.method, r.path, r.body)
			if (a.status == no) != (status == no) || a.status >= 500 {
				t.Errorf("%s: %s %s: %d, want %d: %.200s", who.name, r.method, r.path, a.status, status, a.body)
			}
			if _, message := reasonOf(who.site, a); a.status == no && !strings.Contains(message, "may not") && !strings.Contains(message, "teacher") {
				t.Errorf("%s: %s %s is refused without a reason: %s", who.name, r.method, r.path, message)
			}
		}
	}
}

// reasonOf is the code and message of an answer that is an error.
func reasonOf(s *site, a answer) (code, message string) {
	if a.status < 400 {
		return "", ""
	}
	return s.failure(a)
}

// TestOnePersonHasAllRights wants a playground for one person to ask for nothing, until
// somebody has joined a class as a student.
func TestOnePersonHasAllRights(t *testing.T) {
	s := open(t)
	s.startQuick() // without any cookie
	one := s.visitor()
	class, code := one.openClass()
	student := s.visitor()
	student.want(http.StatusCreated, http.MethodPost, class+"/run", `{"scenario": `+quick+`}`)
	student.join(code)
	student.want(http.StatusForbidden, http.MethodDelete, class+"/run", "")
	one.want(http.StatusOK, http.MethodDelete, class+"/run", "")
}

// TestTeacherLink wants the token to become a cookie that scripts cannot read, and to
// leave the address; and a wrong one to be refused.
func TestTeacherLink(t *testing.T) {
	s := open(t, guarded)
	b := s.browser()
	b.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	a := b.want(http.StatusSeeOther, http.MethodGet, "/?teacher="+token, "")
	if location := a.header.Get("Location"); location != "/" {
		t.Errorf("redirected to %q, want /", location)
	}
	for _, cookie := range a.header.Values("Set-Cookie") {
		if !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Lax") || strings.Contains(cookie, token) {
			t.Errorf("cookie %q, want it HttpOnly, SameSite and without the token", cookie)
		}
	}
	guesser := s.visitor()
	if code, _ := guesser.failure(guesser.want(http.StatusForbidden, http.MethodGet, "/?teacher=wrong", "")); code != "wrong_token" {
		t.Errorf("code %q, want wrong_token", code)
	}
	guesser.want(http.StatusForbidden, http.MethodPost, "/api/classes", "")
}

// TestGuessedCodes wants who guesses to be stopped, and who knows to be let in.
func TestGuessedCodes(t *testing.T) {
	s := open(t, guarded)
	teacher, guesser, student := s.teacher(), s.visitor(), s.visitor()
	_, code := teacher.openClass()
	for range 10 {
		guesser.want(http.StatusNotFound, http.MethodPost, "/api/classes/join", `{"code": "zzzzzz"}`)
	}
	guesser.want(http.StatusTooManyRequests, http.MethodPost, "/api/classes/join", fmt.Sprintf(`{"code": %q}`, code))
	student.join(code)
	if metrics := string(s.ask(http.MethodGet, "/metrics", "").body); !strings.Contains(metrics, `playground_refused_total{reason="code"} 10`) {
		t.Error("the wrong codes are not counted")
	}
}

// TestQRCode wants the picture to be had for the machine's addresses only.
func TestQRCode(t *testing.T) {
	s := open(t, guarded)
	teacher := s.teacher()
	class, _ := teacher.openClass()
	picture := teacher.want(http.StatusOK, http.MethodGet, class+"/class/qr.svg?address=http://192.0.2.7:8080", "")
	if got := picture.header.Get("Content-Type"); got != "image/svg+xml" || !strings.HasPrefix(string(picture.body), "<svg") {
		t.Errorf("%s %.60s, want a picture", got, picture.body)
	}
	teacher.want(http.StatusBadRequest, http.MethodGet, class+"/class/qr.svg?address=http://evil.example", "")
}

// TestRoomPage wants the page of a room to find what it is made of one level up.
func TestRoomPage(t *testing.T) {
	s := open(t)
	plain, page := s.ask(http.MethodGet, "/static/index.html", ""), s.ask(http.MethodGet, "/rooms/main", "")
	if page.status != http.StatusOK || plain.status != http.StatusOK {
		t.Fatalf("page %d, room %d", plain.status, page.status)
	}
	if n := strings.Count(string(plain.body), `"static/`); n == 0 || strings.Count(string(page.body), `"../static/`) != n || strings.Contains(string(page.body), `"static/`) {
		t.Errorf("of %d addresses, %d are one level up", n, strings.Count(string(page.body), `"../static/`))
	}
}

// TestDoorsAreTold wants everybody to be told, in whatever room, of a room of its own and of
// its class, and who leaves a class to be in none.
func TestDoorsAreTold(t *testing.T) {
	s := open(t, guarded)
	teacher, student := s.teacher(), s.visitor()
	class, code := teacher.openClass()
	student.join(code)
	own := student.own()
	type doors struct {
		Own, InClass string
		Member       bool
	}
	room := func(path string) string { return path[strings.LastIndex(path, "/")+1:] }
	told := func(b *site, path string) (d doors) { b.get(path+"/me", &d); return d }
	for _, path := range []string{"/api/rooms/main", class, own} {
		if got, want := told(student, path), (doors{Own: room(own), InClass: room(class), Member: true}); got != want {
			t.Errorf("in %s the student is told %+v, want %+v", path, got, want)
		}
	}
	if got, want := told(teacher, own), (doors{InClass: room(class)}); got != want {
		t.Errorf("the teacher is told %+v, want %+v", got, want)
	}
	header := http.Header{"Cookie": {student.cookies()}}
	conn, _, err := websocket.DefaultDialer.DialContext(s.within(), "ws://"+s.address+class+"/stream", header)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	student.want(http.StatusNoContent, http.MethodPost, "/api/classes/leave", "")
	for err == nil {
		_, _, err = conn.ReadMessage()
	}
	if !websocket.IsCloseError(err, web.CloseForbidden) {
		t.Errorf("the stream of who has left ended with %v, want code %d", err, web.CloseForbidden)
	}
	if got, want := told(student, own), (doors{Own: room(own)}); got != want {
		t.Errorf("after leaving, the student is told %+v, want %+v", got, want)
	}
	student.want(http.StatusForbidden, http.MethodGet, class+"/me", "")
}

// TestClassEnds wants the streams of a class that has ended to be closed with a code
// that says so.
func TestClassEnds(t *testing.T) {
	s := open(t)
	class, _ := s.openClass()
	conn, _, err := websocket.DefaultDialer.DialContext(s.within(), "ws://"+s.address+class+"/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	s.want(http.StatusNoContent, http.MethodDelete, class+"/class", "")
	for err == nil {
		_, _, err = conn.ReadMessage()
	}
	if !websocket.IsCloseError(err, web.CloseRoomGone) {
		t.Errorf("the stream ended with %v, want code %d", err, web.CloseRoomGone)
	}
}
