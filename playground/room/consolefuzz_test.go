package room_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/console"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/zkcli"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

var (
	// fuzzConsole is how long TestFuzzConsole types; `make fuzz-console` 10 minutes.
	fuzzConsole     = flag.Duration("fuzz-console", 3*time.Second, "how long TestFuzzConsole types")
	fuzzConsoleSeed = flag.Uint64("fuzz-console-seed", 1, "`seed` of the lines of TestFuzzConsole")
)

// typists type at once.
const typists = 8

// secret is in the names and in the data of znodes outside of the room.
const secret = "secret"

// TestFuzzConsole: whatever is typed at the consoles of a room, nothing outside of their
// lane is created, changed or deleted, or shown; and when the run ends, nothing is left.
func TestFuzzConsole(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{})
	h := open(t, func(c *room.Config) { c.Servers = []string{server.Address()} })
	h.conn = server.Conn(t)
	here, there := h.createRun(), h.createRun()
	root, other := here.Describe().Lanes[0].Root, there.Describe().Lanes[0].Root
	for _, node := range []string{root + "1", path.Dir(root) + "/lock", "/lock", "/lock/lock-0000000000", "/a", "/a/b", other + "/a"} {
		h.plant(node)
	}
	before := h.outside(root)

	until := time.Now().Add(*fuzzConsole)
	var all sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for number := range uint64(typists) {
		all.Go(func() {
			f := &fuzzer{T: t, room: h.room(here.Describe().Room), run: here, other: other,
				random: rand.New(rand.NewPCG(*fuzzConsoleSeed, number))}
			f.typeUntil(until)
			mu.Lock()
			defer mu.Unlock()
			done += f.lines
		})
	}
	all.Wait()
	t.Logf("%d lines", done)
	awaitGuestsZnode(t, here)
	if diff := cmp.Diff(before, h.outside(root)); diff != "" {
		t.Errorf("outside of the room (-before +after):\n%s", diff)
	}
	here.Stop()
	if err := here.Wait(within(t)); err != nil {
		t.Errorf("the run ends with %v", err)
	}
	if there, _, err := h.conn.Exists(root); there || err != nil {
		t.Errorf("the lane's root is left: %t, %v", there, err)
	}
}

// awaitGuestsZnode waits until a console has made a znode: else the fuzz does nothing.
func awaitGuestsZnode(tb testing.TB, run *run.Run) {
	tb.Helper()
	await(tb, run, func(e event.Event) bool {
		return e.Kind == event.WireReceived && e.Op == "create" && e.Client > 1 && e.Err == ""
	})
}

// createRun starts a run in a room of its own in which one client holds for long.
func (h *house) createRun() *run.Run {
	h.Helper()
	s := quick(1)
	s.Hold = scenario.Range{Min: scenario.Duration(time.Hour), Max: scenario.Duration(time.Hour)}
	r, err := h.create().Start(within(h), s)
	if err != nil {
		h.Fatal(err)
	}
	awaitKind(h, r, "lock.acquired")
	return r
}

// plant makes a znode with a secret in it.
func (h *house) plant(node string) {
	h.Helper()
	if _, err := h.conn.Create(node, []byte(secret), 0, zk.WorldACL(zk.PermAll)); err != nil && !errors.Is(err, zk.ErrNodeExists) {
		h.Fatalf("plant %s: %v", node, err)
	}
	if _, err := h.conn.Create(node+"/"+secret, []byte(secret), 0, zk.WorldACL(zk.PermAll)); err != nil {
		h.Fatalf("plant below %s: %v", node, err)
	}
}

// outside is the whole tree but what is below root, and the data of that.
func (h *house) outside(root string) map[string]string {
	h.Helper()
	tree := make(map[string]string)
	var walk func(node string)
	walk = func(node string) {
		data, stat, err := h.conn.Get(node)
		if err != nil {
			h.Fatalf("get %s: %v", node, err)
		}
		acl, _, err := h.conn.GetACL(node)
		if err != nil {
			h.Fatalf("getACL %s: %v", node, err)
		}
		if node == root {
			tree[node] = fmt.Sprint(acl, stat.Czxid, stat.Aversion) // its data is the guests' to change
			return
		}
		tree[node] = fmt.Sprint(string(data), acl, *stat)
		names, _, err := h.conn.Children(node)
		if err != nil {
			h.Fatalf("children of %s: %v", node, err)
		}
		for _, name := range names {
			walk(path.Join(node, name))
		}
	}
	walk("/")
	return tree
}

// A fuzzer types at consoles of a room, one after the other.
type fuzzer struct {
	*testing.T
	room   *room.Room
	run    *run.Run
	other  string // the root of a lane elsewhere
	random *rand.Rand
	lines  int
	enough func() bool
	last   string
}

// leastLines are typed even when the time is up before.
const leastLines = 100

// typeUntil types until then.
func (f *fuzzer) typeUntil(then time.Time) {
	f.enough = func() bool { return f.lines >= leastLines && time.Now().After(then) }
	for !f.enough() {
		out := console.NewOutbox(time.Now)
		seat, err := f.room.OpenConsole("", out)
		if err != nil {
			f.Errorf("open a console: %v", err)
			return
		}
		f.sit(seat, out)
		seat.Leave(event.Text("the fuzz leaves it"))
	}
}

// sit types at one console, until that ends or has had enough.
func (f *fuzzer) sit(seat *room.Console, out *console.Outbox) {
	ctx, stop := context.WithCancel(f.Context())
	defer stop()
	requests := make(chan console.Request)
	ended := make(chan struct{})
	go func() { defer close(ended); seat.Run(ctx, requests) }()
	defer func() { stop(); <-ended; f.look(out.Take()) }()
	first := "create -s /typed-"
	requests <- console.Request{Line: &first}
	for n := 20 + f.random.IntN(2000); n > 0 && !f.enough(); n-- { // a run lets so many guests in, and no more
		if f.random.IntN(60) == 0 {
			_ = f.run.Inject(ctx, scenario.Fault{Name: f.pick("crash", "pause", "heal", "close", "expire", "partition"), Lane: seat.Lane(), Client: seat.Number(), Parameters: scenario.Parameters{For: scenario.Duration(time.Duration(1+f.random.IntN(100)) * time.Millisecond)}}) // it may be impossible now; 0 would be for ever
		}
		select {
		case requests <- f.request():
			f.lines++
		case <-ended:
			return
		}
		f.look(out.Take())
	}
}

// look looks for what no console must show.
func (f *fuzzer) look(frames []console.Frame) {
	for _, frame := range frames {
		if frame.Output != nil && strings.Contains(frame.Output.Text, secret) {
			f.Errorf("a console shows %q after %q", frame.Output.Text, f.last)
		}
		if frame.Completions != nil && strings.Contains(fmt.Sprint(frame.Completions.Words), secret) {
			f.Errorf("a console completes %+v", frame.Completions)
		}
	}
}

func (f *fuzzer) request() console.Request {
	switch f.random.IntN(10) {
	case 0:
		part := f.line()
		part = part[:f.random.IntN(len(part)+1)]
		return console.Request{Complete: &part}
	case 1:
		return console.Request{Start: true}
	case 2:
		again := f.last // some things take the same line twice
		return console.Request{Line: &again}
	}
	f.last = f.line()
	line := f.last
	return console.Request{Line: &line}
}

// line is a command with words that it may understand, now and then damaged.
func (f *fuzzer) line() string {
	commands := zkcli.Commands()
	words := []string{commands[f.random.IntN(len(commands))]}
	if words[0] == "quit" && f.random.IntN(20) > 0 || f.random.IntN(3) > 0 { // more of those that do something
		words[0] = f.pick("create", "set", "delete", "deleteall", "rmr", "setAcl", "ls", "get", "create")
	}
	for range f.random.IntN(4) {
		words = append(words, f.pick("-e", "-s", "-c", "-R", "-w", "-s -e", "-t 1000", "-v 0", "-v -1", "-b", "-n 5"))
	}
	for range f.random.IntN(4) {
		words = append(words, f.word())
	}
	line := []byte(strings.Join(words, f.pick(" ", " ", " ", "  ", "\t")))
	if f.random.IntN(8) == 0 {
		line[f.random.IntN(len(line))] = byte(f.random.IntN(256))
	}
	return string(line)
}

func (f *fuzzer) word() string {
	switch f.random.IntN(4) {
	case 0:
		return f.pick("x", "5", "-1", `""`, "'a b'", "world:anyone:r", "world:anyone:cdrwa", "auth:x:cdrwa", "digest", "super:x", "ip:127.0.0.1:r", strings.Repeat("y", 1000))
	case 1:
		return f.pick("/", f.other, path.Dir(f.other), f.run.Describe().Lanes[0].Root, f.run.Describe().Lanes[0].Root+"1", "/zookeeper/config", "/zookeeper/quota", "/playground")
	}
	var node strings.Builder
	for range 1 + f.random.IntN(3) {
		node.WriteString(f.pick("/", "/", "/", "//", "", "/../"))
		node.WriteString(f.pick("lock", "a", "b", "..", ".", "lock-", "lock-0000000001", "é", "\x00", "x\u0085", "zookeeper"))
	}
	return node.String()
}

func (f *fuzzer) pick(list ...string) string { return list[f.random.IntN(len(list))] }
