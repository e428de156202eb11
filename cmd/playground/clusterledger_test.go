package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"net/http"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// A ledger is a class, and what it was told that it has.
type ledger struct {
	*classroom
	set      *replicaSet
	students []*ledgerStudent
	goals    map[string]int // by goal: how many have met it
	all      []string       // goals that there are
	question string         // that is voted on again and again

	mu   sync.Mutex
	lost int // of what was answered
}

// A ledgerStudent has voted. Asked was sent last on a question, and answered is what was the
// last to be answered: that one is kept, or the other.
type ledgerStudent struct {
	*browser
	asked, answered map[string]int
}

func (set *replicaSet) newLedger(students int) *ledger {
	set.Helper()
	library, err := lessons.Shipped()
	if err != nil {
		set.Fatal(err)
	}
	l := &ledger{classroom: set.classroom(students), set: set, goals: map[string]int{aGoal: students}, all: library.Goals()}
	for _, student := range l.classroom.students {
		l.students = append(l.students, &ledgerStudent{student, make(map[string]int), make(map[string]int)})
	}
	return l
}

// note counts what was lost, and says so.
func (l *ledger) note(lost []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lost += len(lost)
	for _, what := range lost {
		l.set.Error("lost: ", what)
	}
}

// each has all students do something at once.
func (l *ledger) each(do func(int, *ledgerStudent)) {
	var doing sync.WaitGroup
	for i, student := range l.students {
		doing.Go(func() { do(i, student) })
	}
	doing.Wait()
}

// round has all students vote once, and meet a goal.
func (l *ledger) round(question string) {
	l.question = question
	goal := l.all[len(l.goals)%len(l.all)]
	l.each(func(i int, student *ledgerStudent) {
		l.insist(student, "before: "+question, i%10)
		for status := 0; status != http.StatusNoContent; {
			status, _ = student.ask(l.set.Context(), "POST", "/api/classes/goals", fmt.Sprintf(`{"goals": [%q]}`, goal))
			l.unless(status)
		}
	})
	l.goals[goal] = len(l.students)
}

// insist votes until that is answered.
func (l *ledger) insist(student *ledgerStudent, question string, choice int) {
	for l.set.Context().Err() == nil && !l.try(student, question, choice) {
		time.Sleep(askEvery)
	}
}

// try votes once, and says whether that was answered.
func (l *ledger) try(student *ledgerStudent, question string, choice int) bool {
	student.asked[question] = choice
	status, _ := student.ask(l.set.Context(), "POST", l.path("/votes"), fmt.Sprintf(`{"question": %q, "choice": %d}`, question, choice))
	if status == http.StatusNoContent {
		student.answered[question] = choice
		return true
	}
	l.unless(status)
	return false
}

// unless wants a status to be one upon which a browser tries again.
func (l *ledger) unless(status int) {
	switch status {
	case 0, http.StatusNoContent, http.StatusServiceUnavailable, http.StatusTooManyRequests:
	default:
		l.set.Errorf("a student was answered %d", status)
	}
}

// A voting is one that goes on.
type voting struct {
	end      context.CancelFunc
	done     sync.WaitGroup
	mu       sync.Mutex
	answered int
	longest  time.Duration // that a student waited for an answer
}

// vote has all students vote again and again. Every other one gives up at the first vote
// that is not answered; what it had before must not be lost.
func (l *ledger) vote(ctx context.Context) *voting {
	ctx, end := context.WithCancel(ctx)
	v := &voting{end: end}
	for i, student := range l.students {
		v.done.Go(func() {
			for choice := i; ctx.Err() == nil; choice++ {
				began := time.Now()
				for !l.try(student, l.question, choice%10) {
					if i%2 == 0 {
						return
					}
					time.Sleep(askEvery)
				}
				v.mu.Lock()
				v.answered++
				v.longest = max(v.longest, time.Since(began))
				v.mu.Unlock()
			}
		})
	}
	return v
}

// stop ends it when the votes under way are answered.
func (v *voting) stop() (answered int, longest time.Duration) {
	v.end()
	v.done.Wait()
	return v.answered, v.longest
}

// insistOn asks until it is answered, and decodes that.
func (v *browser) insistOn(path string, into any) (answer []byte) {
	for v.set.Context().Err() == nil {
		status, text := v.ask(v.set.Context(), "GET", path, "")
		if status == http.StatusOK {
			if into != nil {
				if err := json.Unmarshal(text, into); err != nil {
					v.set.Errorf("%s: %v", path, err)
				}
			}
			return text
		}
		if status != 0 && status != http.StatusServiceUnavailable && status != http.StatusTooManyRequests {
			v.set.Errorf("%s: %d: %.200s", path, status, text)
			return nil
		}
		time.Sleep(askEvery)
	}
	return nil
}

// mustHaveAll wants every member, goal and vote that was answered.
func (l *ledger) mustHaveAll() {
	var me struct {
		Class struct {
			Members int
			Goals   map[string]int
		}
	}
	l.teacher.insistOn(l.path("/me"), &me)
	var lost []string
	if me.Class.Members != len(l.students) {
		lost = append(lost, fmt.Sprintf("%d members of %d are left", me.Class.Members, len(l.students)))
	}
	for goal, met := range l.goals {
		if me.Class.Goals[goal] != met {
			lost = append(lost, fmt.Sprintf("goal %s: %d students have met it, it was %d", goal, me.Class.Goals[goal], met))
		}
	}
	l.note(lost)
	l.each(func(_ int, student *ledgerStudent) { l.note(student.mustHaveVotes(l.path("/me"))) })
}

func (s *ledgerStudent) mustHaveVotes(path string) (lost []string) {
	var me struct {
		Role  string
		Class struct {
			Votes []struct {
				Question string
				Mine     int
			}
		}
	}
	s.insistOn(path, &me)
	if me.Role != "student" {
		lost = append(lost, "a member is "+me.Role)
	}
	mine := make(map[string]int)
	for _, v := range me.Class.Votes {
		mine[v.Question] = v.Mine
	}
	for question, asked := range s.asked {
		choice, is := mine[question]
		answered, was := s.answered[question]
		if was && (!is || choice != answered && choice != asked) {
			lost = append(lost, fmt.Sprintf("vote on %q: %d, answered was %d, and asked %d", question, choice, answered, asked))
		}
		if is && choice >= 0 {
			s.asked[question], s.answered[question] = choice, choice
		}
	}
	return lost
}

// A clusterRoom has runs that were answered to have ended.
type clusterRoom struct {
	*browser
	name string
	runs []clusterRun
}

// A clusterRun has so many events, -1 if it was under way when its playground was killed.
type clusterRun struct {
	id     string
	events int64
	sum    string // of the events; empty until they were read
}

func (set *replicaSet) newRoom() *clusterRoom {
	set.Helper()
	r := &clusterRoom{browser: set.browser()}
	r.must("GET", "/", "", nil)
	var made struct{ Room string }
	r.must("POST", "/api/rooms", "", &made)
	r.name = made.Room
	return r
}

func (r *clusterRoom) path(path string) string { return "/api/rooms/" + r.name + path }

// begin begins a run, and waits until there is something of it.
func (r *clusterRoom) begin() {
	var begun struct{ Run struct{ ID string } }
	for status := 0; status != http.StatusCreated; {
		var text []byte
		if status, text = r.ask(r.set.Context(), "POST", r.path("/run"), smallRun); status == http.StatusCreated {
			_ = json.Unmarshal(text, &begun) // an empty id is missing later
		} else if time.Sleep(askEvery); r.set.Context().Err() != nil {
			return
		}
	}
	for summary := (struct{ Events int }{}); summary.Events < 100 && r.set.Context().Err() == nil; {
		r.insistOn(r.path("/summary"), &summary)
	}
	r.runs = append(r.runs, clusterRun{id: begun.Run.ID, events: -1})
}

// run has a run in the room, until its end is answered.
func (r *clusterRoom) run() {
	r.begin()
	var ended struct{ Summary check.Summary }
	status, text := r.ask(r.set.Context(), "DELETE", r.path("/run"), "")
	if err := json.Unmarshal(text, &ended); status != http.StatusOK || err != nil {
		r.set.Errorf("end a run: %d, %v", status, err)
		return
	}
	r.runs[len(r.runs)-1].events = ended.Summary.Events
}

// mustHaveRuns wants every run, with all its events.
func (r *clusterRoom) mustHaveRuns() (lost []string) {
	var kept struct{ Runs []struct{ ID, State string } }
	r.insistOn(r.path("/runs"), &kept)
	states := make(map[string]string)
	for _, run := range kept.Runs {
		states[run.ID] = run.State
	}
	for i := range r.runs {
		run := &r.runs[i]
		if states[run.id] != "finished" {
			lost = append(lost, fmt.Sprintf("run %s of room %s: it is %q", run.id, r.name, states[run.id]))
			continue
		}
		events, sum, err := sumOf(r.insistOn(r.path("/recording?run="+run.id), nil))
		if err != nil || run.events >= 0 && events != run.events || run.sum != "" && sum != run.sum {
			lost = append(lost, fmt.Sprintf("run %s of room %s: %d events, %d were told, changed: %t, %v", run.id, r.name, events, run.events, run.sum != "" && sum != run.sum, err))
		}
		run.events, run.sum = events, sum
	}
	return lost
}

// sumOf counts the events of a recording, and sums them up.
func sumOf(text []byte) (events int64, sum string, err error) {
	recording, err := event.OpenRecording(bytes.NewReader(text), check.Follow)
	if err != nil {
		return 0, "", err
	}
	defer recording.Close()
	var h hash.Hash = sha256.New()
	encoder := json.NewEncoder(h)
	for e, err := range recording.Events() {
		if err == nil {
			err = encoder.Encode(e)
		}
		if err != nil {
			return events, "", err
		}
		events++
	}
	return events, string(h.Sum(nil)), nil
}
