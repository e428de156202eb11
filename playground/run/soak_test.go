package run_test

import (
	"flag"
	"io"
	"net"
	"regexp"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// soak is how long TestNothingIsLeft runs; `make soak` takes a minute.
var soak = flag.Int("soak", 5, "`seconds` of load in TestNothingIsLeft")

// heap is the memory in use after a collection, in bytes.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // the first one runs finalizers, the second frees what they held
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// await polls for a condition that nothing announces.
func await(t *testing.T, what string, fulfilled func() bool) {
	t.Helper()
	deadline := time.NewTimer(timeout)
	defer deadline.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !fulfilled() {
		select {
		case <-tick.C:
		case <-deadline.C:
			stacks := make([]byte, 1<<16)
			t.Fatalf("%s: not in %v\n%s", what, timeout, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// awaitSessions waits until the server keeps so many. The observer's first handshake may be
// given up on a busy machine: then that session is kept for six seconds. The clients' must
// be kept for longer than is waited here.
func awaitSessions(t *testing.T, server *zktest.Server, want int) {
	t.Helper()
	end := time.Now().Add(12 * time.Second)
	for left := liveSessions(t, server); left != want; left = liveSessions(t, server) {
		if time.Now().After(end) {
			t.Errorf("%d sessions, there were %d", left, want)
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// liveSessions is how many sessions the server keeps, connected or not, by its
// own four-letter word.
func liveSessions(t *testing.T, server *zktest.Server) int {
	t.Helper()
	conn, err := net.Dial("tcp", server.Address())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "dump"); err != nil {
		t.Fatal(err)
	}
	report, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	sets := regexp.MustCompile(`Session Sets \(\d+\)/\((\d+)\)`).FindSubmatch(report)
	if sets == nil {
		t.Fatalf("the server's dump does not tell its sessions: %s", report)
	}
	sessions, err := strconv.Atoi(string(sets[1]))
	if err != nil {
		t.Fatal(err)
	}
	return sessions
}
