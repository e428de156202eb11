package state

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A picture is a Lane that is being made.
type picture struct {
	event.Lane
	clients  map[int]*Client
	sessions map[string]int
	znodes   znodes
	tree     *Tree
	watches  map[int64]*Watch
	flights  flights
	handed   map[int64]int64
	locks    []*picture
	sum      Lane // the rest, as it is
}

func newPicture(l event.Lane) *picture {
	p := &picture{Lane: l, clients: make(map[int]*Client), sessions: make(map[string]int), tree: newTree(l),
		znodes: znodes{directories: l.Directories(), there: make(map[string]bool)}, watches: make(map[int64]*Watch),
		flights: flights{all: make(map[flightName]*Flight)}, handed: make(map[int64]int64)}
	p.sum.WrongFor, p.sum.Checks = make(map[int]int64), make(map[string]event.Event)
	for number := range l.Clients {
		p.clients[number+1] = newClient(number+1, "", "")
	}
	for _, directory := range l.Locks {
		lock := l
		lock.Path, lock.Locks = directory, nil
		p.locks = append(p.locks, newPicture(lock))
	}
	return p
}

// applyAll takes an event of the lane or of the whole run, for the lane and its locks.
func (p *picture) applyAll(e *event.Event, counting bool) {
	switch e.Kind {
	case event.TreeCreated, event.TreeDeleted, event.TreeChanged:
		if !p.Concerns(e) {
			p.tree.apply(e, p.owner)
			return
		}
	}
	one := Directories(p.Directories()).Of(e)
	for i, lock := range p.locks {
		if one < 0 || one == i {
			lock.apply(e, counting)
		}
	}
	switch {
	case len(p.locks) == 0, e.Kind != event.QueueChanged && e.Kind != event.CostChanged:
		p.apply(e, counting)
	case one >= 0 && e.Kind == event.QueueChanged && e.Queue.HandedOver > 0: // the page sums up the rest
		p.sum.Handed.Newest = p.locks[one].sum.Handed.Newest
	}
}

func (p *picture) owner(session string) int { return p.sessions[session] }

func (p *picture) apply(e *event.Event, counting bool) {
	if e.Lane == "" {
		if p.Store == "" {
			p.znodes.apply(e, func(string) int { return 0 })
		}
		return
	}
	if strings.HasPrefix(string(e.Kind), "tree.") {
		p.znodes.apply(e, p.owner)
		return
	}
	p.keep(e)
	if e.Client == 0 {
		return
	}
	if e.Kind == event.NoteJoined {
		p.clients[e.Client] = newClient(e.Client, cmp.Or(e.Participant, event.Guest), e.Name)
	}
	if counting {
		p.sum.Counted.apply(e)
	}
	c := p.clients[e.Client]
	if c == nil {
		return
	}
	if e.Kind == event.SessionGranted && e.Session != "" {
		p.sessions[e.Session] = e.Client
	}
	c.apply(e)
	if c.Participant != "" {
		p.tree.notified(&p.Lane, e)
	}
	p.znodes.written(e)
	p.flights.apply(e)
	if e.Kind == event.NoteLeft {
		p.leave(e.Client)
	}
}

// keep takes what an event says of the lane.
func (p *picture) keep(e *event.Event) {
	switch e.Kind {
	case event.CheckChanged:
		p.sum.Checks[e.Check] = event.Event{At: e.At, Kind: e.Kind, Verdict: e.Verdict, Reason: e.Reason, Why: e.Why}
	case event.FaultArmed:
		p.disarm(e)
		p.sum.Armed = append(p.sum.Armed, Armed{e.Client, e.Fault, e.When})
	case event.FaultTriggered, event.FaultDisarmed:
		p.disarm(e)
	case event.ResourceRead, event.ResourceSent, event.ResourceAccepted, event.ResourceRefused:
		p.sum.Used = true
	case event.AccountChanged:
		p.sum.keepAccount(e)
	case event.CostChanged:
		p.sum.keepCost(e)
	case event.QueueChanged:
		p.keepQueue(e.Queue)
	case event.BeliefFalse:
		p.sum.Wrong = append(p.sum.Wrong, Wrong{e.Client, e.Path, e.At})
	case event.BeliefEnded:
		p.sum.Wrong = slices.DeleteFunc(p.sum.Wrong, func(w Wrong) bool { return w.Path == e.Path })
		p.sum.WrongFor[e.Client] += e.Wrong
	case event.WatchSet:
		p.watches[e.Watched.ID] = &Watch{Client: e.Client, ID: e.Watched.ID, Path: e.Path, On: e.Watched.On, At: e.At, Absent: e.Watched.Absent}
	case event.WatchFired:
		if w := p.watches[e.Watched.ID]; w != nil {
			w.Fired = true
		}
		if e.Watched.Arrived {
			delete(p.watches, e.Watched.ID)
		}
	case event.WatchArrived:
		if e.Type != "" {
			delete(p.watches, e.Watched.ID)
		}
	case event.WatchGone:
		delete(p.watches, e.Watched.ID)
	}
}

func (p *picture) disarm(e *event.Event) {
	p.sum.Armed = slices.DeleteFunc(p.sum.Armed, func(a Armed) bool { return a.Client == e.Client && a.Fault == e.Fault })
}

// So many writes of an account are kept.
const mostWrites = 3

func (l *Lane) keepAccount(e *event.Event) {
	account := *e.Account
	w := account.Write
	account.Write = nil
	l.Account = &account
	if w == nil {
		return
	}
	told := event.Event{At: e.At, Kind: e.Kind, Account: &event.Account{Write: w}, Reason: e.Reason, Why: e.Why}
	if l.Writes = append(l.Writes, told); len(l.Writes) > mostWrites {
		l.Writes = l.Writes[1:]
	}
	if !w.Accepted || w.OverClient > 0 {
		l.Late = &told
	}
}

func (l *Lane) keepCost(e *event.Event) {
	l.Cost = *e.Cost
	l.Cost.Round = nil
	if e.Cost.Round == nil {
		return
	}
	round := Round{Round: *e.Cost.Round}
	i := len(l.Rounds)
	for i > 0 && l.Rounds[i-1].Change > round.Change {
		i--
	}
	known := i > 0 && l.Rounds[i-1].Change == round.Change
	if known {
		i--
	}
	if round.Complete {
		round.Seq = e.Seq
		if known {
			round.Seq = cmp.Or(l.Rounds[i].Seq, e.Seq)
		}
	}
	if known {
		l.Rounds[i] = round
	} else if l.Rounds = slices.Insert(l.Rounds, i, round); len(l.Rounds) > mostRounds {
		l.Rounds = l.Rounds[1:]
	}
}

// Lengths below so many microseconds are kept as they are, longer ones to a thousandth, and none
// that is longer than an hour.
const (
	exactLength   = 2048
	longestLength = 3600e6
)

func (p *picture) keepQueue(q *event.Queue) {
	h := &p.sum.Handed
	h.Together, h.StoodStill = q.Together, q.StoodStill
	if q.HandedOver > 0 {
		length, unit := int64(min(q.HandedOver, longestLength)), int64(1)
		for length >= exactLength*unit {
			unit *= 2
		}
		h.Newest = length/unit*unit + unit - 1
		p.handed[h.Newest]++
	}
}

func (c *Counted) apply(e *event.Event) {
	switch e.Kind {
	case event.WireSent:
		if IsWork(e.Op) {
			c.Requests++
		}
	case event.WireReceived:
		if e.Op == "notification" {
			c.Notifications++
		}
	case event.LockAcquired:
		c.Acquisitions++
	case event.LockReleased:
		c.Releases++
	}
}

var sessionOps = map[string]bool{"ping": true, "connect": true, "closeSession": true, "setWatches": true, "auth": true,
	"HELLO": true, "PING": true}

// IsWork says whether a request works for the lock, rather than keeps a session.
func IsWork(op string) bool { return !sessionOps[op] }

// leave is for a guest that takes part no more: what is left of it is nobody's.
func (p *picture) leave(client int) {
	delete(p.clients, client)
	maps.DeleteFunc(p.watches, func(_ int64, w *Watch) bool { return w.Client == client })
	maps.DeleteFunc(p.sessions, func(_ string, other int) bool { return other == client })
	for _, node := range p.znodes.nodes {
		if node.Client == client {
			node.Client = 0
		}
	}
}

// lane is the picture as it is now. It shares what it has with it.
func (p *picture) lane() Lane {
	l := p.sum
	for _, number := range slices.Sorted(maps.Keys(p.clients)) {
		l.Clients = append(l.Clients, p.clients[number])
	}
	for _, id := range slices.Sorted(maps.Keys(p.watches)) {
		l.Watches = append(l.Watches, *p.watches[id])
	}
	for _, length := range slices.Sorted(maps.Keys(p.handed)) {
		l.Handed.Lengths = append(l.Handed.Lengths, [2]int64{length, p.handed[length]})
	}
	l.Sessions, l.Nodes, l.Stale, l.Synced, l.Tree, l.Flights = p.sessions, p.znodes.nodes, p.znodes.stale, p.znodes.synced, p.tree, p.flights.list()
	for _, lock := range p.locks {
		l.Locks = append(l.Locks, lock.lane())
	}
	return l
}
