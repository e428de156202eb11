package state

import (
	"cmp"
	"encoding/json"

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
	Synced   int64                  `json:"synced,omitempty"` // what the server had done until then is known
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

// NewKeeper returns the keeper of the run described, before its first event.
func NewKeeper(run event.Run) *Keeper {
	k := &Keeper{whole: Whole{Counting: true, Injection: make(map[string]int64)}, next: before}
	for _, l := range run.Lanes {
		k.lanes = append(k.lanes, newPicture(l))
	}
	return k
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
		delay := e.Delay
		k.whole.Delay = &delay
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
