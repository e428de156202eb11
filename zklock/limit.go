package zklock

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync"

	"github.com/go-zookeeper/zk"
)

var (
	// ErrLimitMismatch says that the lock directory has another limit than the
	// [Semaphore], or has data that is no limit. Nothing is overwritten.
	ErrLimitMismatch = errors.New("zklock: the semaphore's limit is not the stored one")

	// ErrLimitRange says that a limit is not from 1 to 2147483647.
	ErrLimitRange = errors.New("zklock: limit out of range")
)

// checkLimit refuses what can be no limit.
func checkLimit(n int) error {
	if n < 1 || n > math.MaxInt32 {
		return fmt.Errorf("%w: %d is not from 1 to %d", ErrLimitRange, n, math.MaxInt32)
	}
	return nil
}

// formatLimit is how a limit is stored: in decimal, without a sign.
func formatLimit(n int) []byte { return strconv.AppendInt(nil, int64(n), 10) }

// parseLimit reads a limit from the data of a lock directory.
func parseLimit(data []byte) (int, error) {
	n, err := strconv.Atoi(string(data))
	if err != nil || checkLimit(n) != nil || string(formatLimit(n)) != string(data) {
		return 0, fmt.Errorf("%w: the directory's data is no limit: %.40q", ErrLimitMismatch, data)
	}
	return n, nil
}

// An agreement is what a [Semaphore] and its directory agree on. Once they do,
// the semaphore follows the stored limit, for as long as the directory lasts.
type agreement struct {
	mu        sync.Mutex
	limit     bound
	directory int64 // the transaction that created it; 0 while there is none
}

// now returns the limit that holds now.
func (a *agreement) now() bound {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.limit
}

// check compares the stored limit with the own one.
func (a *agreement) check(stored int, stat *zk.Stat) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if stored != a.limit.max && stat.Czxid != a.directory {
		return fmt.Errorf("%w: own %d, stored %d", ErrLimitMismatch, a.limit.max, stored)
	}
	return nil
}

// adopt makes the stored limit the own one, unless a newer one is known.
func (a *agreement) adopt(stored int, stat *zk.Stat) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if stat.Mzxid > a.limit.at {
		a.limit, a.directory = bound{stored, stat.Mzxid}, stat.Czxid
	}
}
