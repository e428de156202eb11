package chaos

import (
	"context"
	"fmt"
	"path"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock"
)

// candidates is how many campaign at once.
const candidates = 3

// A Succession is a leader's end, and the next one's beginning.
type Succession struct {
	Fault FaultKind
	// Timeout is that of the old leader's session.
	Timeout time.Duration
	// Leaderless is the time from the fault until the next leader is elected.
	Leaderless time.Duration
	// Both says that the old leader believed to lead when the next was elected. Only one
	// whose session is expired by force cannot know.
	Both bool
	// Next says that a write of the next leader under its guard was accepted, which is to be
	// so unless its session has ended meanwhile; and Wrote that one of the old leader was
	// after that.
	Next, Wrote bool
}

// leaderFaults are what ends a leader's session. A quorum's loss is for ensembles.
var leaderFaults = []FaultKind{Partition, PartitionOut, Expire}

// KillLeaders has candidates campaign, and does a fault to each who leads, so many times.
// With lose, which takes the quorum away for longer than the sessions last, that is the
// fault. The quorum goes while the reply to the create of a waiting candidate is on its
// way, and is lost (CURATOR-696).
func KillLeaders(ctx context.Context, servers []string, root string, times int, lose func() error) ([]Succession, error) {
	e := &election{dir: path.Join(root, "leader"), register: register{path: registerPath(root, "leader")}, elected: make(chan reign)}
	ctx, stop := context.WithCancel(ctx)
	defer e.close(stop)
	for number := 1; number <= candidates; number++ {
		c, err := newClient(number, time.Second, servers...)
		if err != nil {
			return nil, err
		}
		e.clients = append(e.clients, c)
		e.campaigns.Go(func() { e.campaign(ctx, c) })
	}
	if _, err := e.clients[0].session.Client().Create(e.register.path, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
		return nil, fmt.Errorf("chaos: make the register: %w", err)
	}
	var all []Succession
	leader, err := e.next(ctx)
	for err == nil && len(all) < times {
		s := Succession{Fault: leaderFaults[len(all)%len(leaderFaults)], Timeout: leader.session.Timeout()}
		began := time.Now()
		old := leader
		if lose != nil {
			s.Fault, err = "lose-quorum", e.loseQuorum(ctx, leader, lose)
		} else {
			leader.fail(ctx, s.Fault)
		}
		if err == nil {
			leader, err = e.next(ctx)
		}
		s.Leaderless, s.Both = leader.at.Sub(began), leader.both
		old.link.Unblock("leader")
		if err == nil {
			s.Next = insist(e.register, leader.session, leader.lease)
			s.Wrote = insist(e.register, old.session, old.lease) && s.Next
		}
		all = append(all, s)
	}
	return all, err
}

// A reign is a client's time as the leader.
type reign struct {
	*client
	lease *zklock.Lease
	at    time.Time // when it was elected
	both  bool      // the leader before believed then
}

// An election is that of one round.
type election struct {
	dir       string
	register  register
	clients   []*client
	campaigns sync.WaitGroup
	elected   chan reign
	last      atomic.Pointer[zklock.Lease] // that was elected
}

// campaign leads whenever it can, until ctx ends.
func (e *election) campaign(ctx context.Context, c *client) {
	election := zklock.NewElection(c.session, e.dir)
	for ctx.Err() == nil {
		_ = zklock.Do(ctx, election.Campaign, func(ctx context.Context, lease *zklock.Lease) error { // a loss is wanted
			at, before := time.Now(), e.last.Swap(lease)
			select {
			case e.elected <- reign{c, lease, at, before != nil && before.Err() == nil}:
			case <-ctx.Done():
			}
			<-ctx.Done()
			return nil
		})
	}
}

// leaderTimeout bounds the wait for a leader: three servers of a busy machine take their
// time to be a quorum again.
const leaderTimeout = 4 * stepTimeout

// next waits for the next leader.
func (e *election) next(ctx context.Context) (reign, error) {
	ctx, cancel := context.WithTimeout(ctx, leaderTimeout)
	defer cancel()
	select {
	case r := <-e.elected:
		return r, nil
	case <-ctx.Done():
		return reign{}, fmt.Errorf("chaos: wait for a leader: %w", context.Cause(ctx))
	}
}

// fail does the fault, which lasts until the link is unblocked.
func (c *client) fail(ctx context.Context, fault FaultKind) {
	switch fault {
	case Expire:
		c.expire(ctx, nil)
	case PartitionOut:
		c.link.Block("leader", event.Out)
	default:
		c.link.Block("leader")
	}
}

// loseQuorum has a candidate that does not lead create its znode again, and the quorum
// lost before it has the reply.
func (e *election) loseQuorum(ctx context.Context, leader reign, lose func() error) error {
	c := e.clients[leader.number%candidates]
	created := c.loseNext("create")
	defer created.Cancel()
	for lost := false; !lost; lost = waitFor(ctx, created.Done()) {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		c.expire(ctx, nil)
	}
	c.link.Block("create") // else it connects again before the quorum is gone
	defer c.link.Unblock("create")
	return lose()
}

// close ends all.
func (e *election) close(stop func()) {
	stop()
	e.campaigns.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), stepTimeout)
	defer cancel()
	for _, c := range e.clients {
		_ = c.close(ctx) // a session that is left ends by itself
	}
}
