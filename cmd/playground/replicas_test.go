package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"sync"
	"testing"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A replicaSet is playgrounds of one cluster, behind one address.
type replicaSet struct {
	*testing.T
	flags    []string
	replicas []site // read by the test's own goroutine, and changed by use

	mu      sync.Mutex
	reached []string // addresses of replicas
	next    int      // who is asked next
	people  int      // who have asked
}

func startReplicas(t *testing.T, n int, zookeeper string, flags ...string) *replicaSet {
	set := &replicaSet{T: t, flags: append([]string{"-zookeeper", zookeeper, "-cluster", "tests", "-advertise", "127.0.0.1:0",
		"-data", t.TempDir(), "-teacher-token", teacherToken, "-trusted-proxy", "127.0.0.1"}, flags...)}
	for range n {
		set.start()
	}
	return set
}

func (set *replicaSet) start() { set.use(append(set.replicas, serve(set.T, nil, set.flags...))) }

// use has requests reach these replicas from now on.
func (set *replicaSet) use(replicas []site) {
	set.mu.Lock()
	defer set.mu.Unlock()
	set.replicas, set.reached = replicas, nil
	for _, s := range replicas {
		set.reached = append(set.reached, strings.TrimPrefix(s.url, "http://"))
	}
}

func (set *replicaSet) without(s site) []site {
	var others []site
	for _, other := range set.replicas {
		if other.child != s.child {
			others = append(others, other)
		}
	}
	return others
}

// reach is the address of the replica whose turn it is.
func (set *replicaSet) reach() string {
	set.mu.Lock()
	defer set.mu.Unlock()
	set.next++
	return set.reached[set.next%len(set.reached)]
}

// owned are the rooms that a replica has, by its own word.
func (set *replicaSet) owned(s site) map[string]bool {
	set.Helper()
	_, text := s.request(set.T, "GET", "/metrics", "")
	rooms := make(map[string]bool)
	for line := range strings.Lines(text) {
		if rest, is := strings.CutPrefix(line, `playground_room_owned{room="`); is {
			name, _, _ := strings.Cut(rest, `"`)
			rooms[name] = true
		}
	}
	return rooms
}

// owner is the replica that has a room; -1 if none says so.
func (set *replicaSet) owner(room string) int {
	set.Helper()
	found := -1
	for i, s := range set.replicas {
		if set.owned(s)[room] {
			found = i
		}
	}
	return found
}

// A browser has a browser's cookies and an address of its own, and reaches one replica
// after the other.
type browser struct {
	set     *replicaSet
	client  http.Client
	address string
}

func (set *replicaSet) browser() *browser {
	set.mu.Lock()
	set.people++
	v := &browser{set: set, address: fmt.Sprintf("10.0.%d.%d", set.people>>8, set.people&255)}
	set.mu.Unlock()
	v.client.Jar, _ = cookiejar.New(nil) // it never fails
	v.client.Timeout, v.client.Transport = timeout, through(set.reach)
	return v
}

// at is the same browser, which reaches one replica alone.
func (v *browser) at(s site) *browser {
	one := *v
	one.client.Transport = through(func() string { return strings.TrimPrefix(s.url, "http://") })
	return &one
}

func through(address func() string) http.RoundTripper {
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", address())
	}
	return &http.Transport{DialContext: dial, DisableKeepAlives: true}
}

// ask sends a request, and returns the answer; the status is 0 if none has come. It may be
// called by any goroutine.
func (v *browser) ask(ctx context.Context, method, path, body string) (status int, answer []byte) {
	request, err := http.NewRequestWithContext(ctx, method, "http://127.0.0.1:4444"+path, strings.NewReader(body))
	if err != nil {
		return 0, nil
	}
	request.Header.Set("X-Forwarded-For", v.address)
	response, err := v.client.Do(request)
	if err != nil {
		return 0, nil
	}
	defer response.Body.Close()
	if answer, err = io.ReadAll(response.Body); err != nil {
		return 0, nil
	}
	return response.StatusCode, answer
}

// try sends a request, and decodes the answer into what into points to, if anything.
func (v *browser) try(method, path, body string, into any) int {
	v.set.Helper()
	status, text := v.ask(v.set.Context(), method, path, body)
	if into != nil && status > 0 && status < 300 {
		if err := json.Unmarshal(text, into); err != nil {
			v.set.Fatalf("%s %s: %v: %.200s", method, path, err, text)
		}
	}
	if status >= 400 && status != http.StatusServiceUnavailable && status != http.StatusTooManyRequests {
		v.set.Fatalf("%s %s: %d: %.300s", method, path, status, text)
	}
	return status
}

// must is try until it succeeds: the room may be on its way.
func (v *browser) must(method, path, body string, into any) {
	v.set.Helper()
	eventually(v.set.T, method+" "+path, func() bool {
		status := v.try(method, path, body, into)
		return status >= 200 && status < 400
	})
}

func pause(t *testing.T, s site) {
	t.Helper()
	if err := zktest.Freeze(s.cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
}

func resume(t *testing.T, s site) {
	t.Helper()
	if err := zktest.Thaw(s.cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
}
