package main

import "testing"

func TestParseProcessorTime(t *testing.T) {
	for _, test := range []struct {
		text string
		want processorTime
	}{
		{"cpu  100 20 30 400 5 6 7 80 9 9\ncpu0 1 1 1 1 1 1 1 1 1 1\n", processorTime{all: 648, stolen: 80}},
		{"cpu 1 2 3 4 5 6 7 8", processorTime{all: 36, stolen: 8}},
		{"", processorTime{}},
		{"cpu 1 2 3 4 5 6 7", processorTime{}}, // of a kernel that cannot tell
		{"cpu 1 2 3 4 x 6 7 8", processorTime{}},
		{"cpu 1 2 3 4 -5 6 7 8", processorTime{}},
		{"cpu0 1 2 3 4 5 6 7 8", processorTime{}},
	} {
		if got := parseProcessorTime(test.text); got != test.want {
			t.Errorf("%q: %+v, want %+v", test.text, got, test.want)
		}
	}
}

func TestStolenSince(t *testing.T) {
	for _, test := range []struct {
		before, after processorTime
		want          float64
	}{
		{processorTime{100, 10}, processorTime{300, 60}, 0.25},
		{processorTime{100, 10}, processorTime{300, 10}, 0},
		{processorTime{}, processorTime{}, 0},
		{processorTime{100, 10}, processorTime{}, 0},
		{processorTime{100, 10}, processorTime{200, 5}, 0}, // as some hosts count
		{processorTime{100, 10}, processorTime{110, 90}, 1},
	} {
		if got := test.after.stolenSince(test.before); got != test.want {
			t.Errorf("from %+v to %+v: %v, want %v", test.before, test.after, got, test.want)
		}
	}
}

func FuzzParseProcessorTime(f *testing.F) {
	f.Add("cpu  100 20 30 400 5 6 7 80 9 9\n", "cpu 1 2 3 4 5 6 7 8")
	f.Fuzz(func(t *testing.T, before, after string) {
		if share := parseProcessorTime(after).stolenSince(parseProcessorTime(before)); share < 0 || share > 1 {
			t.Errorf("a share of %v", share)
		}
	})
}
