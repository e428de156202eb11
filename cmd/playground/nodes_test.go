package main

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// servers are all that the site says it uses.
func (s site) servers(t *testing.T) []zkserver.Status {
	t.Helper()
	var health struct{ Servers []zkserver.Status }
	_, answer := s.request(t, http.MethodGet, "/healthz", "")
	if err := json.Unmarshal([]byte(answer), &health); err != nil {
		t.Fatal(err)
	}
	return health.Servers
}

// leader is the address of the server that leads; empty if none does.
func (s site) leader(t *testing.T) string {
	t.Helper()
	servers := s.servers(t)
	i := slices.IndexFunc(servers, func(s zkserver.Status) bool { return s.Mode == zkserver.ModeLeader })
	if i < 0 {
		return ""
	}
	return servers[i].Address
}

// TestServeThreeNodes: the leader is killed from the page, everybody is told who
// leads then, and when the program ends no server is left.
func TestServeThreeNodes(t *testing.T) {
	t.Parallel()
	s := serve(t, nil, "-nodes", "3")
	eventually(t, "one of three servers leads", func() bool { return s.leader(t) != "" && len(s.servers(t)) == 3 })
	killed := s.leader(t)
	s.mustRequest(t, http.StatusCreated, "POST", "/api/rooms/main/run", `{"scenario": "herd", "clients": 5}`)
	s.awaitEvent(t, "lock.acquired")
	s.mustRequest(t, http.StatusOK, "POST", "/api/rooms/main/faults", `{"fault": "kill-leader", "for": "20s"}`)
	eventually(t, "another server leads", func() bool { leader := s.leader(t); return leader != "" && leader != killed })
	for _, told := range []string{`"fault":"kill-leader","server":"` + killed, "ZooKeeper at " + killed + " does not answer"} {
		eventually(t, "the log has "+told, func() bool {
			return strings.Contains(s.log(t), told)
		})
	}
	s.awaitEvent(t, "tree.synced")
	servers := s.servers(t)
	s.mustStop(t, os.Interrupt) // while one server is down
	for _, server := range servers {
		if _, err := zkserver.Probe(t.Context(), server.Address); err == nil {
			t.Errorf("a server is left at %s", server.Address)
		}
	}
}
