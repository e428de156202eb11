package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A classroom is a class with students who have voted.
type classroom struct {
	room, code string
	teacher    *browser
	students   []*browser
}

func (set *replicaSet) classroom(students int) *classroom {
	c := &classroom{teacher: set.browser()}
	c.teacher.must("GET", "/?teacher="+teacherToken, "", nil)
	var opened struct{ Room, Code string }
	c.teacher.must("POST", "/api/classes", "", &opened)
	c.room, c.code = opened.Room, opened.Code
	for range students {
		student := set.browser()
		student.must("GET", "/", "", nil)
		student.must("POST", "/api/classes/join", fmt.Sprintf(`{"code": %q}`, c.code), nil)
		student.must("POST", "/api/classes/goals", fmt.Sprintf(`{"goals": [%q]}`, aGoal), nil)
		c.students = append(c.students, student)
	}
	return c
}

func (c *classroom) path(path string) string { return "/api/rooms/" + c.room + path }

// vote has all students vote, and returns when each vote was answered.
func (c *classroom) vote(choice int) {
	for _, student := range c.students {
		student.must("POST", c.path("/votes"), vote(choice), nil)
	}
}

// mustHave wants the class as it was, with one vote of all.
func (c *classroom) mustHave(t *testing.T, choice int) {
	t.Helper()
	var me struct {
		Class struct {
			Members int
			Goals   map[string]int
			Votes   []struct{ Counts []int }
		}
	}
	c.teacher.must("GET", c.path("/me"), "", &me)
	all := len(c.students)
	if me.Class.Members != all || me.Class.Goals[aGoal] != all || len(me.Class.Votes) != 1 || me.Class.Votes[0].Counts[choice] != all {
		t.Errorf("the class is %+v, want %d members, goals, and votes for %d", me.Class, all, choice)
	}
}

// TestCluster: what a class has survives every way in which its playground may end.
func TestCluster(t *testing.T) {
	zookeeper := t.TempDir()
	set := startReplicas(t, 3, zktest.StartOwn(t, zkserver.Config{Dir: zookeeper}).Address())
	c := set.classroom(3)
	c.vote(1)
	c.mustHave(t, 1)

	var begun struct{ Run struct{ ID string } }
	c.teacher.must("POST", c.path("/run"), `{"scenario": "herd", "clients": 3, "delay": "0s"}`, &begun)
	run := begun.Run.ID
	eventually(t, "some events", func() bool {
		var summary struct{ Events int }
		c.teacher.must("GET", c.path("/summary"), "", &summary)
		return summary.Events > 100
	})

	// Killed: another replica has the class, and what was recorded of the run.
	killed := set.owner(c.room)
	set.replicas[killed].signal(t, os.Kill)
	<-set.replicas[killed].exited
	set.use(set.without(set.replicas[killed]))
	c.mustHave(t, 1)
	var kept struct{ Runs []struct{ ID, State string } }
	if c.teacher.must("GET", c.path("/runs"), "", &kept); len(kept.Runs) != 1 || kept.Runs[0].ID != run || kept.Runs[0].State != "finished" {
		t.Errorf("after the kill there are the runs %v, want %s", kept.Runs, run)
	}
	set.start()

	// Stopped: each hands its rooms over.
	for range 3 {
		c.vote(2)
		stopped := set.replicas[0]
		stopped.mustStop(t, syscall.SIGTERM)
		set.use(set.replicas[1:])
		c.mustHave(t, 2)
		set.start()
	}

	// Paused for longer than its session: it is not believed when it wakes up.
	c.vote(3)
	paused := set.replicas[set.owner(c.room)]
	others := set.without(paused)
	pause(t, paused)
	all := set.replicas
	set.use(others)
	c.vote(4) // it waits until another has the room
	set.use([]site{paused})
	resume(t, paused)
	if status := c.students[0].try("POST", c.path("/votes"), vote(5), nil); status >= 200 && status < 300 {
		c.students[0].must("POST", c.path("/votes"), vote(4), nil) // it carries votes on by now
	}
	set.use(all)
	c.mustHave(t, 4)
	judgeFences(zktest.ReadHistory(t, zookeeper)).mustHold(t)
}

// A replica answers to the name by which the others reach it: a proxy asks for its health
// by that.
func TestAdvertisedName(t *testing.T) {
	s := serve(t, nil, "-zookeeper", zktest.StartOwn(t, zkserver.Config{}).Address(), "-cluster", "names", "-advertise", "replica.test:0")
	for name, want := range map[string]int{"replica.test": http.StatusOK, "other.test": http.StatusForbidden} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/healthz/ready", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = name
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("as %s: %s", name, response.Status)
		}
	}
}

// TestFullCluster: a room goes where there is a place for it, also one that its playground
// has left; and who finds none anywhere is told so.
func TestFullCluster(t *testing.T) {
	set := startReplicas(t, 2, zktest.StartOwn(t, zkserver.Config{}).Address(), "-max-rooms", "2", "-unwatched", "0")
	first := set.newRoom()
	first.begin() // from now on its playground has the most clients
	rooms := []*clusterRoom{first}
	for range 3 {
		r := set.newRoom()
		r.run() // a room that was never used would make way soon
		rooms = append(rooms, r)
	}
	for i, replica := range set.replicas {
		if n := len(set.owned(replica)); n != 2 {
			t.Errorf("playground %d has %d rooms, want 2", i, n)
		}
	}
	v := set.browser()
	v.must("GET", "/", "", nil)
	status, told := v.ask(t.Context(), "POST", "/api/rooms", "")
	t.Logf("who wants one more room is told %s", told)
	if status != http.StatusServiceUnavailable || !strings.Contains(string(told), `"full"`) || !strings.Contains(string(told), "in use") {
		t.Errorf("with %d", status)
	}

	set.replicas[0].mustStop(t, syscall.SIGTERM)
	set.use(set.replicas[1:])
	homeless := 0
	for _, r := range rooms {
		if status, told := r.ask(t.Context(), "GET", r.path("/me"), ""); status != http.StatusOK {
			homeless++
			if status != http.StatusServiceUnavailable || !strings.Contains(string(told), `"full"`) {
				t.Errorf("who looks for a room that has no place is told %d, %s", status, told)
			}
		}
	}
	if homeless != 2 {
		t.Errorf("%d rooms have no place, want 2", homeless)
	}
	set.start()
	for _, r := range rooms {
		r.at(set.replicas[0]).must("GET", r.path("/me"), "", nil) // which has no place itself
	}
}

// TestForgottenRooms: a room whose playground has ended, and which nobody visits, is removed in
// time with its recordings; one that has a playground stays.
func TestForgottenRooms(t *testing.T) {
	server := zktest.StartOwn(t, zkserver.Config{})
	set := startReplicas(t, 2, server.Address(), "-forget-rooms", "1s")
	left := set.newRoom()
	left.begin() // from now on its playground has the most clients
	stays := set.newRoom()
	stays.run()
	stopped := set.replicas[set.owner(left.name)]
	set.use(set.without(stopped))
	zookeeper := server.Conn(t)
	there := func() bool {
		found, _, err := zookeeper.Exists("/playground/clusters/tests/rooms/" + left.name)
		return found || err != nil
	}
	if !there() {
		t.Error("nothing is kept of the room")
	}
	stopped.mustStop(t, syscall.SIGTERM)
	eventually(t, "the room is forgotten", func() bool { return !there() })
	data := set.flags[slices.Index(set.flags, "-data")+1]
	eventually(t, "its files are gone", func() bool {
		found, err := filepath.Glob(filepath.Join(data, "rooms", left.name))
		return err == nil && found == nil
	})
	if status, _ := left.ask(t.Context(), "GET", left.path("/me"), ""); status != http.StatusNotFound {
		t.Errorf("who visits it is answered with %d", status)
	}
	if lost := stays.mustHaveRuns(); len(lost) > 0 {
		t.Errorf("of the room that has a playground there is no %s", lost)
	}
}
