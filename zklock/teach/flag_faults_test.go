package teach_test

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/teach"
)

// An outage is a network that is down until it is up again. It is used as a zk.Dialer.
type outage struct {
	mu    sync.Mutex
	down  bool
	conns []net.Conn
}

func (o *outage) dial(kind, address string, timeout time.Duration) (net.Conn, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.down {
		return nil, errors.New("no route")
	}
	conn, err := net.DialTimeout(kind, address, timeout)
	if err == nil {
		o.conns = append(o.conns, conn)
	}
	return conn, err
}

// begin breaks all connections, and end lets there be new ones.
func (o *outage) begin() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.down = true
	for _, conn := range o.conns {
		conn.Close()
	}
}

func (o *outage) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.down = false
}

// A settingClient sets data in its own way.
type settingClient struct {
	*zk.Conn
	set func(path string, data []byte, version int32) (*zk.Stat, error)
}

func (c settingClient) Set(path string, data []byte, version int32) (*zk.Stat, error) {
	return c.set(path, data, version)
}

// The replies to the requests that set and empty the flag are lost: it is set once,
// and empty afterwards.
func TestFlagLostReplies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var sets atomic.Int64
	f := teach.NewFlagLock(w.bring(func(conn *zk.Conn) zklock.Client {
		return settingClient{conn, func(path string, data []byte, version int32) (*zk.Stat, error) {
			stat, err := conn.Set(path, data, version)
			if sets.Add(1)%2 == 1 {
				return nil, zk.ErrConnectionClosed
			}
			return stat, err
		}}
	}), w.path, nil)
	h := w.set(f)
	data, stat := w.flag()
	if data == "" || stat.Version != 1 || h.Token() != zklock.Token(stat.Mzxid) {
		t.Errorf("flag %q at version %d, token %d; want version 1 and token %d", data, stat.Version, h.Token(), stat.Mzxid)
	}
	w.empty(h)
	if data, _ := w.flag(); data != "" || sets.Load() != 4 {
		t.Errorf("the flag is left at %q after %d requests, want none after 4", data, sets.Load())
	}
}

// The caller gives up when the flag is set and the reply is lost, at once or
// when the repeated request has been refused: nobody else would empty it.
func TestFlagGivenUpWhileSet(t *testing.T) {
	for name, last := range map[string]int64{"at once": 1, "after the refusal": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var sets atomic.Int64
			f := teach.NewFlagLock(w.bring(func(conn *zk.Conn) zklock.Client {
				return settingClient{conn, func(path string, data []byte, version int32) (*zk.Stat, error) {
					stat, err := conn.Set(path, data, version)
					n := sets.Add(1)
					if n == last {
						cancel()
					}
					if n == 1 {
						return nil, zk.ErrConnectionClosed
					}
					return stat, err
				}}
			}), w.path, nil)
			if _, err := f.Lock(ctx); !errors.Is(err, context.Canceled) {
				t.Fatalf("Lock = %v, want Canceled", err)
			}
			f.Wait()
			if data, stat := w.flag(); data != "" || stat.Version < 2 {
				t.Errorf("the flag is left at %q, version %d", data, stat.Version)
			}
		})
	}
}

// The caller gives up before the request to set the flag is sent: when it is
// sent after all, it has no effect.
func TestFlagGivenUpBeforeSet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	proceed, refused := make(chan struct{}), make(chan error, 1)
	f := teach.NewFlagLock(w.bring(func(conn *zk.Conn) zklock.Client {
		return settingClient{conn, func(path string, data []byte, version int32) (*zk.Stat, error) {
			if len(data) == 0 {
				return conn.Set(path, data, version)
			}
			cancel()
			<-proceed
			stat, err := conn.Set(path, data, version)
			refused <- err
			return stat, err
		}}
	}), w.path, nil)
	if _, err := f.Lock(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Lock = %v, want Canceled", err)
	}
	f.Wait()
	close(proceed)
	if err := receive(t, refused, "the late request"); !errors.Is(err, zk.ErrBadVersion) {
		t.Errorf("the late request got %v, want ErrBadVersion", err)
	}
}

// The caller gives up while a read is under way: what that brings comes too late to
// matter.
func TestFlagGivenUpWhileReading(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.set(teach.NewFlagLock(w.dial(session), w.path, nil))
	for range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		f := teach.NewFlagLock(w.bring(func(conn *zk.Conn) zklock.Client {
			return readingClient{conn, cancel}
		}), w.path, nil)
		if _, err := f.Lock(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("Lock = %v, want Canceled", err)
		}
	}
}

// A readingClient has its caller give up before it reads.
type readingClient struct {
	*zk.Conn
	giveUp func()
}

func (c readingClient) GetW(path string) ([]byte, *zk.Stat, <-chan zk.Event, error) {
	c.giveUp()
	return c.Conn.GetW(path)
}

// Unlock is given up while the server cannot be reached.
func TestFlagUnlockDisconnected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	network := new(outage)
	f := teach.NewFlagLock(w.dial(session, zklock.WithDialer(network.dial)), w.path, nil)
	h := w.set(f)
	network.begin()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := h.Unlock(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("Unlock = %v, want the deadline's error", err)
	}
	if data, _ := w.flag(); data == "" {
		t.Fatal("the flag is empty during the outage")
	}
	network.end()
	f.Wait()
	if data, _ := w.flag(); data != "" {
		t.Errorf("the flag is left at %q", data)
	}
}

// The second lesson: the flag of a client whose session has ended stays, and only that
// client, or a human, can tell that it is stale.
func TestFlagOutlivesSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	network := new(outage)
	s := w.dial(mortal, zklock.WithDialer(network.dial))
	h := w.set(teach.NewFlagLock(s, w.path, nil))
	before := s.SessionID()
	const alive = "/alive" // goes with the session
	if _, err := s.Client().Create(w.path+alive, nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll)); err != nil {
		t.Fatal(err)
	}
	network.begin()
	w.eventually("the session has ended", func() bool {
		found, _, err := w.conn.Exists(w.path + alive)
		return err == nil && !found
	})
	other := w.dial(session)
	waiting := w.waitForFlag(other)
	if _, err := waiting.lock.TryLock(w.soon()); !errors.Is(err, zklock.ErrHeld) {
		t.Errorf("TryLock = %v, want ErrHeld", err)
	}
	network.end()
	w.empty(h) // in the next session
	if s.SessionID() == before {
		t.Error("the session survived")
	}
	if receive(t, waiting.done, "the lock"); waiting.err != nil {
		t.Fatal(waiting.err)
	}
	w.empty(waiting.hold)
}

func TestFlagClosedSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.set(teach.NewFlagLock(w.dial(session), w.path, nil))
	s := w.dial(session)
	waiting := w.waitForFlag(s)
	w.close(s)
	if receive(t, waiting.done, "Lock to return"); !errors.Is(waiting.err, zklock.ErrClosed) {
		t.Errorf("Lock = %v, want ErrClosed", waiting.err)
	}
	w.empty(h)
}

// A watchingClient counts the watches on data.
type watchingClient struct {
	*zk.Conn
	watches atomic.Int64
}

func (c *watchingClient) GetW(path string) ([]byte, *zk.Stat, <-chan zk.Event, error) {
	c.watches.Add(1)
	return c.Conn.GetW(path)
}

// Those who wait for a flag share a watch, also when they give up: go-zookeeper keeps
// each until the flag changes. That wakes all of them.
func TestFlagSharesAWatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	client := new(watchingClient)
	s := w.bring(func(c *zk.Conn) zklock.Client { client.Conn = c; return client })
	holder := w.set(teach.NewFlagLock(w.dial(session), w.path, nil))
	waits := make(chan struct{}, 100)
	f := teach.NewFlagLock(s, w.path, &zklock.Trace{WaitStart: func(zklock.WaitStartInfo) { waits <- struct{}{} }})
	var waiting []*waiter
	for range 10 {
		a := &waiter{lock: f, done: make(chan struct{})}
		a.begin(w)
		receive(t, waits, "the wait")
		waiting = append(waiting, a)
	}
	for _, a := range waiting[2:] {
		a.cancel()
		<-a.done
	}
	if n := client.watches.Load(); n != 1 {
		t.Errorf("%d watches, want 1", n)
	}
	w.empty(holder)
	for range 2 {
		w.empty(w.whoever(waiting[:2]))
	}
	if n := client.watches.Load(); n > 5 {
		t.Errorf("%d watches after the changes, want 5 at most", n)
	}
}
