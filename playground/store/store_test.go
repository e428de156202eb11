package store_test

import (
	"context"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/store"
	"github.com/zkplayground/zkplayground/playground/store/redisserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var lane = event.Lane{Name: "some-lane", Path: "/root/some-lane/lock"}

// A log keeps what a store tells, and lets a test wait for it.
type log struct {
	began time.Time
	news  chan struct{} // has something when there may be more

	mu     sync.Mutex
	events []event.Event
}

func newLog() *log { return &log{began: time.Now(), news: make(chan struct{}, 1)} }

func (l *log) Now() int64 { return time.Since(l.began).Microseconds() }

func (l *log) Record(e event.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
	select {
	case l.news <- struct{}{}:
	default:
	}
}

// changes are the events but for those that say that all is told.
func (l *log) changes() (changes []event.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.events {
		if e.Kind != event.TreeSynced {
			changes = append(changes, e)
		}
	}
	return changes
}

// each opens every kind of store, with how a lock is taken there, looked up and freed.
func each(t *testing.T, test func(t *testing.T, s store.Store, l *log, take, free func(holder string) []any)) {
	key := store.Key(lane)
	t.Run("sqlite", func(t *testing.T) {
		l := newLog()
		s, err := store.OpenSQLite(t.Context(), lane, l)
		if err != nil {
			t.Fatal(err)
		}
		observed(t, s, l, test, func(holder string) []any {
			return []any{"SQL", "INSERT INTO locks (name, holder) VALUES (?, ?)", key, holder}
		}, func(holder string) []any {
			return []any{"SQL", "DELETE FROM locks WHERE name = ? AND holder = ?", key, holder}
		})
	})
	t.Run("redis", func(t *testing.T) {
		own, l := redisserver.NewOnDemand(os.Getenv), newLog()
		t.Cleanup(func() { _ = own.Stop(context.Background()) })
		address, err := own.Address(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s, err := store.OpenRedis(t.Context(), address, lane, l)
		if err != nil {
			t.Fatal(err)
		}
		observed(t, s, l, test, func(holder string) []any { return []any{"SET", key, holder, "NX", "PX", 60_000} },
			func(string) []any { return []any{"DEL", key} })
	})
}

func observed(t *testing.T, s store.Store, l *log, test func(*testing.T, store.Store, *log, func(string) []any, func(string) []any), take, free func(string) []any) {
	observing, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { s.Run(observing) })
	test(t, s, l, take, free)
	stop()
	running.Wait()
	if err := s.Close(context.Background()); err != nil {
		t.Error("close: ", err)
	}
}

func connect(t *testing.T, s store.Store) *store.Conn {
	c := store.Connect(func() (net.Conn, error) { return s.DialContext(context.Background(), "tcp", "") }, func(bool) {})
	t.Cleanup(func() { c.Close(); c.Wait() })
	return c
}

// TestStoreTellsWhoHas: who takes the lock, that nobody else can, and who frees it, in
// the store's own words.
func TestStoreTellsWhoHas(t *testing.T) {
	each(t, func(t *testing.T, s store.Store, l *log, take, free func(string) []any) {
		if err := s.Await(t.Context()); err != nil {
			t.Fatal(err)
		}
		first, second := connect(t, s), connect(t, s)
		must := func(_ any, err error) {
			t.Helper()
			if err == nil {
				err = s.Sync(t.Context())
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		must(first.Do(t.Context(), take(store.HolderOf("some-lane-2", "a"))...))
		if _, err := second.Do(t.Context(), take(store.HolderOf("some-lane-3-2", "b"))...); !store.Refused(err) {
			t.Errorf("a second one got %v", err)
		}
		must(first.Do(t.Context(), free(store.HolderOf("some-lane-2", "a"))...))
		must(second.Do(t.Context(), take(store.HolderOf("some-lane-3-2", "b"))...))
		if deleted, err := s.Delete(t.Context()); !deleted || err != nil {
			t.Errorf("the operator deleted: %v, %v", deleted, err)
		}
		if deleted, err := s.Delete(t.Context()); deleted || err != nil {
			t.Errorf("the operator deleted once more: %v, %v", deleted, err)
		}
		if err := s.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := []event.Event{
			{Kind: event.TreeCreated, Client: 2, Cause: "client"},
			{Kind: event.TreeDeleted, Client: 2, Cause: "client"},
			{Kind: event.TreeCreated, Client: 3, Cause: "client"},
			{Kind: event.TreeDeleted, Client: 3, Cause: "outsider"},
		}
		got := l.changes()
		if len(got) != len(want) {
			t.Fatalf("the store told %+v", got)
		}
		for i, e := range got {
			if e.Kind != want[i].Kind || e.Client != want[i].Client || e.Cause != want[i].Cause || e.Lane != lane.Name || e.Path != store.Key(lane) {
				t.Errorf("event %d is %+v, want %+v", i, e, want[i])
			}
		}
	})
}

// TestKeyExpires by itself, and Redis tells so.
func TestKeyExpires(t *testing.T) {
	own, l := redisserver.NewOnDemand(os.Getenv), newLog()
	t.Cleanup(func() { _ = own.Stop(context.Background()) })
	address, err := own.Address(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.OpenRedis(t.Context(), address, lane, l)
	if err != nil {
		t.Fatal(err)
	}
	observed(t, s, l, func(t *testing.T, s store.Store, l *log, take, _ func(string) []any) {
		if err := s.Await(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, err := connect(t, s).Do(t.Context(), take("some-lane-1/a")...); err != nil {
			t.Fatal(err)
		}
		for len(l.changes()) < 2 {
			<-l.news
		}
		if gone := l.changes()[1]; gone.Kind != event.TreeDeleted || gone.Cause != "expiry" || gone.Client != 1 {
			t.Errorf("the key went as %+v", gone)
		}
	}, func(holder string) []any { return []any{"SET", store.Key(lane), holder, "NX", "PX", 50} }, nil)
}
