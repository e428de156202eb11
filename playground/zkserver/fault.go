package zkserver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A Fault is something that can be done to the servers of an [Ensemble].
type Fault struct {
	// Name is how a scenario, a request and the log call it.
	Name string
	// Title is its name on the page, and Sentence says what it does.
	Title, Sentence string
	// Mark is how it is drawn: an SVG path around the origin, 16 wide.
	Mark string
	// Nodes is how many servers it needs.
	Nodes int
	// Lasts says that it may be given a length, and Endless that without one it
	// lasts until [Ensemble.Heal]. Other servers are started again at once.
	Lasts, Endless bool

	inject func(e *Ensemble, ctx context.Context, length time.Duration) (server string, why *event.Reason, err error)
}

// Faults returns the faults of servers, in the order of a menu.
func Faults() []Fault {
	return []Fault{{
		Name: "restart", Title: "Restart", Nodes: 1,
		Sentence: "Every server is killed and started again; sessions and znodes stay.",
		Mark:     "M5-3A6 6 0 1 0 6 1M6-7V-2.5H1.5", inject: (*Ensemble).restart,
	}, {
		Name: "server-away", Title: "Server away", Nodes: 1, Lasts: true, Endless: true,
		Sentence: "Every server is killed, and started again when the time is over; sessions and znodes stay.",
		Mark:     "M-6-6H6V6H-6ZM-3 0H3", inject: (*Ensemble).goAway,
	}, {
		Name: "kill-follower", Title: "Kill a follower", Nodes: 3, Lasts: true,
		Sentence: "One server that follows is killed; its clients move to another.",
		Mark:     "M-6-6H6V6H-6ZM-6-6L6 6", inject: (*Ensemble).killFollower,
	}, {
		Name: "kill-leader", Title: "Kill the leader", Nodes: 3, Lasts: true,
		Sentence: "The server that leads is killed; the others elect a new one, and nobody is served until then.",
		Mark:     "M-6-3L-3 0L0-5L3 0L6-3V5H-6ZM-7 7L7-7", inject: (*Ensemble).killLeader,
	}, {
		Name: "lose-quorum", Title: "Lose the quorum", Nodes: 3, Lasts: true, Endless: true,
		Sentence: "All servers but one are killed; without a majority that one serves nobody.",
		Mark:     "M-6-7H6V-2H-6ZM-6 2H6V7H-6ZM-7 8L7-8", inject: (*Ensemble).loseQuorum,
	}}
}

var (
	serverRestarts = event.NewCode("server-restarts", "the server is killed and starts again; it keeps sessions and znodes")
	serversRestart = event.NewCode("servers-restart", "all servers are killed and start again; they keep sessions and znodes")
	serversAway    = event.NewCode("servers-away", "no server is there; each keeps its sessions and znodes until it is started again")
	leaderKilled   = event.NewCode("leader-killed", "the leader is killed; the others elect a new one, and nobody is served meanwhile")
	followerKilled = event.NewCode("follower-killed", "a follower is killed; its clients turn to the other servers")
	quorumLost     = event.NewCode("quorum-lost", "all servers but one are killed; without a majority that one serves nobody")
)

// ErrRefused: a fault of servers is not possible; the text says why, and what to do.
var ErrRefused = errors.New("refused")

// leaderTimeout bounds the search for the leader, without which no fault that
// kills one kind of server can be done.
const leaderTimeout = 2 * time.Second

// Inject does the fault of that name and returns once the processes are dead:
// which server died, empty if several, and what that means. A killed server comes
// back after length; if that is 0, at once, or, of a fault that is endless, only
// with Heal. Refusals wrap [ErrRefused]; so are all faults while a server is kept
// down.
func (e *Ensemble) Inject(ctx context.Context, name string, length time.Duration) (server string, why *event.Reason, err error) {
	fault, err := e.find(name, length)
	if err != nil {
		return "", nil, err
	}
	e.faults.Lock()
	defer e.faults.Unlock()
	switch {
	case e.life.Err() != nil:
		return "", nil, fmt.Errorf("%w: the servers are stopped", ErrRefused)
	case e.keepsDown():
		return "", nil, fmt.Errorf("%w: a server is down already, heal the servers first", ErrRefused)
	}
	return fault.inject(e, ctx, length)
}

// find returns the fault of that name, or what is wrong with it whatever the
// servers do just now.
func (e *Ensemble) find(name string, length time.Duration) (Fault, error) {
	known := Faults()
	i := slices.IndexFunc(known, func(f Fault) bool { return f.Name == name })
	switch {
	case i < 0:
		return Fault{}, fmt.Errorf("%w: the servers have no fault %q", ErrRefused, name)
	case length < 0 || length > 0 && !known[i].Lasts:
		return Fault{}, fmt.Errorf("%w: %s cannot take %v", ErrRefused, name, length)
	case len(e.servers) < known[i].Nodes:
		return Fault{}, fmt.Errorf("%w: %s needs three servers, start with -nodes 3", ErrRefused, name)
	}
	return known[i], nil
}

func (e *Ensemble) restart(context.Context, time.Duration) (server string, why *event.Reason, err error) {
	_ = each(e.servers, func(s *Server) error { s.Restart(); return nil })
	if len(e.servers) == 1 {
		return e.servers[0].Address(), serverRestarts.With(), nil
	}
	return "", serversRestart.With(), nil
}

// goAway takes all servers down.
func (e *Ensemble) goAway(_ context.Context, length time.Duration) (server string, why *event.Reason, err error) {
	for i := range e.servers {
		e.takeDown(i, length)
	}
	if len(e.servers) == 1 {
		server = e.servers[0].Address()
	}
	return server, serversAway.With(), nil
}

func (e *Ensemble) killLeader(ctx context.Context, length time.Duration) (server string, why *event.Reason, err error) {
	leader, err := e.findLeader(ctx)
	if err != nil {
		return "", nil, err
	}
	return e.kill(leader, length), leaderKilled.With(), nil
}

func (e *Ensemble) killFollower(ctx context.Context, length time.Duration) (server string, why *event.Reason, err error) {
	leader, err := e.findLeader(ctx)
	if err != nil {
		return "", nil, err
	}
	return e.kill((leader+1)%len(e.servers), length), followerKilled.With(), nil
}

// loseQuorum leaves one follower, which may not serve alone.
func (e *Ensemble) loseQuorum(ctx context.Context, length time.Duration) (server string, why *event.Reason, err error) {
	leader, err := e.findLeader(ctx)
	if err != nil {
		return "", nil, err
	}
	left := (leader + 1) % len(e.servers)
	for i := range e.servers {
		if i != left {
			e.takeDown(i, length)
		}
	}
	return "", quorumLost.With(), nil
}

// kill kills a server, which comes back after length, and returns its address.
func (e *Ensemble) kill(i int, length time.Duration) (server string) {
	if length == 0 {
		e.servers[i].Restart()
	} else {
		e.takeDown(i, length)
	}
	return e.servers[i].Address()
}

func (e *Ensemble) findLeader(ctx context.Context) (int, error) {
	ctx, cancel := e.whileAlive(ctx)
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, leaderTimeout)
	defer cancel()
	leader, err := e.Leader(ctx)
	if err != nil {
		return 0, fmt.Errorf("%w: there is no leader now, try again when there is: %w", ErrRefused, err)
	}
	return leader, nil
}
