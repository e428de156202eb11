package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/go-zookeeper/zk"
	"golang.org/x/sync/errgroup"

	"github.com/zkplayground/zkplayground/zklock/test/internal/onlyhost"
)

const (
	// sessionTimeout is longer than a comparison lasts: clients send pings in every
	// third of it, those that stand too, and pings count as packets.
	sessionTimeout = 10 * time.Minute
	connectTimeout = 20 * time.Second
	closeTimeout   = 20 * time.Second
	// bufferSize of a client's two buffers, in bytes: zklock's default. The
	// library's own, 1.5 MiB, would make the collector part of the benchmark.
	bufferSize = 64 << 10
	// dialsAtOnce stays below the server's backlog of 50 connections.
	dialsAtOnce = 32
)

// A connection is go-zookeeper's, with what is needed to end it completely.
type connection struct {
	*zk.Conn
	events <-chan zk.Event
	line   *line
}

// connect opens a session and waits until the server has granted it.
func connect(ctx context.Context, address string) (connection, error) {
	l := new(line)
	conn, events, err := zk.Connect([]string{address}, sessionTimeout,
		zk.WithDialer(l.dial), zk.WithHostProvider(new(onlyhost.Provider)), zk.WithLogger(quiet{}), zk.WithLogInfo(false),
		zk.WithMaxBufferSize(bufferSize), zk.WithMaxConnBufferSize(bufferSize))
	if err != nil {
		return connection{}, fmt.Errorf("connect to %s: %w", address, err)
	}
	c := connection{conn, events, l}
	if err := c.awaitSession(ctx); err != nil {
		_ = c.close()
		return connection{}, fmt.Errorf("connect to %s: %w", address, err)
	}
	return c, nil
}

func (c connection) awaitSession(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	for {
		select {
		case event := <-c.events:
			if event.State == zk.StateHasSession {
				return nil
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// close ends the session, and returns when the library's goroutines are done. It does not
// fail.
func (c connection) close() error {
	c.Close()
	c.line.cut()
	for range c.events {
	}
	return nil
}

// openAll opens n contenders, some at a time. It returns all or none.
func openAll(ctx context.Context, n int, open func(ctx context.Context, i int) (contender, error)) ([]contender, error) {
	all := make([]contender, n)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(dialsAtOnce)
	for i := range all {
		group.Go(func() (err error) {
			all[i], err = open(ctx, i)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, errors.Join(err, closeAll(all))
	}
	return all, nil
}

// closeAll closes those contenders that there are.
func closeAll(all []contender) error {
	var group errgroup.Group
	for _, c := range all {
		if c != nil {
			group.Go(c.close)
		}
	}
	return group.Wait()
}

// quiet is a logger that says nothing: what fails is returned.
type quiet struct{}

func (quiet) Printf(string, ...any) {}

// errCut: the session is being closed, so nobody should connect any more.
var errCut = errors.New("connection is being closed")

// A line is a session's TCP connection. The library waits for a server that
// accepts and says nothing, as one does that boots, for several session
// timeouts, and its Close waits with it.
type line struct {
	mu  sync.Mutex
	tcp net.Conn // the newest; nil before the first
	off bool
}

// dial connects, for the library.
func (l *line) dial(network, address string, timeout time.Duration) (net.Conn, error) {
	tcp, err := net.DialTimeout(network, address, timeout)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.off {
		tcp.Close()
		return nil, errCut
	}
	l.tcp = tcp
	return tcp, nil
}

// cut ends the connection, and has further ones refused.
func (l *line) cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.off = true
	if l.tcp != nil {
		l.tcp.Close() // it may be closed already
	}
}
