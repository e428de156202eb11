package state

import (
	"path"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// Directories are the lock directories of a lane. Each is judged and counted by itself: a
// client that holds in one keeps nobody in another from holding.
type Directories []string

// Of returns the index of the directory that an event is about, -1 if it may be about
// any of them, as the end of a session is. The page does so too: static/js/model/locks.js.
func (d Directories) Of(e *event.Event) int {
	if len(d) == 1 {
		return 0
	}
	if i := slices.Index(d, e.Path); i >= 0 {
		return i
	}
	return d.OfNode(e.Path)
}

// OfNode is the index of the directory that has the znode, -1 if none has.
func (d Directories) OfNode(node string) int { return slices.Index(d, path.Dir(node)) }
