package check

// nodes are the znodes in a lock directory.
type nodes struct {
	there map[string]bool
	queue []string // the numbered ones in the order in which they came; some may be gone
}

func newNodes() nodes { return nodes{there: make(map[string]bool)} }

func (n *nodes) count() int { return len(n.there) }

func (n *nodes) add(path string) {
	if !n.there[path] && numbered(path) {
		n.queue = append(n.queue, path)
	}
	n.there[path] = true
}

func (n *nodes) remove(path string) { delete(n.there, path) }

// first is the numbered znode that came before all others, if there is one. A number is
// never used again, so what has gone from the queue does not come back to it.
func (n *nodes) first() string {
	for len(n.queue) > 0 {
		if n.there[n.queue[0]] {
			return n.queue[0]
		}
		n.queue = n.queue[1:]
	}
	return ""
}
