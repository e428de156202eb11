package web_test

import (
	"net/http"
	"testing"

	"github.com/gorilla/websocket"
)

func TestSecurityHeadersAreOnEveryAnswer(t *testing.T) {
	s := open(t)
	want := []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy",
		"Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy"}
	for _, a := range []answer{
		s.ask("GET", "/", ""), s.ask("GET", "/static/js/source/live.js", ""), s.ask("GET", "/healthz", ""),
		s.ask("GET", "/nowhere", ""), s.ask("PUT", runPath, ""), s.ask("POST", runPath, "x"),
		s.ask("GET", "/", "", "Host", "evil.example"), s.ask("GET", streamPath, ""),
		s.ask("POST", runPath, "{}", "Sec-Fetch-Site", "cross-site"), s.ask("GET", "/metrics", ""),
	} {
		for _, name := range want {
			if a.header.Get(name) == "" {
				t.Errorf("answer %d %.60q has no %s", a.status, a.body, name)
			}
		}
	}
}

func TestCommandsOfOtherSitesAreRefused(t *testing.T) {
	s := open(t)
	const own = "http://localhost:8080"
	for _, c := range []struct {
		name    string
		headers []string
		status  int
	}{
		{"no browser", nil, http.StatusCreated},
		{"own page", []string{"Sec-Fetch-Site", "same-origin"}, http.StatusCreated},
		{"own page, older browser", []string{"Origin", own, "Host", "localhost:8080"}, http.StatusCreated},
		{"another site", []string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		{"another port", []string{"Sec-Fetch-Site", "same-site"}, http.StatusForbidden},
		{"another site, older browser", []string{"Origin", "http://evil.example"}, http.StatusForbidden},
		{"file or sandbox", []string{"Origin", "null"}, http.StatusForbidden},
	} {
		a := s.ask(http.MethodPost, "/api/rooms", "", c.headers...)
		if a.status != c.status {
			t.Errorf("%s: %d %s, want %d", c.name, a.status, a.body, c.status)
		}
		if code := ""; a.status == http.StatusForbidden {
			if code, _ = s.failure(a); code != "foreign_origin" {
				t.Errorf("%s: code %s", c.name, code)
			}
		}
	}
}

func TestStreamIsNotForOtherSites(t *testing.T) {
	s := open(t)
	for origin, status := range map[string]int{
		"http://evil.example": http.StatusForbidden, "null": http.StatusForbidden,
		"http://localhost": http.StatusForbidden, "http://" + s.address: http.StatusSwitchingProtocols,
	} {
		conn, response, err := websocket.DefaultDialer.DialContext(s.within(), "ws://"+s.address+streamPath, http.Header{"Origin": {origin}})
		if response == nil {
			t.Fatal(err)
		}
		if response.StatusCode != status {
			t.Errorf("Origin %s: %d, want %d", origin, response.StatusCode, status)
		}
		if err == nil {
			conn.Close()
		}
	}
}
