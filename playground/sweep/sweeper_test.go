package sweep_test

import (
	"context"
	"errors"
	"path"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/sweep"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestMain(m *testing.M) { zktest.Main(m) }

// timeout bounds every wait of a test: long for a busy machine, and never
// waited for when all is well.
const timeout = time.Minute

// The names of playgrounds: of the one under test, of another that lives, and of one
// that is gone.
const own, living, gone = "ownownow", "livingaa", "gonegone"

// A house is a ZooKeeper, and a client that sees what is on it.
type house struct {
	*testing.T
	client *wire.Client
	server *zktest.Server
	base   string
}

func newHouse(t *testing.T, server *zktest.Server) *house {
	t.Helper()
	h := &house{T: t, server: server, base: server.Root(t) + "/base"}
	h.client = h.dial(30 * time.Second)
	return h
}

// dial opens a session that ends with the test.
func (h *house) dial(session time.Duration) *wire.Client {
	h.Helper()
	client, err := wire.Dial(h.within(), h.server.Address(), wire.Options{Timeout: session})
	if err != nil {
		h.Fatal(err)
	}
	h.Cleanup(client.Close)
	return client
}

func (h *house) within() context.Context {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(h.Context()), timeout)
	h.Cleanup(cancel)
	return ctx
}

// make makes znodes below the base.
func (h *house) make(nodes ...string) {
	h.Helper()
	for _, node := range nodes {
		if err := h.client.CreateAll(h.within(), path.Join(h.base, node)); err != nil {
			h.Fatal(err)
		}
	}
}

// start starts a sweeper that is quick, unless change says otherwise, and never looks
// without a reason. The test ends it.
func (h *house) start(name string, change ...func(*sweep.Config)) *sweep.Sweeper {
	h.Helper()
	config := sweep.Config{ZooKeeper: wire.Ensemble{Addresses: []string{h.server.Address()}}, Base: h.base, Name: name,
		InUse: func(string, string) bool { return true }, Session: 30 * time.Second, Grace: time.Millisecond, Every: time.Hour}
	for _, c := range change {
		c(&config)
	}
	s, err := sweep.Start(h.within(), config)
	if err != nil {
		h.Fatal(err)
	}
	return s
}

func (h *house) close(s *sweep.Sweeper) {
	h.Helper()
	if err := s.Close(h.within()); err != nil {
		h.Error(err)
	}
}

// below returns every znode below node that has no children.
func (h *house) below(node string) []string {
	h.Helper()
	names, _, err := h.client.Children(h.within(), path.Join(h.base, node))
	if errors.Is(err, wire.NoNode) {
		return nil
	}
	if err != nil {
		h.Fatal(err)
	}
	if len(names) == 0 {
		return []string{node}
	}
	var all []string
	for _, name := range names {
		all = append(all, h.below(path.Join(node, name))...)
	}
	slices.Sort(all)
	return all
}

// await waits until there are exactly these leaves below node.
func (h *house) await(node string, want ...string) {
	h.Helper()
	slices.Sort(want)
	var got []string
	defer func() {
		if h.Failed() {
			h.Logf("below %s: %s", node, cmp.Diff(want, got))
		}
	}()
	h.eventually("only what is to stay", func() bool {
		got = h.below(node)
		return slices.Equal(got, want)
	})
}

// eventually polls until condition holds.
func (h *house) eventually(what string, condition func() bool) {
	h.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for ctx := h.within(); !condition(); {
		select {
		case <-tick.C:
		case <-ctx.Done():
			h.Fatal("never: ", what)
		}
	}
}

// mustBeGone fails the test if there is a znode.
func (h *house) mustBeGone(node string) {
	h.Helper()
	if _, err := h.client.Exists(h.within(), path.Join(h.base, node)); !errors.Is(err, wire.NoNode) {
		h.Errorf("%q is left: %v, %q", node, err, h.below(node))
	}
}

func TestSweepRemovesWhatNobodyUses(t *testing.T) {
	h := newHouse(t, zktest.Start(t))
	other := h.start(living)
	h.make("rooms/main/"+gone+"-1/herd/lock-1", "rooms/main/"+gone+"-1/herd/lock-2", "rooms/main/"+gone+"-2", // of a killed one
		"rooms/headless/"+gone,                                          // of a killed playground run
		"rooms/main/"+living+"-1/herd/lock-1", "rooms/headless/"+living, // of one that lives
		"rooms/main/"+own+"-1/herd/lock-1", "rooms/main/"+own+"-2/herd/two", // its own
		"rooms/empty", "rooms/main/not-a-run", "rooms/main/strange", "elsewhere/"+gone+"-1") // and others
	s := h.start(own, func(c *sweep.Config) {
		c.InUse = func(room, run string) bool { return room == "main" && run == own+"-2" }
	})
	h.await("rooms", "rooms/headless/"+living, "rooms/main/"+living+"-1/herd/lock-1", "rooms/main/"+own+"-2/herd/two",
		"rooms/main/not-a-run", "rooms/main/strange")
	h.await("playgrounds", "playgrounds/"+living, "playgrounds/"+own)
	h.await("elsewhere", "elsewhere/"+gone+"-1")

	h.close(other) // and with it all of its own
	h.await("rooms", "rooms/main/"+own+"-2/herd/two", "rooms/main/not-a-run", "rooms/main/strange")
	h.close(s)
	h.await("rooms", "rooms/main/not-a-run", "rooms/main/strange")
	h.mustBeGone("playgrounds")
}

func TestCloseLeavesNothing(t *testing.T) {
	h := newHouse(t, zktest.Start(t))
	s := h.start(own)
	h.await("", "playgrounds/"+own)
	h.close(s)
	h.mustBeGone("")
}

// Of a killed playground the registration stays until its session expires.
func TestSweepAwaitsTheEndOfASession(t *testing.T) {
	h := newHouse(t, zktest.Start(t))
	h.make("rooms/main/"+gone+"-1/herd/lock-1", "playgrounds")
	killed := h.dial(time.Second)
	if err := killed.CreateEphemeral(h.within(), path.Join(h.base, "playgrounds", gone)); err != nil {
		t.Fatal(err)
	}
	s := h.start(own)
	h.await("playgrounds", "playgrounds/"+gone, "playgrounds/"+own)
	h.await("rooms", "rooms/main/"+gone+"-1/herd/lock-1")
	killed.Close()
	h.await("", "playgrounds/"+own)
	h.close(s)
	h.mustBeGone("")
}

// A registration that is missing for less than the grace costs nothing.
func TestSweepSparesWhoComesBack(t *testing.T) {
	h := newHouse(t, zktest.Start(t))
	var now, looks atomic.Int64
	s := h.start(own, func(c *sweep.Config) {
		c.Grace, c.Every = time.Hour, time.Millisecond
		c.Now = func() time.Time { looks.Add(1); return time.Unix(0, now.Load()) } // once a look
	})
	h.make("rooms/main/"+living+"-1/herd", "rooms/main/"+gone+"-1/herd")
	looked := func() { // begun and ended since the call
		before := looks.Load()
		h.eventually("two more looks", func() bool { return looks.Load() > before+2 })
	}
	looked()
	now.Store(int64(59 * time.Minute))
	looked()
	other := h.start(living, func(c *sweep.Config) { c.Grace = 24 * time.Hour })
	looked()
	now.Store(int64(61 * time.Minute))
	h.await("rooms", "rooms/main/"+living+"-1/herd")
	h.close(s)
	h.close(other)
	h.mustBeGone("")
}

// When its session has expired it registers again, in a new one; and when somebody
// deletes the registration.
func TestSweeperRegistersAgain(t *testing.T) {
	t.Parallel()
	h := newHouse(t, zktest.StartOwn(t, zkserver.Config{}))
	h.make("rooms/main/" + own + "-1/herd")
	gate := make(chan struct{}, 1)
	gate <- struct{}{} // one may pass
	s := h.start(own, func(c *sweep.Config) {
		c.Session = time.Second
		c.ZooKeeper.Ready = func(ctx context.Context) error {
			select {
			case <-gate:
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	})
	registration := path.Join(h.base, "playgrounds", own)
	before, err := h.client.Exists(h.within(), registration)
	if err != nil {
		t.Fatal(err)
	}
	h.server.Managed().Restart() // which ends its connection
	h.client = h.reconnect()
	h.await("playgrounds", "playgrounds")
	close(gate)
	h.await("playgrounds", "playgrounds/"+own)
	if now, err := h.client.Exists(h.within(), registration); err != nil || now.EphemeralOwner == before.EphemeralOwner {
		t.Errorf("%+v, %v; want it of another session than before", now, err)
	}

	if err := h.client.Delete(h.within(), registration); err != nil {
		t.Fatal(err)
	}
	h.await("", "playgrounds/"+own, "rooms/main/"+own+"-1/herd")
	h.close(s)
	h.mustBeGone("")
}

// reconnect opens a session once the server answers.
func (h *house) reconnect() *wire.Client {
	h.Helper()
	if err := zkserver.Ready(h.within(), h.server.Address()); err != nil {
		h.Fatal(err)
	}
	return h.dial(30 * time.Second)
}

// What is left where ZooKeeper was away in the end is found in the next session.
func TestCloseWithoutConnection(t *testing.T) {
	t.Parallel()
	h := newHouse(t, zktest.StartOwn(t, zkserver.Config{}))
	h.make("rooms/main/" + own + "-1/herd")
	s := h.start(own)
	h.server.Managed().Restart()
	h.client = h.reconnect()
	h.close(s)
	h.mustBeGone("")
}

func TestStartWithoutZooKeeper(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	_, err := sweep.Start(ctx, sweep.Config{ZooKeeper: wire.Ensemble{Addresses: []string{"127.0.0.1:1"}}, Base: "/base", Name: own})
	if !errors.Is(err, sweep.ErrNotRegistered) {
		t.Errorf("Start = %v, want %v", err, sweep.ErrNotRegistered)
	}
}
