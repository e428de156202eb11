package sim

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// ErrNotOurs is returned for a server fault when ZooKeeper is somebody else's.
var ErrNotOurs = errors.New("this ZooKeeper is not the playground's to break")

// A Cluster is a ZooKeeper that the playground may break. Its methods are safe
// for concurrent use; runs of several rooms share it.
type Cluster interface {
	// Nodes is how many servers there are.
	Nodes() int
	// Inject does one of ServerFaults, but heal-servers, and returns when it is
	// done: which server it concerned, host:port or empty, and a sentence. With
	// a length above 0 it heals by itself after that. An error says why the
	// fault is not possible; then nothing has happened.
	Inject(ctx context.Context, fault string, length time.Duration) (server, why string, err error)
	// Heal starts every server that is down and returns when they serve again.
	// An error says that they do not yet; they are started all the same. It is
	// idempotent.
	Heal(ctx context.Context) error
}

// strikePatience bounds the time until a server fault is done.
const strikePatience = 5 * time.Second

// strikeServer does f to the servers and returns when it is done.
func (r *Run) strikeServer(ctx context.Context, f Fault) error {
	if r.config.Cluster == nil {
		return ErrNotOurs
	}
	ctx, cancel := context.WithTimeout(ctx, strikePatience)
	defer cancel()
	if f.Name == HealServers {
		return r.outages.heal(ctx)
	}
	return r.outages.strike(ctx, f)
}

func impossible(err error) error { return fmt.Errorf("%w: %w", ErrImpossible, err) }
