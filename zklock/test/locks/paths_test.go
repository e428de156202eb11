package locks_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// pathUsers are all that take a path.
var pathUsers = map[string]func(ctx context.Context, s *zklock.Session, path string) error{
	"mutex": func(ctx context.Context, s *zklock.Session, path string) error {
		return attempted(newMutex(s, path).Lock(ctx))
	},
	"probing": func(ctx context.Context, s *zklock.Session, path string) error {
		return attempted(newMutex(s, path, zklock.WithProbe()).TryLock(ctx))
	},
	"reader": func(ctx context.Context, s *zklock.Session, path string) error {
		return attempted(newRWMutex(s, path).RLock(ctx))
	},
	"herd": func(ctx context.Context, s *zklock.Session, path string) error {
		return attempted(newHerdMutex(s, path).TryLock(ctx))
	},
	"semaphore": func(ctx context.Context, s *zklock.Session, path string) error {
		return attempted(newSemaphore(s, path, 1).Acquire(ctx))
	},
	"resize": func(ctx context.Context, s *zklock.Session, path string) error {
		return newSemaphore(s, path, 1).Resize(ctx, 2)
	},
	"reentrant": func(ctx context.Context, s *zklock.Session, path string) error {
		return attempted(newReentrant(s, path).Lock(zklock.WithOwner(ctx)))
	},
	"contenders": func(ctx context.Context, s *zklock.Session, path string) error {
		_, err := contenders(ctx, s, path)
		return err
	},
}

// attempted takes the outcome of an attempt that is expected to fail.
func attempted[T interface{ Unlock(context.Context) error }](lease T, err error) error {
	if err == nil {
		lease.Unlock(context.Background())
	}
	return err
}

// What the server does not take is refused, and not tidied into another path.
func TestInvalidPaths(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	if err := s.WaitConnected(w.within()); err != nil {
		t.Fatal(err)
	}
	count := network.tally()
	for _, path := range []string{
		"", "relative", "./a", w.path + "/../other", w.path + "/./a", w.path + "//a", w.path + "/..", w.path + "/../",
		"//a", w.path + "/a\x00b", w.path + "/\x7f", w.path + "/\xff", w.path + "/\ue000", w.path + "/\U0001f600",
	} {
		for name, use := range pathUsers {
			err := use(w.within(), s, path)
			var detail *zklock.Error
			if !errors.Is(err, zk.ErrInvalidPath) || !errors.As(err, &detail) || !strings.HasSuffix(detail.Path, strings.TrimRight(path, "/")) {
				t.Errorf("%s at %q: %v, want ErrInvalidPath there", name, path, err)
			}
		}
		if _, err := newMulti(s, []string{path}); !errors.Is(err, zk.ErrInvalidPath) || !errors.Is(err, zklock.ErrPaths) {
			t.Errorf("NewMulti of %q: %v, want ErrPaths and ErrInvalidPath", path, err)
		}
	}
	for _, element := range []string{"..", "\ue000"} {
		node := w.path + "/" + element + "/lock-0000000001"
		if err := zklock.Revoke(w.within(), s, node); !errors.Is(err, zk.ErrInvalidPath) {
			t.Errorf("Revoke at %q: %v, want ErrInvalidPath", node, err)
		}
	}
	if got := count(); got != "" {
		t.Errorf("sent: %s", got)
	}
}

// Slashes at the end are no part of the name.
func TestTrailingSlash(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lock := newMutex(w.dial(session), w.path+"//")
	if lock.Path() != w.path {
		t.Errorf("Path = %s, want %s", lock.Path(), w.path)
	}
	lease := w.lock(lock)
	if strings.Contains(lease.Node(), "//") {
		t.Errorf("Node = %s", lease.Node())
	}
	if err := zklock.Revoke(w.within(), w.dial(session), lease.Node()+"/"); err != nil {
		t.Error(err)
	}
	w.unlock(lease)
}

// The locks allow the characters that the server does.
func TestCharactersOfPaths(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	for _, r := range []rune{
		0x1f, 0x20, 0x7e, 0x7f, 0x9f, 0xa0, 0xd7ff, 0xe000, 0xefff, 0xf000, 0xf8ff, 0xf900, 0xffef, 0xfff0, 0xfffd, 0xffff, 0x10000, 0x10ffff,
	} {
		path := w.path + string(r)
		_, theirs := w.conn.Multi(&zk.CreateRequest{Path: path, Acl: zk.WorldACL(zk.PermAll)})
		ours := attempted(newMutex(s, path).Lock(w.within()))
		if (theirs == nil) != (ours == nil) {
			t.Errorf("%x: the server says %v, the lock %v", r, theirs, ours)
		}
	}
}
