package zkcli_test

import (
	"context"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkcli"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// timeout is for what must happen.
const timeout = time.Minute

func within(t testing.TB, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// A screen is a console with all that it has written.
type screen struct {
	*zkcli.Console
	t testing.TB

	mu      sync.Mutex
	written strings.Builder
	more    chan struct{} // closed at the next text
}

// start makes a console that is closed when the test ends.
func start(t testing.TB, server string, change ...func(*zkcli.Config)) *screen {
	t.Helper()
	s := &screen{t: t, more: make(chan struct{})}
	config := zkcli.Config{Server: server, Output: s.write, Zone: time.UTC,
		Connect: func(server string, told func(zkcli.Event)) (*zkcli.Client, error) {
			if _, _, err := net.SplitHostPort(server); err != nil {
				return nil, err
			}
			return zkcli.NewClient(zkcli.ClientOptions{Servers: []string{server}, OnEvent: told}), nil
		}}
	for _, c := range change {
		c(&config)
	}
	console, err := zkcli.New(config)
	if err != nil {
		t.Fatal(err)
	}
	s.Console = console
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		if err := console.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *screen) write(_ zkcli.Stream, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.written.WriteString(text)
	close(s.more)
	s.more = make(chan struct{})
}

// take returns what was written since the last time.
func (s *screen) take() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.written.Reset()
	return s.written.String()
}

// await waits until a text has been written.
func (s *screen) await(text string) {
	s.t.Helper()
	ctx := within(s.t, timeout)
	for {
		s.mu.Lock()
		written, more := s.written.String(), s.more
		s.mu.Unlock()
		if strings.Contains(written, text) {
			return
		}
		select {
		case <-more:
		case <-ctx.Done():
			s.t.Fatalf("there is no %q in %q", text, written)
		}
	}
}

// do runs a line and returns what it wrote.
func (s *screen) do(line string) string {
	s.t.Helper()
	s.take()
	s.Execute(within(s.t, timeout), line)
	return s.take()
}

// TestWhatEndsOriginal: each of these ends zkCli.sh with a stack trace; a console says
// what the exception says, and goes on.
func TestWhatEndsOriginal(t *testing.T) {
	t.Parallel()
	s := start(t, zktest.Start(t).Address())
	s.await("SyncConnected")
	for _, test := range []struct{ line, want string }{
		{"'", ""}, // before any command: NullPointerException
		{"set -v x /a b", "For input string: \"x\"\n"},
		{`delete -v "" /a`, "For input string: \"\"\n"},
		{"setAcl -v 99999999999 /a world:anyone:r", "For input string: \"99999999999\"\n"},
		{"redo x", "For input string: \"x\"\n"},
		{`redo ""`, "Zero length string\n"},
		{"addWatch nope", "Path must start with / character\n"},
		{"close", "\nWATCHER::\n\nWatchedEvent state:Closed type:None path:null\n"},
		{"connect no:such:server", "address no:such:server: too many colons in address\n"},
		{"sync /", "Not connected\n"},
	} {
		if got := s.do(test.line); got != test.want {
			t.Errorf("%q: %q, want %q", test.line, got, test.want)
		}
	}
}

func TestComplete(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	root, s := server.Root(t), start(t, server.Address())
	for _, line := range []string{"create ROOT/lock", "create ROOT/lock/b", "create ROOT/lock/a", "create ROOT/log"} {
		s.do(strings.ReplaceAll(line, "ROOT", root))
	}
	for _, test := range []struct {
		line, start string
		want        []string
	}{
		{"", "", zkcli.Commands()},
		{"get", "", []string{"get", "getAcl", "getAllChildrenNumber", "getEphemerals"}},
		{"getAcl", "", []string{"getAcl"}},
		{"nope", "", nil},
		{"ls ROOT/lo", "ls ROOT/", []string{"lock", "log"}},
		{"ls -s ROOT/lock/", "ls -s ROOT/lock/", []string{"a", "b"}},
		{"ls ROOT/lock/b", "ls ROOT/lock/", []string{"b"}},
		{"ls ROOT/nope/x", "ls ROOT/nope/x", nil},
		{"ls ROOT//x", "ls ROOT//x", nil},
		{"ls /zookeeper/q", "ls /zookeeper/", []string{"quota"}},
		{"ls /zookeepe", "ls /", []string{"zookeeper"}},
	} {
		line, before := strings.ReplaceAll(test.line, "ROOT", root), strings.ReplaceAll(test.start, "ROOT", root)
		at, got := s.Complete(within(t, timeout), line)
		if line[:at] != before || !slices.Equal(got, test.want) {
			t.Errorf("%q goes on at %d as %q, want after %q %q", line, at, got, before, test.want)
		}
	}
	s.do("close")
	if at, got := s.Complete(within(t, timeout), "ls /z"); at != len("ls /z") || got != nil {
		t.Errorf("without a session a path goes on at %d as %q", at, got)
	}
}

func TestHistoryAndPrompt(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t).Address()
	s := start(t, server)
	s.do("sync /")
	s.do("")
	s.do("version")
	s.Run(within(t, timeout), []string{"ls", "/nope with blanks"})
	s.do("redo 1")
	if want := []string{"sync /", "version", "version"}; !slices.Equal(s.History(), want) {
		t.Errorf("History = %q, want %q", s.History(), want)
	}
	if want := "[zk: " + server + "(CONNECTED) 3] "; s.Prompt() != want {
		t.Errorf("Prompt = %q, want %q", s.Prompt(), want)
	}
	s.do("close")
	if want := "[zk: " + server + "(CLOSED) 4] "; s.Prompt() != want {
		t.Errorf("Prompt = %q, want %q", s.Prompt(), want)
	}
}

func TestExitCode(t *testing.T) {
	t.Parallel()
	s := start(t, zktest.Start(t).Address())
	for _, test := range []struct {
		args []string
		want int
	}{
		{[]string{"ls", "/"}, 0},
		{[]string{"ls", "/no such znode"}, 1},
		{[]string{"nope"}, 127},
		{[]string{"create"}, 1},
		{[]string{"history"}, 0},
	} {
		if s.Run(within(t, timeout), test.args); s.ExitCode() != test.want {
			t.Errorf("%q: exit code %d, want %d", test.args, s.ExitCode(), test.want)
		}
	}
}

func TestRefusedCommand(t *testing.T) {
	t.Parallel()
	s := start(t, zktest.Start(t).Address(), func(c *zkcli.Config) {
		c.Refuse = func(args []string) string {
			if args[0] == "connect" {
				return "the console of a room stays in it"
			}
			return ""
		}
	})
	s.do("sync /")
	if got := s.do("connect elsewhere:2181"); got != "the console of a room stays in it\n" || s.ExitCode() != 1 {
		t.Errorf("connect: %q, exit code %d", got, s.ExitCode())
	}
	if got := s.do("redo 1"); got != "the console of a room stays in it\n" {
		t.Errorf("redo of it: %q", got)
	}
	if got := s.do("sync /"); got != "Sync is OK\n" {
		t.Errorf("what is not refused: %q", got)
	}
}

func TestLongLineIsRefused(t *testing.T) {
	t.Parallel()
	s := start(t, zktest.Start(t).Address())
	s.do("sync /")
	line := "create /long " + strings.Repeat("x", zkcli.MaxLine)
	if got := s.do(line); !strings.Contains(got, "too long") || s.ExitCode() != 1 || len(s.History()) != 1 {
		t.Errorf("a long line: %q, %d in the history", got, len(s.History()))
	}
}
