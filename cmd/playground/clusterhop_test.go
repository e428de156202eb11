//go:build linux

package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/streamtest"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

const (
	hopRequests = 1000
	hopViewers  = 200
	hopFor      = 15 * time.Second
)

// TestClusterHop prints what it costs to reach a room through a replica that does not have
// it.
func TestClusterHop(t *testing.T) {
	if *clusterKills == 0 {
		t.Skip("see make cluster-kills")
	}
	set := startReplicas(t, 2, strings.Join(zktest.StartUncuttable(t, siegeTick).Addresses(), ","),
		"-max-viewers", fmt.Sprint(hopViewers+10), "-max-events-per-second", "1000")
	r := set.newRoom()
	r.run()
	owner := set.replicas[set.owner(r.name)]
	h := &hop{T: t, room: r, owner: owner, other: set.without(owner)[0]}
	h.printRequests()
	h.printStreams("at class speed", classExercise)
	h.printStreams("at 1000 events a second", demonstration)
}

// A hop is from one replica to the owner of a room.
type hop struct {
	*testing.T
	room         *clusterRoom
	owner, other site
}

func (h *hop) printRequests() {
	took := map[site][]time.Duration{}
	clients := map[site]*browser{h.owner: h.room.at(h.owner), h.other: h.room.at(h.other)}
	for _, v := range clients {
		v.client.Transport.(*http.Transport).DisableKeepAlives = false
		defer v.client.CloseIdleConnections()
	}
	for range hopRequests {
		for s, v := range clients {
			began := time.Now()
			if status, _ := v.ask(h.Context(), "GET", h.room.path("/me"), ""); status != http.StatusOK {
				h.Fatalf("GET: %d", status)
			}
			took[s] = append(took[s], time.Since(began))
		}
	}
	h.Logf("GET at the owner: %s; through another: %s", finely(took[h.owner]), finely(took[h.other]))
}

func finely(d []time.Duration) string {
	slices.Sort(d)
	return fmt.Sprintf("p50 %v, p95 %v", streamtest.Quantile(d, 0.5).Round(10*time.Microsecond), streamtest.Quantile(d, 0.95).Round(10*time.Microsecond))
}

// follow opens streams of the room at a replica.
func (h *hop) follow(at site, n int) (followers []*follower, leave func()) {
	frames := streamtest.NewFrames()
	for range n {
		stream, err := frames.Dial(h.Context(), streamtest.Config{Address: strings.TrimPrefix(at.url, "http://"), Path: h.room.path("/stream")})
		if err != nil {
			h.Fatal(err)
		}
		f := &follower{stream: stream}
		f.done.Go(func() { f.err = f.read() })
		followers = append(followers, f)
	}
	return followers, func() {
		for _, f := range followers {
			f.stream.Close()
			f.done.Wait()
		}
	}
}

// printStreams compares a viewer through the hop with one at the owner, and then what many
// take at each.
func (h *hop) printStreams(how, run string) {
	if status, text := h.room.ask(h.Context(), "POST", h.room.path("/run"), run); status != http.StatusCreated {
		h.Fatalf("start a run: %d: %s", status, text)
	}
	near, leaveNear := h.follow(h.owner, 1)
	far, leaveFar := h.follow(h.other, 1)
	h.measure(nil)
	leaveNear()
	leaveFar()
	h.Logf("%s, an event through the hop comes later by %s", how, finely(later(near[0], far[0])))
	for _, at := range []site{h.other, h.owner} {
		all, leave := h.follow(at, hopViewers)
		owner, other := h.measure(all)
		leave()
		where := "at the owner"
		if at == h.other {
			where = "through the hop"
		}
		h.Logf("%s, %d viewers %s: the owner takes %.2f cores, the other %.2f", how, hopViewers, where, owner, other)
	}
	if status, _ := h.room.ask(h.Context(), "DELETE", h.room.path("/run"), ""); status != http.StatusOK {
		h.Errorf("end a run: %d", status)
	}
}

// measure lets time pass once all follow, and returns how many cores the replicas took.
func (h *hop) measure(followers []*follower) (owner, other float64) {
	for _, f := range followers {
		eventually(h.T, "all follow", func() bool { return f.last.Load() > 0 })
	}
	usage := func(s site) time.Duration { return zktest.ReadUsage(h, s.cmd.Process.Pid).Processor }
	began, ofOwner, ofOther := time.Now(), usage(h.owner), usage(h.other)
	time.Sleep(hopFor)
	took := time.Since(began).Seconds()
	return (usage(h.owner) - ofOwner).Seconds() / took, (usage(h.other) - ofOther).Seconds() / took
}

// later is how much later the same frames came to another follower.
func later(f, other *follower) (later []time.Duration) {
	when := make(map[time.Duration]time.Time)
	for _, a := range f.arrived {
		when[a.at] = a.when
	}
	for _, a := range other.arrived {
		if first, is := when[a.at]; is {
			later = append(later, a.when.Sub(first))
		}
	}
	return later
}
