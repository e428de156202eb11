package state

import "slices"

// SequenceDigits is how many digits the server adds to the name of a sequential znode.
const SequenceDigits = 10

// Numbered says whether the server gave the znode its number.
func Numbered(path string) bool {
	digits := path[max(0, len(path)-SequenceDigits):]
	return len(digits) == SequenceDigits && !slices.ContainsFunc([]byte(digits), func(b byte) bool { return b < '0' || b > '9' })
}

// nodes are the znodes in a lock directory.
type nodes struct {
	there map[string]bool
	queue []string // the numbered ones, in the order in which they came
}

func newNodes() nodes { return nodes{there: make(map[string]bool)} }

func (n *nodes) count() int { return len(n.there) }

func (n *nodes) add(path string) {
	if !n.there[path] && Numbered(path) {
		n.queue = append(n.queue, path)
	}
	n.there[path] = true
}

// remove finds most znodes at the head of the queue.
func (n *nodes) remove(path string) {
	delete(n.there, path)
	if i := slices.Index(n.queue, path); i >= 0 {
		n.queue = slices.Delete(n.queue, i, i+1)
	}
}

// first is the numbered znode that came before all others, if there is one.
func (n *nodes) first() string {
	if len(n.queue) == 0 {
		return ""
	}
	return n.queue[0]
}
