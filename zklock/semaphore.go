package zklock

import (
	"context"
	"errors"
	"math"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/queue"
)

// A Semaphore is a fair lock that up to a limit of contenders hold at a time.
// Each call of Acquire takes a place of its own in the queue, so two leases of
// one session are two permits. One permit a call; who takes several one by one
// can deadlock. It holds no state about its acquisitions, and any number of
// goroutines may use it. The lease is a [Lease] like a mutex's, with a token of
// its own; with more than one holder at a time, tokens do not come to the
// resource in order, so a fence there has to be per permit, or be the lease's
// Guard.
//
// The limit is stored in the lock directory, as a decimal, by the first client
// that comes. A client that comes with another limit gets [ErrLimitMismatch],
// and so does everybody when the directory has other data. Once a Semaphore
// has agreed with the stored limit, it follows it when [Semaphore.Resize]
// changes it. The stored limit lasts as long as the directory: the server
// deletes one that is a container, which is the default, some time after its
// last child has gone, and the next client stores its own again. Use
// WithContainer(false) to keep it.
//
// A release wakes two waiters, however many there are: the first in line, and
// the one behind it, who is then the first. An arrival wakes the first in line
// too. Several permits that become free at once are taken one after the other,
// each as soon as the waiter before has told that it came in. After the first
// use, which reads the limit, a permit that is free is taken with two requests,
// and a third in the background when others are in line; each release takes
// one. An access control list given by [WithACL] must let the client write, or
// its successors in line do not hear that it has come to hold.
//
// The znodes are named "_c_<guid>-lease-<number>". Curator's semaphores name
// theirs so too, but queue in directories of another layout: the two do not
// contend on one path.
type Semaphore struct {
	lock
	agreed *queue.Agreement
}

// NewSemaphore returns the semaphore whose queue is the children of path, and
// of which up to max contenders hold a permit at a time. It sends nothing; when
// max is not from 1 to 2147483647, Acquire returns [ErrLimitRange].
func NewSemaphore(s *Session, path string, max int, opts ...Option) *Semaphore {
	return &Semaphore{lock: newLock(s, path, opts), agreed: queue.NewAgreement(max)}
}

// Acquire waits for a permit. The errors are those of [Locker], and in an
// [*Error] as well [ErrLimitMismatch] and [ErrLimitRange]; after any of them the
// place in the queue has been given up.
func (s *Semaphore) Acquire(ctx context.Context) (*Lease, error) {
	return s.take(ctx, false)
}

// TryAcquire takes a permit if one is free and nobody waits for it, and else
// returns [ErrHeld], when its znode is gone again.
func (s *Semaphore) TryAcquire(ctx context.Context) (*Lease, error) {
	return s.take(ctx, true)
}

// Limit returns the limit as far as this semaphore knows.
func (s *Semaphore) Limit() int { return s.agreed.Now().Max }

func (s *Semaphore) take(ctx context.Context, try bool) (*Lease, error) {
	if err := s.prepare(ctx); err != nil {
		err = s.session.reason(ctx, nil, err)
		s.config.traces.with(ctx).gaveUp(GaveUpInfo{Path: s.path, Mode: ModeWrite, Err: err})
		return nil, failure(operation(try), s.path, "", err)
	}
	a := newAcquisition(ctx, []*lock{&s.lock}, queue.Semaphore(s.Limit), ModeWrite, try)
	a.wait = s.await
	return a.acquire(ctx)
}

// prepare agrees on the limit before the first use: a client with another one never queues.
func (s *Semaphore) prepare(ctx context.Context) error {
	limit := s.agreed.Now()
	if err := queue.CheckLimit(limit.Max); err != nil {
		return err
	}
	if limit.At > 0 {
		return nil
	}
	return s.inSession(ctx, s.agree)
}

// inSession calls f, which is counted in as a user of the session, with a
// context that ends with the session.
func (s *Semaphore) inSession(ctx context.Context, f func(context.Context) error) error {
	if s.invalid != nil {
		return s.invalid
	}
	if err := s.session.enter(); err != nil {
		return err
	}
	defer s.session.leave()
	g, err := s.session.connected(ctx)
	if err != nil {
		return err
	}
	within, end := g.within(ctx)
	defer end()
	return s.session.reason(ctx, g, f(within))
}

var (
	// ErrLimitMismatch says that the lock directory has another limit than the
	// [Semaphore], or has data that is no limit. Nothing is overwritten.
	ErrLimitMismatch = queue.ErrLimitMismatch
	// ErrLimitRange says that a limit is not from 1 to 2147483647.
	ErrLimitRange = queue.ErrLimitRange
)

// read reads the directory's data.
func (s *Semaphore) read(ctx context.Context) (content, error) {
	return do(ctx, s.session, func(c Client) (got content, err error) {
		got.data, got.stat, err = c.Get(s.path)
		return got, err
	})
}

// agree reads the limit, and stores the own one where there is none.
func (s *Semaphore) agree(ctx context.Context) error {
	for {
		got, err := s.read(ctx)
		switch {
		case isNoNode(err):
			err = s.makeDirectory(ctx, s.path)
		case err == nil && len(got.data) == 0:
			err = s.store(ctx, s.agreed.Configured, got.stat)
		case err == nil:
			return s.agreed.Compare(got.data, got.stat)
		}
		if err != nil && !isNoNode(err) && !errors.Is(err, zk.ErrBadVersion) {
			return err
		}
	}
}

// store writes the limit into a directory that was empty of data.
func (s *Semaphore) store(ctx context.Context, limit int, empty *zk.Stat) error {
	stat, err := do(ctx, s.session, func(c Client) (*zk.Stat, error) {
		return c.Set(s.path, queue.FormatLimit(limit), empty.Version)
	})
	if err == nil {
		s.session.directories.saw(s.path, stat)
	}
	return err
}

// Resize changes the stored limit from the semaphore's own to max. Semaphores
// that have agreed with the stored limit follow, and waiters for whom there is
// a permit now get it; a smaller limit takes nothing from those who hold.
//
// It returns an [*Error], which wraps [ErrLimitMismatch] when the stored limit
// is neither the own one nor max, and [ErrLimitRange] when max can be none.
// After any other error, as when the connection was lost, the limit may be
// changed or not, and the call may be repeated.
func (s *Semaphore) Resize(ctx context.Context, max int) error {
	err := queue.CheckLimit(max)
	if err == nil {
		err = s.inSession(ctx, func(ctx context.Context) error { return s.resize(ctx, max) })
	}
	if err != nil {
		return failure("resize", s.path, "", s.session.reason(ctx, nil, err))
	}
	return nil
}

func (s *Semaphore) resize(ctx context.Context, max int) error {
	for {
		got, err := s.read(ctx)
		switch {
		case isNoNode(err):
			err = s.makeDirectory(ctx, s.path)
		case err == nil && len(got.data) == 0:
			err = s.store(ctx, max, got.stat)
		case err == nil && string(got.data) == string(queue.FormatLimit(max)):
			s.agreed.Adopt(max, got.stat)
			return nil
		case err == nil:
			if err = s.agreed.Compare(got.data, got.stat); err != nil {
				return err
			}
			if err = s.replace(ctx, max, got.stat); err == nil {
				return nil
			}
		}
		if err != nil && !isNoNode(err) && !errors.Is(err, zk.ErrBadVersion) {
			return err
		}
	}
}

// replace writes another limit. A child that comes and goes in the same
// transaction wakes those who watch the queue. A watch on the directory's data
// would do so too, but go-zookeeper cannot remove one that never fires, and
// would keep one for each wait.
func (s *Semaphore) replace(ctx context.Context, limit int, old *zk.Stat) error {
	child := childOf(s.path, s.session.config.newGUID()+"-resize") // it has no sequence number
	done, err := ask(ctx, s.session, s.session.transaction(
		&zk.SetDataRequest{Path: s.path, Data: queue.FormatLimit(limit), Version: old.Version},
		&zk.CreateRequest{Path: child, Acl: s.config.acl},
		&zk.DeleteRequest{Path: child, Version: -1}))
	if err == nil && done.ops[0].Stat != nil {
		s.agreed.Adopt(limit, done.ops[0].Stat)
	}
	return err
}

// A permitWaiter waits for a permit of one place. It does what the permit requires,
// one thing after the other.
type permitWaiter struct {
	waiting
	semaphore *Semaphore
	permit    queue.Permit
	ahead     string // full path of the znode just ahead
	watch     *watch // what is waited for
}

// await returns when the place of a holds a permit.
func (s *Semaphore) await(ctx context.Context, a *acquisition) error {
	w := &permitWaiter{waiting: newWaiting(a, a.places[0]), semaphore: s}
	for {
		if w.reconnected() {
			w.permit.Doubt()
		}
		w.permit.Limited(s.agreed.Now())
		if w.permit.Next() == queue.Hold {
			w.wakeNext()
			return nil
		}
		if err := w.step(ctx); err != nil {
			return err
		}
	}
}

func (w *permitWaiter) step(ctx context.Context) error {
	if err := w.refused(w.permit.Excess()); err != nil {
		return err
	}
	switch w.permit.Next() {
	case queue.ReadLimit:
		return w.semaphore.agree(ctx)
	case queue.WatchQueue:
		return w.list(ctx, true)
	case queue.WatchAhead:
		return w.watchAhead(ctx)
	case queue.Sleep:
		return w.sleep(ctx)
	default:
		return w.list(ctx, false)
	}
}

// list reads the queue, and watches it if asked to. The listing shows in the
// directory's metadata, too, which limit was stored then.
func (w *permitWaiter) list(ctx context.Context, watching bool) (err error) {
	var got listing
	if watching {
		got, w.watch, err = w.session.listWatching(ctx, w.place.path)
	} else {
		got, err = ask(ctx, w.session, w.session.listRequest(w.place.path, false))
	}
	contenders, err := w.take(got, err, math.MaxInt32)
	if err != nil {
		return err
	}
	if w.position > 0 {
		w.ahead = childOf(w.place.path, contenders[w.position-1].Name)
	}
	w.permit.Listed(queue.Moment{Ahead: w.position, Behind: len(contenders) - w.position - 1, LimitAt: got.stat.Mzxid}, watching)
	return nil
}

// watchAhead reads the znode just ahead, with a watch. A version above 0 says that
// its client has written into it.
func (w *permitWaiter) watchAhead(ctx context.Context) error {
	var armed bool
	w.watch, armed = w.session.watches.on(watched{node: w.ahead})
	ahead, err := w.readAhead(ctx, armed)
	switch {
	case isNoNode(err):
		w.permit.Doubt()
		return nil
	case err != nil:
		return err
	}
	w.permit.BehindWaiter(ahead.Version > 0, ahead.Czxid)
	return nil
}

func (w *permitWaiter) readAhead(ctx context.Context, armed bool) (*zk.Stat, error) {
	if armed {
		return stat(ctx, w.session, w.ahead)
	}
	read, err := do(ctx, w.session, func(c Client) (*zk.Stat, error) {
		_, stat, _, err := c.GetW(w.ahead)
		return stat, err
	})
	w.session.watches.settle(w.watch, err)
	return read, err
}

// sleep waits for the watch, or for a reconnect, which reconnected sees.
func (w *permitWaiter) sleep(ctx context.Context) (err error) {
	w.startWaiting(w.watch.node)
	event := zk.EventNotWatching
	select {
	case <-w.watch.fired:
		event = w.watch.event
	case <-w.resumed:
	case <-ctx.Done():
		err = errInterrupted
	}
	w.stopWaiting(event, err)
	w.permit.Doubt()
	if event == zk.EventNodeDataChanged {
		w.permit.BehindHolder()
	}
	return err
}

// wakeNext has the own znode's data written once more, in the background, which wakes the
// one behind. It is tried until it is done, or the znode or the session has gone, both of
// which wake that one too. A version above 0 says that it is done, or that another client
// has written to ask for the lock back: that serves as well.
func (w *permitWaiter) wakeNext() {
	if !w.permit.MustTell() {
		return
	}
	s, node, data, g := w.session, w.place.node, w.place.config.data, w.grant
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.background.Err() != nil {
		return
	}
	s.work.Go(func() {
		do(g.ctx, s, func(c Client) (*zk.Stat, error) { return c.Set(node, data, 0) })
	})
}
