package redisserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/zkplayground/zkplayground/playground/internal/child"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
)

// ErrBoot: the server was started but did not come to serve. The text ends with the
// last lines that it wrote.
var ErrBoot = errors.New("redis-server did not start")

const (
	bootTries   = 3
	bootTimeout = 10 * time.Second
	bootPoll    = 10 * time.Millisecond
	shownLines  = 10
	// revivePause is the wait before a dead server is started again.
	revivePause = 100 * time.Millisecond
)

// A Server is a redis-server that runs as our child until [Server.Stop]. Its methods
// may be called from any goroutine.
type Server struct {
	program string
	port    int
	life    context.Context // ends when no server is to run
	end     context.CancelFunc
	stopped chan struct{} // closed when none does

	mu      sync.Mutex
	process *child.Process // that runs now or ran last
}

// Start runs a server and returns when it serves. Ctx bounds only the boot. When Start
// fails it leaves no process; the error wraps [ErrBoot] or child.ErrNoPort.
func Start(ctx context.Context, program string) (*Server, error) {
	s := &Server{program: program, stopped: make(chan struct{})}
	s.life, s.end = context.WithCancel(context.WithoutCancel(ctx))
	var err error
	for range bootTries { // another program may take the port before the server does
		var ports []int
		if ports, err = child.FreePorts(1); err != nil {
			break
		}
		s.port = ports[0]
		if err = s.boot(ctx); err == nil {
			go s.supervise()
			return s, nil
		}
	}
	s.end()
	return nil, err
}

// Address is the host:port for clients. It does not change over a restart.
func (s *Server) Address() string { return child.HostPort(s.port) }

// PID is the process id of the server that runs now or ran last.
func (s *Server) PID() int { return s.current().PID() }

// Restart kills the server with SIGKILL, as a crash would, and returns when it is dead.
// It comes back by itself, with nothing of what it had.
func (s *Server) Restart() { s.current().Kill() }

// Stop ends the server. A ctx that ends sooner ends the wait, not the stopping.
func (s *Server) Stop(ctx context.Context) error {
	s.end()
	select {
	case <-s.stopped:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *Server) current() *child.Process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.process
}

// supervise starts the server again whenever it has died, until Stop.
func (s *Server) supervise() {
	defer close(s.stopped)
	for {
		process := s.current()
		select {
		case <-process.Dead():
		case <-s.life.Done():
			process.Terminate()
			return
		}
		for s.boot(s.life) != nil && clock.Sleep(s.life, revivePause) {
		}
	}
}

// boot starts a process and waits until it serves. On failure nothing is left running.
func (s *Server) boot(ctx context.Context) error {
	output := child.NewTail(io.Discard)
	cmd := exec.Command(s.program, s.arguments()...)
	cmd.Dir = "/" // it writes nothing
	cmd.Stdout, cmd.Stderr = output, output
	process, err := child.Launch(cmd)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.process = process
	s.mu.Unlock()
	if err := s.awaitService(ctx, process); err != nil {
		process.Kill()
		return fmt.Errorf("%w: %w; it wrote:\n%s", ErrBoot, err, output.Lines(shownLines))
	}
	return nil
}

// arguments keep all in memory and have changes published to subscribers: of keys (K),
// set ($), deleted (g) and expired (x).
func (s *Server) arguments() []string {
	return []string{"--bind", child.Loopback, "--port", strconv.Itoa(s.port), "--save", "", "--appendonly", "no",
		"--daemonize", "no", "--notify-keyspace-events", "K$gx", "--hz", "100"}
}

// awaitService waits until this process, and no other, answers on our port.
func (s *Server) awaitService(ctx context.Context, process *child.Process) error {
	ctx, cancel := context.WithTimeoutCause(ctx, bootTimeout, fmt.Errorf("no answer within %v", bootTimeout))
	defer cancel()
	for {
		owner, err := s.owner(ctx)
		if err == nil && owner == process.PID() {
			return nil
		}
		select {
		case <-process.Dead():
			return process.Err()
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(bootPoll):
		}
	}
}

// owner is the process that answers on our port.
func (s *Server) owner(ctx context.Context) (pid int, err error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.Address())
	if err != nil {
		return 0, err
	}
	client := redis.NewClient(&redis.Options{Protocol: 2, DisableIdentity: true, MaxRetries: -1,
		Dialer: func(context.Context, string, string) (net.Conn, error) { return conn, nil }})
	defer client.Close()
	info, err := client.InfoMap(ctx, "server").Result()
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(info["Server"]["process_id"])
}

// ErrNoRedis: no redis-server was found. The text is one line that says what to do.
var ErrNoRedis = errors.New("no redis-server found: install it (apt-get install redis-server, or brew install redis), or use a running one with -redis host:port")

// brews are where Homebrew keeps programs, also where the PATH does not say so.
var brews = []string{"/opt/homebrew/bin", "/usr/local/bin", "/home/linuxbrew/.linuxbrew/bin"}

// Find looks for redis-server on the PATH, given as getenv knows it, and in Homebrew.
func Find(getenv func(string) string) (program string, err error) {
	for _, dir := range append(filepath.SplitList(getenv("PATH")), brews...) {
		program := filepath.Join(dir, "redis-server")
		if info, err := os.Stat(program); filepath.IsAbs(dir) && err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0 {
			return program, nil
		}
	}
	return "", ErrNoRedis
}
