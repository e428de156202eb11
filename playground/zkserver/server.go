package zkserver

import (
	"context"
	"errors"
	"sync"
)

// A Server is a ZooKeeper that runs as our child until [Server.Stop]. Its
// methods may be called from any goroutine.
type Server struct {
	config     Config
	install    Installation
	dir        *directory
	clientPort int
	adminPort  int // 0: no admin server

	halt    context.CancelFunc // tells the supervisor to stop
	stopped chan struct{}      // closed when the supervisor has cleaned up
	stopErr error              // what went wrong in that; read it once stopped is closed

	mu       sync.Mutex // guards what follows
	jvm      *process
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
	dir, err := openDirectory(config.Dir)
	if err != nil {
		return nil, err
	}
	s := &Server{config: config.withDefaults(), install: install, dir: dir, stopped: make(chan struct{})}
	if err := s.bootAnywhere(ctx); err != nil {
		return nil, errors.Join(err, dir.close())
	}
	supervised, halt := context.WithCancel(context.WithoutCancel(ctx))
	s.halt = halt
	go s.supervise(supervised)
	return s, nil
}

// Stop ends the server, with SIGKILL if it does not obey SIGTERM within a
// second, and removes its directory if that was temporary. A ctx that ends
// sooner ends the wait, not the stopping. Calls after the first do the same
// waiting.
func (s *Server) Stop(ctx context.Context) error {
	s.halt()
	select {
	case <-s.stopped:
		return s.stopErr
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Address is the host:port for clients. It does not change over a restart.
func (s *Server) Address() string { return hostPort(s.clientPort) }

// AdminAddress is the host:port of the HTTP admin server; empty if there is none.
func (s *Server) AdminAddress() string {
	if s.adminPort == 0 {
		return ""
	}
	return hostPort(s.adminPort)
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
	return s.jvm.pid
}

// Restarts counts how often the server died unasked and came back.
func (s *Server) Restarts() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.restarts
}

// setLife records a JVM that serves.
func (s *Server) setLife(jvm *process, version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.jvm, s.version = jvm, version
}

func (s *Server) life() *process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.jvm
}

func (s *Server) settings() settings {
	return settings{
		dataDir:    s.dir.data(),
		clientPort: s.clientPort,
		adminPort:  s.adminPort,
		tick:       s.config.TickTime,
		minSession: s.config.MinSession,
		maxSession: s.config.MaxSession,
	}
}
