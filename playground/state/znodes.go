package state

import (
	"path"
	"slices"
	"strings"

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
	stale       bool // the observer is away
}

func (z *znodes) apply(e *event.Event, ownerOf func(session string) int) {
	switch e.Kind {
	case event.TreeLost:
		z.stale = true
	case event.TreeSynced:
		z.stale = false
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
	for i > 0 && follows(z.nodes[i-1].Made.Path, e.Path) {
		i--
	}
	z.nodes = slices.Insert(z.nodes, i, node)
	z.there[e.Path] = true
}

// follows says whether a znode comes later in the queue than another; a stray is the last.
func follows(one, other string) bool {
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

// A Flight is a frame on its way. Due is 0 while the link holds it.
type Flight struct {
	Client int             `json:"client"`
	Dir    event.Direction `json:"dir"`
	Op     string          `json:"op"`
	Path   string          `json:"path,omitempty"`
	Frame  int64           `json:"frame"`
	Sent   int64           `json:"sent"`
	Due    int64           `json:"due"`
}

// flights are the frames under way, in the order in which they set off.
type flights struct {
	all   map[flightName]*Flight
	order []*Flight // with some that have ended
}

type flightName struct {
	client int
	dir    event.Direction
	frame  int64
}

// A frame that ended without an event of its own is forgotten after so long, in microseconds,
// when one in so many events comes.
const (
	forgetAfter = 2_000_000
	sweptEvery  = 1000
)

func (f *flights) apply(e *event.Event) {
	if e.Seq%sweptEvery == 0 {
		f.drop(func(flight *Flight) bool { return flight.Due > 0 && flight.Due+forgetAfter < e.At })
	}
	switch e.Kind {
	case event.WireSent:
		if e.Due > 0 {
			f.start(e, event.Out)
		}
	case event.WireHeld:
		f.start(e, e.Dir)
	case event.WireDelivered, event.WireDropped:
		delete(f.all, flightName{e.Client, e.Dir, e.Frame})
	case event.WireReceived:
		delete(f.all, flightName{e.Client, event.In, e.Frame})
	case event.SessionClosed, event.NoteLeft:
		f.clear(e.Client)
	case event.FaultInjected:
		if e.Injects(event.LeavesSession) {
			f.clear(e.Client)
		}
	}
}

func (f *flights) start(e *event.Event, dir event.Direction) {
	name := flightName{e.Client, dir, e.Frame}
	flight := f.all[name]
	if flight == nil {
		flight = &Flight{Client: e.Client, Dir: dir, Frame: e.Frame, Sent: e.At}
		f.all[name] = flight
		f.order = append(f.order, flight)
	}
	flight.Op, flight.Path, flight.Due = e.Op, e.Path, e.Due
	if len(f.order) > 2*len(f.all)+sweptEvery {
		f.order = f.list()
	}
}

func (f *flights) clear(client int) {
	f.drop(func(flight *Flight) bool { return flight.Client == client })
}

func (f *flights) drop(which func(*Flight) bool) {
	for name, flight := range f.all {
		if which(flight) {
			delete(f.all, name)
		}
	}
}

func (f *flights) list() []*Flight {
	return slices.DeleteFunc(slices.Clone(f.order), func(flight *Flight) bool {
		return f.all[flightName{flight.Client, flight.Dir, flight.Frame}] != flight
	})
}
