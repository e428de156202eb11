package zklock

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/go-zookeeper/zk"
)

// A Trace is a set of hooks that are told what an acquisition does. Any of
// them may be nil. Give it to one call with [WithTrace], or to a lock with
// [WithLockTrace].
//
// The hooks up to Acquired or GaveUp run on the goroutine that called Lock, those
// of a release on the one that called Unlock, each in the order of what they
// report. Lost, RevokeAsked, OrphanDone, and the OrphanQueued of a lost lease run
// on goroutines of the session, and may overlap them: guard what they share. None
// runs on a goroutine of go-zookeeper.
//
// A hook may block; it then delays the operation that it reports, but never the
// detection of a loss: a lease's context ends before Lost is called. Lost and
// RevokeAsked are called one at a time, with the hook of [WithSessionHook]; none
// of these may wait for another.
//
// A hook that panics, or calls runtime.Goexit, ends the call that it reports. The
// panic goes on to the caller, and what that call had, or was to release, is
// deleted in the background, as OrphanQueued tells, or Lost after Acquired; a
// later Unlock returns an error unless the release was done. On a goroutine of the
// session a panic ends the process, as on any other.
type Trace struct {
	// EnqueueStart is called before the create of a znode is sent. It is
	// called again when an attempt has to be repeated.
	EnqueueStart func(EnqueueStartInfo)
	// Enqueued is called when the outcome of an attempt is known: the znode is
	// in the queue, or Err says why not. It is not called when the caller's
	// context, or the session, ends first.
	Enqueued func(EnqueuedInfo)
	// Listed is called after each successful listing of the lock directory.
	Listed func(ListedInfo)
	// WaitStart is called when a watch is in place and the wait begins. It is
	// not called when the predecessor has gone before it could be watched.
	WaitStart func(WaitStartInfo)
	// WaitDone is called at the end of each wait that WaitStart began.
	WaitDone func(WaitDoneInfo)
	// LookedAhead is called during a wait, when the contender before the one
	// that is waited for has gone. The queue is then listed, while the wait
	// goes on.
	LookedAhead func(LookedAheadInfo)
	// Acquired is called once the lock is held, before Lock returns. A
	// [Lease.Downgrade] calls ReleaseStart and Released for the writer's lease,
	// when its znode is gone, and then Acquired for the reader's.
	Acquired func(AcquiredInfo)
	// GaveUp is called instead of Acquired, before Lock returns an error.
	GaveUp func(GaveUpInfo)
	// ReleaseStart is called by the first Unlock of a lease that is held, when
	// its context has ended and before the delete of its znode is sent.
	ReleaseStart func(ReleaseStartInfo)
	// Released is called when that delete has been answered or given up.
	Released func(ReleasedInfo)
	// Lost is called instead of ReleaseStart and Released when a lease ends
	// without Unlock. It comes after Acquired has returned.
	Lost func(LostInfo)
	// RevokeAsked is called when somebody asks for the lock of a lease, by
	// [Revoke] or as Curator does.
	RevokeAsked func(RevokeAskedInfo)
	// OrphanQueued is called when a znode that exists, or may exist, is handed
	// to the session to be deleted in the background.
	OrphanQueued func(OrphanInfo)
	// OrphanDone is called when that znode is known to be gone, or the session
	// that owns it is over. It is not called when the session is closed first.
	OrphanDone func(OrphanInfo)
}

// EnqueueStartInfo is what [Trace.EnqueueStart] is told.
type EnqueueStartInfo struct {
	Path string // the lock directory
	Mode Mode
}

// EnqueuedInfo is what [Trace.Enqueued] is told.
type EnqueuedInfo struct {
	Path      string // the lock directory
	Node      string // full path of the znode; empty when Err is set
	Sequence  int32  // its number in the queue
	Token     Token
	Mode      Mode
	Recovered bool // the reply was lost, and the znode found again by its guid
	Err       error
}

// ListedInfo is what [Trace.Listed] is told.
type ListedInfo struct {
	Node     string
	Mode     Mode
	Children int // all children of the lock directory, strays included
	Position int // contenders ahead of Node; -1 when Node is not in the list
}

// WaitStartInfo is what [Trace.WaitStart] is told.
type WaitStartInfo struct {
	Node string
	Mode Mode
	// Predecessor is the full path of what is watched: the znode ahead, or
	// the lock directory where all of it is watched.
	Predecessor string
	Position    int // contenders ahead of Node; -1 when it is not known yet
}

// WaitDoneInfo is what [Trace.WaitDone] is told.
type WaitDoneInfo struct {
	Node        string
	Mode        Mode
	Predecessor string
	// Type is that of the watch event. It is EventNotWatching when the wait
	// ended without one: after a reconnect, or with Err.
	Type zk.EventType
	// Err says why the wait is over for good: the context or the session.
	Err error
}

// LookedAheadInfo is what [Trace.LookedAhead] is told.
type LookedAheadInfo struct {
	Node   string
	Mode   Mode
	Passed string       // full path of that contender's znode
	Type   zk.EventType // EventNodeCreated when its lock has made the next one
}

// AcquiredInfo is what [Trace.Acquired] is told.
type AcquiredInfo struct {
	Node   string
	Token  Token
	Mode   Mode
	Waited time.Duration // since Lock was called
}

// GaveUpInfo is what [Trace.GaveUp] is told.
type GaveUpInfo struct {
	Path string // the lock directory
	Node string // empty when there was none, or none is known
	Mode Mode
	Err  error // the reason, which Lock returns in an [*Error]
}

// ReleaseStartInfo is what [Trace.ReleaseStart] is told.
type ReleaseStartInfo struct {
	Node  string
	Token Token
	Mode  Mode
}

// ReleasedInfo is what [Trace.Released] is told.
type ReleasedInfo struct {
	Node  string
	Token Token
	Mode  Mode
	// Err is what Unlock returns; for a part of a [MultiLease], what became of
	// that part.
	Err error
}

// LostInfo is what [Trace.Lost] is told.
type LostInfo struct {
	Node  string
	Token Token
	Mode  Mode
	Cause error // wraps ErrLost
}

// RevokeAskedInfo is what [Trace.RevokeAsked] is told.
type RevokeAskedInfo struct {
	Node  string
	Token Token
	Mode  Mode
}

// OrphanInfo is what [Trace.OrphanQueued] and [Trace.OrphanDone] are told.
type OrphanInfo struct {
	Path string // the lock directory
	Node string // full path of the znode; empty when it is not known
	GUID string // what its name carries
	Err  error  // OrphanDone only: why it was not deleted: ErrSessionLost or zk.ErrNoAuth
}

type traceKey struct{}

// WithTrace returns a context whose acquisitions, and the leases that come of
// them, call trace. Traces already in ctx are called too, before it. A nil
// trace changes nothing.
func WithTrace(ctx context.Context, trace *Trace) context.Context {
	if trace == nil {
		return ctx
	}
	outer, _ := ctx.Value(traceKey{}).(traces)
	return context.WithValue(ctx, traceKey{}, append(slices.Clip(outer), trace))
}

// traces are called in order.
type traces []*Trace

// with adds those of ctx.
func (ts traces) with(ctx context.Context) traces {
	more, _ := ctx.Value(traceKey{}).(traces)
	return slices.Concat(ts, more)
}

// callHooks calls the hook that pick chooses of each trace, where there is one.
func callHooks[Info any](ts traces, pick func(*Trace) func(Info), info Info) {
	for _, t := range ts {
		if hook := pick(t); hook != nil {
			hook(info)
		}
	}
}

func (ts traces) enqueueStart(info EnqueueStartInfo) {
	callHooks(ts, func(t *Trace) func(EnqueueStartInfo) { return t.EnqueueStart }, info)
}

func (ts traces) enqueued(info EnqueuedInfo) {
	callHooks(ts, func(t *Trace) func(EnqueuedInfo) { return t.Enqueued }, info)
}

func (ts traces) listed(info ListedInfo) {
	callHooks(ts, func(t *Trace) func(ListedInfo) { return t.Listed }, info)
}

func (ts traces) waitStart(info WaitStartInfo) {
	callHooks(ts, func(t *Trace) func(WaitStartInfo) { return t.WaitStart }, info)
}

func (ts traces) waitDone(info WaitDoneInfo) {
	callHooks(ts, func(t *Trace) func(WaitDoneInfo) { return t.WaitDone }, info)
}

func (ts traces) acquired(info AcquiredInfo) {
	callHooks(ts, func(t *Trace) func(AcquiredInfo) { return t.Acquired }, info)
}

func (ts traces) gaveUp(info GaveUpInfo) {
	callHooks(ts, func(t *Trace) func(GaveUpInfo) { return t.GaveUp }, info)
}

func (ts traces) releaseStart(info ReleaseStartInfo) {
	callHooks(ts, func(t *Trace) func(ReleaseStartInfo) { return t.ReleaseStart }, info)
}

func (ts traces) released(info ReleasedInfo) {
	callHooks(ts, func(t *Trace) func(ReleasedInfo) { return t.Released }, info)
}

func (ts traces) lost(info LostInfo) {
	callHooks(ts, func(t *Trace) func(LostInfo) { return t.Lost }, info)
}

func (ts traces) orphanQueued(info OrphanInfo) {
	callHooks(ts, func(t *Trace) func(OrphanInfo) { return t.OrphanQueued }, info)
}

func (ts traces) orphanDone(info OrphanInfo) {
	callHooks(ts, func(t *Trace) func(OrphanInfo) { return t.OrphanDone }, info)
}

func (ts traces) lookedAhead(info LookedAheadInfo) {
	callHooks(ts, func(t *Trace) func(LookedAheadInfo) { return t.LookedAhead }, info)
}

func (ts traces) revokeAsked(info RevokeAskedInfo) {
	callHooks(ts, func(t *Trace) func(RevokeAskedInfo) { return t.RevokeAsked }, info)
}

// A serial runs functions one at a time, in the order in which they were added,
// on a goroutine that lives only while there is something to run. Adding never
// blocks. The zero value is ready.
type serial struct {
	mu      sync.Mutex
	waiting []func()
	running bool
	done    sync.WaitGroup
}

func (q *serial) add(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, f)
	if !q.running {
		q.running = true
		q.done.Go(q.run)
	}
}

func (q *serial) run() {
	returned := false
	defer func() {
		if !returned { // a function has called runtime.Goexit
			q.done.Go(q.run)
		}
	}()
	for f := q.next(); f != nil; f = q.next() {
		f()
	}
	returned = true
}

func (q *serial) next() func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waiting) == 0 {
		q.running = false
		return nil
	}
	f := q.waiting[0]
	q.waiting = q.waiting[1:]
	return f
}

// wait returns when everything that was added has run.
func (q *serial) wait() { q.done.Wait() }
