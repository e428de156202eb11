package chaos

import (
	"context"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// several is a lease of a multi-lock, as the history knows leases: by its
// znode in the last directory.
type several struct{ *zklock.MultiLease }

func (l several) Node() string {
	nodes := l.Nodes()
	return nodes[len(nodes)-1]
}

func (l several) Mode() zklock.Mode { return zklock.ModeWrite }

func (l several) Guard() *zk.CheckVersionRequest {
	return &zk.CheckVersionRequest{Path: l.Node(), Version: -1}
}

// severalWays takes the multi-lock of dirs, of which the last is watched.
func severalWays(s *zklock.Session, dirs ...string) []Way {
	m, err := zklock.NewMulti(s, dirs)
	lock := func(take func(context.Context) (*zklock.MultiLease, error)) func(context.Context) (Lease, error) {
		return func(ctx context.Context) (Lease, error) {
			lease, err := take(ctx)
			if err != nil {
				return nil, err
			}
			return several{lease}, nil
		}
	}
	if err != nil {
		return []Way{{Take: func(context.Context) (Lease, error) { return nil, err }}}
	}
	return []Way{{Take: lock(m.Lock)}, {Try: true, Take: lock(m.TryLock)}}
}
