package main

import (
	"syscall"
	"testing"
)

// TestKilledProgramLeavesNoJava: not even kill -9 leaves a server behind, and
// what it kept is there for the next.
func TestKilledProgramLeavesNoJava(t *testing.T) {
	t.Parallel()
	java, data := newJavaHome(t), t.TempDir()
	s := serve(t, java.setting(), "-data", data)
	client := connect(t, s.zookeeper(t).Address)
	if err := client.Create(t.Context(), "/kept"); err != nil {
		t.Fatal(err)
	}
	pid := java.pid(t)
	t.Cleanup(func() {
		if t.Failed() {
			_ = syscall.Kill(pid, syscall.SIGKILL) // if it is still there
		}
	})
	s.signal(t, syscall.SIGKILL)
	s.exitCode(t, stopLimit)
	eventually(t, "Java is gone", func() bool { return !running(pid) })

	next := serve(t, java.setting(), "-data", data)
	if _, err := connect(t, next.zookeeper(t).Address).Exists(t.Context(), "/kept"); err != nil {
		t.Error(err)
	}
}
