package queue

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync"

	"github.com/go-zookeeper/zk"
)

// What package zklock's errors of these names say.
var (
	ErrLimitMismatch = errors.New("zklock: the semaphore's limit is not the stored one")
	ErrLimitRange    = errors.New("zklock: limit out of range")
)

// CheckLimit refuses what can be no limit.
func CheckLimit(n int) error {
	if n < 1 || n > math.MaxInt32 {
		return fmt.Errorf("%w: %d is not from 1 to %d", ErrLimitRange, n, math.MaxInt32)
	}
	return nil
}

// FormatLimit is how a limit is stored: in decimal, without a sign.
func FormatLimit(n int) []byte { return strconv.AppendInt(nil, int64(n), 10) }

// ParseLimit reads a limit from the data of a lock directory.
func ParseLimit(data []byte) (int, error) {
	n, err := strconv.Atoi(string(data))
	if err != nil || CheckLimit(n) != nil || string(FormatLimit(n)) != string(data) {
		return 0, fmt.Errorf("%w: the directory's data is no limit: %.40q", ErrLimitMismatch, data)
	}
	return n, nil
}

// An Agreement is what a semaphore and its directory agree on. Once they do, the
// semaphore follows the stored limit, for as long as the directory lasts. In a new
// one it may find the limit that it was made with, or the one that it follows.
type Agreement struct {
	Configured int // what the semaphore was made with

	mu        sync.Mutex
	limit     Limit
	directory int64 // the transaction that created it; 0 while there is none
}

// NewAgreement is what a semaphore begins with that was made with a limit.
func NewAgreement(configured int) *Agreement {
	return &Agreement{Configured: configured, limit: Limit{Max: configured}}
}

// Now returns the limit that holds now.
func (a *Agreement) Now() Limit {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.limit
}

// Compare adopts the limit that is stored in the directory, if it may.
func (a *Agreement) Compare(data []byte, stat *zk.Stat) error {
	stored, err := ParseLimit(data)
	if err != nil {
		return err
	}
	a.mu.Lock()
	expected := stored == a.limit.Max || stored == a.Configured || stat.Czxid == a.directory
	a.mu.Unlock()
	if !expected {
		return fmt.Errorf("%w: own %d, stored %d", ErrLimitMismatch, a.Now().Max, stored)
	}
	a.Adopt(stored, stat)
	return nil
}

// Adopt makes the stored limit the own one, unless a newer one is known.
func (a *Agreement) Adopt(stored int, stat *zk.Stat) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if stat.Mzxid > a.limit.At {
		a.limit, a.directory = Limit{Max: stored, At: stat.Mzxid}, stat.Czxid
	}
}
