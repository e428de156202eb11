package zkcli_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/zkcli"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A cable connects a client to a server, until it is pulled.
type cable struct {
	mu      sync.Mutex
	pulled  chan struct{} // open while nothing can be dialled; nil else
	current net.Conn
}

func (c *cable) dial(ctx context.Context, network, address string) (net.Conn, error) {
	c.mu.Lock()
	pulled := c.pulled
	c.mu.Unlock()
	if pulled != nil {
		select {
		case <-pulled:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current = conn
	return conn, err
}

// pull breaks the connection and lets no new one through until it is plugged in again.
func (c *cable) pull() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pulled = make(chan struct{})
	c.current.Close()
}

func (c *cable) plug() {
	c.mu.Lock()
	defer c.mu.Unlock()
	close(c.pulled)
	c.pulled = nil
}

// A listener keeps what a client tells.
type listener chan zkcli.Event

func (l listener) tell(e zkcli.Event) { l <- e }

// want waits for the next events.
func (l listener) want(t *testing.T, want ...zkcli.Event) {
	t.Helper()
	var got []zkcli.Event
	for range want {
		select {
		case e := <-l:
			got = append(got, e)
		case <-within(t, timeout).Done():
			t.Fatalf("told %v, then nothing; want %v", got, want)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("told -want +got:\n%s", diff)
	}
}

var openACL = zk.WorldACL(zk.PermAll)

func session(state string) zkcli.Event { return zkcli.Event{State: state, Type: "None"} }

func watched(kind, path string) zkcli.Event {
	return zkcli.Event{State: "SyncConnected", Type: kind, Path: path}
}

// newClient makes a client on a cable, which is closed when the test ends.
func newClient(t *testing.T, server string, sessionTimeout time.Duration) (*zkcli.Client, *cable, listener) {
	t.Helper()
	wire, told := &cable{}, make(listener, 100)
	c := zkcli.NewClient(zkcli.ClientOptions{Servers: []string{server}, Timeout: sessionTimeout, DialContext: wire.dial, OnEvent: told.tell})
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		if err := c.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	told.want(t, session("SyncConnected"))
	return c, wire, told
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestClientGoesOnAfterLostConnection(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	root, other, ctx := server.Root(t), server.Conn(t), within(t, timeout)
	c, cable, told := newClient(t, server.Address(), zkcli.DefaultTimeout)
	if err := c.AddAuth(ctx, "digest", []byte("me:secret")); err != nil {
		t.Fatal(err)
	}
	ephemeral := must[string](t)(c.Create(ctx, wire.NewNode{Path: root + "/e", ACL: wire.OpenACL(), Mode: wire.Ephemeral}))
	_, _, err := c.Children(ctx, root, true)
	must[any](t)(nil, err)
	_, err = c.Exists(ctx, root+"/later", true)
	if !errors.Is(err, wire.NoNode) {
		t.Fatalf("Exists = %v", err)
	}
	must[any](t)(nil, c.AddWatch(ctx, root+"/e", false))

	cable.pull()
	told.want(t, session("Disconnected"))
	must[string](t)(other.Create(root+"/later", nil, 0, openACL))
	answered := make(chan error, 1)
	go func() { answered <- c.Sync(ctx, root) }() // waits for the attempt that is under way
	cable.plug()
	told.want(t, session("SyncConnected"))
	if err := <-answered; err != nil {
		t.Errorf("what was asked meanwhile: %v", err)
	}
	events := []zkcli.Event{<-told, <-told} // in no order: they fired while nobody listened
	if !slices.Contains(events, watched("NodeCreated", root+"/later")) || !slices.Contains(events, watched("NodeChildrenChanged", root)) {
		t.Errorf("told after the reconnect: %v", events)
	}
	var who []wire.ClientInfo
	var list []string
	must[any](t)(nil, c.Do(ctx, func(conn *wire.Client) (err error) {
		if who, err = conn.WhoAmI(ctx); err == nil {
			list, err = conn.Ephemerals(ctx, root)
		}
		return err
	}))
	if !slices.Contains(who, wire.ClientInfo{Scheme: "digest", User: "me"}) {
		t.Errorf("after the reconnect it is %v", who)
	}
	if !slices.Equal(list, []string{ephemeral}) {
		t.Errorf("its ephemerals are %q", list)
	}
	must[any](t)(other.Set(root+"/e", []byte("x"), -1))
	told.want(t, watched("NodeDataChanged", root+"/e"))
	must[any](t)(nil, c.RemoveWatches(ctx, root+"/e", wire.AnyWatcher, false))
	told.want(t, watched("PersistentWatchRemoved", root+"/e"))
}

func TestClientEndsWithItsSession(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	root, other, ctx := server.Root(t), server.Conn(t), within(t, timeout)
	c, cable, told := newClient(t, server.Address(), time.Second)
	ephemeral := must[string](t)(c.Create(ctx, wire.NewNode{Path: root + "/e", ACL: wire.OpenACL(), Mode: wire.Ephemeral}))
	exists, _, gone, err := other.ExistsW(ephemeral)
	if !exists || err != nil {
		t.Fatalf("the ephemeral is there: %t, %v", exists, err)
	}
	cable.pull()
	told.want(t, session("Disconnected"))
	<-gone
	cable.plug()
	told.want(t, session("Expired"))
	if c.State() != zkcli.Closed {
		t.Errorf("State = %s", c.State())
	}
	if err := c.Sync(ctx, "/"); !errors.Is(err, wire.SessionExpired) {
		t.Errorf("Sync = %v", err)
	}
}

func TestClientWithoutServer(t *testing.T) {
	t.Parallel()
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := nobody.Addr().String()
	nobody.Close()
	told := make(listener, 100)
	c := zkcli.NewClient(zkcli.ClientOptions{Servers: []string{address}, OnEvent: told.tell})
	if err := c.Sync(within(t, timeout), "/"); !errors.Is(err, wire.ConnectionLoss) {
		t.Errorf("Sync = %v", err)
	}
	if c.State() != zkcli.Connecting {
		t.Errorf("State = %s", c.State())
	}
	if err := c.Close(within(t, timeout)); err != nil || c.State() != zkcli.Closed {
		t.Errorf("Close = %v, then %s", err, c.State())
	}
	told.want(t, session("Closed")) // nothing was connected, so nothing was lost
}

func TestClientTakesServerThatAnswers(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := nobody.Addr().String()
	nobody.Close()
	told := make(listener, 100)
	c := zkcli.NewClient(zkcli.ClientOptions{Servers: []string{address, server.Address()}, OnEvent: told.tell})
	defer c.Abandon()
	if err := c.Sync(within(t, timeout), "/"); err != nil {
		t.Errorf("Sync = %v", err)
	}
	if err := c.Close(within(t, timeout)); err != nil {
		t.Error(err)
	}
	told.want(t, session("SyncConnected"), session("Closed"))
}

// TestClientClosesWhenItsTimeIsUp: what cannot be closed is left, and not waited for.
func TestClientClosesWhenItsTimeIsUp(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	c, cable, told := newClient(t, server.Address(), zkcli.DefaultTimeout)
	cable.pull()
	told.want(t, session("Disconnected"))
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Close(over); !errors.Is(err, context.Canceled) {
		t.Errorf("Close = %v", err)
	}
	told.want(t, session("Closed"))
}

// TestStateIsThereWhenItIsTold: who hears that a session is connected, and then looks,
// finds it so, however quick they are.
func TestStateIsThereWhenItIsTold(t *testing.T) {
	server := zktest.Start(t)
	told, looked := make(chan struct{}), make(chan struct{})
	client := zkcli.NewClient(zkcli.ClientOptions{Servers: []string{server.Address()}, OnEvent: func(e zkcli.Event) {
		if e.State == "SyncConnected" {
			told <- struct{}{}
			<-looked
		}
	}})
	<-told
	if got := client.State(); got != zkcli.Connected {
		t.Errorf("the state is %s", got)
	}
	close(looked)
	if err := client.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
