package chaos

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// An injector does the faults of a plan to clients and to servers: several at
// a time, but never two to one client. Each fault is undone when it is over.
type injector struct {
	serverFaults []ServerFault
	clients      []*client
	history      *History

	mu     sync.Mutex
	busy   map[int]bool // by the client's number, 0 for the servers
	failed []error
}

// run injects the faults of a plan until ctx ends, and then undoes all.
func (i *injector) run(ctx context.Context, p *plan) {
	var active sync.WaitGroup
	defer active.Wait()
	for {
		f, wait := p.next()
		if !pause(ctx, wait) {
			return
		}
		if i.reserve(&f) {
			active.Go(func() { i.inject(ctx, f) })
		}
	}
}

// reserve finds a client that has no fault, from the planned one on, and keeps
// other faults away from it. It reports false when there is none.
func (i *injector) reserve(f *Fault) bool {
	holder := i.history.holder()
	i.mu.Lock()
	defer i.mu.Unlock()
	if f.OnHolder && holder > 0 {
		f.Client = holder
	}
	for range i.clients {
		if !i.busy[f.Client] {
			i.busy[f.Client] = true
			return true
		}
		if f.Client > 0 {
			f.Client = f.Client%len(i.clients) + 1
		}
	}
	return false
}

// inject does one fault from its beginning to its end.
func (i *injector) inject(ctx context.Context, f Fault) {
	f.From = i.history.Now()
	err := i.do(ctx, &f)
	f.To = i.history.Now()
	if !errors.Is(err, context.Canceled) { // it was too late
		i.history.Injected(f)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.busy, f.Client)
	if err != nil && ctx.Err() == nil {
		i.failed = append(i.failed, fmt.Errorf("%s: %w", f.Kind, err))
	}
}

func (i *injector) do(ctx context.Context, f *Fault) error {
	for _, fault := range i.serverFaults {
		if fault.Kind == f.Kind {
			return fault.Inject(ctx, f.Length)
		}
	}
	for _, kind := range faultKinds {
		if kind.name == f.Kind {
			kind.inject(i.clients[f.Client-1], ctx, f)
		}
	}
	return nil
}

// wait returns when c is closed, and reports false if ctx ended the wait.
func wait(ctx context.Context, c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	case <-ctx.Done():
		return false
	}
}

// pause waits, and reports false if ctx ended the wait.
func pause(ctx context.Context, length time.Duration) bool {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
