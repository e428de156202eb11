package main

import "testing"

func TestParseClock(t *testing.T) {
	for _, test := range []struct {
		text string
		want clock
	}{
		{"cpu  100 20 30 400 5 6 7 80 9 9\ncpu0 1 1 1 1 1 1 1 1 1 1\n", clock{all: 648, stolen: 80}},
		{"cpu 1 2 3 4 5 6 7 8", clock{all: 36, stolen: 8}},
		{"", clock{}},
		{"cpu 1 2 3 4 5 6 7", clock{}}, // of a kernel that cannot tell
		{"cpu 1 2 3 4 x 6 7 8", clock{}},
		{"cpu 1 2 3 4 -5 6 7 8", clock{}},
		{"cpu0 1 2 3 4 5 6 7 8", clock{}},
	} {
		if got := parseClock(test.text); got != test.want {
			t.Errorf("%q: %+v, want %+v", test.text, got, test.want)
		}
	}
}

func TestStolenSince(t *testing.T) {
	for _, test := range []struct {
		before, after clock
		want          float64
	}{
		{clock{100, 10}, clock{300, 60}, 0.25},
		{clock{100, 10}, clock{300, 10}, 0},
		{clock{}, clock{}, 0},
		{clock{100, 10}, clock{}, 0},
		{clock{100, 10}, clock{200, 5}, 0}, // as some hosts count
		{clock{100, 10}, clock{110, 90}, 1},
	} {
		if got := test.after.stolenSince(test.before); got != test.want {
			t.Errorf("from %+v to %+v: %v, want %v", test.before, test.after, got, test.want)
		}
	}
}

func FuzzParseClock(f *testing.F) {
	f.Add("cpu  100 20 30 400 5 6 7 80 9 9\n", "cpu 1 2 3 4 5 6 7 8")
	f.Fuzz(func(t *testing.T, before, after string) {
		if share := parseClock(after).stolenSince(parseClock(before)); share < 0 || share > 1 {
			t.Errorf("a share of %v", share)
		}
	})
}
