package interop

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/guests"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

const (
	// visits is how often each guest has each of its locks.
	visits = 5
	// roomClients is how many simulated clients contend beside the guests.
	roomClients = 3
)

// Curator's four locks, kazoo's and one by hand, at ZooKeeper's own command line, beside
// simulated clients in the run of one room. Nobody but the room's log is asked who held.
func TestGuestsInARoom(t *testing.T) {
	d := newLockDir(t)
	run, address := d.openRoom()
	ctx := d.within()
	curators, kazoos := []string{"curator-1", "curator-2"}, []string{"kazoo-1", "kazoo-2"}
	java, err := findJava(t).start(ctx, "Visit", append([]string{address, fmt.Sprint(visits)}, curators...)...)
	if err != nil {
		t.Fatal(err)
	}
	python, err := findPython(t).start(ctx, "visit.py", append([]string{address, "/lock", fmt.Sprint(visits)}, kazoos...)...)
	if err != nil {
		t.Fatal(errors.Join(err, java.finish()))
	}
	cli, err := findJava(t).start(ctx, "org.apache.zookeeper.ZooKeeperMain", "-server", address)
	if err != nil {
		t.Fatal(errors.Join(err, java.finish(), python.finish()))
	}
	err = errors.Join(java.expect("ready"), python.expect("ready"), java.say("start"), python.say("start"))
	for range visits {
		err = errors.Join(err, lockByHand(cli))
	}
	err = errors.Join(err, java.expect("done"), python.expect("done"), cli.say("quit"), cli.finish(), java.finish(), python.finish())
	if err != nil {
		t.Error(err)
	}
	run.Stop()
	if err := run.Wait(ctx); err != nil {
		t.Error(err)
	}
	log := d.read(run)
	holds := holdsOf(log, run.Describe().Lanes[0])
	for _, who := range slices.Concat(curators, kazoos, []string{"zkcli"}) {
		if n := holds.count(who, "lock"); n != visits {
			t.Errorf("by the log %s held the lock %d times, want %d", who, n, visits)
		}
	}
	for _, who := range curators {
		for _, lock := range []string{"semaphore", "readwrite", "readwrite-shared", "multi"} {
			if n := holds.count(who, lock); n != visits {
				t.Errorf("by the log %s held %s %d times, want %d", who, lock, n, visits)
			}
		}
	}
	holds.judge(t)
	recheck(t, run.Describe(), log, holds)
	d.expectWellBehaved(run, log, len(curators)+len(kazoos)+1)
}

// openRoom starts a run in a room that takes guests, at that address. All has ended when
// the test has.
func (d *lockDir) openRoom() (*run.Run, string) {
	d.Helper()
	limits := room.DefaultLimits().Guest
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		d.Fatal(err)
	}
	door := guests.New(listener, guests.Config{Address: "127.0.0.1:0", Limits: limits, Log: slog.New(slog.DiscardHandler)})
	version := func() event.Server { return event.Server{Version: "3.8.0"} }
	door.Use(version, nil)
	rooms := room.New(room.Config{Backend: run.Backend{Servers: []string{d.server.Address()}, ZooKeeper: version},
		Base: d.path + "/playground", EndTimeout: testTimeout, Opened: func(r *room.Room) { door.Open(r) }})
	d.Cleanup(func() {
		door.Close()
		ending, cancel := context.WithTimeout(context.Background(), testTimeout)
		defer cancel()
		if err := rooms.Close(ending); err != nil {
			d.Error(err)
		}
	})
	main, err := rooms.Get(room.Main)
	if err != nil {
		d.Fatal(err)
	}
	milliseconds := func(n int) scenario.Duration { return scenario.Duration(time.Duration(n) * time.Millisecond) }
	begun, err := main.Start(d.within(), scenario.Scenario{
		Name: "guests", Lanes: []scenario.Lane{{Name: "lane", Recipe: "mutex"}}, Clients: roomClients, Session: milliseconds(30_000),
		Seed: 7, Delay: milliseconds(2), Hold: scenario.Range{Min: milliseconds(5), Max: milliseconds(15)},
		Think: scenario.Range{Min: milliseconds(5), Max: milliseconds(30)}})
	if err != nil {
		d.Fatal(err)
	}
	status, _ := door.Status(room.Main)
	return begun, status.Address
}

// lockByHand takes the lock as a person would at ZooKeeper's command line, who looks
// again and again whether it is the turn of the own znode.
func lockByHand(cli *child) error {
	if err := cli.say("create -e -s /lock/lock-"); err != nil {
		return err
	}
	own, err := listed(cli, "getEphemerals /lock")
	if err != nil || len(own) != 1 {
		return fmt.Errorf("the znodes of the command line are %q: %w", own, err)
	}
	for first := ""; !strings.HasSuffix(own[0], "/"+first); {
		queue, err := listed(cli, "ls /lock")
		if err != nil {
			return err
		}
		first = slices.MinFunc(queue, func(a, b string) int { return strings.Compare(number(a), number(b)) })
	}
	return errors.Join(cli.say("stat /held/lock/zkcli"), cli.say("stat /held/lock/zkcli"), cli.say("delete "+own[0]))
}

// number is the end of a znode's name that the server has given it.
func number(name string) string { return name[max(0, len(name)-10):] }

// listed returns what a command lists, as [a, b].
func listed(cli *child, command string) ([]string, error) {
	if err := cli.say(command); err != nil {
		return nil, err
	}
	for {
		line, err := cli.hear()
		if err != nil {
			return nil, err
		}
		list, begins := strings.CutPrefix(line, "[")
		if list, ends := strings.CutSuffix(list, "]"); begins && ends {
			return strings.Split(list, ", "), nil
		}
	}
}

// read returns the whole log of a run that has ended.
func (d *lockDir) read(r *run.Run) []event.Event {
	d.Helper()
	var log []event.Event
	for int64(len(log)) < r.Log().Len() {
		more, err := r.Log().Read(int64(len(log))+1, 4096)
		if err != nil {
			d.Fatal(err)
		}
		log = append(log, more...)
	}
	return log
}

// expectWellBehaved fails the test unless each guest joined and left, nothing was
// refused, and every frame was decoded.
func (d *lockDir) expectWellBehaved(r *run.Run, log []event.Event, guests int) {
	d.Helper()
	seen := make(map[event.Kind]int)
	frames := 0
	for _, e := range log {
		seen[e.Kind]++
		if e.Client > roomClients && (e.Kind == event.WireSent || e.Kind == event.WireReceived) {
			frames++
		}
		if e.Kind == event.NoteRefused || e.Kind == event.WireUndecoded {
			d.Errorf("event %d: %s of client %d: %s %s: %s %s", e.Seq, e.Kind, e.Client, e.Op, e.Path, e.Err, e.Why)
		}
	}
	if seen[event.NoteJoined] != guests || seen[event.NoteLeft] != guests {
		d.Errorf("%d guests have joined and %d left, want %d", seen[event.NoteJoined], seen[event.NoteLeft], guests)
	}
	summary := r.Summary()
	for _, v := range summary.Lanes[0].Verdicts {
		want := event.Undecided // what guests believe is not told
		if v.Check == "orphans" || v.Check == "decoded" {
			want = event.Holds
		}
		if v.Verdict != want {
			d.Errorf("%s is %s: %s", v.Check, v.Verdict, v.Why)
		}
	}
	d.Logf("%d guests, %d frames of theirs, %d undecoded; %d acquisitions of simulated clients beside them",
		guests, frames, summary.Undecoded, summary.Lanes[0].Acquisitions)
}
