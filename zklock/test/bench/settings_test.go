package main

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestParseSettingsDefaults(t *testing.T) {
	s, err := parseSettings(nil, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.contenders, []int{1, 2, 8, 32, 128}) || !slices.Equal(s.holds, []time.Duration{0, 2 * time.Millisecond}) {
		t.Errorf("N = %v, hold %v", s.contenders, s.holds)
	}
	if s.rounds != 5 || s.length != time.Second || s.slice != 200*time.Millisecond || s.warm != 300*time.Millisecond || len(s.recipes) != len(recipes()) {
		t.Errorf("settings %+v", s)
	}
}

func TestParseSettings(t *testing.T) {
	args := []string{"-n", "1, 8", "-hold", "0,5ms", "-only", "ring,mutex", "-rounds", "3", "-for", "2s", "-warm", "0", "-slice", "50ms", "-json"}
	s, err := parseSettings(args, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.contenders, []int{1, 8}) || !slices.Equal(s.holds, []time.Duration{0, 5 * time.Millisecond}) {
		t.Errorf("N = %v, hold %v", s.contenders, s.holds)
	}
	if names(s.recipes) != "ring,mutex" || s.rounds != 3 || s.length != 2*time.Second || s.warm != 0 || s.slice != 50*time.Millisecond || !s.json {
		t.Errorf("settings %+v", s)
	}
}

func TestParseSettingsRefuses(t *testing.T) {
	tests := []struct{ name, args, says string }{
		{"nobody", "-n 0", "-n is from 1"},
		{"too many", "-n 8,1001", "-n is from 1"},
		{"no number", "-n many", "many"},
		{"empty item", "-n 1,,2", "-n"},
		{"hold without unit", "-hold 2", "hold"},
		{"negative hold", "-hold -1ms", "-hold is from 0"},
		{"endless hold", "-hold 1h", "-hold is from 0"},
		{"unknown recipe", "-only mutex,curator", `no recipe "curator", there are chain,ring`},
		{"no round", "-rounds 0", "-rounds"},
		{"nothing measured", "-for 0", "-for"},
		{"no slice", "-slice 0", "-slice is at least 1ms"},
		{"negative slice", "-slice -100ms", "-slice is at least 1ms"},
		{"slice without unit", "-slice 100", "slice"},
		{"slice in words", "-slice short", "slice"},
		{"negative warm-up", "-warm -1s", "-warm"},
		{"twice", "-n 8,8", "twice"},
		{"recipe twice", "-only ring,mutex,ring", "twice"},
		{"argument", "mutex", `unexpected "mutex"`},
		{"unknown flag", "-speed 3", "speed"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := parseSettings(strings.Fields(test.args), io.Discard)
			if !errors.Is(err, errUsage) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want one that says %q", err, test.says)
			}
		})
	}
}

// Enough cycles for all slices, however they fit into the length.
func TestLaps(t *testing.T) {
	for _, test := range []struct {
		length, slice time.Duration
		want          int
	}{
		{time.Second, 200 * time.Millisecond, 5},
		{time.Second, 300 * time.Millisecond, 4},
		{time.Second, time.Second, 1},
		{time.Second, time.Minute, 1},
	} {
		if got := (settings{length: test.length, slice: test.slice}).cycles(); got != test.want {
			t.Errorf("%v in slices of %v: %d cycles, want %d", test.length, test.slice, got, test.want)
		}
	}
}
