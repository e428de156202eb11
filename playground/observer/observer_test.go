package observer_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/observer"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A recorder has the log of clients that a server ahead of the observer's has answered.
type recorder struct {
	answered func() int64

	mu    sync.Mutex
	kinds []event.Kind
}

func (r *recorder) Record(e event.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kinds = append(r.kinds, e.Kind)
}

func (r *recorder) Len() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return int64(len(r.kinds))
}

func (r *recorder) Now() int64  { return time.Hour.Microseconds() }
func (r *recorder) Zxid() int64 { return r.answered() }

// TestSyncWaitsForWhatClientsKnow: a leader answers a sync although it lacks a change of
// which a follower has told a client. The log is not said to be whole before that is in it.
func TestSyncWaitsForWhatClientsKnow(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	client, err := wire.Dial(ctx, server.Address(), wire.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.CreateAll(ctx, root+"/lane"); err != nil {
		t.Fatal(err)
	}
	next := client.Zxid() + 10 // far enough for the observer's own transactions
	asked := make(chan struct{})
	r := &recorder{answered: sync.OnceValue(func() int64 { close(asked); return next })}
	o := observer.New(observer.Config{ZooKeeper: wire.Ensemble{Addresses: []string{server.Address()}}, Root: root,
		Lanes: []event.Lane{{Name: "lane", Root: root + "/lane", Path: root + "/lane/lock"}}, Recorder: r, CloseTimeout: time.Minute})
	observing, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { o.Run(observing) })
	defer running.Wait()
	defer stop()

	select {
	case <-asked:
	case <-ctx.Done():
		t.Fatal("the observer does not ask what clients know")
	}
	for client.Zxid() < next {
		if err := client.Create(ctx, root+"/lane/mine"); err != nil {
			t.Fatal(err)
		}
		if err := client.Delete(ctx, root+"/lane/mine"); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.Sync(ctx); err != nil {
		t.Fatal(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if synced, deleted := slices.Index(r.kinds, event.TreeSynced), slices.Index(r.kinds, event.TreeDeleted); deleted < 0 || synced < deleted {
		t.Errorf("the log is said to be whole before it has the change: %v", r.kinds)
	}
}
