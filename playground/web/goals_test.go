package web_test

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// meet tells the class that goals have been met.
func (s *site) meet(goals ...string) {
	s.Helper()
	body, err := json.Marshal(map[string]any{"goals": goals})
	if err != nil {
		s.Fatal(err)
	}
	s.want(http.StatusNoContent, http.MethodPost, "/api/classes/goals", string(body))
}

// TestGoalsOfMembers wants who has met what in a room of its own to count in the class,
// and the counts to be the teacher's alone.
func TestGoalsOfMembers(t *testing.T) {
	s := open(t, guarded)
	teacher, anna, ben, stranger := s.teacher(), s.visitor(), s.visitor(), s.visitor()
	class, code := teacher.openClass()
	anna.join(code)
	ben.join(code)
	type entry struct {
		Member bool
		Class  struct{ Goals map[string]int }
	}
	for _, want := range []struct {
		who    *site
		path   string
		member bool
	}{{anna, class, true}, {anna, anna.own(), true}, {stranger, stranger.own(), false}, {teacher, class, false}} {
		var got entry
		if want.who.get(want.path+"/me", &got); got.Member != want.member {
			t.Errorf("%s: member is %v, want %v", want.path, got.Member, want.member)
		}
	}
	watched := teacher.attend(class)
	anna.meet("znodes/one-of-each", "znodes/in-the-queue")
	ben.meet("znodes/one-of-each")
	ben.meet("znodes/one-of-each")
	var told struct{ Room *entry }
	for told.Room == nil || told.Room.Class.Goals["znodes/one-of-each"] < 2 {
		_, text, err := watched.ReadMessage()
		if err != nil {
			t.Fatalf("the teacher is not told: %v", err)
		}
		if told.Room = nil; json.Unmarshal(text, &told) != nil {
			t.Fatalf("%s", text)
		}
	}
	var got entry
	if teacher.get(class+"/me", &got); got.Class.Goals["znodes/one-of-each"] != 2 || got.Class.Goals["znodes/in-the-queue"] != 1 || len(got.Class.Goals) != 2 {
		t.Errorf("the teacher is told %v", got.Class.Goals)
	}
	if a := anna.want(http.StatusOK, http.MethodGet, class+"/me", ""); strings.Contains(string(a.body), `"goals":`) {
		t.Errorf("a student is told %s", a.body)
	}
	if code, _ := anna.failure(anna.want(http.StatusNotFound, http.MethodPost, "/api/classes/goals", `{"goals": ["znodes/none"]}`)); code != "no_such_goal" {
		t.Errorf("code %q, want no_such_goal", code)
	}
}

// TestResults wants a table for a spreadsheet, with each choice of a question that the class
// has voted on, and each goal.
func TestResults(t *testing.T) {
	s := open(t, guarded)
	teacher, anna, ben := s.teacher(), s.visitor(), s.visitor()
	class, code := teacher.openClass()
	anna.join(code)
	ben.join(code)
	anna.want(http.StatusNoContent, http.MethodPost, class+"/votes", `{"question": "herd-effect-1", "choice": 1}`)
	anna.meet("znodes/one-of-each")
	a := teacher.want(http.StatusOK, http.MethodGet, class+"/class/results?locale=en", "")
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(a.body), "\ufeff"))).ReadAll()
	if err != nil || a.header.Get("Content-Disposition") != `attachment; filename="class-results.csv"` {
		t.Fatal(err, a.header)
	}
	told := func(lesson, what, choice string, rest ...string) bool {
		return slices.ContainsFunc(rows, func(row []string) bool {
			return row[0] == lesson && row[1] == what && row[3] == choice && slices.Equal(row[4:], rest)
		})
	}
	if !told("The herd effect", "vote", "All seven", "true", "1", "1") || !told("The herd effect", "vote", "Only the next in line", "false", "0", "1") ||
		told("One ahead", "vote", "Only the next in line", "true", "0", "0") || !told("Znodes and their kinds", "goal", "", "", "1", "2") {
		t.Errorf("not told what was voted and met: %q", rows)
	}
	if a := teacher.want(http.StatusOK, http.MethodGet, class+"/class/results?locale=ru", ""); !strings.Contains(string(a.body), "Стадный эффект") {
		t.Errorf("in Russian: %s", a.body)
	}
}

func TestListOfGoals(t *testing.T) {
	s := open(t)
	var list struct {
		Goals []struct{ Locale, Lesson, Key, Goal string }
	}
	s.get("/api/goals", &list)
	for _, goal := range list.Goals {
		if !strings.HasPrefix(goal.Key, goal.Lesson+"/") || goal.Goal == "" || goal.Locale == "" {
			t.Errorf("%+v", goal)
		}
	}
	if !slices.ContainsFunc(list.Goals, func(goal struct{ Locale, Lesson, Key, Goal string }) bool { return goal.Key == "znodes/one-of-each" }) {
		t.Errorf("znodes/one-of-each is missing in %+v", list.Goals)
	}
}
