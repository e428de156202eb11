package locks_test

import (
	"context"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/teach"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// With -secure, which `make secure` gives, all tests reach their servers as in production.
// What that takes is here: sessions are dialed by dialSecure, connections that a test
// brings are authenticated, and locks are made by the functions below.

// dialSecure dials servers, for locks at paths below dir.
func dialSecure(servers []string, dir string, timeout time.Duration, opts []zklock.DialOption) (*zklock.Session, error) {
	ways := []zklock.DialOption{zklock.WithDialer(zktest.Dial)}
	if zktest.Secure(zktest.Auth) {
		ways = append(ways, zklock.WithAuth("digest", []byte(zktest.Secret)))
	}
	if zktest.Secure(zktest.Chroot) && path.IsAbs(dir) {
		servers[len(servers)-1] += dir
	}
	return zklock.Dial(servers, timeout, append(ways, opts...)...)
}

// authenticate is for a connection that a test brings.
func authenticate(tb testing.TB, conn *zk.Conn) {
	tb.Helper()
	if zktest.Secure(zktest.Auth) {
		eventually(tb, "the connection is authenticated", func() bool { // it fails before there is one
			return conn.AddAuth("digest", []byte(zktest.Secret)) == nil
		})
	}
}

// below returns a whole path as a lock of s takes it, below the chroot.
func below(s *zklock.Session, whole string) string {
	root := zklock.NewMutex(s, "/").Path()
	if root == "/" || !strings.HasPrefix(whole, root+"/") {
		return whole
	}
	return strings.TrimPrefix(whole, root)
}

// protected adds an access control list to the options, for the user of the tests alone.
func protected(opts []zklock.Option) []zklock.Option {
	if !zktest.Secure(zktest.Auth) {
		return opts
	}
	return append([]zklock.Option{zklock.WithACL(zk.AuthACL(zk.PermAll))}, opts...)
}

func newMutex(s *zklock.Session, path string, opts ...zklock.Option) *zklock.Mutex {
	return zklock.NewMutex(s, below(s, path), protected(opts)...)
}

func newHerdMutex(s *zklock.Session, path string, opts ...zklock.Option) teach.HerdMutex {
	return teach.NewHerdMutex(s, below(s, path), protected(opts)...)
}

func newRWMutex(s *zklock.Session, path string, opts ...zklock.Option) *zklock.RWMutex {
	return zklock.NewRWMutex(s, below(s, path), protected(opts)...)
}

func newSemaphore(s *zklock.Session, path string, max int, opts ...zklock.Option) *zklock.Semaphore {
	return zklock.NewSemaphore(s, below(s, path), max, protected(opts)...)
}

func newReentrant(s *zklock.Session, path string, opts ...zklock.Option) *zklock.Reentrant {
	return zklock.NewReentrant(s, below(s, path), protected(opts)...)
}

func newElection(s *zklock.Session, path string, opts ...zklock.Option) *zklock.Election {
	return zklock.NewElection(s, below(s, path), protected(opts)...)
}

func newMulti(s *zklock.Session, paths []string, opts ...zklock.Option) (*zklock.Multi, error) {
	var all []string
	for _, path := range paths {
		all = append(all, below(s, path))
	}
	return zklock.NewMulti(s, all, protected(opts)...)
}

func contenders(ctx context.Context, s *zklock.Session, dir string, opts ...zklock.Option) ([]zklock.Contender, error) {
	return zklock.Contenders(ctx, s, below(s, dir), opts...)
}
