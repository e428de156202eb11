package main

import (
	"flag"
	"io"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/room"
)

// limitsOf reads the flags of limits.
func limitsOf(args ...string) (room.Limits, error) {
	limits := room.DefaultLimits()
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	addLimits(flags, &limits)
	err := flags.Parse(args)
	return limits, err
}

func TestLimitFlags(t *testing.T) {
	got, err := limitsOf("-max-rooms", "7", "-max-run=90s", "-keep-bytes", "3MiB", "-log-limit", "1048577")
	want := room.DefaultLimits()
	want.MaxRooms, want.MaxRun, want.KeepBytes, want.LogLimit = 7, 90*time.Second, 3<<20, 1048577
	if err != nil || got != want {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	for _, bad := range []string{"-max-rooms=0", "-max-rooms=many", "-max-viewers=-1", "-max-clients=", "-max-run=-1s", "-max-run=10",
		"-log-limit=1KiB", "-log-limit=lots", "-log-limit=-1MiB", "-log-limit=9999999999GiB", "-log-limit=MiB", "-keep-runs=0", "-max-events-per-second=999"} {
		if got, err := limitsOf(bad); err == nil {
			t.Errorf("%s is taken: %+v", bad, got)
		}
	}
}

// TestLimitsRoundTrip: every default is written as it is read.
func TestLimitsRoundTrip(t *testing.T) {
	limits := room.DefaultLimits()
	for _, limit := range limits.All() {
		written := (&limitFlag{limit}).String()
		if got, err := limitsOf("-"+limit.Flag, written); err != nil || got != limits {
			t.Errorf("-%s %s: %+v, %v", limit.Flag, written, got, err)
		}
	}
}
