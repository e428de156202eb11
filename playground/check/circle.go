package check

import (
	"maps"
	"path"
	"slices"
)

// A waitFor is a client that waits for another one in a lock.
type waitFor struct {
	client, other int
	lock          string
}

// findCircle finds clients that wait for each other: each for the znode of the next, and
// the last for that of the first. A client that has been woken, or has something under
// way, is in none. Only who has places in several queues can be in one.
func (p *progress) findCircle() stuckClient {
	if len(p.Directories) == 1 {
		return stuckClient{}
	}
	for _, first := range slices.Sorted(maps.Keys(p.processes)) { // sorted, so that a replay says the same
		var steps []waitFor
		seen := make(map[int]bool)
		for client := first; !seen[client]; {
			seen[client] = true
			next, ok := p.waitsFor(client)
			if !ok {
				break
			}
			steps = append(steps, waitFor{client, next.client, path.Base(path.Dir(next.path))})
			if next.client == first {
				return stuckClient{client: first, circle: steps}
			}
			client = next.client
		}
	}
	return stuckClient{}
}

// waitsFor is the znode of another client that a client waits for, and which is there. One
// of a session that its client does not go on with goes when that expires.
func (p *progress) waitsFor(client int) (contenderNode, bool) {
	c := p.processes[client]
	if c == nil || !c.waiting || !c.idle() {
		return contenderNode{}, false
	}
	node, ok := p.nodes[c.ahead]
	present := node.session == "" || node.session == p.process(node.client).session
	return node, ok && node.client != client && present
}
