package web_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// noticed is how soon everybody must know that ZooKeeper is gone: at once, and
// on a machine that stands still well before a viewer's next ping.
const noticed = 10 * time.Second

// A health is the answer of /healthz.
type health struct {
	Status, Version string
	ZooKeeper       zkserver.Status
	Servers         []zkserver.Status
}

func (s *site) health(status int) (h health) {
	s.Helper()
	s.decode(s.ask(http.MethodGet, "/healthz", ""), status, &h)
	return h
}

func TestHealthyServer(t *testing.T) {
	h := open(t).health(http.StatusOK)
	if h.Status != "ok" || h.Version != "test" || h.ZooKeeper.Version != "3.8.0" || !h.ZooKeeper.Managed || len(h.Servers) != 1 {
		t.Errorf("%+v", h)
	}
}

// TestProbes: without ZooKeeper nobody should be sent here, but a new start would not
// help; and before its end a server that can still answer wants nobody new.
func TestProbes(t *testing.T) {
	var state atomic.Value
	s := open(t, func(u *setup) {
		u.web.ZooKeeper = func() []zkserver.Status { return []zkserver.Status{{State: state.Load().(zkserver.State)}} }
	})
	probe := func(name string, live, ready, health int) {
		t.Helper()
		for path, want := range map[string]int{"/healthz/live": live, "/healthz/ready": ready, "/healthz": health} {
			if a := s.ask(http.MethodGet, path, ""); a.status != want {
				t.Errorf("%s: %s answers %d, want %d", name, path, a.status, want)
			}
		}
	}
	state.Store(zkserver.Live)
	probe("all is well", 200, 200, 200)
	state.Store(zkserver.Unreachable)
	probe("no ZooKeeper", 200, 503, 503)
	state.Store(zkserver.Live)
	s.server.Drain()
	probe("about to stop", 200, 503, 200)
}

// TestStopTellsHowTheRunEnded: whoever watches is told all before the goodbye.
func TestStopTellsHowTheRunEnded(t *testing.T) {
	s := open(t)
	s.startQuick()
	w := s.watch("")
	w.until("told an event", func() bool { return w.last > 0 })
	if err := errors.Join(s.rooms.Close(s.within()), s.server.Shutdown(s.within())); err != nil {
		t.Fatal(err)
	}
	for err := error(nil); err == nil; {
		err = w.next()
	}
	if !w.complete() {
		t.Errorf("told of %d events of %+v", w.last, w.run)
	}
}

func TestOneLiveServerIsEnough(t *testing.T) {
	dead, alive := zkserver.Status{Address: "a:1", State: zkserver.Unreachable}, zkserver.Status{Address: "b:1", State: zkserver.Live}
	s := open(t, func(u *setup) { u.web.ZooKeeper = func() []zkserver.Status { return []zkserver.Status{dead, alive} } })
	if h := s.health(http.StatusOK); h.ZooKeeper != alive || len(h.Servers) != 2 {
		t.Errorf("%+v", h)
	}
}

// TestServersOfAnEnsemble: the stream and the health check tell what each
// server is, and the stream tells it again when that has changed.
func TestServersOfAnEnsemble(t *testing.T) {
	now := func(state zkserver.State, modes ...string) (servers []zkserver.Status) {
		for i, mode := range modes {
			servers = append(servers, zkserver.Status{Address: string(rune('a'+i)) + ":1", State: state, Mode: mode, Managed: true})
		}
		return servers
	}
	var servers atomic.Pointer[[]zkserver.Status]
	become := func(next []zkserver.Status) { servers.Store(&next) }
	become(now(zkserver.Live, zkserver.ModeFollower, zkserver.ModeLeader, zkserver.ModeFollower))
	s := open(t, func(u *setup) { u.web.ZooKeeper = func() []zkserver.Status { return *servers.Load() } })
	s.startQuick()
	w := s.watch("")
	w.until("told of the leader", func() bool { return len(w.servers) == 3 && w.servers[1].Mode == zkserver.ModeLeader })
	if h := s.health(http.StatusOK); !slices.Equal(h.Servers, *servers.Load()) {
		t.Errorf("the health check tells of %+v", h.Servers)
	}
	become(now(zkserver.Live, zkserver.ModeLeader, zkserver.ModeFollower, zkserver.ModeFollower))
	w.until("told of the new leader", func() bool { return w.servers[0].Mode == zkserver.ModeLeader })
	become(now(zkserver.Unreachable, "", "", ""))
	w.until("told that no server is live", func() bool { return w.zookeeper.State == zkserver.Unreachable })
	s.health(http.StatusServiceUnavailable)
}

func TestMetrics(t *testing.T) {
	s := open(t)
	s.startQuick()
	w := s.watch("")
	w.until("told of the run", func() bool { return w.run != nil })
	text := string(s.ask(http.MethodGet, "/metrics", "").body)
	for _, line := range []string{"playground_viewers 1", "playground_rooms 1", "playground_runs 1",
		"playground_zookeeper_up 1", "playground_events ", "go_goroutines "} {
		if !strings.Contains(text, "\n"+line) {
			t.Errorf("no %q in the metrics", line)
		}
	}
}

// openMonitored returns a site on a ZooKeeper of its own, wired as the program
// does it.
func openMonitored(t *testing.T) (*site, *zkserver.Server) {
	t.Helper()
	managed := zktest.StartOwn(t, zkserver.Config{}).Managed()
	var rooms *room.Rooms // not asked before the monitor runs
	monitor := zkserver.NewMonitor(zkserver.MonitorConfig{Addresses: []string{managed.Address()}, Managed: true,
		Notify: func(s zkserver.Status) { rooms.NoteZooKeeper(event.Text(string(s.State))) }})
	s := open(t, func(u *setup) {
		u.room.Servers, u.room.Gate, u.room.Base = []string{managed.Address()}, monitor.Wait, ""
		u.web.ZooKeeper = monitor.Current
	})
	rooms = s.rooms
	watching, stop := context.WithCancel(context.Background())
	watched := make(chan struct{})
	go func() { defer close(watched); monitor.Run(watching) }()
	t.Cleanup(func() { stop(); <-watched })
	if err := monitor.Wait(s.within()); err != nil {
		t.Fatal(err)
	}
	return s, managed
}

func TestZooKeeperDiesAndComesBack(t *testing.T) {
	t.Parallel()
	s, managed := openMonitored(t)
	s.startQuick()
	w := s.watch("")
	w.until("told that ZooKeeper is live", func() bool { return w.zookeeper.State == zkserver.Live })
	s.awaitAll(s.run(), 1) // a fault needs a session

	killed := time.Now()
	managed.Halt() // it stays down: what follows must not meet one that boots
	w.until("told that ZooKeeper is gone", func() bool { return w.zookeeper.State == zkserver.Unreachable })
	if took := time.Since(killed); took > noticed {
		t.Errorf("the stream told after %v, want within %v", took, noticed)
	}
	if h := s.health(http.StatusServiceUnavailable); h.ZooKeeper.Why == "" || h.Status == "ok" {
		t.Errorf("without ZooKeeper: %+v", h)
	}
	s.refuse(t, []refusal{{"fault", "POST", faultPath, `{"client": 1, "fault": "expire"}`, 503, "zookeeper_unreachable"}})
	if text := string(s.ask(http.MethodGet, "/metrics", "").body); !strings.Contains(text, "\nplayground_zookeeper_up 0") {
		t.Error("the metrics say that ZooKeeper is up")
	}

	managed.Revive()
	w.until("told that ZooKeeper is back", func() bool { return w.zookeeper.State == zkserver.Live })
	s.health(http.StatusOK)
	back := s.await(s.run(), func(e event.Event) bool { return e.Kind == event.NoteZooKeeper && e.Why == string(zkserver.Live) })
	s.await(s.run(), func(e event.Event) bool { return e.Kind == event.LockAcquired && e.Seq > back.Seq })
	s.ask("DELETE", runPath, "")
	w.until("told the end", w.complete)
}

// TestServerFaultsOfSomebodyElse: servers that are not ours are not broken.
func TestServerFaultsOfSomebodyElse(t *testing.T) {
	s := open(t)
	s.startQuick()
	for _, fault := range run.Catalogue().FaultNames(scenario.TargetServer) {
		s.refuse(t, []refusal{{fault, "POST", faultPath, `{"fault": "` + fault + `"}`, http.StatusConflict, "not_ours"}})
	}
	s.await(s.run(), kind(event.LockReleased))
}

// TestServerFaultsOfOneServer: ours is restarted, but one server has no leader
// or follower to kill.
func TestServerFaultsOfOneServer(t *testing.T) {
	t.Parallel()
	ours, err := zkserver.StartEnsemble(t.Context(), zkserver.Config{BootTimeout: timeout}, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ours.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	s := open(t, func(u *setup) { u.room.Servers, u.room.Cluster, u.room.Base = ours.Addresses(), ours, "" })
	s.startQuick()
	s.await(s.run(), kind(event.LockReleased))
	for _, fault := range []string{"kill-leader", "kill-follower", "lose-quorum"} {
		answer := s.ask(http.MethodPost, faultPath, `{"fault": "`+fault+`"}`)
		if answer.status != http.StatusConflict || !strings.Contains(string(answer.body), "start with -nodes 3") {
			t.Errorf("%s: %d %s", fault, answer.status, answer.body)
		}
	}
	if answer := s.ask(http.MethodPost, faultPath, `{"fault": "restart"}`); answer.status != http.StatusOK {
		t.Errorf("restart: %d %s", answer.status, answer.body)
	}
	injected := s.await(s.run(), kind(event.FaultInjected))
	s.await(s.run(), func(e event.Event) bool { return e.Kind == event.LockReleased && e.Seq > injected.Seq })
}

func TestStartWithoutZooKeeper(t *testing.T) {
	s := open(t, func(u *setup) { u.room.Servers = []string{"127.0.0.1:1"} })
	s.refuse(t, []refusal{{"start", "POST", runPath, `{"scenario": "herd"}`, 503, "zookeeper_unreachable"}})
}
