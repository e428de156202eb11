package room_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/room"
)

// TestPresent wants one presenter at a time, whose every change is numbered.
func TestPresent(t *testing.T) {
	h := open(t)
	r := h.openClass()
	class := r.Class()
	h.join(anna, r)
	live := room.Presented{Run: "r-1", Mode: "live", Speed: 1, Lesson: "herd-effect", Panel: "events"}
	if err := class.Present(teacher, live); err != nil {
		t.Fatal(err)
	}
	class.OfferSeat(true)
	if err := class.TakeSeat(anna); err != nil {
		t.Fatal(err)
	}
	if err := class.Present(teacher, live); !errors.Is(err, room.ErrNoSeat) {
		t.Errorf("the teacher while anna drives: %v, want ErrNoSeat", err)
	}
	paused := live
	paused.Mode, paused.At = "paused", 4_000_000
	if err := class.Present(anna, paused); err != nil {
		t.Fatal(err)
	}
	paused.Seq = 2
	if got := class.Presented(); got != paused {
		t.Errorf("presented %+v, want %+v", got, paused)
	}
}

// TestPresentNonsense wants what no page sends to be refused.
func TestPresentNonsense(t *testing.T) {
	h := open(t)
	class := h.openClass().Class()
	for name, what := range map[string]room.Presented{
		"no mode": {}, "a long name": {Mode: "live", Lesson: strings.Repeat("x", 201)},
		"before the run": {Mode: "paused", At: -1}, "too fast": {Mode: "playing", Speed: 101},
		"a long section": {Mode: "live", Section: strings.Repeat("x", 201)}, "shown less than never": {Mode: "live", Shown: -1},
	} {
		if err := class.Present(teacher, what); !errors.Is(err, room.ErrPresented) {
			t.Errorf("%s: %v, want ErrPresented", name, err)
		}
	}
	if got := class.Presented(); got != (room.Presented{}) {
		t.Errorf("presented %+v, want nothing", got)
	}
}
