package zkcli_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/zkcli"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// An original is ZooKeeper's own command line, at work in one JVM.
type original struct {
	t       *testing.T
	in      io.Writer
	out     *bufio.Reader
	command *exec.Cmd
}

// javaClient is what zkCli.sh runs.
const javaClient = "org.apache.zookeeper.ZooKeeperMain"

func startOriginal(t *testing.T, server string) *original {
	t.Helper()
	installed, err := zkserver.Find("")
	if err != nil {
		t.Fatal(err)
	}
	classes := append([]string{quietLog(t)}, installed.ClassPath...)
	ctx := within(t, timeout)
	command := exec.CommandContext(ctx, installed.Java, "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Dfile.encoding=UTF-8",
		"-Duser.timezone=UTC", "-cp", strings.Join(classes, string(filepath.ListSeparator)), javaClient, "-server", server)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command.Stdout, command.Stderr = write, write // one pipe keeps their order
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	write.Close()
	t.Cleanup(func() {
		command.Process.Kill()
		_ = command.Wait()
		read.Close()
	})
	return &original{t: t, in: in, out: bufio.NewReader(read), command: command}
}

// quietLog is a directory for the class path that keeps Java's log off the output.
func quietLog(t *testing.T) string {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "log4j.properties"), []byte("log4j.rootLogger=OFF\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "logback.xml"), []byte("<configuration/>\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// until returns what is written up to a text, without it.
func (o *original) until(text string) string {
	o.t.Helper()
	var got strings.Builder
	for {
		line, err := o.out.ReadString('\n')
		if before, found := strings.CutSuffix(line, text+"\n"); found {
			return got.String() + before
		}
		got.WriteString(line)
		if err != nil {
			o.t.Fatalf("zkCli ended: %v; it wrote %q and no %q", err, got.String(), text)
		}
	}
}

// say writes lines to zkCli, which reads them when it has done those before.
func (o *original) say(lines ...string) {
	o.t.Helper()
	if _, err := io.WriteString(o.in, strings.Join(lines, "\n")+"\n"); err != nil {
		o.t.Fatal(err)
	}
}

// do runs a line and returns what it wrote. A sync is answered behind all events that
// came before it, and an unknown command with its own name.
func (o *original) do(number int, line, event string) string {
	o.t.Helper()
	o.say(line)
	var got string
	if event != "" {
		got = o.until(event) + event + "\n"
	}
	o.say("sync /", end(number))
	return got + o.until("Command not found: Command not found "+end(number))
}

func end(number int) string { return fmt.Sprint("end-", number) }

// doAll is do with the lines that follow each for [original.do], in the same order. An
// event may be written between two of them.
func (s *screen) doAll(number int, line string) string {
	s.t.Helper()
	s.take()
	for _, each := range []string{line, "sync /", end(number)} {
		s.Execute(within(s.t, timeout), each)
	}
	return strings.Replace(s.take(), "Command not found: Command not found "+end(number)+"\n", "", 1)
}

// What must differ between two sessions.
var volatile = []struct{ pattern, instead string }{
	{`0x[0-9a-f]{2,}`, "0xN"}, // zxids from the second byte on, and session ids
	{`(cZxid|mZxid|pZxid|ephemeralOwner) = 0x[1-9a-f]`, "$1 = 0xN"},
	{`[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d [A-Z]+ 20\d\d`, "TIME"},
}

// An exchange is what a line answered: what the program wrote, in order, and the events,
// which Java tells from another thread, so that they have no place among it.
type exchange struct {
	Lines, Events []string
}

var eventText = regexp.MustCompile(`\nWATCHER::\n|\n(WatchedEvent .*)\n`)

func normalised(text string) exchange {
	for _, v := range volatile {
		text = regexp.MustCompile(v.pattern).ReplaceAllString(text, v.instead)
	}
	var got exchange
	for _, match := range eventText.FindAllStringSubmatch(text, -1) {
		if match[1] != "" {
			got.Events = append(got.Events, match[1])
		}
	}
	slices.Sort(got.Events)
	got.Lines = strings.Split(eventText.ReplaceAllString(text, ""), "\n")
	return got
}

// TestSameAsOriginal runs the same lines through zkCli.sh and through the console, each
// with a server of its own that has seen nothing else, and compares what they answer.
// All that ours says on the way has to be decoded by what a room's tap decodes with.
func TestSameAsOriginal(t *testing.T) {
	t.Parallel()
	first := zktest.StartOwn(t, zkserver.Config{})
	if version := first.Managed().Version(); !strings.HasPrefix(version, "3.8.") {
		t.Fatalf("ZooKeeper %s is installed; the console has the words of 3.8.0, and each release has some of its own", version)
	}
	second := zktest.StartOwn(t, zkserver.Config{})
	java := startOriginal(t, first.Address())
	tap := &tapped{t: t}
	ours := start(t, second.Address(), func(c *zkcli.Config) { c.Connect = tap.connect })
	const connected = "WatchedEvent state:SyncConnected type:None path:null"
	java.until(connected)
	ours.await(connected)

	differences := 0
	for i, line := range script {
		want := normalised(java.do(i, line.text, line.event))
		got := normalised(ours.doAll(i, line.text))
		if line.differs != "" {
			differences++
			if cmp.Equal(want, got) {
				t.Errorf("%q: no difference any more (%s)", line.text, line.differs)
			}
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: zkCli -, ours +:\n%s", line.text, diff)
		}
	}
	java.checkEnd(ours)
	tap.mu.Lock()
	defer tap.mu.Unlock()
	t.Logf("%d lines compared, %d with a difference; %d frames decoded", len(script), differences, tap.frames)
}

// checkEnd compares how the two end: quit keeps the exit code of the line before.
func (o *original) checkEnd(ours *screen) {
	o.t.Helper()
	o.say("quit")
	rest, err := io.ReadAll(o.out)
	if err != nil {
		o.t.Fatal(err)
	}
	_ = o.command.Wait()
	quit := ours.Execute(within(o.t, timeout), "quit")
	if got, want := ours.ExitCode(), o.command.ProcessState.ExitCode(); !quit || got != want {
		o.t.Errorf("quit = %t, exit code %d; zkCli has %d", quit, got, want)
	}
	if diff := cmp.Diff(normalised(string(rest)), normalised(ours.take())); diff != "" {
		o.t.Errorf("quit: zkCli -, ours +:\n%s", diff)
	}
}
