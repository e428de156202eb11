package zkserver

import (
	"context"
	"errors"
	"sync"

	"github.com/zkplayground/zkplayground/playground/internal/child"
)

// A Server is a ZooKeeper that runs as our child until [Server.Stop]. Its
// methods may be called from any goroutine.
type Server struct {
	config     Config
	install    Installation
	dir        *directory
	clientPort int
	adminPort  int    // 0: no admin server
	id         int    // in an ensemble, from 1
	peers      []peer // of the ensemble, this one included; none: standalone

	lifetime context.Context    // ends when the supervisor is to stop
	stop     context.CancelFunc // ends it
	revived  chan struct{}      // wakes the supervisor for a new period
	stopped  chan struct{}      // closed when the supervisor has cleaned up
	stopErr  error              // what went wrong in that; read it once stopped is closed

	mu       sync.Mutex // guards what follows
	period   *period
	jvm      *child.Process
	version  string
	restarts int
}

// Start runs a server and returns when it serves clients. Ctx bounds only the
// boot: a started server lives until [Server.Stop]. When Start fails it leaves
// neither a process nor a directory of its own; the error wraps [ErrConfig],
// [ErrNoZooKeeper], [ErrNoJava], [ErrDirInUse], [ErrNoPort], [ErrPortTaken] or
// [ErrBoot].
func Start(ctx context.Context, config Config) (*Server, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	install, err := Find(config.Home)
	if err != nil {
		return nil, err
	}
	s, err := newServer(config, install)
	if err != nil {
		return nil, err
	}
	if err := s.bootAnywhere(ctx); err != nil {
		return nil, errors.Join(err, s.dir.close())
	}
	s.keep(ctx)
	return s, nil
}

// newServer takes the directory of a server that has no ports yet.
func newServer(config Config, install Installation) (*Server, error) {
	dir, err := openDirectory(config.Dir)
	if err != nil {
		return nil, err
	}
	return &Server{config: config.withDefaults(), install: install, dir: dir,
		revived: make(chan struct{}, 1), stopped: make(chan struct{})}, nil
}

// keep has a server that serves kept alive until Stop.
func (s *Server) keep(ctx context.Context) {
	s.lifetime, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	s.period = newPeriod(s.lifetime)
	go s.supervise()
}

// Stop ends the server, with SIGKILL if it does not obey SIGTERM within a
// second, and removes its directory if that was temporary. A ctx that ends
// sooner ends the wait, not the stopping. Calls after the first do the same
// waiting.
func (s *Server) Stop(ctx context.Context) error {
	s.stop()
	select {
	case <-s.stopped:
		return s.stopErr
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Address is the host:port for clients. It does not change over a restart.
func (s *Server) Address() string { return child.HostPort(s.clientPort) }

// AdminAddress is the host:port of the HTTP admin server; empty if there is none.
func (s *Server) AdminAddress() string {
	if s.adminPort == 0 {
		return ""
	}
	return child.HostPort(s.adminPort)
}

// Version is the server's release, as it says itself, for example 3.8.0.
func (s *Server) Version() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// PID is the process id of the JVM that runs now or ran last.
func (s *Server) PID() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.jvm.PID()
}

// Restarts counts how often the server was dead and came back.
func (s *Server) Restarts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.restarts
}

// setLife records the JVM that runs from now on.
func (s *Server) setLife(jvm *child.Process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jvm = jvm
}

func (s *Server) setVersion(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = version
}

// life is the JVM that runs now or ran last; nil before the first boot.
func (s *Server) life() *child.Process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.jvm
}

func (s *Server) settings() settings {
	return settings{
		dataDir:    s.dir.data(),
		peers:      s.peers,
		clientPort: s.clientPort,
		adminPort:  s.adminPort,
		tick:       s.config.TickTime,
		minSession: s.config.MinSession,
		maxSession: s.config.MaxSession,

		superPassword: s.config.SuperPassword,
		lines:         s.config.Lines,
	}
}
