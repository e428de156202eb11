package chaos

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// A register is what a lock protects: a znode that holds the token of its last
// writer. It is written with a lease's Guard and not otherwise, so the tokens
// that it holds, in the order of the server's transactions, never go down;
// and while a reader's znode exists, it does not change.
type register struct {
	lock string // the kind's name
	path string
}

// An outcome says what became of an attempt to use a register.
type outcome int

const (
	accepted outcome = iota
	refused          // by the guard: the lease's znode is gone
	unknown          // the connection broke
)

// use writes the register, or for a reader looks at it twice.
func (r register) use(c zklock.Client, lease Lease, h *History) outcome {
	if lease.Mode() == zklock.ModeRead {
		return r.read(c, lease, h)
	}
	return r.write(c, lease, h)
}

func (r register) write(c zklock.Client, lease Lease, h *History) outcome {
	data := strconv.AppendInt(nil, int64(lease.Token()), 10)
	results, err := c.Multi(lease.Guard(), &zk.SetDataRequest{Path: r.path, Data: data, Version: -1})
	if err == nil {
		h.Wrote(Write{Lock: r.lock, Zxid: results[1].Stat.Mzxid, Token: lease.Token()})
	}
	return judge(err)
}

// read finds out the register's version, and then whether it is the same while
// the lease's znode still exists.
func (r register) read(c zklock.Client, lease Lease, h *History) outcome {
	_, stat, err := c.Get(r.path)
	if err != nil {
		return judge(err)
	}
	_, err = c.Multi(lease.Guard(), &zk.CheckVersionRequest{Path: r.path, Version: stat.Version})
	if errors.Is(err, zk.ErrBadVersion) {
		h.Wrote(Write{Lock: r.lock, Zxid: stat.Mzxid, Token: lease.Token(), Torn: true})
		return accepted
	}
	return judge(err)
}

// judge tells the guard's refusal from a broken connection. The register
// itself is always there, so a missing znode is the lease's.
func judge(err error) outcome {
	switch {
	case err == nil:
		return accepted
	case errors.Is(err, zk.ErrNoNode):
		return refused
	default:
		return unknown
	}
}

// parse reads what a register holds.
func parse(data []byte) (zklock.Token, error) {
	token, err := strconv.ParseInt(string(data), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("read a register: %w", err)
	}
	return zklock.Token(token), nil
}
