package locks_test

import (
	"context"
	"errors"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// An observing is a call of Observe in another goroutine.
type observing struct {
	told chan zklock.Contender
	end  chan error
}

func (w *world) observe(ctx context.Context, e *zklock.Election) observing {
	o := observing{make(chan zklock.Contender), make(chan error, 1)}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	w.Cleanup(func() { cancel(); <-done })
	go func() {
		defer close(done)
		for leader, err := range e.Observe(ctx) {
			if err != nil {
				o.end <- err
				return
			}
			select {
			case o.told <- leader:
			case <-ctx.Done():
			}
		}
	}()
	return o
}

// tells waits until the observer is told of the next leader, of that znode.
func (o observing) tells(w *world, node string) {
	w.Helper()
	if leader := receive(w, o.told, "the next leader"); leader.Node != node {
		w.Fatalf("told of %+v, want %s", leader, node)
	}
}

// A campaigner is an election as a lock, for helpers.
type campaigner struct{ *zklock.Election }

func (c campaigner) Lock(ctx context.Context) (*zklock.Lease, error)    { return c.Campaign(ctx) }
func (c campaigner) TryLock(ctx context.Context) (*zklock.Lease, error) { return c.Campaign(ctx) }

func (w *world) campaigner(name string) campaigner {
	return campaigner{newElection(w.dial(session), w.path, zklock.WithData([]byte(name)))}
}

// What a leader proclaims is told, and no proclamation outlives its lease.
func TestProclaim(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ann := w.campaigner("ann")
	lease, bob := w.lock(ann), w.startLock(w.campaigner("bob"))
	observer := w.observe(t.Context(), newElection(w.dial(session), w.path))
	for _, says := range []string{"ann", "ann on port 2"} {
		if leader := receive(t, observer.told, "the leader"); leader.Node != lease.Node() || string(leader.Data) != says {
			t.Fatalf("told of %+v, which should say %q", leader, says)
		}
		if err := ann.Proclaim(w.within(), lease, []byte("ann on port 2")); err != nil {
			t.Fatal(err)
		}
	}
	if err := ann.Proclaim(w.within(), lease, make([]byte, 1<<20)); !errors.Is(err, zk.ErrShortBuffer) {
		t.Errorf("a megabyte: %v", err)
	}
	w.unlock(lease)
	observer.tells(w, bob.held(t).Node())
	if err := ann.Proclaim(w.within(), lease, nil); !errors.Is(err, zklock.ErrUnlocked) {
		t.Errorf("after Unlock: %v", err)
	}
}

// Candidates lead in their order, and an observer is told of each, whatever else
// changes in the queue.
func TestElection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	election := newElection(s, w.path)
	observer := w.observe(t.Context(), election)
	observer.tells(w, "")
	ann := w.lock(w.campaigner("ann"))
	observer.tells(w, ann.Node())
	lists := network.requests(opGetChildren2)
	bob, eve := w.startLock(w.campaigner("bob")), w.startLock(w.campaigner("eve"))
	if err := zklock.Revoke(w.within(), s, ann.Node()); err != nil {
		t.Fatal(err)
	}
	receive(t, ann.Revoked(), "the request to resign")
	eve.cancel()
	eve.failed(t)
	w.unlock(ann)
	leader := bob.held(t)
	observer.tells(w, leader.Node())
	if more := network.requests(opGetChildren2) - lists; more > 3 { // for the request, the resignation, and one to spare
		t.Errorf("the observer has listed %d times", more)
	}
	found, err := election.Leader(w.within())
	if err != nil || found.Token != leader.Token() || string(found.Data) != "bob" || !found.Holder {
		t.Errorf("the leader is %+v, %v", found, err)
	}
	w.unlock(leader)
	observer.tells(w, "")
}

// An observer goes on after all that may happen to its session, and to the directory.
func TestObserverGoesOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(mortal)
	observer := w.observe(t.Context(), newElection(s, w.path, zklock.WithContainer(false)))
	observer.tells(w, "")
	lease := w.lock(w.campaigner("ann"))
	observer.tells(w, lease.Node())

	ended := s.Context()
	network.partition()
	w.unlock(lease)
	lease = w.lock(w.campaigner("bob"))
	receive(t, ended.Done(), "the session's end")
	network.heal()
	network.cut()
	observer.tells(w, lease.Node())
	w.unlock(lease)
	observer.tells(w, "")

	w.delete(w.path)
	lease = w.lock(w.campaigner("eve"))
	observer.tells(w, lease.Node())
	w.unlock(lease)
	observer.tells(w, "")
}

// Observe says why it has ended.
func TestObserverEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	errStop := errors.New("stop")
	ended, stop := context.WithCancelCause(t.Context())
	s := w.dial(session)
	byContext := w.observe(ended, newElection(s, w.path))
	byClose := w.observe(t.Context(), newElection(s, w.path))
	byContext.tells(w, "")
	byClose.tells(w, "")
	stop(errStop)
	if err := receive(t, byContext.end, "the end by the context"); !errors.Is(err, errStop) {
		t.Errorf("ended by its context: %v", err)
	}
	closeSession(t, s)
	err := receive(t, byClose.end, "the end with the session")
	if known := new(zklock.Error); !errors.Is(err, zklock.ErrClosed) || !errors.As(err, &known) || known.Op != "observe" || known.Path != w.path {
		t.Errorf("ended with its session: %v", err)
	}
	if _, err := newElection(s, "/a//b").Leader(w.within()); !errors.Is(err, zk.ErrInvalidPath) {
		t.Errorf("a bad path: %v", err)
	}
}
