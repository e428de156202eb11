package interop

import (
	"maps"
	"strings"
	"testing"
)

// What a witness takes for a violation. In steps "+a-1 write 7" enters to write as
// number 7, and "-a-1" leaves.
func TestViolations(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		steps string
		want  string // of the only violation; empty for none
	}{
		{"in turn", "+a-1 write 1,-a-1,+b-1 write 2,-b-1,+a-1 write 5,-a-1", ""},
		{"two writers", "+a-1 write 1,+b-1 write 2", "b-1 enters to write while a-1 is there to write"},
		{"reader beside writer", "+a-1 write 1,+b-1 read 2", "b-1 enters to read while a-1 is there to write"},
		{"writer beside reader", "+a-1 read 1,+b-1 write 2", "b-1 enters to write while a-1 is there to read"},
		{"readers together", "+a-1 read 2,+b-1 read 1,+a-2 read 3", ""},
		{"twice the same", "+a-1 read 1,+a-1 read 2", "a-1 enters to read while a-1 is there to read"},
		{"never entered", "-a-1", "a-1 leaves and has not entered"},
		{"writer overtakes writer", "+a-1 write 2,-a-1,+b-1 write 1", "b-1 enters to write as number 1 after number 2 was there to write"},
		{"reader overtakes writer", "+a-1 read 2,-a-1,+b-1 write 1", "b-1 enters to write as number 1 after number 2 was there to read"},
		{"writer overtakes reader", "+a-1 write 2,-a-1,+b-1 read 1", "b-1 enters to read as number 1 after number 2 was there to write"},
		{"same number", "+a-1 write 3,-a-1,+b-1 write 3", "b-1 enters to write as number 3 after number 3 was there to write"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newWitness()
			for step := range strings.SplitSeq(test.steps, ",") {
				tell(t, w, step)
			}
			if got := strings.Join(w.violations, "; "); got != test.want {
				t.Errorf("violations %q, want %q", got, test.want)
			}
		})
	}
}

// tell tells a witness one step.
func tell(t *testing.T, w *witness, step string) {
	t.Helper()
	if who, ok := strings.CutPrefix(step, "-"); ok {
		w.leave(who)
		return
	}
	words := strings.Fields(step[1:])
	if err := w.enter(words[0], mode(words[1]), "/lock/x-lock-000000000"+words[2]); err != nil {
		t.Fatal(err)
	}
}

// Only readers of different libraries count as sharing.
func TestShared(t *testing.T) {
	t.Parallel()
	w := newWitness()
	tell(t, w, "+a-1 read 1")
	tell(t, w, "+a-2 read 2")
	if w.counts.shared != 0 {
		t.Errorf("%d shared entries of one library, want 0", w.counts.shared)
	}
	tell(t, w, "+b-1 read 3")
	if w.counts.shared != 1 {
		t.Errorf("%d shared entries of two libraries, want 1", w.counts.shared)
	}
}

func TestHandovers(t *testing.T) {
	t.Parallel()
	w := newWitness()
	for step := range strings.SplitSeq("+a-1 write 1,-a-1,+a-2 write 2,-a-2,+b-1 read 3,-b-1,+a-1 write 4,-a-1,+b-2 read 5", ",") {
		tell(t, w, step)
	}
	a, b := entry{"a", write}, entry{"b", read}
	want := map[handover]int{{a, a}: 1, {a, b}: 2, {b, a}: 1}
	if got := w.counts.handovers; !maps.Equal(got, want) {
		t.Errorf("handovers %v, want %v", got, want)
	}
}

func TestSequence(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		node string
		want int
		ok   bool
	}{
		{"/lock/_c_5f0c38d9-b6c0-4d7f-8a40-ad6f25d79f27-lock-0000000017", 17, true},
		{"/lock/_c_5f0c38d9b6c04d7f8a40ad6f25d79f27-__READ__2147483647", 2147483647, true},
		{"/lock/lock-17", 0, false},
		{"", 0, false},
	} {
		if got, err := sequence(test.node); got != test.want || (err == nil) != test.ok {
			t.Errorf("sequence(%q) = %d, %v; want %d, ok %v", test.node, got, err, test.want, test.ok)
		}
	}
}
