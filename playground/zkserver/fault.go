package zkserver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// The faults of servers, for [Ensemble.Strike].
const (
	// FaultRestart: every server is killed and started again.
	FaultRestart = "restart"
	// FaultKillFollower: a server that does not lead is killed.
	FaultKillFollower = "kill-follower"
	// FaultKillLeader: the server that leads is killed.
	FaultKillLeader = "kill-leader"
	// FaultLoseQuorum: all servers but one are killed and stay down.
	FaultLoseQuorum = "lose-quorum"
)

// ErrStrike: a server fault is not possible; the text says why, and what to do.
var ErrStrike = errors.New("refused")

// leaderPatience bounds the search for the leader that a fault is to strike.
const leaderPatience = 2 * time.Second

// Strike does one of the faults and returns once the processes are dead: which
// server it struck, empty if several, and what that means. A killed server
// comes back after length; if that is 0, at once, but after lose-quorum only
// with Heal. Restart takes no length. Refusals wrap [ErrStrike]; so are
// all faults while a server is kept down.
func (e *Ensemble) Strike(ctx context.Context, fault string, length time.Duration) (server, why string, err error) {
	if err := e.refusal(fault, length); err != nil {
		return "", "", err
	}
	e.strikes.Lock()
	defer e.strikes.Unlock()
	switch {
	case e.life.Err() != nil:
		return "", "", fmt.Errorf("%w: the servers are stopped", ErrStrike)
	case e.keepsDown():
		return "", "", fmt.Errorf("%w: a server is down already, heal the servers first", ErrStrike)
	case fault == FaultRestart:
		return e.restart()
	}
	leader, err := e.findLeader(ctx)
	if err != nil {
		return "", "", err
	}
	switch fault {
	case FaultKillLeader:
		return e.kill(leader, length, "the leader is killed; the others elect a new one, and nobody is served meanwhile")
	case FaultKillFollower:
		return e.kill((leader+1)%len(e.servers), length, "a follower is killed; its clients turn to the other servers")
	default:
		return e.loseQuorum(leader, length)
	}
}

// refusal says what is wrong with a fault whatever the servers do just now.
func (e *Ensemble) refusal(fault string, length time.Duration) error {
	known := []string{FaultRestart, FaultKillFollower, FaultKillLeader, FaultLoseQuorum}
	switch {
	case !slices.Contains(known, fault):
		return fmt.Errorf("%w: there is no fault %q, only %v", ErrStrike, fault, known)
	case length < 0 || length > 0 && fault == FaultRestart:
		return fmt.Errorf("%w: %s cannot take %v", ErrStrike, fault, length)
	case fault != FaultRestart && len(e.servers) == 1:
		return fmt.Errorf("%w: %s needs three servers, start with -nodes 3", ErrStrike, fault)
	}
	return nil
}

func (e *Ensemble) findLeader(ctx context.Context) (int, error) {
	ctx, cancel := e.whileAlive(ctx)
	defer cancel()
	ctx, cancel = context.WithTimeout(ctx, leaderPatience)
	defer cancel()
	leader, err := e.Leader(ctx)
	if err != nil {
		return 0, fmt.Errorf("%w: there is no leader now, try again when there is: %w", ErrStrike, err)
	}
	return leader, nil
}

func (e *Ensemble) restart() (server, why string, err error) {
	_ = each(e.servers, func(s *Server) error { s.Restart(); return nil })
	if len(e.servers) == 1 {
		return e.servers[0].Address(), "the server is killed and starts again; it keeps sessions and znodes", nil
	}
	return "", "all servers are killed and start again; they keep sessions and znodes", nil
}

func (e *Ensemble) kill(i int, length time.Duration, why string) (string, string, error) {
	if length == 0 {
		e.servers[i].Restart()
	} else {
		e.takeDown(i, length)
	}
	return e.servers[i].Address(), why, nil
}

// loseQuorum leaves one follower, which may not serve alone.
func (e *Ensemble) loseQuorum(leader int, length time.Duration) (server, why string, err error) {
	left := (leader + 1) % len(e.servers)
	for i := range e.servers {
		if i != left {
			e.takeDown(i, length)
		}
	}
	return "", "all servers but one are killed; without a majority that one serves nobody", nil
}
