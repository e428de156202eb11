package zkserver_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

func TestKilledParentLeavesNoServer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pid := killParent(t, dir)
	eventually(t, "the server is gone with its parent", func() bool { return !running(pid) })
	mustBeFree(t, dir)
}

// Where Java is started by a script that stays, it outlives its killed parent: the next
// server on its directory ends it. One that is stopped ends its own.
func TestNextServerEndsAnOrphan(t *testing.T) {
	java := wrapJava(t, `"$JAVA" "$@" & echo $! >$HOME_DIR/java.new && mv $HOME_DIR/java.new $HOME_DIR/java; wait`)
	dir := t.TempDir()
	killParent(t, dir)
	orphan := javaOf(t, java)
	if !running(orphan) {
		t.Fatal("Java does not outlive its parent: this test shows nothing")
	}
	next := mustStart(t, zkserver.Config{Dir: dir})
	eventually(t, "the orphan is gone", func() bool { return !running(orphan) })
	own := 0
	eventually(t, "the script has noted its Java", func() bool { own = javaOf(t, java); return own != orphan })
	mustStop(t, next)
	eventually(t, "the Java of a stopped server is gone", func() bool { return !running(own) })
}

// killParent starts a server on a directory from a process of its own, kills that, and
// returns the process id of what it has started.
func killParent(t *testing.T, dir string) (pid int) {
	t.Helper()
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), parentDir+"="+dir)
	parent.Stderr = os.Stderr
	output, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fscan(bufio.NewReader(output), &pid); err != nil {
		t.Error("read the server's process id: ", err)
	}
	parent.Process.Kill()
	parent.Wait()
	return pid
}

// javaOf is the process id that the script of the test above has noted.
func javaOf(t *testing.T, java wrapper) (pid int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(java.home, "java"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(string(text), &pid); err != nil {
		t.Fatal(err)
	}
	return pid
}
