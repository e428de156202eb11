package web_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"github.com/zkplayground/zkplayground/static"
)

// strange are names and values that nobody has.
var strange = []string{"", ".", "..", "%2e%2e", "..%2f..%2fetc%2fpasswd", "%2F", "%00", "%", "%zz", "%C0%AF", "%ff", "ü", "%F0%9F%90%98",
	"main%20", "main%00", "MAIN", "main;x=1", ":room", "*", "-1", "0", "1e99", "9223372036854775808", "null", "true", "{}", "a/b/c//d",
	"%3Cscript%3E", "'%20OR%201=1--", "${7*7}", "CON", strings.Repeat("a", 300), strings.Repeat("%41", 3000)}

// fuzzBodies are bodies that some command takes, or nearly; those of a path's last part
// are more often sent there.
var fuzzBodies = map[string][]string{
	"run": {`{"scenario": "herd", "clients": 3, "delay": 0}`, `{"scenario": "predecessor", "clients": 2, "delay": "1ms", "seed": -1, "step": true}`,
		`{"scenario": ` + quick + `}`, `{"delay": "5ms"}`, `{"inject": {"crash": "1s", "expire": "2s"}}`, `{"inject": {"crash": 0}}`,
		`{"scenario": {"name": "x", "lanes": [{"name": "a", "recipe": "herd", "clients": 3}], "clients": 3, "faults": [{"at": "1s", "fault": "kill-leader"}]}}`},
	"faults": {`{"client": 1, "fault": "crash"}`, `{"client": 1, "fault": "start-again"}`, `{"client": 2, "fault": "pause", "for": "20ms"}`,
		`{"fault": "delete", "when": "hold"}`, `{"client": 1, "fault": "slow", "delay": "1ms", "jitter": "1ms"}`, `{"client": 1, "fault": "heal"}`,
		`{"client": 2, "fault": "expire"}`, `{"fault": "restart"}`, `{"lane": "mutex", "client": 1, "fault": "lose-reply", "op": "create"}`},
	"steps": {`{"do": "on"}`, `{"do": "next"}`, `{"do": "all"}`, `{"do": "undo"}`, `{"do": "off"}`,
		`{"do": "deliver", "lane": "mutex", "client": 1, "dir": "out", "frame": 2}`, `{"do": "drop", "lane": "mutex", "client": 1, "dir": "in"}`},
	"presented": {`{"mode": "live"}`, `{"run": "x", "at": 5, "mode": "paused", "speed": 1, "lesson": "en/01-x", "panel": "events", "subject": "client 1"}`},
	"votes":     {`{"question": "q", "choice": 1}`, `{"question": "q", "choice": 99}`, `{"question": "other", "choice": 0}`},
	"reveal":    {`{"question": "q"}`},
	"class":     {`{"locked": true}`, `{"locked": false}`, `{"seat": "offer"}`, `{"seat": "take"}`, `{"seat": "free"}`, `{"seat": "keep", "locked": true}`},
	"goals":     {`{"goals": ["znodes/one-of-each", "znodes/gone-with-you"]}`, `{"goals": ["no/goal"]}`, `{"goals": []}`},
	"join":      {`{"code": "zzzzzz"}`},
}

var fuzzMethods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "X"}

// pick returns any of the values.
func pick[T any](r *rand.Rand, of []T) T { return of[r.IntN(len(of))] }

// once says yes once in n times.
func (w *fuzzer) once(n int) bool { return w.IntN(n) == 0 }

// A rawRequest is a request as it is sent: net/http's client would refuse many of them.
type rawRequest struct {
	method, target string
	text           []byte
	upgrade        bool // it asks for a websocket
	// wrong says that the server may close the connection rather than answer: it is
	// not HTTP, carries too much, or more than the request for a websocket.
	wrong bool
}

// request makes a request for a route up.
func (w *fuzzer) request(route *echo.Route) rawRequest {
	now := w.world.Load()
	who, rooms := pick(w.Rand, now.others), append(slices.Clone(now.rooms), w.bystander)
	if w.once(3) {
		who, rooms = now.teacher, now.rooms // she may do everything, also to a bystander
	}
	if w.once(2) {
		rooms = []string{who.room}
	}
	cookies := who.cookies
	r := rawRequest{method: route.Method, target: w.target(route.Path, rooms)}
	if w.once(15) {
		r.method = pick(w.Rand, fuzzMethods)
	}
	var head bytes.Buffer
	header := func(name, value string) { fmt.Fprintf(&head, "%s: %s\r\n", name, value) }
	fmt.Fprintf(&head, "%s %s HTTP/1.1\r\n", r.method, r.target)
	w.doors(header)
	if w.once(10) {
		cookies += "; playground=" + pick(w.Rand, strange) + "; =; ;;"
	}
	if cookies != "" {
		header("Cookie", cookies)
	}
	if w.once(2) {
		header("Accept-Encoding", pick(w.Rand, []string{"gzip", "gzip, deflate, br", "gzip;q=0", "*", "x"}))
	}
	if w.once(10) {
		header(pick(w.Rand, []string{"If-None-Match", "Range", "Authorization", "Last-Event-ID", "X-HTTP-Method-Override", "Referer"}), pick(w.Rand, strange))
	}
	if route.Method == http.MethodGet && (lastPart(route) == "stream" && !w.once(10) || w.once(20)) {
		w.handshake(header)
		r.upgrade = true
	}
	body := w.body(route, now)
	if route.Method == http.MethodGet && !w.once(10) {
		body = nil
	}
	r.wrong = len(body) > 64<<10 || r.upgrade && len(body) > 0
	w.finish(&r, &head, header, body)
	return r
}

// doors writes the headers that say from where and for whom a request is.
func (w *fuzzer) doors(header func(name, value string)) {
	host := w.address
	if w.once(15) {
		host = pick(w.Rand, []string{"evil.example", "localhost", "[::1]:80", "127.0.0.1:99999", "teacher.local", strings.Repeat("a", 300), "1.2.3.4", ":", "[", "a.localhost:1"})
	}
	header("Host", host)
	header("X-Forwarded-For", fmt.Sprintf("10.%d.%d.%d", w.IntN(256), w.IntN(256), w.IntN(256)))
	if w.once(20) {
		header("X-Forwarded-For", pick(w.Rand, []string{"", "x", "::1%eth0", "1.2.3.4, 5.6.7.8", "127.0.0.1", "2001:db8::1", ",,,"}))
	}
	if w.once(20) {
		header(pick(w.Rand, []string{"X-Forwarded-Host", "X-Forwarded-Proto", "Forwarded", "X-Real-Ip"}), pick(w.Rand, []string{"https", "evil.example", w.address, "", "http, https"}))
	}
	if w.once(8) {
		header("Origin", pick(w.Rand, []string{"http://evil.example", "null", "http://" + w.address, "%", "http://localhost"}))
	}
	if w.once(8) {
		header("Sec-Fetch-Site", pick(w.Rand, []string{"cross-site", "same-site", "same-origin", "none", "x"}))
	}
}

// handshake asks for a websocket, not always rightly.
func (w *fuzzer) handshake(header func(name, value string)) {
	header("Connection", "Upgrade")
	header("Upgrade", "websocket")
	header("Sec-WebSocket-Version", pick(w.Rand, []string{"13", "13", "13", "13", "13", "13", "13", "8", "x"}))
	if !w.once(20) {
		header("Sec-WebSocket-Key", pick(w.Rand, []string{"dGhlIHNhbXBsZSBub25jZQ==", "AAAAAAAAAAAAAAAAAAAAAA==", "AAAAAAAAAAAAAAAAAAAAAB==", "x"}))
	}
	if w.once(2) {
		header("Sec-WebSocket-Extensions", pick(w.Rand, []string{"permessage-deflate", "permessage-deflate; server_no_context_takeover", "x"}))
	}
}

// finish adds what tells of the body, and the body, to the head; now and then wrongly.
func (w *fuzzer) finish(r *rawRequest, head *bytes.Buffer, header func(name, value string), body []byte) {
	if w.once(2) {
		header("Content-Type", pick(w.Rand, []string{"application/json", "text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "x"}))
	}
	if w.once(10) {
		header("Content-Encoding", "gzip")
	}
	switch {
	case w.once(100): // no HTTP
		r.wrong = true
		head.WriteString(pick(w.Rand, []string{"no colon\r\n", ": empty\r\n", "Nul: \x00\r\n", "Long: " + strings.Repeat("x", 80<<10) + "\r\n",
			"Content-Length: 5\r\nContent-Length: 6\r\n", "Content-Length: -1\r\n", "Host: second\r\n"}))
		head.WriteString("\r\n")
	case w.once(4) && !r.upgrade:
		header("Transfer-Encoding", "chunked")
		fmt.Fprintf(head, "\r\n")
		if len(body) > 0 {
			fmt.Fprintf(head, "%x\r\n%s\r\n", len(body), body)
		}
		head.WriteString("0\r\n\r\n")
	default:
		fmt.Fprintf(head, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	r.wrong = r.wrong || !canBeSent(r.method, r.target)
	r.text = head.Bytes()
}

// canBeSent says that a request's first line is HTTP.
func canBeSent(method, target string) bool {
	_, err := url.ParseRequestURI(target)
	return err == nil && method != http.MethodConnect
}

// target fills in a route's path.
func (w *fuzzer) target(path string, rooms []string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		known := w.names[part]
		switch {
		case part == "" || part[0] != ':' && part != "*":
			continue
		case part == ":room":
			known = rooms
		case known == nil:
			known = w.names[""]
		}
		if w.once(6) {
			known = strange
		}
		parts[i] = pick(w.Rand, known)
	}
	target := strings.Join(parts, "/")
	if w.once(40) {
		target = pick(w.Rand, []string{"*", "/" + target, target + "/", "http://evil.example" + target, "//evil.example" + target, target + "#x", "/.." + target})
	}
	for separator := "?"; w.once(3); separator = "&" {
		target += separator + w.parameter()
	}
	return target
}

// parameter is a parameter of a query.
func (w *fuzzer) parameter() string {
	if w.once(2) {
		return pick(w.Rand, w.world.Load().queries)
	}
	name := pick(w.Rand, []string{"from", "run", "address", "teacher", "code", "room", "", "from%00", strings.Repeat("q", 2000)})
	value := pick(w.Rand, [][]string{strange, w.names[""], {token, "1", "50"}})
	return name + "=" + pick(w.Rand, value)
}

func lastPart(route *echo.Route) string { return route.Path[strings.LastIndex(route.Path, "/")+1:] }

// body is what a command for the route may carry: as it should be, or changed.
func (w *fuzzer) body(route *echo.Route, now *world) []byte {
	some, known := fuzzBodies[lastPart(route)]
	for _, bodies := range fuzzBodies {
		if !known || w.once(40) {
			some, known = bodies, true
		}
	}
	if lastPart(route) == "join" && w.once(2) {
		return fmt.Appendf(nil, `{"code": %q}`, pick(w.Rand, now.codes))
	}
	body := []byte(pick(w.Rand, some))
	switch w.IntN(20) {
	case 0:
		return nil
	case 1:
		return bytes.Repeat([]byte("x"), 60<<10+w.IntN(10<<10))
	case 2:
		return append(bytes.Repeat([]byte("["), 1+w.IntN(20_000)), body...)
	case 3:
		return body[:w.IntN(len(body))]
	case 4:
		return append(body, body...)
	case 5, 6, 7, 8:
		for range 1 + w.IntN(3) {
			body[w.IntN(len(body))] = byte(w.IntN(256))
		}
	case 9:
		return bytes.ReplaceAll(body, []byte("1"), []byte(pick(w.Rand, []string{"-1", "1e400", "9223372036854775807", "null", `"x"`, "[]"})))
	}
	return body
}

// names are what the parts of paths may be, and in "" all that the server lists.
func (s *site) names() map[string][]string {
	s.Helper()
	names := map[string][]string{":locale": {"en"}, "*": {"index.html", "css"}}
	var lessons struct{ Lessons []struct{ Slug string } }
	s.get("/api/lessons", &lessons)
	for _, l := range lessons.Lessons {
		names[":slug"] = append(names[":slug"], l.Slug)
		names[":page"] = append(names[":page"], l.Slug, "plan-45")
	}
	scripts, err := fs.Glob(static.Files, "js/*/*.js")
	if err != nil {
		s.Fatal(err)
	}
	names["*"] = append(names["*"], scripts...)
	decoder := json.NewDecoder(bytes.NewReader(s.want(http.StatusOK, http.MethodGet, "/api/scenarios", "").body))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return names
		}
		if err != nil {
			s.Fatal(err)
		}
		if word, ok := token.(string); ok && len(word) < 40 && !strings.ContainsAny(word, " /?#%") {
			names[""] = append(names[""], word)
		}
	}
}
