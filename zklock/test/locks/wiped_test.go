package locks_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A server that has lost its data refuses who has seen more than it has. A session
// that is lost anyway comes back to it as a new one.
func TestLockAfterTheServerLostItsData(t *testing.T) {
	t.Parallel()
	for name, direct := range map[string]bool{"directly": true, "by go-zookeeper": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			w := &world{TB: t, server: zktest.StartOwn(t, zkserver.Config{Dir: dir}), path: "/lock"}
			s := w.dial(4*time.Second, zklock.WithDirectRequests(direct))
			for range 20 {
				w.unlock(w.lock(newMutex(s, w.path)))
			}
			lease := w.lock(newMutex(s, w.path))
			if err := os.RemoveAll(filepath.Join(dir, "data", "version-2")); err != nil {
				t.Fatal(err)
			}
			process, err := os.FindProcess(w.server.Managed().PID())
			if err == nil {
				err = process.Kill()
			}
			if err != nil {
				t.Fatal(err)
			}
			receive(t, lease.Lost(), "the loss")
			w.unlock(w.lock(newMutex(s, w.path)))
		})
	}
}
