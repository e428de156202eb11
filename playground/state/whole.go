package state

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

// Whole is all that is so at an instant, as static/js/model/view.js has it. What is told by the
// log as it happens, the captions, and the decisive instants are not in it.
type Whole struct {
	Counting  bool             `json:"counting,omitempty"`
	Finished  bool             `json:"finished,omitempty"`
	Outages   Faults           `json:"outages,omitempty"`
	StepNote  *event.Reason    `json:"stepNote,omitempty"`
	Held      bool             `json:"held,omitempty"`
	Delay     *int64           `json:"delay,omitempty"` // nil while that has not been told
	Injection map[string]int64 `json:"injection,omitempty"`
	Lanes     []Lane           `json:"lanes"`
}

// A Lane is all that is so in one lane, or in one of the lock directories of a lane with several.
type Lane struct {
	Clients  []*Client              `json:"clients"`
	Sessions map[string]int         `json:"sessions,omitempty"`
	Nodes    []*Node                `json:"nodes,omitempty"`
	Stale    bool                   `json:"stale,omitempty"`
	Tree     *Tree                  `json:"tree,omitempty"`
	Watches  []Watch                `json:"watches,omitempty"`
	Flights  []*Flight              `json:"flights,omitempty"`
	Counted  Counted                `json:"counted"`
	Cost     event.Cost             `json:"cost"`
	Rounds   []Round                `json:"rounds,omitempty"`
	Handed   HandedOver             `json:"handed"`
	Wrong    []Wrong                `json:"wrong,omitempty"`
	WrongFor map[int]int64          `json:"wrongFor,omitempty"`
	Account  *event.Account         `json:"account,omitempty"`
	Used     bool                   `json:"used,omitempty"`
	Writes   []event.Event          `json:"writes,omitempty"`
	Late     *event.Event           `json:"late,omitempty"`
	Armed    []Armed                `json:"armed,omitempty"`
	Checks   map[string]event.Event `json:"checks,omitempty"`
	Locks    []Lane                 `json:"locks,omitempty"`
}

// A Watch is one that the server has, or that has fired and whose notification is under way.
type Watch struct {
	Client int    `json:"client"`
	ID     int64  `json:"id"`
	Path   string `json:"path"`
	On     string `json:"on"`
	At     int64  `json:"at"`
	Absent bool   `json:"absent,omitempty"`
	Fired  bool   `json:"fired,omitempty"`
}

// Counted are the counters of a lane.
type Counted struct {
	Acquisitions  int64 `json:"acquisitions"`
	Releases      int64 `json:"releases"`
	Requests      int64 `json:"requests"`
	Notifications int64 `json:"notifications"`
}

// A Round is one with the event that said first that it is complete.
type Round struct {
	event.Round
	Seq int64 `json:"seq,omitempty"`
}

// HandedOver is how often the lock was free for how long, each pair a length and its count.
type HandedOver struct {
	Lengths    [][2]int64 `json:"lengths,omitempty"`
	Newest     int64      `json:"newest,omitempty"`
	Together   int        `json:"together,omitempty"`
	StoodStill int64      `json:"stoodStill,omitempty"`
}

// Wrong is a false belief that goes on.
type Wrong struct {
	Client int    `json:"client"`
	Path   string `json:"path"`
	At     int64  `json:"at"`
}

// Armed is a fault that waits for a client to come to a moment.
type Armed struct {
	Client int    `json:"client"`
	Fault  string `json:"fault"`
	When   string `json:"when"`
}

// The first state is written after so many events, which can be read as quickly; the next ones at
// least so far apart, and the larger they are the farther: they take about an eighth of the log at
// most, as an event has some 200 bytes.
const (
	before          = 20_000
	leastApart      = 5000
	bytesPerEvent   = 200
	shareOfTheWhole = 8
)

// A Keeper follows a run by its events and by what follows from them, and says from time to time
// what all that comes to. It is not safe for concurrent use.
type Keeper struct {
	whole Whole
	lanes []*picture
	seq   int64 // of the newest event
	next  int64 // the event from which on the next state is due
	event event.Event
}

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

// NewKeeper returns the keeper of the run described, before its first event.
func NewKeeper(run event.Run) *Keeper {
	k := &Keeper{whole: Whole{Counting: true, Injection: make(map[string]int64)}, next: before}
	for _, l := range run.Lanes {
		k.lanes = append(k.lanes, newPicture(l))
	}
	return k
}

func newPicture(l event.Lane) *picture {
	p := &picture{Lane: l, clients: make(map[int]*Client), sessions: make(map[string]int), tree: newTree(l),
		znodes: znodes{directories: l.Directories(), there: make(map[string]bool)}, watches: make(map[int64]*Watch),
		flights: flights{all: make(map[flightName]*Flight)}, handed: make(map[int64]int64)}
	p.sum.WrongFor, p.sum.Checks = make(map[int]int64), make(map[string]event.Event)
	for number := range l.Clients {
		p.clients[number+1] = newClient(number+1, "")
	}
	for _, directory := range l.Locks {
		lock := l
		lock.Path, lock.Locks = directory, nil
		p.locks = append(p.locks, newPicture(lock))
	}
	return p
}

// Apply takes the next event of the log, facts included.
func (k *Keeper) Apply(next event.Event) {
	k.seq = next.Seq
	if next.Kind == event.StateWhole {
		return
	}
	k.event = next
	e := &k.event
	switch e.Kind {
	case event.NoteStopping:
		k.whole.Counting = false
	case event.NoteFinished:
		k.whole.Finished = true
		for _, p := range k.lanes {
			clear(p.flights.all)
		}
	case event.NoteStep:
		k.whole.StepNote, k.whole.Held = cmp.Or(e.Reason, event.Text(e.Why)), e.Held
	case event.NoteDelay:
		k.whole.Delay = &next.Delay
	case event.NoteInjection:
		if k.whole.Injection[e.Fault] = e.Every; e.Every == 0 {
			delete(k.whole.Injection, e.Fault)
		}
	}
	if e.Client == 0 {
		k.whole.Outages.apply(e)
	}
	for _, p := range k.lanes {
		if e.Lane == p.Name || e.Lane == "" {
			p.applyAll(e, k.whole.Counting)
		}
	}
}

// Due returns the state as an event, if it is time for one.
func (k *Keeper) Due() (event.Event, bool) {
	if k.seq < k.next {
		return event.Event{}, false
	}
	text := k.State()
	k.next = k.seq + max(leastApart, int64(len(text))*shareOfTheWhole/bytesPerEvent)
	return event.Event{Kind: event.StateWhole, State: text}, true
}

// State is all that is so now.
func (k *Keeper) State() json.RawMessage {
	k.whole.Lanes = nil
	for _, p := range k.lanes {
		k.whole.Lanes = append(k.whole.Lanes, p.lane())
	}
	text, err := json.Marshal(k.whole)
	if err != nil {
		panic(err) // it has nothing that could not be encoded
	}
	return text
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
		p.clients[e.Client] = newClient(e.Client, cmp.Or(e.Participant, event.Guest))
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
	case event.ResourceRead, event.ResourceAccepted, event.ResourceRefused:
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
	l.Sessions, l.Nodes, l.Stale, l.Tree, l.Flights = p.sessions, p.znodes.nodes, p.znodes.stale, p.tree, p.flights.list()
	for _, lock := range p.locks {
		l.Locks = append(l.Locks, lock.lane())
	}
	return l
}
