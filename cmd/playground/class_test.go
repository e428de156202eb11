//go:build linux

package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/streamtest"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// `make class` measures a class of 50 for longer.
var (
	students  = flag.Int("students", 2, "how many students TestClass has")
	classFor  = flag.Duration("class", 500*time.Millisecond, "how long TestClass measures")
	classRate = flag.Int("class.rate", 10_000, "how many events a second the teacher's run of TestClass may have")
)

// demonstration is what the teacher runs: the comparison that the page begins with, but
// as fast as it goes, or as the playground allows.
const demonstration = `{"scenario": {"name": "demonstration", "title": "Herd against predecessor", "lanes": [
	{"name": "herd", "title": "Herd", "recipe": "herd"}, {"name": "predecessor", "title": "Predecessor", "recipe": "mutex"}],
	"clients": 12, "session": "10s", "hold": {"min": "0s", "max": "0s"}, "think": {"min": "0s", "max": "0s"}, "seed": 7}}`

// classExercise is what a student runs: what the page begins with, at the speed that it
// begins with.
const classExercise = `{"scenario": "herd-vs-predecessor", "clients": 8, "delay": "250ms"}`

// TestClass is a class as people have it, by HTTP and websockets alone: each student has
// joined by the code, follows the teacher's run, and has a run and its stream in a room
// of one's own. Every follower must get every event once, and in order. It prints what
// that takes.
func TestClass(t *testing.T) {
	t.Parallel()
	java := newJavaHome(t)
	s := serve(t, java.setting(), "-teacher-token", "token", "-max-rooms", fmt.Sprint(*students+10),
		"-max-viewers", fmt.Sprint(*students+10), "-max-events-per-second", fmt.Sprint(*classRate))
	c := measuredClass{T: t, site: s, frames: streamtest.NewFrames(),
		pids: []int{s.cmd.Process.Pid, java.pid(t), os.Getpid()}}
	c.teacher = s.visit(t, "/?teacher=token")
	var code string
	c.room, code = c.teacher.openClass()
	for range *students {
		c.join(code)
	}
	c.teacher.start(c.room, demonstration)
	eventually(t, "every sandbox is busy, and the teacher's run well under way", func() bool {
		for i, student := range c.students {
			if student.sandbox.last.Load() < 50 || c.followers[i].last.Load() < int64(*classRate)*5/4 {
				return false
			}
		}
		return true
	})
	from := c.meter()
	c.pass(*classFor)
	to := c.meter()
	events := c.teacher.end(c.room).Events
	for _, f := range c.followers {
		f.finish(t, events)
	}
	c.print(from, to, events, c.endExercises())
	s.mustStop(t, syscall.SIGTERM)
}

// A measuredClass is one in progress.
type measuredClass struct {
	*testing.T
	site
	frames    *streamtest.Frames
	pids      []int // of the playground, its ZooKeeper, and this process
	teacher   visitor
	room      string
	students  []measuredStudent
	followers []*follower // of the teacher's run, one for each student
}

// A measuredStudent has a room of its own.
type measuredStudent struct {
	visitor
	room    string
	sandbox *follower
}

// join is what a student does at the beginning.
func (c *measuredClass) join(code string) {
	c.Helper()
	p := c.visit(c.T, "/?code="+code)
	p.must(http.StatusOK, http.MethodPost, "/api/classes/join", fmt.Sprintf(`{"code": %q}`, code))
	c.followers = append(c.followers, p.follow(c.frames, c.room))
	room := p.makeRoom()
	p.start(room, classExercise)
	c.students = append(c.students, measuredStudent{p, room, p.follow(c.frames, room)})
}

// endExercises ends the runs of the students, all at once as each takes its time, and
// returns how many events they had.
func (c *measuredClass) endExercises() (events int64) {
	c.Helper()
	var ending sync.WaitGroup
	for _, student := range c.students {
		ending.Go(func() {
			if status, answer, err := student.ask(http.MethodDelete, student.room+"/run", ""); err != nil || status != http.StatusOK {
				c.Errorf("a student ends its run: %d, %v: %s", status, err, answer)
			}
		})
	}
	ending.Wait()
	for _, student := range c.students {
		var told check.Summary
		decode(c.T, student.must(http.StatusOK, http.MethodGet, student.room+"/summary", ""), &told)
		student.sandbox.finish(c.T, told.Events)
		events += told.Events
	}
	return events
}

// A reading is what the meters say at a moment.
type reading struct {
	when   time.Time
	events int64 // of the teacher's run, that have come to a follower
	used   []zktest.Usage
}

func (c *measuredClass) meter() reading {
	c.Helper()
	r := reading{when: time.Now(), events: c.followers[0].last.Load()}
	for _, pid := range c.pids {
		r.used = append(r.used, zktest.ReadUsage(c.T, pid))
	}
	return r
}

// pass lets time pass.
func (c *measuredClass) pass(d time.Duration) {
	c.Helper()
	select {
	case <-time.After(d):
	case <-c.exited:
		c.Fatal("the playground has ended")
	}
}

// print tells what happened between two readings.
func (c *measuredClass) print(from, to reading, events, exercised int64) {
	seconds := to.when.Sub(from.when).Seconds()
	c.Logf("%d students, each with a run of 2 lanes of 8 clients at class speed in a room of its own", len(c.students))
	c.Logf("the teacher's run had %.0f events a second for %.1f s, %d in all; those of the students %d",
		float64(to.events-from.events)/seconds, seconds, events, exercised)
	if !c.Failed() {
		c.Logf("each of %d followers has had every event once, and in order", 2*len(c.students))
	}
	ages := ages(c.followers, from.when)
	c.Logf("from event to socket: p50 %v, p99 %v", streamtest.Quantile(ages, 0.5).Round(100*time.Microsecond),
		streamtest.Quantile(ages, 0.99).Round(100*time.Microsecond))
	for i, name := range []string{"playground", "ZooKeeper", "all the browsers"} {
		c.Logf("%-16s %.2f cores, %d MiB of memory at most", name,
			(to.used[i].Processor-from.used[i].Processor).Seconds()/seconds, to.used[i].Peak>>20)
	}
}
