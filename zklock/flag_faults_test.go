package zklock_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// opSetData is ZooKeeper's code of the operation that sets and empties a flag.
const opSetData = 5

// The reply to the set is lost: the flag is found set, once, by its guid.
func TestFlagLostReply(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	f := zklock.NewFlagLock(s, w.path)
	w.emptyFlag(w.setFlag(f))
	_, before := w.flag()
	lost := network.loseReply(opSetData)
	h := w.setFlag(f)
	receive(t, lost, "the loss")
	data, stat := w.flag()
	if data == "" || stat.Version != before.Version+1 {
		t.Errorf("flag %q at version %d, want one more than %d", data, stat.Version, before.Version)
	}
	if h.Token() != zklock.Token(stat.Mzxid) {
		t.Errorf("token %d, want %d", h.Token(), stat.Mzxid)
	}
	lost = network.loseReply(opSetData)
	w.emptyFlag(h)
	receive(t, lost, "the loss")
	if data, _ := w.flag(); data != "" {
		t.Errorf("the flag is left at %q", data)
	}
}

// A settingClient sets data in its own way.
type settingClient struct {
	*zk.Conn
	set func(path string, data []byte, version int32) (*zk.Stat, error)
}

func (c settingClient) Set(path string, data []byte, version int32) (*zk.Stat, error) {
	return c.set(path, data, version)
}

// The caller gives up when the flag is set and the reply is lost, at once or
// when the repeated request has been refused: nobody else would empty it.
func TestFlagGivenUpWhileSet(t *testing.T) {
	for name, last := range map[string]int64{"at once": 1, "after the refusal": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			record := newRecorder()
			ctx, cancel := context.WithCancel(zklock.WithTrace(t.Context(), record.trace()))
			defer cancel()
			var sets atomic.Int64
			f := zklock.NewFlagLock(w.bring(func(conn *zk.Conn) zklock.Client {
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
			}), w.path)
			if _, err := f.Lock(ctx); !errors.Is(err, context.Canceled) {
				t.Fatalf("Lock = %v, want Canceled", err)
			}
			record.await(t, "orphan-done failed=false", 1)
			if data, _ := w.flag(); data != "" {
				t.Errorf("the flag is left at %q", data)
			}
			if sets.Load() <= last {
				t.Error("the flag was never set")
			}
		})
	}
}

// The caller gives up before the request to set the flag is sent: when it is
// sent after all, it has no effect.
func TestFlagGivenUpBeforeSet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	record := newRecorder()
	ctx, cancel := context.WithCancel(zklock.WithTrace(t.Context(), record.trace()))
	defer cancel()
	proceed, refused := make(chan struct{}), make(chan error, 1)
	f := zklock.NewFlagLock(w.bring(func(conn *zk.Conn) zklock.Client {
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
	}), w.path)
	if _, err := f.Lock(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Lock = %v, want Canceled", err)
	}
	record.await(t, "orphan-done failed=false", 1)
	close(proceed)
	if err := receive(t, refused, "the late request"); !errors.Is(err, zk.ErrBadVersion) {
		t.Errorf("the late request got %v, want ErrBadVersion", err)
	}
}

// Unlock is given up while the server cannot be reached.
func TestFlagUnlockDisconnected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	h := w.setFlag(zklock.NewFlagLock(s, w.path))
	network.partition()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := h.Unlock(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("Unlock = %v, want the deadline's error", err)
	}
	network.cut() // the request is lost
	network.heal()
	eventually(t, "the flag is emptied", func() bool { data, _ := w.flag(); return data == "" })
}

// The flag is not lost with the session, and can be emptied in the next.
func TestFlagOutlivesSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(mortal)
	f := zklock.NewFlagLock(s, w.path)
	h := w.setFlag(f)
	waiting := w.waitForFlag(f)
	before := s.SessionID()
	w.sign(s)
	network.partition()
	receive(t, waiting.done, "Lock to return")
	if !errors.Is(waiting.err, zklock.ErrSessionLost) {
		t.Errorf("Lock = %v, want ErrSessionLost", waiting.err)
	}
	w.empties() // the server has ended the session
	network.heal()
	w.emptyFlag(h)
	if s.SessionID() == before {
		t.Error("the session survived")
	}
}

// sign makes a znode below the flag that goes with the session.
func (w *world) sign(s *zklock.Session) {
	w.Helper()
	if _, err := s.Client().Create(w.path+"/alive", nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll)); err != nil {
		w.Fatal(err)
	}
}

func TestFlagClosedSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.setFlag(zklock.NewFlagLock(w.dial(session), w.path))
	s := w.dial(session)
	waiting := w.waitForFlag(zklock.NewFlagLock(s, w.path))
	closeSession(t, s)
	receive(t, waiting.done, "Lock to return")
	if !errors.Is(waiting.err, zklock.ErrClosed) {
		t.Errorf("Lock = %v, want ErrClosed", waiting.err)
	}
	w.emptyFlag(h)
}
