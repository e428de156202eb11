package room

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room/kept"
	"github.com/zkplayground/zkplayground/playground/run"
)

// A Room has at most one run at a time and keeps the last one to look at, and the
// recordings of some before it. Its methods are safe for concurrent use.
type Room struct {
	name   string
	config Config
	turn   *semaphore.Weighted // of a start or a close

	owner   string // the ID of the person whose own room it is; empty if nobody's
	sandbox bool   // the owner was in a class when it was made: only the teacher may look in
	// classRoom is the room of that class: where several programs share the rooms out, one
	// has both.
	classRoom string
	class     *Class // nil if it is no class's room

	life context.Context // ends when the room closes; then there are no more runs
	end  context.CancelFunc

	gone  chan struct{} // closed when the room leaves for good
	claim Claim         // nil where the room is this program's anyway
	moved chan struct{} // closed when the claim has ended

	telling *coalesced // tells of changes of the class
	saving  *coalesced

	store      *kept.Store // nil when nothing outlasts the program
	keeping    sync.WaitGroup
	writing    context.Context // of recordings; ends when they are not wanted any more
	endWriting context.CancelFunc

	mu        sync.Mutex
	run       *run.Run        // the current or last one; nil before the first
	last      *keptRun        // what is kept of that
	kept      []*keptRun      // those before it, oldest first
	judgement json.RawMessage // the newest that has ended; nil before
	unsaved   error           // why the last change is not written down; nil if it is
	runs      int             // how many there have been
	starting  string          // the id of a run that is about to begin
	others    []string        // the ids of runs under way that are not the room's own
	viewers   int
	consoles  int
	used      time.Time     // when somebody last did something here
	asked     time.Time     // when somebody last asked for the room
	fresh     bool          // nobody has run or watched anything here yet
	changed   chan struct{} // closed and replaced at every change
	shared    *sync.Map     // what was made of the room since its last change
}

func newRoom(name string, config Config, claim Claim) *Room {
	r := &Room{name: name, config: config, turn: semaphore.NewWeighted(1), store: kept.NewStore(config.KeepDir, name, claim, config.Log),
		used: config.Now(), fresh: true, changed: make(chan struct{}), shared: new(sync.Map), gone: make(chan struct{}),
		claim: claim, moved: make(chan struct{})}
	r.telling, r.saving = newCoalesced(r.broadcast), newCoalesced(r.save)
	r.life, r.end = context.WithCancel(context.Background())
	r.writing, r.endWriting = context.WithCancel(context.Background())
	return r
}

// Name is the room's name.
func (r *Room) Name() string { return r.name }

// Gone is closed when the room leaves for good, before the program ends: it makes way
// for another one, or its class has ended.
func (r *Room) Gone() <-chan struct{} { return r.gone }

// Moved is closed when the room is another program's, or nobody's, see [Config.Claim].
func (r *Room) Moved() <-chan struct{} { return r.moved }

// Current returns the room's run, nil if there was none, and a channel that is
// closed when another run takes its place or its state changes.
func (r *Room) Current() (*run.Run, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.run, r.changed
}

// inUse says whether the run called id is about to begin, or has not finished.
func (r *Room) inUse(id string) bool {
	r.mu.Lock()
	current, starting, other := r.run, r.starting, slices.Contains(r.others, id)
	r.mu.Unlock()
	return other || starting == id || current != nil && current.ID() == id && current.State() != event.Finished
}

// Stop ends the current run, if one is running, and waits for it. Where anything outlasts
// the program, it waits until the recording does.
func (r *Room) Stop(ctx context.Context) error {
	run, _ := r.Current()
	r.use()
	if err := stop(ctx, run); err != nil || r.store == nil {
		return err
	}
	r.mu.Lock()
	last := r.last
	r.mu.Unlock()
	if last == nil || run == nil || last.id != run.ID() { // another has begun
		return nil
	}
	select {
	case <-last.written:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait until a run is recorded: %w", context.Cause(ctx))
	}
}

// Tell has those who look at the room look anew: something has changed that is not the
// room's own.
func (r *Room) Tell() { r.broadcast() }

func (r *Room) broadcast() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.changed)
	r.changed, r.shared = make(chan struct{}), new(sync.Map)
}

// Shared returns what make makes of the room for all who ask with the same key until the
// room changes: it is made once.
func (r *Room) Shared(key any, make func() any) any {
	r.mu.Lock()
	shared := r.shared
	r.mu.Unlock()
	made, _ := shared.LoadOrStore(key, sync.OnceValue(make))
	return made.(func() any)()
}

// use notes that somebody does something here. From then on the room outlasts the
// program, if anything does.
func (r *Room) use() {
	r.mu.Lock()
	first := r.fresh
	r.used, r.fresh = r.config.Now(), false
	r.mu.Unlock()
	if first {
		r.save()
	}
}

// Enter counts a viewer in, up to the quota; the caller leaves when done.
func (r *Room) Enter() (leave func(), err error) {
	r.mu.Lock()
	if r.viewers >= r.config.MaxViewers {
		defer r.mu.Unlock()
		return nil, full("max-viewers", "%d are watching", r.viewers)
	}
	r.viewers++
	r.mu.Unlock()
	r.use()
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.viewers--
		r.used = r.config.Now()
	}, nil
}

// Viewers is how many are watching.
func (r *Room) Viewers() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.viewers
}

// idleSince says since when nobody has watched or commanded anything here; ok
// is false if somebody watches. A run that nobody watches keeps no place.
func (r *Room) idleSince() (since time.Time, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.used, r.viewers == 0
}
