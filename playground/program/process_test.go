package program_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/program"
)

// timeout is for what happens at once on an idle machine.
const timeout = 20 * time.Second

// A started program, and all that it has said.
type started struct {
	*program.Process
	t     *testing.T
	said  chan program.Message
	wrote chan string
	ended chan error
}

// start runs a shell script as the program.
func start(t *testing.T, script string) *started {
	t.Helper()
	s := &started{t: t, said: make(chan program.Message, 2000), wrote: make(chan string, 2000), ended: make(chan error, 1)}
	p, err := program.Start(program.Config{
		Command: []string{"sh", "-c", script}, Supervisor: []string{os.Args[0], superviseArgument},
		Env:  []string{"PLAYGROUND_LOCK=/lock"},
		Said: func(m program.Message) { s.said <- m }, Wrote: func(line string) { s.wrote <- line },
		Ended: func(err error) { s.ended <- err }})
	if err != nil {
		t.Fatal(err)
	}
	s.Process = p
	t.Cleanup(func() {
		over, cancel := context.WithCancel(context.Background())
		cancel()
		p.Close(over)
	})
	return s
}

func (s *started) within() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	s.t.Cleanup(cancel)
	return ctx
}

// end returns how the program has ended.
func (s *started) end() error {
	s.t.Helper()
	select {
	case err := <-s.ended:
		return err
	case <-time.After(timeout):
		s.t.Fatal("the program does not end")
		return nil
	}
}

func (s *started) line() string {
	s.t.Helper()
	select {
	case line := <-s.wrote:
		return line
	case <-time.After(timeout):
		s.t.Fatal("the program writes nothing")
		return ""
	}
}

// obedient is a lock that is always free.
const obedient = `while read -r line; do case "$line" in
*'"acquire"'*) echo '{"type":"at","line":3} {"type":"acquired","token":7,"znode":"/lock/x"}' ;;
*'"release"'*) echo '{"type":"released"}' ;;
esac; done; echo bye >&2`

func TestTurns(t *testing.T) {
	p := start(t, obedient)
	for turn := 1; turn <= 3; turn++ {
		said, lost, err := p.Acquire(p.within(), program.Message{Mode: "write"})
		if err != nil || said.Type != program.Acquired || said.Turn != turn || said.Token != 7 || said.Znode != "/lock/x" {
			t.Fatalf("turn %d: %+v, %v", turn, said, err)
		}
		select {
		case <-lost:
			t.Error("it is lost")
		default:
		}
		if said, err := p.Release(p.within()); err != nil || said.Type != program.Released {
			t.Fatalf("turn %d: %+v, %v", turn, said, err)
		}
	}
	p.Close(p.within())
	if err := p.end(); err != nil {
		t.Errorf("ended: %v", err)
	}
	if got := p.line(); got != "bye" {
		t.Errorf("after the end of its input it wrote %q", got)
	}
}

// TestLost: a program says so while it holds, or in answer to release; a release that
// crossed it may be answered as well.
func TestLost(t *testing.T) {
	p := start(t, `read -r a; echo '{"type":"acquired"}'; echo '{"type":"lost","why":"expired"}'
read -r a; echo '{"type":"acquired"}'; read -r r; echo '{"type":"lost"}'; echo '{"type":"released","turn":2}'
read -r a; echo '{"type":"failed","why":"no"}'; read -r a`)
	_, lost, err := p.Acquire(p.within(), program.Message{})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-lost:
	case <-p.within().Done():
		t.Fatal("not lost")
	}
	if said, err := p.Release(p.within()); err != nil || said.Type != program.Lost || said.Why != "expired" {
		t.Fatalf("release after lost: %+v, %v", said, err)
	}
	if _, _, err := p.Acquire(p.within(), program.Message{}); err != nil {
		t.Fatal(err)
	}
	if said, err := p.Release(p.within()); err != nil || said.Type != program.Lost {
		t.Fatalf("release: %+v, %v", said, err)
	}
	if said, _, err := p.Acquire(p.within(), program.Message{}); err != nil || said.Type != program.Failed || said.Why != "no" {
		t.Fatalf("acquire: %+v, %v", said, err)
	}
}

// TestLateAnswer: a program that answers a release late is asked to acquire after that.
func TestLateAnswer(t *testing.T) {
	answer := filepath.Join(t.TempDir(), "answer")
	p := start(t, `while read -r line; do case "$line" in
*acquire*) echo '{"type":"acquired"}' ;;
*release*) until [ -e '`+answer+`' ]; do sleep 0.01; done; echo '{"type":"released"}' ;; esac; done`)
	if _, _, err := p.Acquire(p.within(), program.Message{}); err != nil {
		t.Fatal(err)
	}
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := p.Release(short); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("release: %v", err)
	}
	if _, _, err := p.Acquire(short, program.Message{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("acquire before the answer: %v", err)
	}
	if err := os.WriteFile(answer, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if said, _, err := p.Acquire(p.within(), program.Message{}); err != nil || said.Type != program.Acquired || said.Turn != 2 {
		t.Errorf("acquire after it: %+v, %v", said, err)
	}
}

// TestNonsense: what does not fit ends the program, with what was expected.
func TestNonsense(t *testing.T) {
	for _, test := range []struct {
		name, script, want string
		is                 error
	}{
		{"no JSON", `echo hello; cat`, `expected one JSON object on a line`, program.ErrNonsense},
		{"half an object", `echo '{"type":'; cat`, `unexpected EOF`, program.ErrNonsense},
		{"unknown type", `echo '{"type":"aquired"}'; cat`, `there are acquired, released`, program.ErrNonsense},
		{"ours", `echo '{"type":"release"}'; cat`, `for the program to read`, program.ErrNonsense},
		{"not asked", `echo '{"type":"acquired"}'; cat`, `it said acquired in turn 0, expected nothing but at and note`, program.ErrNonsense},
		{"another turn", `read -r a; echo '{"type":"acquired","turn":9}'; cat`, `for turn 9, expected turn 1`, program.ErrNonsense},
		{"at nowhere", `echo '{"type":"at"}'; cat`, `at needs a line`, program.ErrNonsense},
		{"negative", `echo '{"type":"note","turn":-1}'; cat`, `not negative`, program.ErrNonsense},
		{"endless line", `yes x | tr -d '\n'`, `a line of at most 65536 bytes`, program.ErrNonsense},
		{"flood", `yes '{"type":"note","text":"x"}'`, `more than 1000 messages a second`, program.ErrFlood},
		{"by itself", `exit 3`, `exit status 3`, program.ErrEnded},
		{"killed", `kill -9 $$`, `signal: killed`, program.ErrEnded},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := start(t, test.script)
			if strings.Contains(test.script, "read") {
				_, _, err := p.Acquire(p.within(), program.Message{})
				if !errors.Is(err, program.ErrEnded) {
					t.Errorf("acquire: %v", err)
				}
			}
			if err := p.end(); !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("ended: %v, want %q", err, test.want)
			}
		})
	}
	t.Run("no such program", func(t *testing.T) {
		ended := make(chan error, 1)
		p, err := program.Start(program.Config{Command: []string{"/no/such/program"}, Supervisor: []string{os.Args[0], superviseArgument},
			Said: func(program.Message) {}, Wrote: func(string) {}, Ended: func(err error) { ended <- err }})
		if err != nil {
			t.Fatal(err)
		}
		if err := <-ended; !errors.Is(err, program.ErrEnded) || !strings.Contains(err.Error(), "no such file") {
			t.Errorf("ended: %v", err)
		}
		p.Close(context.Background())
	})
}

// TestStandardError: its lines are told, also long ones and too many.
func TestStandardError(t *testing.T) {
	p := start(t, `printf '%s\n' one two >&2; yes | head -c 100000 | tr -d '\n' >&2; echo >&2; seq 1000 >&2`)
	_ = p.end()
	close(p.wrote)
	var lines []string
	for line := range p.wrote {
		lines = append(lines, line)
	}
	if len(lines) < 4 || lines[0] != "one" || lines[1] != "two" || len(lines[2]) > 5000 || len(lines) > 200 || !strings.HasSuffix(lines[len(lines)-1], "lines more)") {
		t.Errorf("%d lines: %.60q", len(lines), lines)
	}
}

// forks are ways of a program to leave something behind.
var forks = map[string]string{
	"child":       `sleep 1000 & echo $! >&2; cat`,
	"grandchild":  `sh -c 'sleep 1000 & echo $! >&2; cat'`,
	"own session": `setsid sh -c 'echo $$ >&2; exec sleep 1000' & cat`,
	"daemon":      `setsid sh -c '(sleep 1000 & echo $! >&2)'; cat`,
	"deaf":        `trap '' TERM INT HUP; echo $$ >&2; while :; do sleep 1; done`,
}

func TestNothingIsLeft(t *testing.T) {
	for name, script := range forks {
		t.Run(name, func(t *testing.T) {
			p := start(t, script)
			pid := p.pid()
			p.Kill()
			if living(pid) {
				t.Errorf("process %d is left", pid)
			}
			if err := p.end(); err != nil {
				t.Errorf("ended: %v", err)
			}
		})
	}
}

func (s *started) pid() int {
	s.t.Helper()
	pid, err := strconv.Atoi(s.line())
	if err != nil {
		s.t.Fatal(err)
	}
	return pid
}

// living says whether a process is there that is no zombie.
func living(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

// TestForkBomb: too many processes end the program, and none is left.
func TestForkBomb(t *testing.T) {
	p := start(t, `i=0; while [ $i -lt 300 ]; do sleep 1000 & i=$((i+1)); done; echo $! >&2; cat`)
	pid := p.pid()
	if err := p.end(); !errors.Is(err, program.ErrEnded) || !strings.Contains(err.Error(), "the limit is 100") {
		t.Errorf("ended: %v", err)
	}
	if living(pid) {
		t.Errorf("process %d is left", pid)
	}
}

// TestPause: a paused program does nothing, nor does what it has started.
func TestPause(t *testing.T) {
	p := start(t, `(while :; do echo tick >&2; sleep 0.02; done) & cat`)
	p.line()
	p.Pause()
	for { // what it wrote before
		select {
		case <-p.wrote:
			continue
		case <-time.After(200 * time.Millisecond):
		}
		break
	}
	select {
	case line := <-p.wrote:
		t.Errorf("it wrote %q while it was paused", line)
	case <-time.After(200 * time.Millisecond):
	}
	p.Resume()
	p.line()
	p.Pause()
	p.Kill() // a paused one, too
}

// TestPlaygroundIsKilled: when the playground's process is gone at once, so is the program.
func TestPlaygroundIsKilled(t *testing.T) {
	if script := os.Getenv("TEST_RUN_UNTIL_KILLED"); script != "" {
		p := start(t, script)
		fmt.Println("pid", p.pid())
		select {}
	}
	for name, script := range forks {
		t.Run(name, func(t *testing.T) {
			playground := exec.Command(os.Args[0], "-test.run=^TestPlaygroundIsKilled$")
			playground.Env = append(os.Environ(), "TEST_RUN_UNTIL_KILLED="+script, "GOCOVERDIR="+filepath.Join(t.TempDir()))
			out, err := playground.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := playground.Start(); err != nil {
				t.Fatal(err)
			}
			var pid int
			if _, err := fmt.Fscanf(out, "pid %d", &pid); err != nil {
				t.Fatal(err)
			}
			_ = playground.Process.Signal(syscall.SIGKILL)
			_ = playground.Wait()
			for deadline := time.Now().Add(timeout); living(pid); time.Sleep(time.Millisecond) {
				if time.Now().After(deadline) {
					t.Fatalf("process %d is left", pid)
				}
			}
		})
	}
}
