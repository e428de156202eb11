package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// A class is at work in a playground that is killed, and goes on in the next one.
type class struct {
	room, code string // empty before there is one
	students   [2]student
	recordings map[string]int64 // those that were whole after a kill, with their size
}

// A student has a room of her own, and a choice in a vote.
type student struct {
	room string
	// Asked was sent last, and answered is what was the last to be answered: that one
	// is kept, or the other.
	asked, answered int
}

// mustBeBack wants the class to be there, as it was, and opens it the first time.
func (c *class) mustBeBack(t *testing.T, s site) {
	t.Helper()
	teacher := s.teacher(t)
	if c.room == "" {
		var made struct{ Room, Code string }
		decode(t, teacher.must(t, http.StatusCreated, "POST", "/api/classes", ""), &made)
		c.room, c.code = made.Room, made.Code
	}
	for i := range c.students {
		student := &c.students[i]
		p := c.student(t, s, i)
		first := student.room == ""
		if first {
			p.must(t, http.StatusOK, "POST", "/api/classes/join", fmt.Sprintf(`{"code": %q}`, c.code))
		}
		var mine struct{ Room string }
		decode(t, p.must(t, http.StatusCreated, "POST", "/api/rooms", ""), &mine)
		if first {
			p.must(t, http.StatusCreated, "POST", "/api/rooms/"+mine.Room+"/run", smallRun) // from now on it is kept
			p.must(t, http.StatusNoContent, "POST", "/api/rooms/"+c.room+"/votes", vote(0))
			p.must(t, http.StatusNoContent, "POST", "/api/classes/goals", fmt.Sprintf(`{"goals": [%q]}`, aGoal))
		}
		if !first && mine.Room != student.room {
			t.Errorf("%s's room is %s, it was %s", p.name, mine.Room, student.room)
		}
		student.room = mine.Room
		c.mustHaveVoted(t, p, student)
	}
	var me struct {
		Class struct{ Goals map[string]int }
	}
	if decode(t, teacher.must(t, http.StatusOK, "GET", "/api/rooms/"+c.room+"/me", ""), &me); me.Class.Goals[aGoal] != len(c.students) {
		t.Errorf("%d of %d students have met the goal: %v", me.Class.Goals[aGoal], len(c.students), me.Class.Goals)
	}
}

// aGoal is one that every student has met.
const aGoal = "znodes/one-of-each"

// mustHaveVoted wants a student to be a member still, with the vote that was answered, or
// the one after it.
func (c *class) mustHaveVoted(t *testing.T, p person, s *student) {
	t.Helper()
	var me struct {
		Role  string
		Class struct{ Votes []struct{ Mine int } }
	}
	decode(t, p.must(t, http.StatusOK, "GET", "/api/rooms/"+c.room+"/me", ""), &me)
	if me.Role != "student" || len(me.Class.Votes) != 1 {
		t.Fatalf("%s is a %s, with the votes %v", p.name, me.Role, me.Class.Votes)
	}
	if mine := me.Class.Votes[0].Mine; mine != s.answered && mine != s.asked {
		t.Errorf("%s has voted for %d, want %d, or %d", p.name, mine, s.answered, s.asked)
	} else {
		s.asked, s.answered = mine, mine
	}
}

func (c *class) student(t *testing.T, s site, i int) person {
	t.Helper()
	return s.person(t, fmt.Sprintf("student-%d", i+1))
}

// The runs of a class that is at work. They are quick, so that many end.
const (
	quickly  = `"session": "2s", "hold": {"min": "5ms", "max": "10ms"}, "think": {"min": "1ms", "max": "5ms"}, "seed": 1`
	smallRun = `{"scenario": {"name": "small", "title": "Small", "clients": 2, "lanes": [{"name": "mutex", "title": "Mutex", "recipe": "mutex"}], ` + quickly + `}}`
	classRun = `{"scenario": {"name": "class", "title": "Class", "clients": 5, "lanes": [{"name": "herd", "title": "Herd", "recipe": "herd"},
		{"name": "mutex", "title": "Mutex", "recipe": "mutex"}], ` + quickly + `}}`
)

func vote(choice int) string {
	return fmt.Sprintf(`{"question": "who wakes up?", "choice": %d}`, choice)
}

// work has everybody start and end runs, and vote, until the playground is gone.
func (c *class) work(t *testing.T, s site) *sync.WaitGroup {
	t.Helper()
	var atWork sync.WaitGroup
	teacher := s.teacher(t)
	atWork.Go(func() {
		for ok := true; ok; {
			ok = teacher.runs(t, c.room, classRun) && teacher.runs(t, "main", smallRun)
		}
	})
	for i := range c.students {
		student, p := &c.students[i], c.student(t, s, i)
		atWork.Go(func() {
			for student.votes(t, p, c.room) && p.runs(t, student.room, smallRun) {
			}
		})
	}
	return &atWork
}

// runs has a run in a room, until the lock has changed hands some times, unless the
// playground is gone.
func (p person) runs(t *testing.T, room, request string) bool {
	path := "/api/rooms/" + room
	if _, _, err := p.try(t, "POST", path+"/run", request); err != nil {
		return false
	}
	for released := 0; released < 5; {
		_, log, err := p.try(t, "GET", path+"/events", "")
		if err != nil {
			return false
		}
		released = bytes.Count(log, []byte(`"lock.released"`))
	}
	_, _, err := p.try(t, "DELETE", path+"/run", "")
	return err == nil
}

// votes changes the student's choice, unless the playground is gone.
func (s *student) votes(t *testing.T, p person, room string) bool {
	s.asked = (s.asked + 1) % 10
	status, _, err := p.try(t, "POST", "/api/rooms/"+room+"/votes", vote(s.asked))
	if status == http.StatusNoContent {
		s.answered = s.asked
	}
	return err == nil
}

// keptRuns are the files of those below -data.
func keptRuns(t *testing.T, data string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(data, "rooms", "*", "*.ndjson.zst"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// noteRecordings notes which recordings are whole now that nobody writes any. None that
// was whole before may be missing, or another.
func (c *class) noteRecordings(t *testing.T, data string) {
	t.Helper()
	now := make(map[string]int64)
	for _, name := range keptRuns(t, data) {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		now[name] = info.Size()
	}
	for name, size := range c.recordings {
		if now[name] != size {
			t.Errorf("%s has %d bytes, it had %d", name, now[name], size)
		}
	}
	c.recordings = now
}

// mustServeRecordings wants each recording that was whole to be sent as it was, and to be
// readable to its end.
func (c *class) mustServeRecordings(t *testing.T, s site, data string) {
	t.Helper()
	teacher, events := s.teacher(t), 0
	for name := range c.recordings {
		room, id := filepath.Base(filepath.Dir(name)), strings.TrimSuffix(filepath.Base(name), ".ndjson.zst")
		sent := teacher.must(t, http.StatusOK, "GET", "/api/rooms/"+room+"/recording?run="+id, "")
		kept, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(sent, kept) {
			t.Errorf("%s of %s: %d bytes sent, %d kept, %v", id, room, len(sent), len(kept), err)
		}
		n, err := readWhole(sent)
		if events += n; err != nil || n == 0 {
			t.Errorf("%s of %s: %d events, %v", id, room, n, err)
		}
	}
	t.Logf("%d recordings with %d events are served whole", len(c.recordings), events)
	if len(c.recordings) == 0 {
		t.Error("no run was kept: this test looks in the wrong place")
	}
}

// readWhole counts the events of a recording. All that its header tells of must be there.
func readWhole(text []byte) (events int, err error) {
	recording, err := event.OpenRecording(bytes.NewReader(text), check.Follow)
	if err != nil {
		return 0, err
	}
	defer recording.Close()
	for _, err := range recording.Events() {
		if err != nil {
			return events, err
		}
		events++
	}
	if want := recording.Run.Events; int64(events) != want {
		return events, fmt.Errorf("the header tells of %d events", want)
	}
	return events, nil
}
