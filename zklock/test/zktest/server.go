package zktest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// rootsDir holds the roots of the tests.
const rootsDir = "/zktest"

// A Server is a ZooKeeper for tests. Its methods may be called from any
// goroutine, except those that take a testing.TB: these from the test's own.
type Server struct {
	managed *zkserver.Server
	secured int          // the port for TLS, 0 where there is none
	roots   atomic.Int64 // numbers the roots

	mu   sync.Mutex
	conn *zk.Conn // for what the server does itself; nil until needed
}

// Address is the server's host:port, for [Dial].
func (s *Server) Address() string {
	if Secure(TLS) {
		return s.SecureAddress()
	}
	return s.managed.Address()
}

// SecureAddress is that of the port for [DialTLS].
func (s *Server) SecureAddress() string { return secureAddress(s.secured) }

func secureAddress(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// Managed is the server's process, for tests that kill it.
func (s *Server) Managed() *zkserver.Server { return s.managed }

// Root creates a persistent znode for tb alone and returns its path. All that
// is below it is deleted when tb ends.
func (s *Server) Root(tb testing.TB) string {
	tb.Helper()
	conn, err := s.housekeeper()
	if err != nil {
		tb.Fatal("zktest: ", err)
	}
	root := fmt.Sprintf("%s/%s-%d", rootsDir, nodeName(tb.Name()), s.roots.Add(1))
	if err := create(conn, root); err != nil {
		tb.Fatal("zktest: ", err)
	}
	tb.Cleanup(func() {
		if err := deleteTree(conn, root); err != nil {
			tb.Error("zktest: ", err)
		}
	})
	return root
}

// nodeName makes one path component of a test's name.
func nodeName(test string) string { return strings.ReplaceAll(test, "/", "-") }

// housekeeper is the connection that makes and removes roots.
func (s *Server) housekeeper() (*zk.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		return s.conn, nil
	}
	conn, err := connect(context.Background(), s.managed.Address(), DefaultSession)
	if err != nil {
		return nil, err
	}
	s.conn = conn
	return conn, createIfMissing(conn, rootsDir)
}

func (s *Server) stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn != nil {
		s.conn.Close()
	}
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	return s.managed.Stop(ctx)
}

func create(conn *zk.Conn, path string) error {
	if _, err := conn.Create(path, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
		return fmt.Errorf("create %s: %w", path, err)
	}
	return nil
}

func createIfMissing(conn *zk.Conn, path string) error {
	if err := create(conn, path); !errors.Is(err, zk.ErrNodeExists) {
		return err
	}
	return nil
}

// deleteTries bounds the deletion of a tree in which clients that are about to
// die still create znodes.
const deleteTries = 100

// deleteTree deletes path and all below it.
func deleteTree(conn *zk.Conn, path string) error {
	var err error
	for range deleteTries {
		if err = deleteOnce(conn, path); !errors.Is(err, zk.ErrNotEmpty) {
			return err
		}
	}
	return err
}

func deleteOnce(conn *zk.Conn, path string) error {
	children, _, err := conn.Children(path)
	if errors.Is(err, zk.ErrNoNode) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("list %s: %w", path, err)
	}
	for _, child := range children {
		if err := deleteOnce(conn, path+"/"+child); err != nil {
			return err
		}
	}
	if err := conn.Delete(path, -1); err != nil && !errors.Is(err, zk.ErrNoNode) {
		return fmt.Errorf("delete %s: %w", path, err)
	}
	return nil
}
