package observer

import (
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
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
	sessions map[identity]string // the newest session of each client
	owners   map[string]identity // of each session
	closing  map[string]bool     // sessions that have asked to be closed
	creates  requests            // by the path asked for
	nodes    map[string]request  // what made each znode, by the path that the server gave it
	deletes  requests
	operator map[string]bool // znodes that an operator deletes
}

// An identity is a client's lane and its number in it.
type identity struct {
	lane   string
	number int
}

// NewAttribution returns one that has seen nothing yet.
func NewAttribution() *Attribution {
	return &Attribution{sessions: make(map[identity]string), owners: make(map[string]identity), closing: make(map[string]bool),
		creates: make(requests), nodes: make(map[string]request),
		deletes: make(requests), operator: make(map[string]bool)}
}

// Apply learns from e and returns it, completed if it is a tree event.
func (a *Attribution) Apply(e event.Event) event.Event {
	who := identity{e.Lane, e.Client}
	switch e.Kind {
	case event.SessionGranted:
		a.sessions[who], a.owners[e.Session] = e.Session, who
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
		} else {
			a.answered(who, e)
		}
	case event.TreeSynced:
		a.creates.synced(e.Zxid)
		a.deletes.synced(e.Zxid)
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
	case event.OpCreate:
		made := request{identity: who, flags: e.Flags}
		if strings.Contains(e.Flags, "ephemeral") {
			made.session = a.sessions[who]
		}
		a.creates.left(made, e.Path)
	case event.OpDelete:
		a.deletes.left(request{identity: who}, e.Path)
	case event.OpCloseSession:
		a.closing[a.sessions[who]] = true
	case event.OpMulti:
		for _, op := range e.Ops {
			a.left(who, event.Event{Op: op.Op, Path: op.Path, Flags: op.Flags})
		}
	}
}

// retained takes back a request that turns out to be stuck in its link.
func (a *Attribution) retained(who identity, e event.Event) {
	switch e.Op {
	case event.OpCreate:
		a.creates.takeBack(who, e.Path)
	case event.OpDelete:
		a.deletes.takeBack(who, e.Path)
	case event.OpCloseSession:
		delete(a.closing, a.sessions[who])
	}
}

// operated notes that an operator deletes a znode, or could not.
func (a *Attribution) operated(e event.Event) {
	switch {
	case !slices.Contains(e.Effects, event.DeletesNode): // every other fault
	case e.Kind == event.FaultInjected:
		a.operator[e.Path] = true
	default:
		delete(a.operator, e.Path)
	}
}

// refused forgets a request that the server did not carry out.
func (a *Attribution) refused(who identity, e event.Event) {
	switch e.Op {
	case event.OpCreate:
		a.creates.takeBack(who, e.Path)
	case event.OpDelete:
		a.deletes.takeBack(who, e.Path)
	case event.OpMulti: // none of its parts was done
		for _, op := range e.Ops {
			a.refused(who, event.Event{Op: op.Op, Path: op.Path})
		}
	}
}

// answered notes the transaction of a create that was asked for by the whole name, and of
// a delete.
func (a *Attribution) answered(who identity, e event.Event) {
	switch e.Op {
	case event.OpCreate:
		a.creates.answered(who, e.Path, e.Zxid)
	case event.OpDelete:
		a.deletes.answered(who, e.Path, e.Zxid)
	}
}

func (a *Attribution) created(e event.Event) event.Event {
	if e.Client != 0 {
		return e // another store than ZooKeeper knows by itself
	}
	asked := e.Path
	askers := a.creates[asked]
	if len(askers) == 0 && len(asked) > wire.SequenceDigits {
		asked = asked[:len(asked)-wire.SequenceDigits]
		askers = a.creates[asked]
	}
	made, known := a.ownerOf(e.Session)
	switch first := a.creates.firstAnswered(asked); {
	case first >= 0:
		made = askers[first]
		a.creates.drop(asked, first)
	case known: // told of before the answer has come
		if i := a.creates.unanswered(made.identity, asked); i >= 0 {
			made.flags = askers[i].flags
			a.creates.drop(asked, i)
		}
	case len(askers) > 0:
		made = askers[0]
		a.creates.drop(asked, 0)
	default:
		return caused(e, "outsider")
	}
	if a.owners[e.Session] == made.identity && made.session != "" { // it may have several
		made.session = e.Session
	}
	a.nodes[e.Path] = made
	e.Lane, e.Client, e.Session, e.Flags = made.lane, made.number, made.session, made.flags
	return caused(e, "client")
}

// ownerOf is the client with that session.
func (a *Attribution) ownerOf(session string) (request, bool) {
	who, known := a.owners[session]
	return request{identity: who, session: session}, known
}

var hasDeleted = event.NewCode("has-deleted", "{client} has deleted the znode of {client owner}")

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
	if deletes := a.deletes[e.Path]; len(deletes) > 0 {
		i := max(a.deletes.of(made.identity, e.Path), 0) // its own before another's
		by := deletes[i]
		if by.identity != made.identity {
			e.By = by.number
		}
		if e.By != 0 && known {
			e.Reason = hasDeleted.With(by.number, made.number)
		}
		a.deletes.drop(e.Path, i)
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
