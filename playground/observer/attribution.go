package observer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

// Attribution works out who made a change of the tree. The server's watch events
// carry no author, so they are joined with what passed on the wire: a
// contender's name holds a guid or the client's number, hence the request that
// made it is known by its path. Of several who asked for the same it is the one
// that was answered first, for by the time that the observer asks whose a znode
// is, it may have gone and been made anew; else the one that the event names by
// its session; else it is taken to be the first. A deletion is a client's if its
// delete had left for the server, else it is the end of the owner's session,
// which expired unless it asked to be closed.
//
// It is shown every event in order. It is not safe for concurrent use.
type Attribution struct {
	sessions map[identity]string   // the newest session of each client
	closing  map[string]bool       // sessions that have asked to be closed
	creates  map[string][]creation // by the path asked for, oldest first
	nodes    map[string]creation   // by the path that the server made
	deletes  map[string][]identity // deletes that have left for the server, by path
	operator map[string]bool       // znodes that an operator deletes
}

// An identity is a client's lane and its number in it.
type identity struct {
	lane   string
	number int
}

// A creation is who made a znode, and with which session it goes: with none if it is
// persistent.
type creation struct {
	identity
	session string
	zxid    int64 // the transaction that made it, once that is answered
}

// NewAttribution returns one that has seen nothing yet.
func NewAttribution() *Attribution {
	return &Attribution{sessions: make(map[identity]string), closing: make(map[string]bool),
		creates: make(map[string][]creation), nodes: make(map[string]creation),
		deletes: make(map[string][]identity), operator: make(map[string]bool)}
}

// Apply learns from e and returns it, completed if it is a tree event.
func (a *Attribution) Apply(e event.Event) event.Event {
	who := identity{e.Lane, e.Client}
	switch e.Kind {
	case event.SessionGranted:
		a.sessions[who] = e.Session
	case event.WireSent:
		if e.Due == 0 {
			a.left(who, e)
		}
	case event.WireDelivered:
		a.left(who, e)
	case event.WireHeld, event.WireDropped:
		if e.Dir == event.Out {
			a.retained(who, e)
		}
	case event.WireReceived:
		if e.Err != "" {
			a.refused(who, e)
		} else if e.Op == "create" {
			a.answered(who, e)
		}
	case event.TreeSynced:
		a.synced(e)
	case event.FaultInjected, event.NoteFault:
		a.operated(e)
	case event.TreeCreated:
		return a.created(e)
	case event.TreeDeleted:
		return a.deleted(e)
	}
	return e
}

// left notes a request that is on its way to the server, beyond recall.
func (a *Attribution) left(who identity, e event.Event) {
	switch e.Op {
	case "create":
		a.forget(who, e.Path)
		made := creation{identity: who}
		if strings.Contains(e.Flags, "ephemeral") {
			made.session = a.sessions[who]
		}
		a.creates[e.Path] = append(a.creates[e.Path], made)
	case "delete":
		if !slices.Contains(a.deletes[e.Path], who) {
			a.deletes[e.Path] = append(a.deletes[e.Path], who)
		}
	case "closeSession":
		a.closing[a.sessions[who]] = true
	case "multi":
		for _, op := range e.Ops {
			a.left(who, event.Event{Op: op.Op, Path: op.Path, Flags: op.Flags})
		}
	}
}

// retained takes back a request that turns out to be stuck in its link.
func (a *Attribution) retained(who identity, e event.Event) {
	switch e.Op {
	case "create":
		a.forget(who, e.Path)
	case "delete":
		a.notDeleting(who, e.Path)
	case "closeSession":
		delete(a.closing, a.sessions[who])
	}
}

// operated notes that an operator deletes a znode, or could not: that is the
// fault that names one.
func (a *Attribution) operated(e event.Event) {
	switch {
	case e.Path == "": // every other fault
	case e.Kind == event.FaultInjected:
		a.operator[e.Path] = true
	default:
		delete(a.operator, e.Path)
	}
}

// refused forgets a request that the server did not carry out.
func (a *Attribution) refused(who identity, e event.Event) {
	switch e.Op {
	case "create":
		a.forget(who, e.Path)
	case "delete":
		a.notDeleting(who, e.Path)
	case "multi": // none of its parts was done
		for _, op := range e.Ops {
			a.refused(who, event.Event{Op: op.Op, Path: op.Path})
		}
	}
}

// answered notes the transaction of a create that was asked for by the whole name.
func (a *Attribution) answered(who identity, e event.Event) {
	for i, c := range a.creates[e.Path] {
		if c.identity == who {
			a.creates[e.Path][i].zxid = e.Zxid
		}
	}
}

// synced forgets creates that have been told of by now, or never will be: the observer
// was away when they were done.
func (a *Attribution) synced(e event.Event) {
	for path, creates := range a.creates {
		for _, c := range slices.Clone(creates) {
			if c.zxid != 0 && c.zxid <= e.Zxid {
				a.forget(c.identity, path)
			}
		}
	}
}

// forget drops a client's create of a path.
func (a *Attribution) forget(who identity, path string) {
	left := slices.DeleteFunc(a.creates[path], func(c creation) bool { return c.identity == who })
	if a.creates[path] = left; len(left) == 0 {
		delete(a.creates, path)
	}
}

// notDeleting drops a client's oldest delete of a path. Says whether there was one.
func (a *Attribution) notDeleting(who identity, path string) bool {
	i := slices.Index(a.deletes[path], who)
	if i < 0 {
		return false
	}
	if a.deletes[path] = slices.Delete(a.deletes[path], i, i+1); len(a.deletes[path]) == 0 {
		delete(a.deletes, path)
	}
	return true
}

const sequenceDigits = 10 // what the server adds to a sequential znode's name

func (a *Attribution) created(e event.Event) event.Event {
	if e.Client != 0 {
		return e // another store than ZooKeeper knows by itself
	}
	asked := e.Path
	askers := a.creates[asked]
	if len(askers) == 0 && len(asked) > sequenceDigits {
		asked = asked[:len(asked)-sequenceDigits]
		askers = a.creates[asked]
	}
	made, known := a.ownerOf(e.Session)
	switch first, answered := firstAnswered(askers); {
	case answered:
		made = first
	case known:
	case len(askers) > 0:
		made = askers[0]
	default:
		return caused(e, "outsider")
	}
	a.forget(made.identity, asked)
	a.nodes[e.Path] = made
	e.Lane, e.Client, e.Session = made.lane, made.number, made.session
	return caused(e, "client")
}

// firstAnswered is the oldest of the creates that the server has answered.
func firstAnswered(creates []creation) (first creation, ok bool) {
	for _, c := range creates {
		if c.zxid != 0 && (!ok || c.zxid < first.zxid) {
			first, ok = c, true
		}
	}
	return first, ok
}

// ownerOf is the client with that session.
func (a *Attribution) ownerOf(session string) (creation, bool) {
	for who, own := range a.sessions {
		if own == session {
			return creation{identity: who, session: session}, true
		}
	}
	return creation{}, false
}

func (a *Attribution) deleted(e event.Event) event.Event {
	if e.Client != 0 {
		return e
	}
	made, known := a.nodes[e.Path]
	delete(a.nodes, e.Path)
	if known {
		e.Lane, e.Client, e.Session = made.lane, made.number, made.session
	}
	byOperator := a.operator[e.Path]
	delete(a.operator, e.Path)
	if known && a.notDeleting(made.identity, e.Path) {
		return caused(e, "client")
	}
	if others := a.deletes[e.Path]; len(others) > 0 {
		if by := others[0]; a.notDeleting(by, e.Path) && known {
			e.Why = fmt.Sprintf("client %d has deleted the znode of client %d", by.number, made.number)
		}
		return caused(e, "client")
	}
	switch {
	case !known || byOperator || made.session == "":
		return caused(e, "outsider")
	case a.closing[made.session]:
		return caused(e, "close")
	default:
		return caused(e, "expiry")
	}
}

// caused sets the cause unless the observer has set one itself.
func caused(e event.Event, cause string) event.Event {
	if e.Cause == "" {
		e.Cause = cause
	}
	return e
}
