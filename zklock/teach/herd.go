// Package teach has two locks that show how not to do it. They are made with care,
// so that each has the faults that it is there for and no others: measure them,
// watch them, and use a [zklock.Mutex].
//
// A [HerdMutex] is fair and safe, and wakes every waiter at each release. A
// [FlagLock] has neither a queue nor an end when its holder crashes.
package teach

import (
	"slices"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/internal/queue"
)

// A HerdMutex is the same queue as a [zklock.Mutex], and the two may contend on one
// path. But each waiter watches the whole directory, and so every arrival and
// every release wakes all of them, to send one listing each.
type HerdMutex struct{ *zklock.Mutex }

var _ zklock.Locker = HerdMutex{}

// NewHerdMutex returns the herd mutex whose queue is the children of path. The
// options are those of [zklock.NewMutex].
func NewHerdMutex(s *zklock.Session, path string, opts ...zklock.Option) HerdMutex {
	return HerdMutex{zklock.NewMutex(s, path, append(slices.Clip(opts), zklock.WithRecipe(queue.Herd))...)}
}
