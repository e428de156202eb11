package main

import (
	"context"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/internal/mechanism"
)

// lockDirectory is where the locks queue. It is left to them to make it, as a
// user would.
func (a arena) lockDirectory() string { return a.path + "/lock" }

func openMutex(ctx context.Context, a arena) ([]contender, error) {
	return openLockers(ctx, a, func(s *zklock.Session, path string) zklock.Locker { return zklock.NewMutex(s, path) })
}

// openMutexWithout opens mutexes that do without some mechanisms.
func openMutexWithout(set mechanism.Set) func(context.Context, arena) ([]contender, error) {
	return func(ctx context.Context, a arena) ([]contender, error) {
		return openLockers(ctx, a, func(s *zklock.Session, path string) zklock.Locker {
			return zklock.NewMutex(s, path, zklock.WithoutMechanisms(set))
		}, zklock.WithoutSessionMechanisms(set))
	}
}

func openHerd(ctx context.Context, a arena) ([]contender, error) {
	return openLockers(ctx, a, func(s *zklock.Session, path string) zklock.Locker { return zklock.NewHerdMutex(s, path) })
}

// A locker contends with a lock of zklock.
type locker struct {
	session *zklock.Session
	lock    zklock.Locker
	lease   *zklock.Lease
}

func openLockers(ctx context.Context, a arena, make func(*zklock.Session, string) zklock.Locker, opts ...zklock.DialOption) ([]contender, error) {
	return openAll(ctx, a.contenders, func(ctx context.Context, _ int) (contender, error) {
		session, err := zklock.Dial([]string{a.address}, sessionTimeout, opts...)
		if err != nil {
			return nil, err
		}
		l := &locker{session: session, lock: make(session, a.lockDirectory())}
		ctx, cancel := context.WithTimeout(ctx, connectTimeout)
		defer cancel()
		return l, session.WaitConnected(ctx)
	})
}

func (l *locker) acquire(ctx context.Context) (err error) {
	l.lease, err = l.lock.Lock(ctx)
	return err
}

// release is not to be cut short, as with any deferred Unlock.
func (l *locker) release(ctx context.Context) error {
	return l.lease.Unlock(context.WithoutCancel(ctx))
}

func (l *locker) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return l.session.Close(ctx)
}

// A libraryLock contends with go-zookeeper's own lock. That knows no context:
// what ends its wait is the end of the connection.
type libraryLock struct {
	conn connection
	lock *zk.Lock
}

func openGoZooKeeper(ctx context.Context, a arena) ([]contender, error) {
	return openAll(ctx, a.contenders, func(ctx context.Context, _ int) (contender, error) {
		conn, err := connect(ctx, a.address)
		if err != nil {
			return nil, err
		}
		return &libraryLock{conn, zk.NewLock(conn.Conn, a.lockDirectory(), openACL())}, nil
	})
}

func (l *libraryLock) acquire(context.Context) error { return l.lock.Lock() }
func (l *libraryLock) release(context.Context) error { return l.lock.Unlock() }

func (l *libraryLock) close() error {
	l.conn.close()
	return nil
}

func openACL() []zk.ACL { return zk.WorldACL(zk.PermAll) }
