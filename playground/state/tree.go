package state

import (
	"path"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A Tree has the znodes of a lane beside its queues.
type Tree struct {
	Znodes []*Znode       `json:"znodes,omitempty"` // in the order in which they came
	Gone   []Gone         `json:"gone,omitempty"`   // those that went last
	Told   []Told         `json:"told,omitempty"`   // the notifications to guests
	Known  int            `json:"known,omitempty"`
	More   map[string]int `json:"more,omitempty"` // how many are only counted, by the nearest one above

	root string
	find map[string]*Znode
}

// A Znode is one beside the queues; static/js/model/tree.js says more of the members.
type Znode struct {
	Path      string   `json:"path"`
	Flags     []string `json:"flags,omitempty"`
	Session   string   `json:"session,omitempty"`
	Client    int      `json:"client,omitempty"`
	Data      string   `json:"data,omitempty"`
	Bytes     int64    `json:"bytes,omitempty"`
	CreatedAt int64    `json:"createdAt"`
	ChangedAt int64    `json:"changedAt"` // -1 for never
	Gone      *Gone    `json:"gone,omitempty"`
}

// Gone is how a znode went, and by whom.
type Gone struct {
	Path  string `json:"path"`
	At    int64  `json:"at"`
	Cause string `json:"cause"`
	By    int    `json:"by"`
}

// Told is a notification to a guest.
type Told struct {
	Client int    `json:"client"`
	Path   string `json:"path"`
	Type   string `json:"type"`
	Frame  int64  `json:"frame"`
	At     int64  `json:"at"`
}

// So many are kept one by one; of those that are gone, and for so long, in microseconds; and
// of notifications.
const (
	mostZnodes = 300
	mostGone   = 20
	goneFor    = 10_000_000
	mostTold   = 12
)

func newTree(l event.Lane) *Tree {
	root := l.Root
	if root == "" {
		root = path.Dir(l.Path)
	}
	return &Tree{root: root, More: make(map[string]int), find: make(map[string]*Znode)}
}

func (t *Tree) apply(e *event.Event, ownerOf func(session string) int) {
	t.forget(e.At)
	z := t.find[e.Path]
	there := z != nil && z.Gone == nil
	switch e.Kind {
	case event.TreeCreated:
		switch {
		case there:
		case t.Known >= mostZnodes:
			t.count(e.Path, 1)
		default:
			t.created(e, ownerOf)
		}
	case event.TreeDeleted:
		if !there {
			t.count(e.Path, -1)
			return
		}
		t.Known--
		gone := Gone{Path: e.Path, At: e.At, Cause: e.Cause, By: e.Client}
		if e.Cause == "client" && e.By > 0 {
			gone.By = e.By
		} else if e.Cause != "client" && e.Client == 0 {
			gone.By = z.Client
		}
		z.Gone = &gone
		t.Gone = append(t.Gone, gone)
	case event.TreeChanged:
		if there {
			z.Data, z.Bytes, z.ChangedAt = e.Data, e.Bytes, e.At
		}
	}
}

func (t *Tree) created(e *event.Event, ownerOf func(session string) int) {
	z := &Znode{Path: e.Path, Session: e.Session, Client: e.Client, Data: e.Data, Bytes: e.Bytes, CreatedAt: e.At, ChangedAt: -1}
	if z.Client == 0 {
		z.Client = ownerOf(e.Session)
	}
	if e.Flags != "" {
		z.Flags = strings.Split(e.Flags, "+")
	}
	t.Known++
	if before := t.find[e.Path]; before != nil { // it keeps its place
		t.Znodes[slices.Index(t.Znodes, before)] = z
	} else {
		t.Znodes = append(t.Znodes, z)
	}
	t.find[e.Path] = z
}

func (t *Tree) count(znode string, change int) {
	above := path.Dir(znode)
	for len(above) > len(t.root) && (t.find[above] == nil || t.find[above].Gone != nil) {
		above = path.Dir(above)
	}
	if t.More[above] += change; t.More[above] <= 0 {
		delete(t.More, above)
	}
}

// forget drops those that went long ago, unless they have come again.
func (t *Tree) forget(now int64) {
	for len(t.Gone) > 0 && (len(t.Gone) > mostGone || now-t.Gone[0].At > goneFor) {
		oldest := t.Gone[0]
		t.Gone = t.Gone[1:]
		if z := t.find[oldest.Path]; z != nil && z.Gone != nil && z.Gone.At == oldest.At {
			delete(t.find, oldest.Path)
			t.Znodes = slices.DeleteFunc(t.Znodes, func(other *Znode) bool { return other == z })
		}
	}
}

// notified takes a notification to a guest, as it leaves the server and as it arrives.
func (t *Tree) notified(l *event.Lane, e *event.Event) {
	if e.Op != "notification" || l.InQueue(e.Path) || e.Kind != event.WireReceived && (e.Kind != event.WireHeld || e.Dir != event.In) {
		return
	}
	i := slices.IndexFunc(t.Told, func(told Told) bool { return told.Client == e.Client && told.Frame == e.Frame })
	if i >= 0 {
		t.Told[i].At = e.At
		return
	}
	t.Told = append(t.Told, Told{Client: e.Client, Path: e.Path, Type: e.Type, Frame: e.Frame, At: e.At})
	if len(t.Told) > mostTold {
		t.Told = t.Told[1:]
	}
}
