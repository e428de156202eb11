package room

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

var (
	// ErrClosed is returned when the program is ending.
	ErrClosed = errors.New("the playground is shutting down")
	// ErrNoRoom is returned for a name that no room has.
	ErrNoRoom = errors.New("no such room")
	// ErrFull is returned when a quota is used up.
	ErrFull = errors.New("no place left")
	// ErrMoved is returned for what a room does not know any more, as it may be another
	// program's by now; see [Config.Claim].
	ErrMoved = errors.New("the room has moved, try again")
	// ErrZooKeeper is returned when a run cannot be started for want of it.
	ErrZooKeeper = errors.New("ZooKeeper does not take the run")
)

// maxLanes is how many lanes the page draws beside each other.
const maxLanes = 3

// Main is the name of the room that always exists.
const Main = "main"

// A Config is what the rooms share. Fields at zero get the defaults given.
type Config struct {
	run.Backend
	// Program is run.Config's: what lanes run whose recipe is a program; nil if there is none.
	Program *client.ProgramConfig
	// Starlark is run.Config's: what runs the sources that visitors write.
	Starlark *client.ProgramConfig
	// Base is run.Config's; default /playground.
	Base string
	// RunPrefix begins the names of runs, so that two programs on one
	// ZooKeeper do not meet; default random.
	RunPrefix string
	// LogDir is event.LogConfig's.
	LogDir string
	// EndTimeout is run.Config's.
	EndTimeout time.Duration
	// Claim makes this program the owner of a room, where several share the rooms out
	// among themselves; nil means that all are this program's. All have the same KeepDir.
	Claim func(ctx context.Context, room string) (Claim, error)
	// KeepDir is where rooms and the recordings of their runs outlast the program;
	// see [Rooms.Restore]. Empty means that they end with it.
	KeepDir string
	Limits
	// Goals are the keys of the goals of all lessons. A class counts no others.
	Goals []string
	// Opened is told of each room that there is from now on, the main one too; it must be
	// quick. It lets guests into the room; nil means that none can join.
	Opened func(*Room)
	guests bool // can join: Opened tells who lets them in
	// IdleTime is how long a room that nobody uses is kept when another one needs its
	// place, and FreshTime how long one where nothing was ever run or watched; default
	// 10 minutes, and 30 s.
	IdleTime, FreshTime time.Duration
	// Unwatched is how long a run goes on that nobody watches; see
	// [Rooms.EndUnwatched]. 0 means for ever.
	Unwatched time.Duration
	// Sessions remembers which guest of which lane has opened a session; nil means one
	// of its own.
	Sessions *chroot.Sessions
	// Now is the clock.
	Now func() time.Time
	// Log gets what goes wrong with kept files; nil means nobody.
	Log *slog.Logger
}

func (c Config) withDefaults() Config {
	if c.Base == "" {
		c.Base = "/playground"
	}
	if c.RunPrefix == "" {
		c.RunPrefix = NewName()
	}
	if c.Sessions == nil {
		c.Sessions = chroot.NewSessions()
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.guests = c.Opened != nil; !c.guests {
		c.Opened = func(*Room) {}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Limits = c.Limits.withDefaults()
	c.IdleTime = cmp.Or(c.IdleTime, 10*time.Minute)
	c.FreshTime = cmp.Or(c.FreshTime, 30*time.Second)
	return c
}

// validate adds the limits of a room to those of a scenario.
func (c Config) validate(s scenario.Scenario) error {
	if s.Clients < 0 || s.Clients > c.MaxClients {
		return fmt.Errorf("%w: clients is %d, must be 0 to %d here; -max-clients sets that", scenario.ErrInvalid, s.Clients, c.MaxClients)
	}
	if err := s.RequireClients(c.guests); err != nil {
		return err
	}
	if len(s.Lanes) > maxLanes {
		return fmt.Errorf("%w: it has %d lanes, a room shows at most %d", scenario.ErrInvalid, len(s.Lanes), maxLanes)
	}
	return s.Validate(run.Catalogue())
}

// Rooms are all rooms of the program. Its methods are safe for concurrent use.
type Rooms struct {
	config Config

	mu      sync.Mutex
	rooms   map[string]*Room
	leaving map[*Room]chan struct{} // out of use; closed when the room has left
	closed  bool
	lock    io.Closer // of KeepDir
	taking  singleflight.Group
	claims  sync.WaitGroup // who wait for their ends
}

// New returns rooms with the main one in it.
func New(config Config) *Rooms {
	config = config.withDefaults()
	rooms := &Rooms{config: config, rooms: make(map[string]*Room), leaving: make(map[*Room]chan struct{})}
	if config.Claim == nil {
		rooms.rooms[Main] = newRoom(Main, config, nil)
		config.Opened(rooms.rooms[Main])
	}
	return rooms
}

// MaxClients is how many clients a lane may have.
func (rs *Rooms) MaxClients() int { return rs.config.MaxClients }

// ServerFaults returns the names of the faults that may be done to the servers,
// none if those are somebody else's.
func (rs *Rooms) ServerFaults() []string {
	if rs.config.Cluster == nil {
		return []string{}
	}
	return run.Catalogue().FaultNames(scenario.TargetServer)
}

// Get returns the room called name, for somebody who asks something there.
func (rs *Rooms) Get(name string) (*Room, error) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r, ok := rs.rooms[name]
	if !ok {
		return nil, fmt.Errorf("%w: %q", ErrNoRoom, name)
	}
	r.ask()
	return r, nil
}

// Create makes a room of the person's own. Who is no teacher has one at most: it is
// returned if there is one.
func (rs *Rooms) Create(ctx context.Context, p Person) (*Room, error) {
	class := rs.ClassOf(p)
	return rs.add(ctx, func(r *Room) *Room {
		r.owner, r.sandbox = p.ID, class != nil
		if class != nil {
			r.classRoom = class.name
		}
		if p.Teacher || p.ID == "" {
			return r
		}
		for _, other := range rs.rooms {
			if other.owner == p.ID {
				return other
			}
		}
		return r
	})
}

// add makes a room with a new name, which prepare completes, or replaces by one that
// exists; it has the mutex. When all places are taken,
// the room that has been idle longest makes way, if that is long enough.
func (rs *Rooms) add(ctx context.Context, prepare func(*Room) *Room) (*Room, error) {
	name := NewName()
	claim, err := rs.claim(ctx, name)
	if err != nil {
		return nil, err
	}
	added, err := rs.place(ctx, func() *Room { return prepare(newRoom(name, rs.config, claim)) })
	if added == nil || added.name != name {
		err = errors.Join(err, release(ctx, claim))
	}
	return added, err
}

// place adds what make makes when there is a place.
func (rs *Rooms) place(ctx context.Context, make func() *Room) (*Room, error) {
	for {
		created, left, err := rs.create(make)
		if left == nil {
			return created, err
		}
		if err := rs.await(ctx, left); err != nil {
			return nil, err
		}
	}
}

// create makes a room if there is a place, or returns when there is one.
func (rs *Rooms) create(make func() *Room) (created *Room, left <-chan struct{}, err error) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.closed {
		return nil, nil, ErrClosed
	}
	created = make()
	if rs.rooms[created.name] == nil && len(rs.rooms)+len(rs.leaving) >= rs.config.MaxRooms {
		left, err = rs.makeWay()
		return nil, left, err
	}
	if rs.rooms[created.name] == nil {
		rs.config.Opened(created)
		rs.watch(created)
	}
	rs.rooms[created.name] = created
	return created, nil, nil
}

// Each calls do for every room that has not closed.
func (rs *Rooms) Each(do func(*Room)) {
	for _, r := range rs.all() {
		do(r)
	}
}

func (rs *Rooms) all() []*Room {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	all := make([]*Room, 0, len(rs.rooms))
	for _, r := range rs.rooms {
		all = append(all, r)
	}
	for r := range rs.leaving {
		all = append(all, r)
	}
	return all
}

// InUse says whether the run called id of the room called name is about to begin, or
// has not finished: then its znodes are needed.
func (rs *Rooms) InUse(name, id string) bool {
	used := false
	rs.Each(func(r *Room) { used = used || r.name == name && r.inUse(id) })
	return used
}

// NoteZooKeeper writes into every run under way that the server went away or
// came back.
func (rs *Rooms) NoteZooKeeper(why *event.Reason) {
	rs.Each(func(r *Room) {
		if run, _ := r.Current(); run != nil && run.State() != event.Finished {
			run.NoteZooKeeper(why)
		}
		r.broadcast()
	})
}

// Close ends every run and waits for them, together, as long as ctx allows.
func (rs *Rooms) Close(ctx context.Context) error {
	rs.mu.Lock()
	rs.closed = true
	leaving := slices.Collect(maps.Values(rs.leaving))
	rs.mu.Unlock()
	all := rs.all()
	errs := make([]error, len(all), len(all)+len(leaving))
	var closing sync.WaitGroup
	for i, r := range all {
		closing.Go(func() { errs[i] = errors.Join(r.close(ctx), r.release(ctx)) })
	}
	closing.Wait()
	for _, left := range leaving {
		errs = append(errs, rs.await(ctx, left))
	}
	rs.claims.Wait()
	return errors.Join(append(errs, rs.unlock())...)
}

// NewName makes up a name that nobody has.
func NewName() string { return strings.ToLower(rand.Text()[:8]) }
