package locks_test

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// contenders returns the queue as s sees it.
func (w *world) contenders(s *zklock.Session) []zklock.Contender {
	w.Helper()
	found, err := contenders(w.within(), s, w.path)
	if err != nil {
		w.Fatal(err)
	}
	return found
}

// put makes znodes below the lock directory, with their number as data.
func (w *world) put(names ...string) {
	w.Helper()
	if _, err := w.conn.Create(w.path, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
		w.Fatal(err)
	}
	for i, name := range names {
		data := fmt.Append(nil, i)
		if _, err := w.conn.Create(w.path+"/"+name, data, zk.FlagEphemeral, zk.WorldACL(zk.PermAll)); err != nil {
			w.Fatal(err)
		}
	}
}

func TestContenders(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first, second := w.dial(session), w.dial(session)
	holder := w.lock(newMutex(first, w.path, zklock.WithData([]byte("one"))))
	waiter := w.startLock(newMutex(second, w.path, zklock.WithData([]byte("two"))))
	found := w.contenders(first)
	if len(found) != 2 {
		t.Fatalf("%d contenders, want 2: %+v", len(found), found)
	}
	for i, want := range []struct {
		data    string
		session int64
		holder  bool
	}{{"one", first.SessionID(), true}, {"two", second.SessionID(), false}} {
		c := found[i]
		_, stat, err := w.conn.Exists(c.Node)
		if err != nil {
			t.Fatal(err)
		}
		if string(c.Data) != want.data || c.SessionID != want.session || c.Holder != want.holder ||
			c.Mode != zklock.ModeWrite || !c.Since.Equal(time.UnixMilli(stat.Ctime)) {
			t.Errorf("contender %d is %+v, want %+v", i, c, want)
		}
	}
	if found[0].Node != holder.Node() || found[0].Token != holder.Token() || found[0].Sequence >= found[1].Sequence {
		t.Errorf("found %+v, want %s first", found, holder.Node())
	}
	w.unlock(holder)
	lease := waiter.held(t)
	if found = w.contenders(second); len(found) != 1 || !found[0].Holder || found[0].Token != lease.Token() {
		t.Errorf("after the hand-over: %+v", found)
	}
	w.unlock(lease)
	if found = w.contenders(second); len(found) != 0 {
		t.Errorf("after the end: %+v", found)
	}
}

// Readers before the first writer hold together.
func TestContendersOfRWMutex(t *testing.T) {
	const r, wr, l = "__READ__", "__WRIT__", "lock-"
	tests := map[string]struct {
		queue   []string
		holders int
	}{
		"readers":              {[]string{r, r, r}, 3},
		"a writer in between":  {[]string{r, r, wr, r, r}, 2},
		"a writer first":       {[]string{wr, r, r}, 1},
		"a mutex in between":   {[]string{r, l, r}, 1},
		"a mutex first":        {[]string{l, wr, l}, 1},
		"another's in between": {[]string{r, "__lock__", r}, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			var names []string
			for i, marker := range test.queue {
				names = append(names, fmt.Sprintf("%s%010d", marker, i))
			}
			w.put(names...)
			found, err := contenders(w.within(), w.dial(session), w.path, zklock.WithExtraMarkers("__lock__"))
			if err != nil || len(found) != len(names) {
				t.Fatalf("found %+v, %v", found, err)
			}
			for i, c := range found {
				want := zklock.ModeWrite
				if test.queue[i] == r {
					want = zklock.ModeRead
				}
				if c.Holder != (i < test.holders) || c.Mode != want || c.Sequence != int32(i) {
					t.Errorf("contender %d is %+v", i, c)
				}
			}
		})
	}
}

func TestContendersLeavesOutStrays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put("lock-0000000007", "readme", "lock-7", "_c_short-lock-0000000001", "lock-0000000003", "lock-", "leases")
	found := w.contenders(w.dial(session))
	if len(found) != 2 || found[0].Sequence != 3 || found[1].Sequence != 7 || !found[0].Holder || found[1].Holder {
		t.Errorf("found %+v, want 3 and 7", found)
	}
}

func TestContendersOfNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if found := w.contenders(w.dial(session)); len(found) != 0 {
		t.Errorf("found %+v", found)
	}
}

func TestContendersErrors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	if err := s.WaitConnected(w.within()); err != nil {
		t.Fatal(err)
	}
	_, err := contenders(w.within(), s, "relative")
	if !errors.Is(err, zk.ErrInvalidPath) {
		t.Errorf("of a relative path: %v, want ErrInvalidPath", err)
	}
	closeSession(t, s)
	_, err = contenders(w.within(), s, w.path)
	var detail *zklock.Error
	if !errors.Is(err, zklock.ErrClosed) || !errors.As(err, &detail) || detail.Op != "contenders" || detail.Path != w.path {
		t.Errorf("of a closed session: %v, want ErrClosed", err)
	}
}

// A readingClient meddles with the listing and the reads that follow it.
type readingClient struct {
	*zk.Conn
	listed  func()
	reading func() (done func())
}

func (c readingClient) Children(path string) ([]string, *zk.Stat, error) {
	defer c.listed()
	return c.Conn.Children(path)
}

func (c readingClient) Get(path string) ([]byte, *zk.Stat, error) {
	defer c.reading()()
	return c.Conn.Get(path)
}

// The holder goes after the listing: then the next one is the holder.
func TestContendersGoneMeanwhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put("lock-0000000000", "lock-0000000001", "lock-0000000002")
	found := w.contenders(w.bring(func(conn *zk.Conn) zklock.Client {
		listed := func() {
			if err := w.conn.Delete(w.path+"/lock-0000000000", -1); err != nil {
				w.Error(err)
			}
		}
		return readingClient{conn, listed, func() func() { return func() {} }}
	}))
	if len(found) != 2 || found[0].Sequence != 1 || !found[0].Holder || found[1].Holder {
		t.Errorf("found %+v, want 1 and 2", found)
	}
}

// Many znodes are read, 16 at a time, and the answers are not mixed up.
func TestContendersPipelined(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const window, n = 16, 50
	var names []string
	for i := range n {
		names = append(names, fmt.Sprintf("lock-%010d", i))
	}
	w.put(names...)
	var begun, reading atomic.Int64
	full := make(chan struct{})
	found := w.contenders(w.bring(func(conn *zk.Conn) zklock.Client {
		return readingClient{conn, func() {}, func() func() {
			if n := reading.Add(1); n > window {
				w.Errorf("%d reads at once", n)
			}
			if begun.Add(1) == window {
				close(full)
			}
			select {
			case <-full: // one at a time, the first would wait forever
			case <-w.Context().Done():
			}
			return func() { reading.Add(-1) }
		}}
	}))
	if !slices.EqualFunc(found, names, func(c zklock.Contender, name string) bool {
		return c.Node == w.path+"/"+name && string(c.Data) == fmt.Sprint(c.Sequence)
	}) || len(found) != n {
		t.Errorf("found %+v", found)
	}
}

// A connection that breaks during the reads costs time only.
func TestContendersReconnect(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put("lock-0000000000", "lock-0000000001", "lock-0000000002")
	s, network := w.dialThrough(session)
	lost := network.loseReply(opGetData)
	if found := w.contenders(s); len(found) != 3 {
		t.Errorf("found %+v", found)
	}
	receive(t, lost, "the loss")
}

// As many hold as the stored limit says.
func TestContendersOfSemaphore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.semaphore(2)
	leases := w.hold(p, 2)
	waiter := w.startLock(p)
	holders := func() (n int) {
		t.Helper()
		found := w.contenders(w.dial(session))
		if len(found) != 3 {
			t.Fatalf("found %+v, want 3", found)
		}
		for i, c := range found {
			if c.Holder {
				n++
			}
			if c.Sequence != int32(i) || c.Mode != zklock.ModeWrite {
				t.Errorf("contender %d is %+v", i, c)
			}
		}
		return n
	}
	if n := holders(); n != 2 {
		t.Errorf("%d hold, want 2", n)
	}
	if err := p.Resize(w.within(), 3); err != nil {
		t.Fatal(err)
	}
	leases = append(leases, waiter.held(t))
	if n := holders(); n != 3 {
		t.Errorf("%d hold after Resize, want 3", n)
	}
	for _, lease := range leases {
		w.unlock(lease)
	}
}

// Without a limit that can be read, only the first is shown to hold.
func TestContendersByStoredLimit(t *testing.T) {
	t.Parallel()
	for stored, want := range map[string]int{"": 1, "many": 1, "0": 1, "1": 1, "2": 2, "9": 3} {
		t.Run(stored, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			var names []string
			for i := range 3 {
				names = append(names, fmt.Sprintf("lease-%010d", i))
			}
			w.put(names...)
			if _, err := w.conn.Set(w.path, []byte(stored), -1); err != nil {
				t.Fatal(err)
			}
			found := w.contenders(w.dial(session))
			if len(found) != len(names) {
				t.Fatalf("found %+v", found)
			}
			for i, c := range found {
				if c.Holder != (i < want) {
					t.Errorf("contender %d holds: %v, want %d holders", i, c.Holder, want)
				}
			}
		})
	}
}

// The holder of a permit is asked as that of a mutex is, and a waiter is told
// when it holds.
func TestRevokePermit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.semaphore(1)
	holder := w.lock(p)
	waiter := w.startLock(p)
	s := w.dial(session)
	for _, c := range w.contenders(s) {
		if err := zklock.Revoke(w.within(), s, c.Node); err != nil {
			t.Fatal(err)
		}
	}
	receive(t, holder.Revoked(), "the request")
	w.unlock(holder)
	lease := waiter.held(t)
	receive(t, lease.Revoked(), "the request to the waiter")
	w.unlock(lease)
}
