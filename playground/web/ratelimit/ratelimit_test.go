package ratelimit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/web/ratelimit"
)

// talk is a rule with small numbers.
var talk = ratelimit.Rule{Name: "words",
	Person:  ratelimit.Quota{AtOnce: 3, PerSecond: 2},
	Address: ratelimit.Quota{AtOnce: 10, PerSecond: 5}}

// A hall is a limiter with a clock that goes when it is told to.
type hall struct {
	*ratelimit.Limiter
	testing.TB
	now time.Time
}

func open(tb testing.TB, most int) *hall {
	h := &hall{TB: tb, now: time.Unix(1e9, 0)}
	h.Limiter = ratelimit.New(most, func() time.Time { return h.now })
	return h
}

// say makes so many requests and returns how many were let through, and why the last
// one was not.
func (h *hall) say(n int, rule ratelimit.Rule, person, address string) (passed int, last *ratelimit.Refused) {
	h.Helper()
	for range n {
		leave, err := h.Enter(rule, person, address)
		switch {
		case err == nil:
			leave()
			passed++
		case !errors.As(err, &last):
			h.Fatal(err)
		}
	}
	return passed, last
}

// TestSteps: what is let through of a crowd of requests, one step after the other.
func TestSteps(t *testing.T) {
	type step struct {
		after           time.Duration
		n               int
		person, address string
		passed          int
		by              ratelimit.By
		seconds         int
	}
	tests := []struct {
		name  string
		steps []step
	}{
		{"a person", []step{
			{0, 3, "ann", "school", 3, "", 0},
			{0, 1, "ann", "school", 0, ratelimit.Person, 1},
			{499 * time.Millisecond, 1, "ann", "school", 0, ratelimit.Person, 1},
			{time.Millisecond, 2, "ann", "school", 1, ratelimit.Person, 1},
			{time.Hour, 5, "ann", "school", 3, ratelimit.Person, 1},
		}},
		{"who asks too often takes nothing from others at the address", []step{
			{0, 100, "ann", "school", 3, ratelimit.Person, 1},
			{0, 3, "bob", "school", 3, "", 0},
			{0, 3, "cleo", "school", 3, "", 0},
		}},
		{"an address", []step{
			{0, 3, "ann", "school", 3, "", 0},
			{0, 3, "bob", "school", 3, "", 0},
			{0, 3, "cleo", "school", 3, "", 0},
			{0, 3, "dan", "school", 1, ratelimit.Address, 1},
			{0, 3, "eve", "elsewhere", 3, "", 0},
			{200 * time.Millisecond, 3, "dan", "school", 1, ratelimit.Address, 1},
		}},
		{"a person who moves", []step{
			{0, 3, "ann", "school", 3, "", 0},
			{0, 1, "ann", "home", 0, ratelimit.Person, 1},
		}},
		{"an address is no person of that name", []step{
			{0, 4, "school", "school", 3, ratelimit.Person, 1},
			{0, 3, "ann", "school", 3, "", 0},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			h := open(t, 100)
			for i, step := range test.steps {
				h.now = h.now.Add(step.after)
				passed, last := h.say(step.n, talk, step.person, step.address)
				if passed != step.passed || (last == nil) != (step.by == "") {
					t.Fatalf("step %d: %d passed, %v; want %d", i, passed, last, step.passed)
				}
				if last != nil && (last.By != step.by || last.Seconds() != step.seconds) {
					t.Errorf("step %d: %s, in %d s; want by %s, in %d s", i, last, last.Seconds(), step.by, step.seconds)
				}
			}
		})
	}
}

func TestRulesDoNotMeet(t *testing.T) {
	h := open(t, 100)
	songs := talk
	songs.Name = "songs"
	h.say(10, talk, "ann", "school")
	if passed, _ := h.say(3, songs, "ann", "school"); passed != 3 {
		t.Errorf("%d songs after many words, want 3", passed)
	}
}

// TestForgets: who asked longest ago is forgotten first, and then has the whole quota again.
func TestForgets(t *testing.T) {
	h := open(t, 4) // two persons and their addresses
	h.say(3, talk, "ann", "home")
	h.say(3, talk, "bob", "elsewhere")
	if passed, _ := h.say(1, talk, "ann", "home"); passed != 0 {
		t.Error("ann is forgotten, with one more who has asked since")
	}
	for _, other := range []string{"cleo", "dan", "eve"} {
		h.say(1, talk, other, "school")
	}
	if passed, _ := h.say(3, talk, "ann", "home"); passed != 3 {
		t.Errorf("%d of ann's passed, want 3: she is remembered", passed)
	}
}

// TestAllows: to ask whether a request would pass costs nothing.
func TestAllows(t *testing.T) {
	h := open(t, 100)
	for range 10 {
		if !h.Allows(talk, "ann", "school") {
			t.Fatal("ann may not, and has said nothing")
		}
	}
	h.say(3, talk, "ann", "school")
	if h.Allows(talk, "ann", "school") || !h.Allows(talk, "bob", "school") {
		t.Error("want bob to be let through, and not ann, who has said all that she may")
	}
	h.now = h.now.Add(500 * time.Millisecond)
	if !h.Allows(talk, "ann", "school") {
		t.Error("ann may not, after she has waited")
	}
}

// TestMadeUpNames: a flood of them is bound by the address.
func TestMadeUpNames(t *testing.T) {
	h := open(t, 50)
	passed := 0
	for i := range 20_000 {
		n, _ := h.say(1, talk, fmt.Sprintf("%d%s", i, strings.Repeat("x", 1000)), "school")
		passed += n
		if i%1000 == 0 {
			h.now = h.now.Add(time.Second)
		}
	}
	if want := 10 + 20*5; passed < want-5 || passed > want {
		t.Errorf("%d of 20,000 passed in 20 s, want about %d", passed, want)
	}
	if passed, _ := h.say(3, talk, "ann", "elsewhere"); passed != 3 {
		t.Errorf("elsewhere %d passed, want 3", passed)
	}
}

// TestUnderWay: what is under way is counted until it has ended, and what was refused is
// not.
func TestUnderWay(t *testing.T) {
	books := ratelimit.Rule{Name: "books",
		Person:  ratelimit.Quota{AtOnce: 5, PerSecond: 1, Open: 2},
		Address: ratelimit.Quota{AtOnce: 100, PerSecond: 1, Open: 3}}
	h := open(t, 100)
	enter := func(person string) func() {
		t.Helper()
		leave, err := h.Enter(books, person, "school")
		if err != nil {
			t.Fatal(err)
		}
		return leave
	}
	first, second := enter("ann"), enter("ann")
	if _, last := h.say(50, books, "ann", "school"); last == nil || last.By != ratelimit.Person || !strings.Contains(last.Error(), "2 may be under way") {
		t.Errorf("a third: %v", last)
	}
	third := enter("bob")
	if _, last := h.say(1, books, "bob", "school"); last == nil || last.By != ratelimit.Address || !strings.Contains(last.Error(), "3 may be under way") {
		t.Errorf("a fourth at the address: %v", last)
	}
	first()
	again := enter("ann")
	for _, leave := range []func(){second, third, again} {
		leave()
	}
	if passed, last := h.say(5, books, "ann", "school"); passed != 2 || last == nil || !strings.Contains(last.Error(), "5 may come at once and 1 a second; try again in 1 s") {
		t.Errorf("%d passed of the two that are left, %v", passed, last)
	}
}
