package web_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// A stopped clock goes when it is told to.
type stopped struct {
	mu  sync.Mutex
	now time.Time
}

func (c *stopped) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func (c *stopped) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// TestRequestsAreLimited: so many at once, then so many a second; the answer says which
// limit was hit and when it ends, and it is counted.
func TestRequestsAreLimited(t *testing.T) {
	const cellar = "/api/rooms/cellar/"
	tests := []struct {
		method, path  string
		atOnce, later int // at once, and a second later
		name          string
	}{
		{http.MethodPost, cellar + "run", 120, 2, "starts of runs"},
		{http.MethodPatch, cellar + "run", 60, 20, "commands"},
		{http.MethodPut, cellar + "presented", 60, 20, "commands"},
		{http.MethodPost, "/api/classes/goals", 60, 20, "commands"},
		{http.MethodOptions, cellar + "run", 60, 20, "commands"},
		{http.MethodDelete, cellar + "faults", 60, 20, "commands"},
		{http.MethodPut, "/nowhere", 60, 20, "commands"},
		{http.MethodPost, "/api/rooms", 60, 2, "new rooms"},
		{http.MethodGet, cellar + "events", 100, 50, "downloads"},
		{http.MethodGet, cellar + "recording?run=x", 100, 50, "downloads"},
		{http.MethodGet, cellar + "export.html", 100, 50, "downloads"},
	}
	for _, test := range tests {
		t.Run(test.method+" "+test.path, func(t *testing.T) {
			clock := &stopped{now: time.Unix(1e9, 0)}
			s := open(t, func(u *setup) { u.web.Now = clock.Now })
			passed := func() (n int, refused answer) {
				for {
					a := s.ask(test.method, test.path, "")
					if a.status == http.StatusTooManyRequests {
						return n, a
					}
					if n++; n > test.atOnce {
						t.Fatalf("%d have passed", n)
					}
				}
			}
			n, refused := passed()
			if code, message := s.failure(refused); n != test.atOnce || code != "too_fast" || refused.header.Get("Retry-After") != "1" ||
				!strings.Contains(message, "too many "+test.name+" from you") {
				t.Errorf("%d have passed, want %d; then %s %q, %v", n, test.atOnce, code, message, refused.header)
			}
			clock.pass(time.Second)
			if n, _ := passed(); n != test.later {
				t.Errorf("a second later %d have passed, want %d", n, test.later)
			}
			if a := s.ask(http.MethodGet, "/", ""); a.status != http.StatusOK {
				t.Errorf("the page answers %d", a.status)
			}
			want := `playground_refused_total{reason="` + test.name + ` by person"} 2`
			if a := s.ask(http.MethodGet, "/metrics", ""); !strings.Contains(string(a.body), want) {
				t.Errorf("/metrics lacks %s", want)
			}
		})
	}
}

// TestPersonsAreLimitedApart: who floods keeps nobody else at the address from anything;
// who sends a new cookie each time is bound by the address.
func TestPersonsAreLimitedApart(t *testing.T) {
	clock := &stopped{now: time.Unix(1e9, 0)}
	s := open(t, func(u *setup) { u.web.Now = clock.Now })
	_, port, err := net.SplitHostPort(s.address)
	if err != nil {
		t.Fatal(err)
	}
	command := func(person string) answer {
		return s.ask(http.MethodPatch, "/api/rooms/cellar/run", "", "Cookie", "playground-"+port+"="+person)
	}
	refused := func(person string) bool { return command(person).status == http.StatusTooManyRequests }
	for !refused("anna") {
	}
	if refused("ben") || s.ask(http.MethodPatch, "/api/rooms/cellar/run", "").status == http.StatusTooManyRequests {
		t.Error("another person is refused, too")
	}
	made := 0
	for ; !refused(fmt.Sprint("made-up-", made)) && made < 1000; made++ {
	}
	if want := 600 - 60 - 2; made != want {
		t.Errorf("%d made-up persons have passed, want %d", made, want)
	}
	if _, message := s.failure(command("ben")); !strings.Contains(message, "from your address") {
		t.Errorf("the answer says %q", message)
	}
}
