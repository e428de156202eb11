package check

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

// A place is a znode's position in the queue: the number that the server gave
// it, and whether it excludes everybody or only writers.
type place struct {
	number int64
	read   bool
}

// placeOf reads the place out of a znode's path; ok is false for a znode that
// is no contender. Contenders have the names that the recipes, Curator and
// go-zookeeper make: protection, marker, and the digits that the server adds.
// Every other znode is a stray, which no recipe waits for. See zklock/names.go.
func placeOf(path string) (p place, ok bool) {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if len(name) < state.SequenceDigits {
		return place{}, false
	}
	head, digits := name[:len(name)-state.SequenceDigits], name[len(name)-state.SequenceDigits:]
	number, err := strconv.ParseUint(digits, 10, 63)
	if err != nil {
		return place{}, false
	}
	before, read, ok := cutMarker(head)
	if ok && protection(before) {
		return place{number: int64(number), read: read}, true
	}
	before, read, ok = cutKazooMarker(head)
	return place{number: int64(number), read: read}, ok && guid(before)
}

// cutKazooMarker is cutMarker for kazoo's Lock, WriteLock and ReadLock.
func cutKazooMarker(name string) (head string, read, ok bool) {
	if head, ok = strings.CutSuffix(name, "__lock__"); ok {
		return head, false, true
	}
	head, ok = strings.CutSuffix(name, "__rlock__")
	return head, ok, ok
}

// guid says whether s is a guid without hyphens.
func guid(s string) bool {
	return len(s) == 32 && strings.Trim(s, "0123456789abcdef") == ""
}

// cutMarker takes the marker off the end of a name without its digits.
func cutMarker(name string) (head string, read, ok bool) {
	for _, marker := range []string{"lock-", "__WRIT__", "lease-"} {
		if head, ok = strings.CutSuffix(name, marker); ok {
			return head, false, true
		}
	}
	head, ok = strings.CutSuffix(name, "__READ__")
	return head, ok, ok
}

// protection says whether s can stand before the marker: nothing, or _c_, letters
// or digits or hyphens, and a hyphen; or, as kazoo writes it before a marker of another's, a
// guid and a hyphen.
func protection(s string) bool {
	if s == "" {
		return true
	}
	s, begins := strings.CutPrefix(s, "_c_")
	id, ends := strings.CutSuffix(s, "-")
	return ends && (begins || guid(id)) && id != "" && !strings.ContainsFunc(id, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	})
}

// inQueue says whether a znode stands in a lock directory of the lane. A guest may have
// locks of its own beside them.
func inQueue(l event.Lane, node string) bool {
	return state.Directories(l.Directories()).OfNode(node) >= 0
}

// An entry is a place with the client and the event that put it there.
type entry struct {
	place
	client int
	seq    int64
	at     int64
}

// A highWaterMark is the furthest that acquisitions have come: the highest number that
// acquired at all, and the highest that acquired to write. An acquisition is
// right only when nothing ahead of it conflicts, so whatever still stands
// behind it when it should not is a violation.
type highWaterMark struct{ any, write entry }

func newHighWaterMark() highWaterMark {
	nobody := entry{place: place{number: -1}}
	return highWaterMark{any: nobody, write: nobody}
}

func (h *highWaterMark) advance(s entry) {
	if s.number > h.any.number {
		h.any = s
	}
	if !s.read && s.number > h.write.number {
		h.write = s
	}
}

// passed returns the acquisition that went past p though p excludes it.
func (h *highWaterMark) passed(p place) (entry, bool) {
	past := h.any
	if p.read {
		past = h.write
	}
	return past, past.number > p.number
}

func entryOf(e *event.Event) (entry, bool) {
	p, ok := placeOf(e.Path)
	p.read = p.read || e.Mode == "read"
	return entry{place: p, client: e.Client, seq: e.Seq, at: e.At}, ok
}

// A contenderNode is a contender's entry in the queue with its path and its
// session.
type contenderNode struct {
	entry
	path    string
	session string
}

// contenders are those that the server has, in the order of their numbers.
type contenders []*contenderNode

// find returns where the contender of that path is or would be.
func (c contenders) find(p place, path string) (at int, found bool) {
	return slices.BinarySearchFunc(c, path, func(node *contenderNode, path string) int {
		return cmp.Or(cmp.Compare(node.number, p.number), cmp.Compare(node.path, path))
	})
}

// named returns the contender of that path.
func (c contenders) named(path string) (node *contenderNode, found bool) {
	p, isContender := placeOf(path)
	if i, found := c.find(p, path); isContender && found {
		return c[i], true
	}
	return nil, false
}

// apply takes the next event, and says whether it was of a contender.
func (c *contenders) apply(e *event.Event) bool {
	s, ok := entryOf(e)
	if !ok {
		return false
	}
	i, found := c.find(s.place, e.Path)
	switch e.Kind {
	case event.TreeCreated:
		if !found {
			*c = slices.Insert(*c, i, nil)
		}
		(*c)[i] = &contenderNode{s, e.Path, e.Session}
	case event.TreeDeleted:
		if found {
			*c = slices.Delete(*c, i, i+1)
		}
	}
	return true
}
