package wire_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// timeout is for what must happen.
const timeout = time.Minute

// lasting is the timeout of sessions that are to outlive their test.
const lasting = 30 * time.Second

func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// dial opens a client with a session that lasts unless told, which is closed when the test ends.
func dial(t *testing.T, address string, o wire.Options) *wire.Client {
	t.Helper()
	if o.Timeout == 0 {
		o.Timeout = lasting
	}
	c, err := wire.Dial(within(t, timeout), address, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestClientReadsAndWrites(t *testing.T) {
	server := zktest.Start(t)
	root, conn := server.Root(t), server.Conn(t)
	_, err := conn.Create(root+"/data", []byte("hello"), zk.FlagEphemeral, zk.WorldACL(zk.PermAll))
	must(t, err)
	c, ctx := dial(t, server.Address(), wire.Options{}), within(t, timeout)
	must(t, c.Ping(ctx))
	before := c.Zxid()
	must(t, c.Create(ctx, root+"/made"))
	must(t, c.Sync(ctx, root))
	if after := c.Zxid(); before == 0 || after <= before {
		t.Errorf("the server has transaction %#x before a write, %#x after it", before, after)
	}

	names, stat, err := c.Children(ctx, root)
	slices.Sort(names)
	if err != nil || !slices.Equal(names, []string{"data", "made"}) || stat.NumChildren != 2 {
		t.Errorf("Children = %q, %+v, %v", names, stat, err)
	}
	data, stat, err := c.GetData(ctx, root+"/data")
	if err != nil || string(data) != "hello" || stat.EphemeralOwner != conn.SessionID() || stat.DataLength != 5 {
		t.Errorf("GetData = %q, %+v, %v", data, stat, err)
	}
	again, err := c.Exists(ctx, root+"/data")
	if err != nil || again != stat || stat.Czxid == 0 || stat.Ctime == 0 {
		t.Errorf("Exists = %+v, %v; want %+v", again, err, stat)
	}
	must(t, c.Delete(ctx, root+"/made"))
}

func TestClientTellsErrorsApart(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	c, ctx := dial(t, server.Address(), wire.Options{}), within(t, timeout)
	must(t, c.Create(ctx, root+"/a"))
	must(t, c.Create(ctx, root+"/a/b"))
	_, existsErr := c.Exists(ctx, root+"/none")
	_, _, childrenErr := c.Children(ctx, root+"/none")
	tests := []struct {
		name string
		err  error
		want wire.Code
	}{
		{"exists", existsErr, wire.NoNode},
		{"children", childrenErr, wire.NoNode},
		{"create there", c.Create(ctx, root+"/a"), wire.NodeExists},
		{"create without parent", c.Create(ctx, root+"/none/x"), wire.NoNode},
		{"delete a parent", c.Delete(ctx, root+"/a"), wire.NotEmpty},
	}
	for _, tt := range tests {
		if !errors.Is(tt.err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, tt.err, tt.want)
		}
	}
}

// TestClientKeepsTheOrder relies on what an observer relies on: the events of
// all that was done before a reply have been handed over with the reply.
func TestClientKeepsTheOrder(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	var events []string // read only after a reply
	c := dial(t, server.Address(), wire.Options{OnEvent: func(e wire.WatchEvent) {
		events = append(events, strings.TrimPrefix(e.Type, "Node")+strings.TrimPrefix(e.Path, root))
	}})
	ctx := within(t, timeout)
	must(t, c.AddWatch(ctx, root, true))
	var want []string
	for range 50 {
		must(t, c.Create(ctx, root+"/n"))
		must(t, c.Delete(ctx, root+"/n"))
		want = append(want, "Created/n", "Deleted/n")
		if !slices.Equal(events, want) {
			t.Fatalf("after %d writes the events are %q", len(want), events)
		}
	}
}

func TestClientPersistentWatch(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	var events []string
	c := dial(t, server.Address(), wire.Options{OnEvent: func(e wire.WatchEvent) {
		events = append(events, e.Type)
	}})
	ctx := within(t, timeout)
	must(t, c.AddWatch(ctx, root+"/later", false))
	must(t, c.Create(ctx, root+"/later"))
	must(t, c.Create(ctx, root+"/later/child"))
	must(t, c.Create(ctx, root+"/later/child/deep"))
	want := []string{wire.NodeCreated, wire.NodeChildrenChanged}
	if !slices.Equal(events, want) {
		t.Errorf("events %q, want %q", events, want)
	}
}

func TestClientPingsByItself(t *testing.T) {
	t.Parallel()
	const session = 6 * time.Second // a machine may stand still for a third of it
	server := zktest.Start(t)
	c := dial(t, server.Address(), wire.Options{Timeout: session})
	if _, _, timeout := c.Session(); timeout != session {
		t.Fatalf("granted %v", timeout)
	}
	select {
	case <-c.Done():
		t.Errorf("an idle client ended: %v", c.Err())
	case <-time.After(session * 3 / 2):
	}
	must(t, c.Ping(within(t, timeout)))
}

func TestClientAttachesToItsSession(t *testing.T) {
	server := zktest.Start(t)
	first := dial(t, server.Address(), wire.Options{})
	id, password, _ := first.Session()
	first.Close()
	second := dial(t, server.Address(), wire.Options{SessionID: id, Password: password})
	if got, _, _ := second.Session(); got != id {
		t.Errorf("attached to %#x, want %#x", got, id)
	}
	must(t, second.CloseSession(within(t, timeout)))
	_, err := wire.Dial(within(t, timeout), server.Address(), wire.Options{SessionID: id, Password: password})
	if !errors.Is(err, wire.SessionExpired) {
		t.Errorf("attach to a closed session: %v, want SessionExpired", err)
	}
}

func TestExpireEndsASession(t *testing.T) {
	server := zktest.Start(t)
	victim := dial(t, server.Address(), wire.Options{})
	id, password, _ := victim.Session()
	ctx := within(t, timeout)
	must(t, wire.Expire(ctx, server.Address(), id, password))
	select {
	case <-victim.Done():
	case <-ctx.Done():
		t.Error("the victim's connection lives on")
	}
	if err := wire.Expire(ctx, server.Address(), id, password); !errors.Is(err, wire.SessionExpired) {
		t.Errorf("once more: %v, want SessionExpired", err)
	}
}

func TestClientEndsWithItsReason(t *testing.T) {
	server := zktest.Start(t)
	c := dial(t, server.Address(), wire.Options{})
	c.Close()
	c.Close()
	if err := c.Ping(t.Context()); !errors.Is(err, wire.ErrClientClosed) || !errors.Is(c.Err(), wire.ErrClientClosed) {
		t.Errorf("a closed client: %v and %v, want ErrClientClosed", err, c.Err())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := dial(t, server.Address(), wire.Options{}).Ping(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: %v, want context.Canceled", err)
	}
}

// listenMute accepts connections and never says anything.
func listenMute(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	return l.Addr().String() // the kernel accepts: nobody needs to
}

func TestDialGivesUp(t *testing.T) {
	address := listenMute(t)
	_, err := wire.Dial(within(t, 50*time.Millisecond), address, wire.Options{})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("dial of a mute server: %v, want DeadlineExceeded", err)
	}
}
