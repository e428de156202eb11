package main

import (
	"encoding/json"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestServeGuests: any client of ZooKeeper can join the run of the main room, and that
// does not keep the program from ending in time, whatever it has made.
func TestServeGuests(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"a server of its own": {"-guests", "127.0.0.1:0"},
		"somebody else's":     {"-guests", "127.0.0.1:0", "-zookeeper", zktest.Start(t).Address()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, nil, args...)
			if status, answer := s.request(t, http.MethodPost, "/api/rooms/main/run", `{"scenario": "predecessor", "delay": 0}`); status != http.StatusCreated {
				t.Fatalf("start: %d %s", status, answer)
			}
			var me struct{ Guests struct{ Address string } }
			_, answer := s.request(t, http.MethodGet, "/api/rooms/main/me", "")
			if err := json.Unmarshal([]byte(answer), &me); err != nil || me.Guests.Address == "" {
				t.Fatalf("%s: %v", answer, err)
			}
			guest, err := wire.Dial(t.Context(), me.Guests.Address, wire.Options{})
			if err != nil { // why a guest was refused is said there, or in the log
				_, answer := s.request(t, http.MethodGet, "/api/rooms/main/me", "")
				_, events := s.request(t, http.MethodGet, "/api/rooms/main/events", "")
				t.Fatalf("%v\n%s\n%s", err, answer, events)
			}
			t.Cleanup(func() { guest.Close() })
			if names, _, err := guest.Children(t.Context(), "/"); err != nil || !strings.Contains(strings.Join(names, " "), "lock") {
				t.Errorf("a guest sees %q, %v", names, err)
			}
			undeletable := wire.NewNode{Path: "/mine", ACL: []wire.ACL{{Perms: wire.PermCreate, Scheme: "world", ID: "anyone"}}}
			for range 2 {
				_, _ = guest.CreateNode(t.Context(), undeletable) // refused where it could not be removed
				undeletable.Path += "/too"
			}
			if _, answer := s.request(t, http.MethodGet, "/metrics", ""); !strings.Contains(answer, "playground_guest_connections 1\n") {
				t.Error("the metrics do not tell of the guest")
			}
			s.mustStop(t, os.Interrupt)
		})
	}
}

// TestRunGuests: a guest joins a run that has no page, as the line on stderr says, and the
// summary counts what it does.
func TestRunGuests(t *testing.T) {
	t.Parallel()
	c := start(t, nil, "run", "-guests", "127.0.0.1:0", "-for", "1h", "-clients", "1", "predecessor")
	c.stderr.await(t, `"join".* nc -q1 127.0.0.1 \d+\n`)
	address := c.stderr.await(t, `guests join at \S+, where the lock is /lock: zkCli.sh -server (\S+)\n`)
	guest, err := wire.Dial(t.Context(), address, wire.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { guest.Close() })
	if _, err := guest.CreateNode(t.Context(), wire.NewNode{Path: "/lock/lock-", ACL: wire.OpenACL(), Mode: wire.EphemeralSequential}); err != nil {
		t.Error(err)
	}
	c.stderr.await(t, `, 1 joined,`)
	c.mustStop(t, os.Interrupt)
	mustSummarize(t, c.stdout.text(), "predecessor")
}

// TestRunGuestsPort: an address that is taken is told before a server is started.
func TestRunGuestsPort(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { taken.Close() })
	c := start(t, nil, "run", "-guests", taken.Addr().String(), "predecessor")
	if code := c.exitCode(t, timeout); code != exitFailure || !strings.Contains(c.stderr.text(), "is in use: stop what runs there, or choose another with -guests") {
		t.Errorf("it ends with %d and says %q", code, c.stderr.text())
	}
}
