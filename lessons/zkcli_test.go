package lessons_test

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// cliTimeout is how long zkCli may take to start and to answer.
const cliTimeout = 2 * time.Minute

// end is a command whose answer shows that all before it have been answered.
const (
	end         = "get /end-of-the-fence"
	endOfAnswer = "Node does not exist: /end-of-the-fence"
)

// complaint matches what zkCli says when it cannot do what it was told.
var complaint = regexp.MustCompile(`Command not found|Node does not exist|Node already exists|^ZooKeeper -server|Exception`)

// TestConsoleFencesWorkAsWritten types every console fence into a real zkCli
// and compares the answers. A fence is one zkCli that is killed at its end, as
// Ctrl-C would, and the fences of a lesson share one tree.
func TestConsoleFencesWorkAsWritten(t *testing.T) {
	server := zktest.StartOwn(t, zkserver.Config{})
	for name, consoles := range fences(t, "console") {
		t.Run(name, func(t *testing.T) {
			address := server.Address() + server.Root(t)
			for _, console := range consoles {
				typeInto(t, address, console)
			}
		})
	}
}

func typeInto(t *testing.T, address, console string) {
	t.Helper()
	commands, answers := splitConsole(console)
	seen := &transcript{changed: make(chan struct{}, 1)}
	ctx, cancel := context.WithTimeout(t.Context(), cliTimeout)
	defer cancel()
	stop := startCLI(ctx, t, address, append(commands, end), seen)
	defer stop()
	missing := seen.waitFor(ctx, append(answers, endOfAnswer))
	if len(missing) > 0 {
		t.Errorf("zkCli did not answer %q to\n%s\nbut\n%s", missing, console, seen)
	}
	for line := range strings.Lines(seen.String()) {
		if complaint.MatchString(line) && strings.TrimSpace(line) != endOfAnswer {
			t.Errorf("zkCli complains: %s", line)
		}
	}
}

// splitConsole tells what is typed, after a prompt, from what is answered.
func splitConsole(console string) (commands, answers []string) {
	for line := range strings.Lines(console) {
		line = strings.TrimSuffix(line, "\n")
		if command, typed := strings.CutPrefix(line, "> "); typed {
			commands = append(commands, command)
		} else {
			answers = append(answers, line)
		}
	}
	return commands, answers
}

// startCLI types the commands into a new zkCli. The function it returns kills
// it and waits for its end.
func startCLI(ctx context.Context, t *testing.T, address string, commands []string, seen io.Writer) (stop func()) {
	t.Helper()
	installation, err := zkserver.Find("")
	if err != nil {
		t.Fatal(err)
	}
	// Debian keeps the parser of the command line beside the server's jars.
	jars := append(installation.ClassPath, filepath.Join(installation.Home, "commons-cli.jar"))
	ctx, kill := context.WithCancel(ctx)
	cli := exec.CommandContext(ctx, installation.Java, "-cp", strings.Join(jars, string(filepath.ListSeparator)),
		"org.apache.zookeeper.ZooKeeperMain", "-server", address)
	cli.Stdout, cli.Stderr = seen, seen
	input, err := cli.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cli.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprintln(input, strings.Join(commands, "\n")); err != nil {
		t.Error(err)
	}
	return func() {
		kill()
		// It was killed, so it ends with an error that says so.
		_ = cli.Wait()
	}
}

// A transcript collects what a zkCli writes. It is safe for concurrent use.
type transcript struct {
	changed chan struct{} // holds one token after a change

	mu   sync.Mutex
	text strings.Builder
}

func (s *transcript) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(p)
	select {
	case s.changed <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (s *transcript) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// waitFor waits until every line has been written, and returns those that were
// not when the context ended.
func (s *transcript) waitFor(ctx context.Context, lines []string) (missing []string) {
	for {
		if missing = s.missing(lines); len(missing) == 0 {
			return nil
		}
		select {
		case <-s.changed:
		case <-ctx.Done():
			return missing
		}
	}
}

func (s *transcript) missing(lines []string) (missing []string) {
	written := make(map[string]int)
	for line := range strings.Lines(s.String()) {
		written[strings.TrimSpace(line)]++
	}
	for _, line := range lines {
		if written[line]--; written[line] < 0 {
			missing = append(missing, line)
		}
	}
	return missing
}
