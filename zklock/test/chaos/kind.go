package chaos

import (
	"context"
	"slices"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/teach"
)

// A Kind is a lock under test. To add one, give it a line in [Kinds].
type Kind struct {
	Name string
	// Holders is how many may hold it at once, readers not counted. Only where
	// it is 1 is the order of the holders checked, and a register kept.
	Holders int
	// Ways makes the lock with queue dir, for one session.
	Ways func(s *zklock.Session, dir string) []Way
}

// A Way is one way to take a lock.
type Way struct {
	// Try says that Take does not wait for another holder, and is expected to
	// return [zklock.ErrHeld].
	Try bool
	// Take takes the lock. Any number of goroutines may call it.
	Take func(context.Context) (Lease, error)
}

// A Lease is an acquisition, as *zklock.Lease is.
type Lease interface {
	Token() zklock.Token
	Node() string
	Mode() zklock.Mode
	Guard() *zk.CheckVersionRequest
	Context() context.Context
	Unlock(context.Context) error
}

// Kinds are the queues of zklock. Of "mixed" the contenders are of three recipes,
// and of "multi" some are mutexes.
func Kinds() []Kind {
	return []Kind{
		{"mutex", 1, func(s *zklock.Session, dir string) []Way {
			return ways(zklock.NewMutex(s, dir))
		}},
		{"herd", 1, func(s *zklock.Session, dir string) []Way {
			return ways(teach.NewHerdMutex(s, dir))
		}},
		{"mixed", 1, func(s *zklock.Session, dir string) []Way {
			textbook := zklock.NewMutex(s, dir, zklock.WithTextbook())
			return slices.Concat(ways(zklock.NewMutex(s, dir)), ways(textbook), ways(teach.NewHerdMutex(s, dir)))
		}},
		{"rw", 1, func(s *zklock.Session, dir string) []Way {
			m := zklock.NewRWMutex(s, dir)
			return append(ways(m), waiting(m.RLock), waiting(m.RLock), try(m.TryRLock))
		}},
		{"semaphore", 3, func(s *zklock.Session, dir string) []Way {
			m := zklock.NewSemaphore(s, dir, 3)
			return []Way{waiting(m.Acquire), waiting(m.Acquire), try(m.TryAcquire)}
		}},
		{"reentrant", 1, func(s *zklock.Session, dir string) []Way {
			m := zklock.NewReentrant(s, dir)
			return []Way{waiting(func(ctx context.Context) (Lease, error) { return m.Lock(zklock.WithOwner(ctx)) })}
		}},
		{"multi", 1, func(s *zklock.Session, dir string) []Way {
			return append(ways(zklock.NewMutex(s, dir)), multiWays(s, dir+"-beside", dir)...)
		}},
	}
}

// ways waits for a lock three times out of four, and else only tries.
func ways(l zklock.Locker) []Way {
	return []Way{waiting(l.Lock), waiting(l.Lock), waiting(l.Lock), try(l.TryLock)}
}

func waiting[L Lease](lock func(context.Context) (L, error)) Way { return Way{Take: take(lock)} }

func try[L Lease](lock func(context.Context) (L, error)) Way {
	return Way{Try: true, Take: take(lock)}
}

// take returns lock with the type that a Way has.
func take[L Lease](lock func(context.Context) (L, error)) func(context.Context) (Lease, error) {
	return func(ctx context.Context) (Lease, error) {
		lease, err := lock(ctx)
		if err != nil {
			return nil, err
		}
		return lease, nil
	}
}

// multiLease is a lease of a multi-lock, as the history knows leases: by its
// znode in the last directory.
type multiLease struct{ *zklock.MultiLease }

func (l multiLease) Node() string {
	nodes := l.Nodes()
	return nodes[len(nodes)-1]
}

func (l multiLease) Mode() zklock.Mode { return zklock.ModeWrite }

func (l multiLease) Guard() *zk.CheckVersionRequest {
	return &zk.CheckVersionRequest{Path: l.Node(), Version: -1}
}

// multiWays takes the multi-lock of dirs, of which the last is watched.
func multiWays(s *zklock.Session, dirs ...string) []Way {
	m, err := zklock.NewMulti(s, dirs)
	lock := func(take func(context.Context) (*zklock.MultiLease, error)) func(context.Context) (Lease, error) {
		return func(ctx context.Context) (Lease, error) {
			lease, err := take(ctx)
			if err != nil {
				return nil, err
			}
			return multiLease{lease}, nil
		}
	}
	if err != nil {
		return []Way{{Take: func(context.Context) (Lease, error) { return nil, err }}}
	}
	return []Way{{Take: lock(m.Lock)}, {Try: true, Take: lock(m.TryLock)}}
}
