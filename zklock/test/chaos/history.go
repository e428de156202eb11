package chaos

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// A History takes down what happens in a round. Its methods may be called from
// any goroutine.
//
// Whether a lease is held is asked at the moments that matter: when another
// client gets the lock, and when the server is seen to have deleted the znode.
// The time is taken before the question, so that a lease found held was held
// at that time, however late the answer is written down.
type History struct {
	began time.Time

	mu      sync.Mutex
	record  Record
	open    map[string]*holding // leases that have not ended, by znode
	all     []*Acquisition
	nodes   map[string]*znode
	created int // znodes so far
}

// A holding is a lease that has not been given back.
type holding struct {
	acquisition *Acquisition
	lease       context.Context
	stop        func() bool // of the goroutine that notices the end
}

// A znode is what the server is known to have done.
type znode struct {
	created int
	deleted time.Duration
}

// NewHistory returns an empty history that begins now.
func NewHistory() *History {
	return &History{began: time.Now(), open: make(map[string]*holding), nodes: make(map[string]*znode)}
}

// Now returns the time on the history's clock.
func (h *History) Now() time.Duration { return time.Since(h.began) }

// Acquired says that Lock has returned a lease, which ends with its context.
// The acquisition belongs to the history.
func (h *History) Acquired(a Acquisition, lease context.Context) *Acquisition {
	h.mu.Lock()
	defer h.mu.Unlock()
	a.Returned = h.Now()
	a.Held = -1
	mine := &holding{acquisition: &a, lease: lease}
	h.look(mine, a.Returned)
	for _, other := range h.open {
		if other.acquisition.Lock == a.Lock {
			h.look(other, a.Returned)
		}
	}
	mine.stop = context.AfterFunc(lease, func() { h.ended(&a) })
	h.open[a.Node] = mine
	h.all = append(h.all, &a)
	return &a
}

// look notes that a lease was held at the time now, if it still is.
func (h *History) look(of *holding, now time.Duration) {
	if of.lease.Err() == nil {
		of.acquisition.Held = now
	}
}

// ended says that a lease has ended of itself.
func (h *History) ended(a *Acquisition) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if a.Ended == 0 {
		a.Ended, a.Lost = h.Now(), true
	}
}

// Releasing says that Unlock is about to be called.
func (h *History) Releasing(a *Acquisition) {
	h.mu.Lock()
	defer h.mu.Unlock()
	holding := h.open[a.Node]
	delete(h.open, a.Node)
	now := h.Now()
	h.look(holding, now)
	holding.stop()
	if a.Ended == 0 {
		a.Ended, a.Lost = now, a.Held != now
	}
}

// Released says that Unlock has returned.
func (h *History) Released(a *Acquisition) {
	h.mu.Lock()
	defer h.mu.Unlock()
	a.Freed = h.Now()
}

// Created says that the server was seen to create a znode. The calls come in
// the order in which it did.
func (h *History) Created(path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.created++
	h.znode(path).created = h.created
}

// Deleted says that the server was seen to have deleted a znode.
func (h *History) Deleted(path string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.Now()
	if of := h.open[path]; of != nil {
		h.look(of, now)
	}
	if z := h.znode(path); z.deleted == 0 {
		z.deleted = now
	}
}

func (h *History) znode(path string) *znode {
	z := h.nodes[path]
	if z == nil {
		z = new(znode)
		h.nodes[path] = z
	}
	return z
}

// Held returns the znodes of the leases that have not been given back.
func (h *History) Held() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var nodes []string
	for node := range h.open {
		nodes = append(nodes, node)
	}
	return nodes
}

// holder returns a client who holds a lock, of several the one who got it
// last, and 0 when there is none.
func (h *History) holder() (client int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var last time.Duration
	for _, of := range h.open {
		if a := of.acquisition; a.Returned > last {
			client, last = a.Client, a.Returned
		}
	}
	return client
}

// Wrote takes down a state of a register.
func (h *History) Wrote(w Write) {
	h.mu.Lock()
	defer h.mu.Unlock()
	w.At = h.Now()
	h.record.Writes = append(h.record.Writes, w)
}

// Injected takes down a fault that is over.
func (h *History) Injected(f Fault) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.record.Faults = append(h.record.Faults, f)
}

// Stalled takes down that the process itself stood still.
func (h *History) Stalled(s Span) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.record.Stalls = append(h.record.Stalls, s)
}

// Record returns a copy of all that was taken down.
func (h *History) Record() Record {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := Record{
		Writes: slices.Clone(h.record.Writes),
		Faults: slices.Clone(h.record.Faults),
		Stalls: slices.Clone(h.record.Stalls),
	}
	for _, a := range h.all {
		known := *a
		if z := h.nodes[a.Node]; z != nil {
			known.Created, known.Deleted = z.created, z.deleted
		}
		r.Acquisitions = append(r.Acquisitions, known)
	}
	return r
}

// acquisition begins the entry of a lease.
func acquisition(client int, lock string, called time.Duration, lease Lease) Acquisition {
	return Acquisition{
		Client: client, Lock: lock, Called: called,
		Mode: lease.Mode(), Node: lease.Node(), Token: lease.Token(),
	}
}

// pollEvery is how often await looks.
const pollEvery = 5 * time.Millisecond

// AwaitDeleted returns when the server was seen to have deleted a znode, or
// with the error of ctx.
func (h *History) AwaitDeleted(ctx context.Context, node string) error {
	return h.await(ctx, node+" to be deleted", func() bool {
		z := h.nodes[node]
		return z != nil && z.deleted > 0
	})
}

// AwaitWrite returns when somebody with a greater token is known to have
// written the register of a lock, or with the error of ctx.
func (h *History) AwaitWrite(ctx context.Context, lock string, token zklock.Token) error {
	return h.await(ctx, "a later write", func() bool {
		return slices.ContainsFunc(h.record.Writes, func(w Write) bool {
			return w.Lock == lock && w.Token > token
		})
	})
}

// awaitEach returns when each lock has been held, or with the error of ctx.
func (h *History) awaitEach(ctx context.Context, kinds []Kind) error {
	return h.await(ctx, "each lock to be held", func() bool {
		return !slices.ContainsFunc(kinds, func(k Kind) bool {
			return !slices.ContainsFunc(h.all, func(a *Acquisition) bool { return a.Lock == k.Name })
		})
	})
}

// await asks again and again.
func (h *History) await(ctx context.Context, what string, happened func() bool) error {
	for {
		h.mu.Lock()
		yes := happened()
		h.mu.Unlock()
		if yes {
			return nil
		}
		if !pause(ctx, pollEvery) {
			return fmt.Errorf("chaos: wait for %s: %w", what, context.Cause(ctx))
		}
	}
}
