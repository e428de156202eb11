package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/streamtest"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// clusterKills is set by `make cluster-kills`; TestCluster is there for every day.
var clusterKills = flag.Int("cluster-kills", 0, "how often TestClusterKills kills a playground; it kills ZooKeeper's leader half as often")

const (
	siegeRooms    = 30 // that of the class is one
	siegeStudents = 50
	siegeTick     = 500 * time.Millisecond
	// clusterSession is how long a killed replica keeps its rooms.
	clusterSession = 4 * time.Second
	// backBound is how soon each room is to be back; one in twenty may be later on a busy machine.
	backBound = clusterSession + 2*siegeTick
	// askEvery is the time between two questions whether a room is back.
	askEvery = 50 * time.Millisecond
)

// A siege is a cluster whose replicas and servers are killed while a class is at work. It is
// judged from outside: by requests, and by ZooKeeper's log.
type siege struct {
	*replicaSet
	zookeeper *zktest.Ensemble
	class     *ledger
	rooms     []*clusterRoom
	table     []string
}

// TestClusterKills: nothing that was answered is lost, whichever replica or server is
// killed, and the rooms are back in time. It prints how soon.
func TestClusterKills(t *testing.T) {
	if *clusterKills == 0 {
		t.Skip("see make cluster-kills")
	}
	e := zktest.StartUncuttable(t, siegeTick)
	set := startReplicas(t, 3, strings.Join(e.Addresses(), ","), "-keep-runs", "1000")
	s := &siege{replicaSet: set, zookeeper: e}
	s.class = s.newLedger(siegeStudents)
	s.rooms = []*clusterRoom{{name: s.class.room, browser: s.class.teacher}}
	for len(s.rooms) < siegeRooms {
		s.rooms = append(s.rooms, s.newRoom())
	}
	s.eachRoom(func(r *clusterRoom) { r.run() })
	s.mustHaveAll()
	t.Logf("ZooKeeper %s, %d rooms, %d students", e.Version(), len(s.rooms), len(s.class.students))

	random := rand.New(rand.NewPCG(1, 0))
	s.repeat("playground killed", *clusterKills, func() (time.Time, []site, map[string]bool) {
		victim := s.replicas[s.owner(s.class.room)]
		owned := s.owned(victim)
		s.work(owned, random.IntN(1000))
		killed := time.Now()
		victim.signal(t, os.Kill)
		<-victim.exited
		s.use(s.without(victim))
		return killed, s.replicas, owned
	})
	var away sync.WaitGroup
	var without []time.Duration // a leader; it is found before the rooms are
	s.repeat("ZooKeeper's leader killed", *clusterKills/2, func() (time.Time, []site, map[string]bool) {
		pauseFor(random.IntN(1000))
		killed := time.Now()
		if _, _, err := e.Inject(t.Context(), "kill-leader", 0); err != nil {
			t.Fatal(err)
		}
		away.Go(func() {
			if _, err := e.Leader(t.Context()); err == nil {
				without = append(without, time.Since(killed))
			}
		})
		return killed, s.replicas, nil
	})
	away.Wait()
	s.repeat("playground stopped", 3, func() (time.Time, []site, map[string]bool) {
		stopped := s.replicas[0] // the oldest
		owned := s.owned(stopped)
		pauseFor(random.IntN(1000))
		told := time.Now()
		stopped.mustStop(t, syscall.SIGTERM)
		s.use(s.without(stopped))
		return told, s.replicas, owned
	})
	t.Logf("ZooKeeper had no leader for %s", quantiles(without))
	judgeFences(e.History(t)).mustHold(t)
	for _, line := range append([]string{
		"| | times | all rooms back: p50 | p95 | max | later than the bound | rooms it had: p50 | p95 | max | votes answered | longest wait for a vote | lost |",
		"|---|---|---|---|---|---|---|---|---|---|---|---|"}, s.table...) {
		t.Log(line)
	}
}

func pauseFor(milliseconds int) { time.Sleep(time.Duration(milliseconds) * time.Millisecond) } // an instant is to be any

// repeat has something done while the class votes, and then wants all to be there. What is
// done returns when it was, the replicas by which every room must answer, and the rooms
// that had to move.
func (s *siege) repeat(what string, times int, strike func() (time.Time, []site, map[string]bool)) {
	s.Helper()
	var all, moved, waits []time.Duration
	votes, lost := 0, s.class.lost
	for i := range times {
		s.class.round(fmt.Sprintf("%s %d", what, i+1))
		voting := s.class.vote(s.Context())
		began, through, owned := strike()
		for room, took := range s.back(began, through) {
			all = append(all, took)
			if owned[room] {
				moved = append(moved, took)
			}
		}
		answered, longest := voting.stop()
		votes, waits = votes+answered, append(waits, longest)
		s.mustHaveAll()
		if len(s.replicas) < 3 {
			s.start()
		}
		s.awaitServers()
		s.Logf("%s %d: %v", what, i+1, quantiles(all[len(all)-len(s.rooms):]))
	}
	late := 0
	for _, took := range all {
		if took > backBound {
			late++
		}
	}
	if late > len(all)/20 {
		s.Errorf("%s: %d rooms of %d were back after more than %v", what, late, len(all), backBound)
	}
	ofMoved := "| | "
	if len(moved) > 0 {
		ofMoved = quantiles(moved)
	}
	s.table = append(s.table, fmt.Sprintf("| %s | %d | %s| %d of %d | %s| %d | %v | %d |", what, times, quantiles(all), late, len(all), ofMoved, votes, rounded(slices.Max(waits)), s.class.lost-lost))
}

func quantiles(d []time.Duration) string {
	sorted := slices.Sorted(slices.Values(d))
	return fmt.Sprintf("%v | %v | %v ", rounded(streamtest.Quantile(sorted, 0.5)), rounded(streamtest.Quantile(sorted, 0.95)), rounded(sorted[len(sorted)-1]))
}

func rounded(d time.Duration) time.Duration { return d.Round(10 * time.Millisecond) }

// back asks for each room at each of some replicas until all have answered, and returns how
// long that took since a moment.
func (s *siege) back(since time.Time, through []site) map[string]time.Duration {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), timeout)
	defer cancel()
	var mu sync.Mutex
	took := make(map[string]time.Duration)
	var asking sync.WaitGroup
	for _, room := range s.rooms {
		for _, replica := range through {
			asking.Go(func() {
				v := room.at(replica)
				for ctx.Err() == nil {
					within, cancel := context.WithTimeout(ctx, time.Second)
					status, _ := v.ask(within, "GET", "/api/rooms/"+room.name+"/me", "")
					cancel()
					if status == 200 {
						mu.Lock()
						defer mu.Unlock()
						took[room.name] = max(took[room.name], time.Since(since))
						return
					}
					time.Sleep(askEvery)
				}
				s.Errorf("room %s is not back after %v", room.name, timeout)
			})
		}
	}
	asking.Wait()
	return took
}

// work begins a run in one of some rooms, which is under way when its replica is killed, and
// then has one in another whose end has just been answered.
func (s *siege) work(rooms map[string]bool, pause int) {
	s.Helper()
	do := []func(*clusterRoom){(*clusterRoom).begin, func(r *clusterRoom) { pauseFor(pause); r.run() }}
	for _, r := range s.rooms[1:] {
		if rooms[r.name] && len(do) > 0 {
			do[0](r)
			do = do[1:]
		}
	}
}

func (s *siege) eachRoom(do func(*clusterRoom)) {
	var doing sync.WaitGroup
	turns := make(chan struct{}, 5)
	for _, r := range s.rooms {
		doing.Go(func() {
			turns <- struct{}{}
			do(r)
			<-turns
		})
	}
	doing.Wait()
}

// mustHaveAll wants all that was answered to be there, and no room to have two owners by
// their own word.
func (s *siege) mustHaveAll() {
	s.Helper()
	s.class.mustHaveAll()
	s.eachRoom(func(r *clusterRoom) { s.class.note(r.mustHaveRuns()) })
	owners := make(map[string]int)
	for _, replica := range s.replicas {
		for room := range s.owned(replica) {
			if owners[room]++; owners[room] > 1 {
				s.Errorf("two playgrounds say that they have room %s", room)
			}
		}
	}
}

// awaitServers waits until all servers serve.
func (s *siege) awaitServers() {
	s.Helper()
	for _, address := range s.zookeeper.Addresses() {
		eventually(s.T, "ZooKeeper at "+address+" serves", func() bool {
			ctx, cancel := context.WithTimeout(s.Context(), time.Second)
			defer cancel()
			return zkserver.Ready(ctx, address) == nil
		})
	}
}
