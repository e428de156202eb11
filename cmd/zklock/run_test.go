//go:build unix

package main

import (
	"io"
	"net"
	"path"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// The exit code is the command's, or says why it was not run.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	free, held := w.path+"-free", w.path
	holder := w.start("-lock", held, "--", "sh", "-c", "echo held; exec sleep 1000")
	holder.says(w, "held")
	for name, test := range map[string]struct {
		args []string
		code int
		says string
	}{
		"as the command":      {[]string{"-lock", free, "--", "sh", "-c", "exit 7"}, 7, ""},
		"killed":              {[]string{"-lock", free, "--", "sh", "-c", "kill -9 $$"}, 128 + 9, ""},
		"no command":          {[]string{"-lock", free, "--", "no-such-command"}, exitMissing, "not found"},
		"no program":          {[]string{"-lock", free, "--", "/"}, exitCannot, ""},
		"held":                {[]string{"-lock", held, "-try", "--", "true"}, exitHeld, "held by another"},
		"held for long":       {[]string{"-lock", held, "-timeout", "50ms", "--", "true"}, exitHeld, "deadline"},
		"nobody there":        {[]string{"-servers", "127.0.0.1:1", "-timeout", "50ms", "-lock", free, "--", "true"}, exitHeld, "deadline"},
		"a bad path":          {[]string{"-lock", "free", "--", "true"}, exitFailure, "not absolute"},
		"no lock":             {[]string{"--", "true"}, exitFailure, "-lock is missing"},
		"nothing to run":      {[]string{"-lock", free}, exitFailure, "no COMMAND"},
		"two kinds":           {[]string{"-lock", free, "-read", "-limit", "2", "--", "true"}, exitFailure, "only one of"},
		"a flag that is none": {[]string{"-bad"}, exitFailure, "-bad"},
		"one path":            {[]string{"list"}, exitFailure, "takes one path"},
		"help":                {[]string{"doctor", "-h"}, 0, ""},
	} {
		p := w.start(test.args...)
		if _, code := p.ends(w); code != test.code || !strings.Contains(p.stderr.String(), test.says) {
			t.Errorf("%s: exit code %d, want %d; %s", name, code, test.code, p.stderr.String())
		}
	}
}

// The command knows the lease by its environment.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.start("-lock", w.path, "-data", "me", "--", "sh", "-c", "echo $ZKLOCK_NODE; echo $ZKLOCK_TOKEN; exec sleep 1000")
	node, err := p.lines.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	data, stat, err := w.conn.Get(strings.TrimSpace(node))
	if err != nil || path.Dir(node) != w.path || string(data) != "me" {
		t.Fatalf("%s: %q, %v", node, data, err)
	}
	p.says(w, strconv.FormatInt(stat.Czxid, 10))
}

// Several hold at once where the flags say so.
func TestSharedLocks(t *testing.T) {
	t.Parallel()
	const echo, sleep = "-c", "echo held; exec sleep 1000"
	for name, test := range map[string]struct{ holder, beside, not []string }{
		"readers":   {[]string{"-read"}, []string{"-read"}, []string{"-write"}},
		"semaphore": {[]string{"-limit", "2"}, []string{"-limit", "2"}, []string{"-limit", "2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			for _, flags := range [][]string{test.holder, test.beside} {
				w.start(append(flags, "-lock", w.path, "--", "sh", echo, sleep)...).says(w, "held")
			}
			if _, code := w.start(append(test.not, "-try", "-lock", w.path, "--", "true")...).ends(w); code != exitHeld {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

// A stubborn command ends by force only.
const stubborn = "trap '' TERM; echo $$; while :; do sleep 1000; done"

// However it ends, the lock is free within the session's timeout, and the command does not
// outlive its grace.
func TestDeaths(t *testing.T) {
	t.Parallel()
	const mortal, immortal, grace = 6 * time.Second, 30 * time.Second, 200 * time.Millisecond
	for name, test := range map[string]struct {
		session time.Duration
		kill    func(w *world, p *process, command int, way *way)
		code    int // -1 when it is killed
	}{
		"command killed": {immortal, func(_ *world, _ *process, command int, _ *way) { syscall.Kill(command, syscall.SIGKILL) }, 128 + 9},
		"zklock killed":  {mortal, func(_ *world, p *process, _ int, _ *way) { p.Process.Kill() }, -1},
		"link cut":       {mortal, func(_ *world, _ *process, _ int, way *way) { way.shut() }, exitLost},
		"znode deleted": {immortal, func(w *world, _ *process, _ int, _ *way) {
			names, _, err := w.conn.Children(w.path)
			if err == nil {
				err = w.conn.Delete(w.path+"/"+names[0], -1)
			}
			if err != nil {
				w.Error(err)
			}
		}, exitLost},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			way := newWay(t, w.servers)
			p := w.start("-servers", way.Addr().String(), "-session", test.session.String(), "-grace", grace.String(), "-lock", w.path, "--", "sh", "-c", stubborn)
			command := p.number(w)
			test.kill(w, p, command, way)
			began := time.Now()
			free := make(chan time.Duration)
			go func() { free <- w.queues(0) }()
			_, code := p.ends(w)
			ended := time.Since(began)
			freed := <-free
			if code != test.code {
				t.Errorf("exit code %d, want %d; %s", code, test.code, p.stderr.String())
			}
			t.Logf("session %v, grace %v: all ended after %v, the lock free after %v", test.session, grace, ended, freed)
		})
	}
}

// The same with a server that dies and does not come back in time.
func TestDeathOfTheServer(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{})
	w := &world{TB: t, servers: server.Address(), path: "/lock"}
	p := w.start("-session", "4s", "-grace", "200ms", "-lock", w.path, "--", "sh", "-c", stubborn)
	p.number(w)
	if err := server.Managed().Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if _, code := p.ends(w); code != exitLost {
		t.Errorf("exit code %d; %s", code, p.stderr.String())
	}
	t.Logf("all ended %v after the server", time.Since(began))
}

// number waits for the number of the command's process.
func (p *process) number(w *world) int {
	w.Helper()
	line, err := p.lines.ReadString('\n')
	n, bad := strconv.Atoi(strings.TrimSpace(line))
	if err != nil || bad != nil {
		w.Fatalf("it says %q, %v; and %s", line, err, p.stderr.String())
	}
	return n
}

// Signals go to the command, and end a wait for the lock.
func TestSignals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder := w.start("-lock", w.path, "--", "sh", "-c", "trap 'echo told; exit 3' TERM; echo held; while :; do sleep 0.1; done")
	holder.says(w, "held")
	waiter := w.start("-lock", w.path, "--", "true")
	w.queues(2)
	waiter.Process.Signal(syscall.SIGTERM)
	if _, code := waiter.ends(w); code != 128+15 {
		t.Errorf("the waiter's exit code is %d; %s", code, waiter.stderr.String())
	}
	holder.Process.Signal(syscall.SIGTERM)
	holder.says(w, "told")
	if _, code := holder.ends(w); code != 3 {
		t.Errorf("the holder's exit code is %d; %s", code, holder.stderr.String())
	}
	w.queues(0)
}

// A way carries connections to the server until it is shut.
type way struct {
	net.Listener
	done sync.WaitGroup
	mu   sync.Mutex
	all  []net.Conn
	held bool
}

func newWay(tb testing.TB, server string) *way {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	w := &way{Listener: listener}
	tb.Cleanup(func() {
		w.Close()
		w.mu.Lock()
		for _, conn := range w.all {
			conn.Close()
		}
		w.mu.Unlock()
		w.done.Wait()
	})
	w.done.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", server)
			if err != nil {
				near.Close()
				continue
			}
			w.mu.Lock()
			w.all = append(w.all, near, far)
			w.mu.Unlock()
			w.done.Go(func() { w.carry(near, far) })
			w.done.Go(func() { w.carry(far, near) })
		}
	})
	return w
}

// shut has all that is sent from now on swallowed.
func (w *way) shut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.held = true
}

func (w *way) carry(from, to net.Conn) {
	io.Copy(swallower{w, to}, from)
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.held {
		to.Close()
	}
}

type swallower struct {
	*way
	to net.Conn
}

func (s swallower) Write(p []byte) (int, error) {
	s.mu.Lock()
	held := s.held
	s.mu.Unlock()
	if held {
		return len(p), nil
	}
	return s.to.Write(p)
}
