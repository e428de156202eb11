package zkserver_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

func TestKilledParentLeavesNoServer(t *testing.T) {
	dir := t.TempDir()
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
	var pid int
	if _, err := fmt.Fscan(bufio.NewReader(output), &pid); err != nil {
		t.Error("read the server's process id: ", err)
	}
	parent.Process.Kill()
	parent.Wait()
	eventually(t, "the server is gone with its parent", func() bool { return !running(pid) })
	mustStart(t, zkserver.Config{Dir: dir}) // the directory is free
}
