package chaos_test

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/zkplayground/zkplayground/zklock/test/chaos"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

var (
	length = flag.Duration("chaos", 8*time.Second, "how long TestChaos goes on")
	seed   = flag.Uint64("seed", 1, "what TestChaos draws its faults from")
	edn    = flag.String("edn", "", "`directory` for TestChaos's histories, one for each lock of each round")
)

const (
	clients = 12
	// round is how often a long run comes to rest, to be checked.
	round = 30 * time.Second
	// timeout bounds every wait for what must come.
	timeout = 30 * time.Second
)

// Clients contend for locks of all kinds while their connections, sessions and
// server fail: nobody holds what another holds, and at the end nothing is left.
func TestChaos(t *testing.T) {
	start := map[int]func(*testing.T) servers{1: oneServer, 3: threeServers}[*nodes]
	if start == nil {
		t.Fatalf("-nodes %d is neither 1 nor 3", *nodes)
	}
	servers := start(t)
	servers.config.Session = cmp.Or(*sessions, servers.config.Session)
	var sum chaos.Summary
	for left := *length; left > 0; left -= round {
		at := *seed + uint64(sum.Rounds)
		t.Logf("round with seed %d", at)
		result := runRound(t, servers, at, min(left, round))
		servers.rested()
		sum.Add(result)
		t.Logf("so far: %v", &sum)
		if t.Failed() {
			break // what follows would only bury it
		}
	}
	t.Logf("seed %d, %v: %v", *seed, *length, &sum)
}

func runRound(t *testing.T, servers servers, seed uint64, length time.Duration) chaos.Result {
	config := servers.config
	config.Root = servers.root()
	config.Seed, config.Clients, config.Kinds, config.For = seed, clients, chaos.Kinds(), length
	config.Along = (&stopper{TB: t, servers: config.Servers, root: config.Root}).run
	config.Drained = servers.drained
	result, err := chaos.Run(t.Context(), config)
	if err != nil {
		t.Error(err)
	}
	judge(t, result)
	export(t, result.Record, seed)
	return result
}

// export writes the histories of a round, if they are wanted.
func export(t *testing.T, r chaos.Record, seed uint64) {
	if *edn == "" {
		return
	}
	for _, k := range chaos.Kinds() {
		var history bytes.Buffer
		err := chaos.WriteEDN(&history, chaos.Operations(r, k))
		name := filepath.Join(*edn, fmt.Sprintf("%s-%d.edn", k.Name, seed))
		if err := errors.Join(err, os.WriteFile(name, history.Bytes(), 0o644)); err != nil {
			t.Error(err)
		}
	}
}

// shown is how many violations of a round are told with their history.
const shown = 3

func judge(t *testing.T, r chaos.Result) {
	for i, v := range r.Violations {
		t.Error(v)
		if i < shown {
			t.Log(r.Record.Around(v))
		}
	}
	for _, node := range r.Orphans {
		t.Error("left in a queue: ", node)
	}
	for _, k := range chaos.Kinds() {
		of := func(a chaos.Acquisition) bool { return a.Lock == k.Name }
		if !slices.ContainsFunc(r.Record.Acquisitions, of) {
			t.Errorf("nobody ever held the lock %s", k.Name)
		}
	}
	for _, err := range r.Counts.Other {
		t.Log("a call of Lock failed: ", err)
	}
	for _, o := range chaos.Consult(r.Record, chaos.Kinds()) {
		if o.Result == porcupine.Illegal {
			t.Errorf("porcupine says that %s was no lock between %v and %v", o.Lock, o.From, o.To)
		}
	}
}

// noWatches asks the server whether somebody still watches for what will never
// happen.
func noWatches(t *testing.T, server *zktest.Server) {
	for path, sessions := range server.Watches(t) {
		t.Errorf("%d sessions still watch %s", len(sessions), path)
	}
}

// noGoroutines waits until there are as few goroutines as there were.
func noGoroutines(t *testing.T, before int) {
	deadline := time.Now().Add(timeout)
	for runtime.NumGoroutine() > before {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<20)
			t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}
