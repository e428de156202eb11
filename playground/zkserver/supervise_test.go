package zkserver_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// nextChange waits for news from a server's supervisor.
func nextChange(t *testing.T, changes <-chan zkserver.Change) zkserver.Change {
	t.Helper()
	select {
	case change := <-changes:
		return change
	case <-time.After(timeout):
		t.Fatal("no change was told")
		return zkserver.Change{}
	}
}

// changesTo returns a config that tells changes on a channel.
func changesTo() (zkserver.Config, <-chan zkserver.Change) {
	changes := make(chan zkserver.Change, 100)
	return zkserver.Config{Notify: func(c zkserver.Change) { changes <- c }}, changes
}

// lasting is the timeout of a session that is to outlive what its test does.
const lasting = time.Minute

// exists asks until the client has an answer: it may not know yet that its
// connection is gone.
func exists(t *testing.T, conn *zk.Conn, path string) (there bool, stat *zk.Stat) {
	t.Helper()
	eventually(t, "the client is answered", func() bool {
		var err error
		there, stat, err = conn.Exists(path)
		return err == nil
	})
	return there, stat
}

func kill(t *testing.T, pid int) {
	t.Helper()
	if err := zktest.Kill(pid); err != nil {
		t.Fatal(err)
	}
}

// TestKilledServerComesBack with its data and its sessions, whoever has killed it.
func TestKilledServerComesBack(t *testing.T) {
	t.Parallel()
	config, changes := changesTo()
	server := zktest.StartOwn(t, config)
	path, conn := server.Root(t)+"/e", server.Session(t, lasting)
	if _, err := conn.Create(path, nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll)); err != nil {
		t.Fatal(err)
	}
	session := conn.SessionID()
	managed, address := server.Managed(), server.Address()
	managed.Revive() // of a server that runs, to no effect
	for i, die := range []func(){func() { kill(t, managed.PID()) }, managed.Restart} {
		first := managed.PID()
		die()
		if change := nextChange(t, changes); change.Up || change.Err == nil || running(first) {
			t.Errorf("after its death: %+v, want down and why", change)
		}
		if change := nextChange(t, changes); !change.Up || change.Restarts != i+1 || change.Err != nil {
			t.Errorf("after the restart: %+v, want up, %d restarts", change, i+1)
		}
		if managed.Address() != address || managed.PID() == first || managed.Restarts() != i+1 {
			t.Errorf("address %s (was %s), process %d (was %d), restarts %d",
				managed.Address(), address, managed.PID(), first, managed.Restarts())
		}
	}
	there, stat := exists(t, conn, path)
	if !there || stat.EphemeralOwner != session || conn.SessionID() != session {
		t.Errorf("Exists = %v, %+v; want the ephemeral of session %#x", there, stat, session)
	}
}

func TestRestartIsTriedUntilItSucceeds(t *testing.T) {
	java := wrapJava(t, `test -e "$HOME_DIR/broken" && exit 1; exec "$JAVA" "$@"`)
	broken := filepath.Join(java.home, "broken")
	config, changes := changesTo()
	server := mustStart(t, config)
	writeFile(t, broken, "", 0o600)
	kill(t, server.PID())
	for range 3 { // the death and two attempts
		if change := nextChange(t, changes); change.Up {
			t.Fatalf("up with a broken Java: %+v", change)
		}
	}
	if err := os.Remove(broken); err != nil {
		t.Fatal(err)
	}
	eventually(t, "up again", func() bool { return nextChange(t, changes).Up })
}

func TestStopWhileRestarting(t *testing.T) {
	left := temporaryDirs(t)
	java := wrapJava(t, `test -e "$HOME_DIR/slow" && exec sleep 600; exec "$JAVA" "$@"`)
	config, changes := changesTo()
	server := mustStart(t, config)
	writeFile(t, filepath.Join(java.home, "slow"), "", 0o600)
	first := server.PID()
	kill(t, first)
	nextChange(t, changes)
	eventually(t, "a second Java", func() bool { return java.pid(t) != first })
	mustStop(t, server)
	if java.runs(t) {
		t.Errorf("process %d still runs", java.pid(t))
	}
	if dirs := left(); len(dirs) != 0 {
		t.Errorf("left behind: %v", dirs)
	}
}

func TestDataIsKeptBetweenRuns(t *testing.T) {
	t.Parallel()
	config := zkserver.Config{Dir: t.TempDir()}
	const path = "/kept"
	t.Run("first", func(t *testing.T) {
		conn := zktest.StartOwn(t, config).Conn(t)
		if _, err := conn.Create(path, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
			t.Fatal(err)
		}
	})
	if there, _ := exists(t, zktest.StartOwn(t, config).Conn(t), path); !there {
		t.Errorf("%s is gone, want it kept", path)
	}
}
