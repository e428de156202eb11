package web_test

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

func TestForeignHosts(t *testing.T) {
	s := open(t, func(u *setup) { u.web.AllowHosts = []string{"play.example.org"} })
	for host, ours := range map[string]bool{
		"localhost": true, "localhost:8080": true, "play.localhost": true, "127.0.0.1": true,
		"127.1.2.3:99": true, "[::1]": true, "[::1]:8080": true, "10.0.0.1": true, "[2001:db8::1]:80": true,
		"play.example.org": true, "Play.Example.Org:443": true,
		"evil.example": false, "evil.example:8080": false, "localhost.evil.example": false, "127.0.0.1.evil.example": false,
		"example.org": false, "a.play.example.org": false, "localhost.": false, "0x7f.1": false, "2130706433": false,
	} {
		a := s.ask("GET", "/healthz", "", "Host", host)
		if want := map[bool]int{true: http.StatusOK, false: http.StatusForbidden}[ours]; a.status != want {
			t.Errorf("Host %s: %d, want %d", host, a.status, want)
		}
		if ours {
			continue
		}
		if code, message := s.failure(a); code != "foreign_host" || !strings.Contains(message, "-allow-host "+strings.Split(host, ":")[0]) {
			t.Errorf("Host %s: %s: %s", host, code, message)
		}
	}
}

// TestProxies: what a proxy says of a request is believed of a trusted one, and of
// nobody else.
func TestProxies(t *testing.T) {
	prefixes := map[string][]netip.Prefix{
		"nobody":   nil,
		"another":  {netip.MustParsePrefix("10.0.0.0/8")},
		"this one": {netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("127.0.0.0/8")},
	}
	for name, trusted := range prefixes {
		t.Run("trust in "+name, func(t *testing.T) {
			s := open(t, func(u *setup) {
				u.web.TrustedProxies, u.web.AllowHosts, u.web.TeacherToken = trusted, []string{"play.example.org"}, token
			})
			s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
			believed := name == "this one"
			status := func(believed, otherwise int, is bool) int {
				if is {
					return believed
				}
				return otherwise
			}
			if a := s.ask("GET", "/healthz", "", "X-Forwarded-Host", "evil.example"); a.status != status(403, 200, believed) {
				t.Errorf("a foreign host behind the proxy: %d", a.status)
			}
			// The visitor claims one name, the proxy next to us adds another.
			if a := s.ask("GET", "/healthz", "", "X-Forwarded-Host", "evil.example, play.example.org"); a.status != 200 {
				t.Errorf("our name behind the proxy: %d", a.status)
			}
			if a := s.ask("POST", "/api/rooms", "", "X-Forwarded-Host", "play.example.org", "Origin", "https://play.example.org"); a.status != status(201, 403, believed) {
				t.Errorf("a command from the page that the proxy shows: %d", a.status)
			}
			a := s.ask("GET", "/?teacher="+token, "", "X-Forwarded-Proto", "https")
			if secure := strings.Contains(a.header.Get("Set-Cookie"), "Secure"); secure != believed {
				t.Errorf("over HTTPS, as the proxy says: a secure cookie: %v", secure)
			}
			header := http.Header{"Origin": {"https://play.example.org"}, "X-Forwarded-Host": {"play.example.org"}}
			conn, response, err := websocket.DefaultDialer.DialContext(s.within(), "ws://"+s.address+streamPath, header)
			if response == nil || response.StatusCode != status(101, 403, believed) {
				t.Errorf("a stream for the page that the proxy shows: %v, %v", response, err)
			}
			if err == nil {
				conn.Close()
			}
		})
	}
}

// TestVisitorsBehindAProxy: each has a limit of its own, and can not pass for another.
func TestVisitorsBehindAProxy(t *testing.T) {
	for _, trusted := range []bool{true, false} {
		s := open(t, func(u *setup) {
			if trusted {
				u.web.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
			}
		})
		ask := func(chain string) int {
			return s.ask(http.MethodPost, "/api/rooms/cellar/run", "{}", "X-Forwarded-For", chain).status
		}
		for tries := 0; ask("1.1.1.1, 203.0.113.7") != http.StatusTooManyRequests; tries++ {
			if tries > 5000 {
				t.Fatal("5000 commands were not too fast")
			}
		}
		if got, want := ask("1.1.1.1, 203.0.113.8"), map[bool]int{true: 404, false: 429}[trusted]; got != want {
			t.Errorf("trusted %v: another visitor gets %d, want %d", trusted, got, want)
		}
		fast := 0
		for range 40 { // more than a slow machine is given back meanwhile
			if ask("203.0.113.8, 203.0.113.7") == http.StatusTooManyRequests {
				fast++
			}
		}
		if fast == 0 {
			t.Errorf("trusted %v: who has been too fast goes on by claiming another address", trusted)
		}
	}
}

func TestBasePath(t *testing.T) {
	s := open(t, func(u *setup) { u.web.BasePath, u.web.TeacherToken = "/zk", token })
	for path, status := range map[string]int{
		"/zk/": 200, "/zk/healthz": 200, "/zk/metrics": 200, "/zk/static/js/shell/main.js": 200, "/zk/api/scenarios": 200,
		"/zk/lessons/en/herd-effect": 200, "/zk/api/rooms/main/runs": 200,
		"/": 404, "/healthz": 404, "/zkx/": 404, "/zk/zk/": 404, "/api/scenarios": 404, "/zk%2F": 404,
	} {
		a := s.ask("GET", path, "")
		if a.status != status {
			t.Errorf("GET %s: %d, want %d", path, a.status, status)
		}
		if status == http.StatusNotFound && a.header.Get("Content-Security-Policy") == "" {
			t.Errorf("GET %s: no security headers", path)
		}
	}
	if _, message := s.failure(s.ask("GET", "/", "")); !strings.Contains(message, "at /zk/") {
		t.Errorf("who is lost is told %q", message)
	}

	s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if a := s.ask("GET", "/zk?run=a", ""); a.status != http.StatusPermanentRedirect || a.header.Get("Location") != "/zk/?run=a" {
		t.Errorf("without a slash: %d to %q", a.status, a.header.Get("Location"))
	}
	if a := s.ask("GET", "/zk/?teacher="+token, ""); a.status != http.StatusSeeOther || a.header.Get("Location") != "/zk/" {
		t.Errorf("the teacher's link: %d to %q", a.status, a.header.Get("Location"))
	}
	if a := s.ask("POST", "/zk"+runPath, `{"scenario": `+quick+`}`); a.status != http.StatusCreated {
		t.Errorf("a command: %d %s", a.status, a.body)
	}
	conn, _, err := websocket.DefaultDialer.DialContext(s.within(), "ws://"+s.address+"/zk"+streamPath, nil)
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}

func TestMetricsApart(t *testing.T) {
	s := open(t, func(u *setup) { u.web.MetricsApart = true })
	if a := s.ask("GET", "/metrics", ""); a.status != http.StatusNotFound {
		t.Errorf("the metrics are with the page: %d", a.status)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.server.ServeMetrics(listener) }()
	t.Cleanup(func() { // before the site's own, which shuts the server down once more
		if err := s.server.Shutdown(s.within()); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	apart := *s
	apart.address = listener.Addr().String()
	if a := apart.ask("GET", "/metrics", "", "Host", "playground.monitoring"); a.status != 200 || !strings.Contains(string(a.body), "playground_viewers") {
		t.Errorf("%d %.100s", a.status, a.body)
	}
}
