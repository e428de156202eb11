package zkserver_test

import (
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestHaltedServerStaysDownUntilRevived(t *testing.T) {
	t.Parallel()
	config, changes := changesTo()
	server := zktest.StartOwn(t, config)
	managed, conn := server.Managed(), server.Session(t, lasting)
	const path = "/ephemeral"
	if _, err := conn.Create(path, nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll)); err != nil {
		t.Fatal(err)
	}
	for round := range 2 {
		first := managed.PID()
		managed.Halt()
		if running(first) {
			t.Errorf("process %d still runs after Halt", first)
		}
		managed.Halt()    // again, to no effect
		managed.Restart() // it is down: nothing to restart
		managed.Revive()
		managed.Revive() // again, to no effect
		if change := nextChange(t, changes); !change.Up || change.Restarts != round+1 {
			t.Errorf("the first news of a server halted and revived is %+v, want up, %d restarts", change, round+1)
		}
		if pid := managed.PID(); pid == first || !running(pid) {
			t.Errorf("process %d after Revive, it was %d", pid, first)
		}
	}
	if there, stat := exists(t, conn, path); !there || stat.EphemeralOwner != conn.SessionID() {
		t.Errorf("Exists(%s) = %v; want the session and its znode kept", path, there)
	}
}

// The supervisor waits for a Java that does nothing; Halt must not wait for it.
func TestHaltWhileBooting(t *testing.T) {
	java := wrapJava(t, `test -e "$HOME_DIR/slow" && exec sleep 600; exec "$JAVA" "$@"`)
	server := mustStart(t, zkserver.Config{})
	first := server.PID()
	writeFile(t, java.home+"/slow", "", 0o600)
	server.Restart()
	eventually(t, "a second Java", func() bool { return java.pid(t) != first })
	server.Halt()
	if java.runs(t) {
		t.Errorf("process %d still runs after Halt", java.pid(t))
	}
}

func TestStopOfAHaltedServer(t *testing.T) {
	left := temporaryDirs(t)
	server := mustStart(t, zkserver.Config{})
	server.Halt()
	mustStop(t, server)
	server.Revive() // too late
	server.Halt()   // returns nevertheless
	if running(server.PID()) {
		t.Error("a stopped server was revived")
	}
	if dirs := left(); len(dirs) != 0 {
		t.Errorf("left behind: %v", dirs)
	}
}
