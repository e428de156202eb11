package main

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestMain(m *testing.M) { zktest.Main(m) }

// The whole program, on a server of its own.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	var stdout, stderr strings.Builder
	args := []string{"-n", "2", "-hold", "0", "-rounds", "2", "-warm", "20ms", "-for", "50ms", "-only", "ring,mutex", "-dir", dir}
	if code := run(t.Context(), args, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d\n%s", code, &stderr)
	}
	for _, part := range []string{"ZooKeeper 3.", "hold 0s", "notifications", "acquisitions/s over ring, turns, hold 0s, N=1 "} {
		if !strings.Contains(stdout.String(), part) {
			t.Errorf("no %q in\n%s", part, &stdout)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestRunBadUsage(t *testing.T) {
	var stdout, stderr strings.Builder
	if code := run(t.Context(), []string{"-n", "0"}, &stdout, &stderr); code != exitUsage {
		t.Errorf("exit code %d, want %d", code, exitUsage)
	}
	if got := stderr.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "-n is from 1") {
		t.Errorf("said %q", got)
	}
}

func TestRunHelp(t *testing.T) {
	var stdout, stderr strings.Builder
	if code := run(t.Context(), []string{"-h"}, &stdout, &stderr); code != 0 || !strings.Contains(stderr.String(), "-rounds") {
		t.Errorf("exit code %d, said %q", code, &stderr)
	}
}

func TestRunInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	var stdout, stderr strings.Builder
	if code := run(ctx, []string{"-dir", dir}, &stdout, &stderr); code != exitFailure || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit code %d, said %q", code, &stderr)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
