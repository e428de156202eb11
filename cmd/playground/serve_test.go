package main

import (
	"net"
	"os"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// mustRefuse runs playground, which must end with exitFailure and one line on
// stderr that says why.
func mustRefuse(t *testing.T, why string, args ...string) {
	t.Helper()
	start(t, nil, args...).mustRefuse(t, why)
}

func (c *child) mustRefuse(t *testing.T, why string) {
	t.Helper()
	if got := c.exitCode(t, refusal); got != exitFailure {
		t.Errorf("exit code %d, want %d", got, exitFailure)
	}
	line := c.stderr.text()
	if bad := notOneLine(line); bad != "" {
		t.Error("stderr ", bad)
	}
	if !strings.Contains(line, why) {
		t.Errorf("stderr %q, want %q in it", line, why)
	}
	c.mustLeaveNoFile(t)
}

func TestPortInUse(t *testing.T) {
	t.Parallel()
	taken := listen0(t)
	mustRefuse(t, taken+" is in use: stop what runs there, or choose another with -addr", "serve", "-addr", taken)
	mustRefuse(t, taken+" is in use: stop what runs there, or choose another with -guests", "serve", "-addr", "127.0.0.1:0", "-guests", taken)
	mustRefuse(t, "port taken", "zookeeper", "-port", taken[strings.LastIndex(taken, ":")+1:])
}

// A mistake on the command line is found before a port is: whether another program has that
// makes no difference to what is said.
func TestMistakesComeBeforePorts(t *testing.T) {
	t.Parallel()
	taken := listen0(t)
	for _, mistake := range [][]string{{"-nodes", "2"}, {"-zookeeper", "not a host"}, {"-redis", "not a host"}} {
		for _, args := range [][]string{{"serve", "-addr", taken, mistake[0], mistake[1]}, {"run", "-guests", taken, mistake[0], mistake[1], "herd"}} {
			c := start(t, nil, args...)
			if got := c.exitCode(t, refusal); got != exitUsage || !strings.Contains(c.stderr.text(), mistake[0]) {
				t.Errorf("%q: exit code %d, stderr %q, want %d and what is wrong with %s", args, got, c.stderr.text(), exitUsage, mistake[0])
			}
		}
	}
}

// listen0 listens on a free port, and never answers.
func listen0(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener.Addr().String()
}

func TestNobodyAnswers(t *testing.T) {
	t.Parallel()
	var waiting []*child // all at once, as each takes five seconds
	for _, servers := range []string{"127.0.0.1:1", listen0(t), "nowhere.invalid", "127.0.0.1:1,127.0.0.1:2"} {
		waiting = append(waiting,
			start(t, nil, "run", "-zookeeper", servers, "herd"),
			start(t, []string{"ZK_SERVERS=" + servers}, "serve", "-addr", "127.0.0.1:0"))
	}
	for _, c := range waiting {
		c.mustRefuse(t, "no ZooKeeper answers at ")
	}
}

func TestServeWarnsWhenOthersCanReachIt(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{})
	c := start(t, nil, "serve", "-addr", "0.0.0.0:0", "-zookeeper", server.Address())
	c.stdout.await(t, `(?m)^listening on http://\S+:[0-9]+$`)
	c.stderr.await(t, `(?m)^warning: \S+:[0-9]+ can be reached by others`)
	c.mustStop(t, os.Interrupt)

	s := serve(t, nil, "-zookeeper", server.Address())
	s.mustStop(t, os.Interrupt)
	if strings.Contains(s.stderr.text(), "warning") {
		t.Error("a warning on a loopback address")
	}
}

// TestDataIsForOneProgram: a second program on the same directory is told so,
// and what the first kept is there when it comes again.
func TestDataIsForOneProgram(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	first := start(t, nil, "zookeeper", "-port", "0", "-data", data)
	address := first.stdout.await(t, `(?m)^zookeeper 3\.\S+ on (\S+), admin on http://\S+/commands$`)
	if err := connect(t, address).Create(t.Context(), "/kept"); err != nil {
		t.Fatal(err)
	}
	inUse := "choose another directory: " + data
	mustRefuse(t, inUse, "serve", "-addr", "127.0.0.1:0", "-data", data)
	mustRefuse(t, inUse, "run", "-data", data, "herd")
	first.mustStop(t, os.Interrupt)

	second := serve(t, nil, "-data", data)
	if _, err := connect(t, second.zookeeper(t).Address).Exists(t.Context(), "/kept"); err != nil {
		t.Error(err)
	}
	second.mustStop(t, os.Interrupt)
}

// A log that outgrows memory goes into the directory, also when the ZooKeeper
// is somebody else's and nobody has made the directory.
func TestDataIsMade(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/new/data"
	mustRefuse(t, "no ZooKeeper answers", "run", "-zookeeper", "127.0.0.1:1", "-data", dir, "herd")
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		t.Errorf("-data %s was not made: %v", dir, err)
	}
}
