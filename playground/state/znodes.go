package state

import (
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A Node is a znode in the queue. Made is the event that told of it.
type Node struct {
	Client  int         `json:"client,omitempty"`
	Writer  int         `json:"writer,omitempty"`
	Written int64       `json:"written,omitempty"`
	Made    event.Event `json:"made"`
}

// A znodes has those of a lane's queues in the order of their numbers, head first.
type znodes struct {
	directories Directories
	nodes       []*Node
	there       map[string]bool
	stale       bool  // the observer is away
	synced      int64 // what the server had done until then is known
}

func (z *znodes) apply(e *event.Event, ownerOf func(session string) int) {
	switch e.Kind {
	case event.TreeLost:
		z.stale = true
	case event.TreeSynced:
		z.stale, z.synced = false, e.Sent
	case event.TreeDeleted:
		if e.Path == z.directories[0] {
			z.nodes = nil
			clear(z.there)
		}
		z.remove(e.Path)
	case event.TreeCreated:
		if z.directories.OfNode(e.Path) >= 0 {
			z.insert(e, ownerOf)
		}
	}
}

func (z *znodes) insert(e *event.Event, ownerOf func(session string) int) {
	z.remove(e.Path)
	node := &Node{Client: e.Client, Made: *e}
	if node.Client == 0 {
		node.Client = ownerOf(e.Session)
	}
	i := len(z.nodes)
	for i > 0 && ComesAfter(z.nodes[i-1].Made.Path, e.Path) {
		i--
	}
	z.nodes = slices.Insert(z.nodes, i, node)
	z.there[e.Path] = true
}

// ComesAfter says whether a znode comes later in the queue than another; a stray is the last.
func ComesAfter(one, other string) bool {
	if !Numbered(one) || !Numbered(other) {
		return !Numbered(one) && Numbered(other)
	}
	return one[len(one)-SequenceDigits:] > other[len(other)-SequenceDigits:]
}

func (z *znodes) find(path string) int {
	if !z.there[path] {
		return -1
	}
	return slices.IndexFunc(z.nodes, func(n *Node) bool { return n.Made.Path == path })
}

func (z *znodes) remove(path string) {
	if i := z.find(path); i >= 0 {
		z.nodes = slices.Delete(z.nodes, i, i+1)
		delete(z.there, path)
	}
}

// written takes the answer to a write: its text is in the znode from then on.
func (z *znodes) written(e *event.Event) {
	if e.Kind != event.WireReceived || e.Op != "setData" || e.Err != "" {
		return
	}
	if i := z.find(e.Path); i >= 0 && e.Zxid > z.nodes[i].Written {
		z.nodes[i].Written, z.nodes[i].Writer = e.Zxid, 0
		if e.Stat != nil && e.Stat.DataLength > 0 {
			z.nodes[i].Writer = e.Client
		}
	}
}
