package room_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/room"
)

// haveGoals are the goals that there are.
func haveGoals(goals ...string) func(*room.Config) {
	return func(c *room.Config) { c.Goals = goals }
}

func (h *house) meet(p room.Person, goals ...string) {
	h.Helper()
	if err := h.Meet(p, goals); err != nil {
		h.Errorf("%s meets %q: %v", p.ID, goals, err)
	}
}

// wantMet wants so many members of a class to have met each goal.
func (h *house) wantMet(r *room.Room, want map[string]int) {
	h.Helper()
	if diff := cmp.Diff(want, r.Class().GoalsMet()); diff != "" {
		h.Errorf("(-want +got):\n%s", diff)
	}
}

// TestGoalsOfAClass wants a goal to count once for each member, in every class that it is
// in, and in no other.
func TestGoalsOfAClass(t *testing.T) {
	h := open(t, haveGoals("a/one", "a/two", "b/three"))
	class, second, third := h.openClass(), h.openClass(), h.openClass()
	h.join(anna, class)
	h.join(anna, second)
	h.join(ben, class)
	h.wantMet(class, map[string]int{})
	h.meet(anna, "a/one", "a/one", "a/two")
	h.meet(anna, "a/one")
	h.meet(ben, "a/one")
	h.meet(ben)
	h.wantMet(class, map[string]int{"a/one": 2, "a/two": 1})
	h.wantMet(second, map[string]int{"a/one": 1, "a/two": 1})
	h.wantMet(third, map[string]int{})
}

func TestGoalsThatDoNotCount(t *testing.T) {
	h := open(t, haveGoals("a/one"))
	class := h.openClass()
	h.join(anna, class)
	if err := h.Meet(anna, []string{"a/one", "a/none"}); !errors.Is(err, room.ErrGoal) {
		t.Errorf("a goal that no lesson has: %v, want ErrGoal", err)
	}
	for _, p := range []room.Person{ben, teacher, {}} {
		if err := h.Meet(p, []string{"a/one"}); !errors.Is(err, room.ErrForbidden) {
			t.Errorf("%q, who is no member: %v, want ErrForbidden", p.ID, err)
		}
	}
	h.wantMet(class, map[string]int{})
}

// TestGoalsComeBack: but for those of a lesson that is no more, and of who is no member.
func TestGoalsComeBack(t *testing.T) {
	dir := t.TempDir()
	before := reopen(t, keepIn(dir), haveGoals("a/one", "a/two", "b/three"))
	class := before.openClass()
	before.join(anna, class)
	before.join(ben, class)
	before.meet(anna, "a/one", "b/three")
	before.meet(ben, "a/one")
	before.end()
	rewrite(t, filepath.Join(dir, class.Name(), "room.json"), func(text []byte) []byte {
		return bytes.Replace(text, []byte(`"members":["anna","ben"]`), []byte(`"members":["anna"]`), 1)
	})

	after := reopen(t, keepIn(dir), haveGoals("a/one", "a/two"))
	class = after.room(class.Name())
	after.wantMet(class, map[string]int{"a/one": 1})
	after.meet(anna, "a/one", "a/two")
	after.wantMet(class, map[string]int{"a/one": 1, "a/two": 1})
}
