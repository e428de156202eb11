package run

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/store"
)

// A Redis is where lanes may have their locks. Its method is safe for concurrent use;
// runs of several rooms share it.
type Redis interface {
	// Address is where it answers; it is started by then, if it is ours. An error says
	// why there is none, and what to do.
	Address(ctx context.Context) (string, error)
}

var errNoRedis = errors.New("there is no Redis for it here")

// openTimeout bounds the time in which a store must answer when a run begins.
const openTimeout = 5 * time.Second

// inZooKeeper are the lanes whose lock is there.
func (r *Run) inZooKeeper() []event.Lane {
	var lanes []event.Lane
	for _, lane := range r.lanes {
		if lane.Store == "" {
			lanes = append(lanes, lane)
		}
	}
	return lanes
}

// openStores opens the other stores. A lane whose store cannot be had says why, and does
// nothing; the others run.
func (r *Run) openStores(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	r.stores = make(map[string]store.Store)
	for i, lane := range r.lanes {
		if lane.Store == "" {
			continue
		}
		opened, err := r.openStore(ctx, lane)
		if err != nil {
			r.lanes[i].Missing = err.Error()
			continue
		}
		r.stores[lane.Name] = opened
	}
}

func (r *Run) openStore(ctx context.Context, lane event.Lane) (store.Store, error) {
	if lane.Store == store.KindSQLite {
		return store.OpenSQLite(ctx, lane, r.recorder)
	}
	if r.config.Redis == nil {
		return nil, errNoRedis
	}
	address, err := r.config.Redis.Address(ctx)
	if err != nil {
		return nil, err
	}
	return store.OpenRedis(ctx, address, lane, r.recorder)
}

// observeStores has the log told of what the stores do until ctx ends.
func (r *Run) observeStores(ctx context.Context, observers *sync.WaitGroup) {
	for _, s := range r.stores {
		observers.Go(func() { s.Run(ctx) })
	}
}

// syncStores has the log whole. Where a store does not answer in time it is not, as the
// lane's events say.
func (r *Run) syncStores(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, r.config.EndTimeout/10)
	defer cancel()
	for _, s := range r.stores {
		_ = s.Sync(ctx)
	}
}

// closeStores removes what the run has in the stores.
func (r *Run) closeStores(ctx context.Context) error {
	var errs []error
	for _, s := range r.stores {
		errs = append(errs, s.Close(ctx))
	}
	return errors.Join(errs...)
}
