package zkserver_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"testing"
)

func TestKilledParentLeavesNoServer(t *testing.T) {
	t.Parallel()
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
	mustBeFree(t, dir)
}
