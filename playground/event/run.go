package event

import (
	"path"
	"slices"
	"strings"
)

// A Run describes one execution of a scenario: what a reader must know to fold
// its log. It heads a recording and goes ahead of the events to every viewer.
type Run struct {
	// ID is unique in its room.
	ID string `json:"id"`
	// Room is where the run happened.
	Room string `json:"room"`
	// Scenario names what was run; Title is its name for humans.
	Scenario string `json:"scenario"`
	Title    string `json:"title,omitempty"`
	// State is how far the run is.
	State State `json:"state"`
	// Seed made the arrivals, the holds and the faults.
	Seed int64 `json:"seed"`
	// Clients is the number of clients in each lane.
	Clients int `json:"clients"`
	// Delay is how long the link carries a frame each way, as a Go duration.
	Delay string `json:"delay"`
	// Session is the session timeout asked for, as a Go duration.
	Session string `json:"session"`
	// Step says that the network is held now, and each frame let go by hand.
	Step bool `json:"step,omitempty"`
	// Steps is how many steps have been taken so far.
	Steps int `json:"steps,omitempty"`
	// Lanes are the lanes, from one to five.
	Lanes []Lane `json:"lanes"`
	// ZooKeeper is the server that the run began on.
	ZooKeeper Server `json:"zookeeper"`
	// Expect lists verdicts other than holds that the scenario is made to
	// reach, by the check's name or by LANE/CHECK, which goes first.
	Expect map[string]Verdict `json:"expect,omitempty"`
	// Decisive are the instants that show what the run is about.
	Decisive []InstantName `json:"decisive,omitempty"`
	// Events and At are the length of the log and the run's clock in
	// microseconds when this description was sent. In a recording At is the newest
	// event's.
	Events int64 `json:"events"`
	At     int64 `json:"at"`
}

// A Lane is one recipe contended for by clients on one lock path, or on several.
type Lane struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Recipe string `json:"recipe"`
	// Root is the lane's own znode, which guests of the lane see as "/"; empty in a
	// recording from before there were guests.
	Root string `json:"root,omitempty"`
	// Path is the lock directory, below Root; of several the first.
	Path string `json:"path"`
	// Locks are the lock directories of a lane that has several.
	Locks []string `json:"locks,omitempty"`
	// Store is where the lock is: "redis" or "sqlite"; empty in ZooKeeper.
	Store string `json:"store,omitempty"`
	// Missing says why the lane does nothing: what its store needs is not there.
	Missing string `json:"missing,omitempty"`
	// Clients is the number of clients, numbered from 1.
	Clients int `json:"clients"`
	// Account says how the account that the lock protects guards itself:
	// "unfenced", "token" or "guard"; empty when the lane has none.
	Account string `json:"account,omitempty"`
	// Permits is how many clients may hold the lock at once, 0 for one.
	Permits int `json:"permits,omitempty"`
	// Source is the program of the lane, in Starlark, if it was written on the page.
	Source string `json:"source,omitempty"`
}

// Directories are the lane's lock directories.
func (l Lane) Directories() []string {
	if len(l.Locks) > 0 {
		return l.Locks
	}
	return []string{l.Path}
}

// InQueue says whether a znode is in one of the lane's queues, a child of a lock directory.
func (l Lane) InQueue(znode string) bool { return slices.Contains(l.Directories(), path.Dir(znode)) }

// Concerns says whether an event of the lane is about its locks: what guests make beside
// the queues is not.
func (l Lane) Concerns(e *Event) bool {
	switch e.Kind {
	case TreeCreated, TreeDeleted, TreeChanged:
		return l.Store != "" || l.InQueue(e.Path)
	default:
		return true
	}
}

// AccountPath is the znode of an account that guards itself by its version.
func (l Lane) AccountPath() string { return path.Join(l.Root, "account") }

// Makes says whether a znode is one that the run makes for the lane: a lock directory, what
// is above that, or the account.
func (l Lane) Makes(znode string) bool {
	return l.Account == "guard" && znode == l.AccountPath() ||
		slices.ContainsFunc(l.Directories(), func(dir string) bool { return dir == znode || strings.HasPrefix(dir, znode+"/") })
}

// MostHolders is how many clients that exclude each other may hold the lock at once.
func (l Lane) MostHolders() int { return max(1, l.Permits) }

// A Server says which ZooKeeper answered.
type Server struct {
	Version string `json:"version"`
	// Build is the version with its commit and date, as the server says it.
	Build string `json:"-"`
	// Managed is true when the playground started it.
	Managed bool `json:"managed"`
	// Nodes is how many servers the playground started; 0 when they are not its own.
	Nodes int `json:"nodes,omitempty"`
}

// An InstantName names an instant that a reader of the log can find: when something
// is so for the first time in a run.
type InstantName string

// The instants.
const (
	// FirstRelease is when, in every lane, all whom a release woke have acquired or wait again.
	FirstRelease InstantName = "first-release"
	// ReadersShare is when several readers hold at once.
	ReadersShare InstantName = "readers-share"
	// PermitsTaken is when as many clients hold as there are permits.
	PermitsTaken InstantName = "permits-taken"
	// TwoBelieve is when two clients that exclude each other believe that they hold.
	TwoBelieve InstantName = "two-believe"
	// GaveUp is when a client stops waiting that could have gone on.
	GaveUp InstantName = "gave-up"
	// AskedToRelease is when a holder is asked to give up the lock.
	AskedToRelease InstantName = "asked"
	// Overtaken is when clients have gone ahead of another one that waited.
	Overtaken InstantName = "overtaken"
	// LostUpdate is when a write overwrites one that its writer had not read.
	LostUpdate InstantName = "lost-update"
	// WriteRefused is when the account refuses a write.
	WriteRefused InstantName = "refused"
	// ZnodeExpired is when the server removes a znode with its expired session.
	ZnodeExpired InstantName = "expired"
	// WaitsForItself is when a client waits for a znode of its own.
	WaitsForItself InstantName = "waits-for-itself"
	// MissedWakeUp is when a client waits for a znode that is gone already.
	MissedWakeUp InstantName = "missed-wake-up"
	// WokenForNothing is when clients wait again whom neither a release nor a newcomer had woken.
	WokenForNothing InstantName = "woken-for-nothing"
	// Stuck is when nobody makes progress any more.
	Stuck InstantName = "stuck"
)

// InstantNames returns all of them.
func InstantNames() []InstantName {
	return []InstantName{FirstRelease, ReadersShare, PermitsTaken, TwoBelieve, GaveUp, AskedToRelease, Overtaken, LostUpdate, WriteRefused, ZnodeExpired,
		WaitsForItself, MissedWakeUp, WokenForNothing, Stuck}
}

// A State is how far a run is.
type State string

// The states of a run, in order.
const (
	Running  State = "running"
	Stopping State = "stopping"
	Finished State = "finished"
)
