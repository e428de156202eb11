package locks_test

import (
	"errors"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A session that was brought deletes its znodes, and leaves the connection.
func TestBroughtConnection(t *testing.T) {
	for name, observed := range map[string]bool{"with Dialer": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			network := newNetwork(t)
			s := zklock.NewSession()
			dialer := unfailing(network.Dial)
			if observed {
				dialer = s.Dialer(network.Dial)
			}
			conn, _, err := zk.Connect([]string{w.server.Address(), w.server.Address()}, session,
				zk.WithEventCallback(s.EventCallback), zk.WithDialer(dialer),
				zk.WithLogger(quiet{}), zk.WithLogInfo(false))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			authenticate(t, conn)
			if err := s.Bind(conn); err != nil {
				t.Fatal(err)
			}
			lease := w.lock(newMutex(s, w.path))
			w.checkToken(lease)
			network.cut()
			if observed {
				if err := lease.Check(w.within()); err != nil {
					t.Error(err)
				}
			} else {
				receive(t, lease.Lost(), "the loss")
			}
			closeSession(t, s)
			w.empties()
			network.cut()
			eventually(t, "the connection works again", func() bool {
				_, _, err := conn.Exists("/")
				return err == nil
			})
		})
	}
}

// A connection that tells the session nothing is refused, and nothing is bound: the
// session would never hear of a loss.
func TestBindRefusesAConnectionThatIsNotWired(t *testing.T) {
	for name, observed := range map[string]bool{"with Dialer": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s := zklock.NewSession()
			defer closeSession(t, s)
			dialer := unfailing(zktest.Dial)
			if observed {
				zktest.SkipSecure(t, "a nil dialer speaks no TLS", zktest.TLS)
				dialer = s.Dialer(nil)
			}
			conn, _, err := zk.Connect(w.servers(), session,
				zk.WithDialer(dialer), zk.WithLogger(quiet{}), zk.WithLogInfo(false))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			eventually(t, "it has a session", func() bool { return conn.State() == zk.StateHasSession })
			begun := time.Now()
			if err := s.Bind(conn); !errors.Is(err, zklock.ErrNotWired) {
				t.Errorf("Bind = %v, want ErrNotWired", err)
			}
			if took := time.Since(begun); took >= 5*time.Second {
				t.Errorf("it takes %v to refuse a connection that has a session", took)
			}
			if s.Client() != nil {
				t.Error("it is bound")
			}
		})
	}
}

type quiet struct{}

func (quiet) Printf(string, ...any) {}

// A slowClient sends creates of the queue only when it is let.
type slowClient struct {
	*zk.Conn
	begun, proceed chan struct{}
}

func (c *slowClient) Create(path string, data []byte, flags int32, acl []zk.ACL) (string, error) {
	if flags == zk.FlagEphemeralSequential {
		close(c.begun)
		<-c.proceed
	}
	return c.Conn.Create(path, data, flags, acl)
}

// The create is sent so late that it takes effect in the next session: Lock
// does not take its znode for its own, and it is deleted.
func TestCreateInNextSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if _, err := w.conn.Create(w.path, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
		t.Fatal(err)
	}
	network := newNetwork(t)
	s := zklock.NewSession()
	conn, _, err := zk.Connect(w.servers(), mortal,
		zk.WithEventCallback(s.EventCallback), zk.WithDialer(s.Dialer(network.Dial)),
		zk.WithHostProvider(s.HostProvider()), zk.WithLogger(quiet{}), zk.WithLogInfo(false))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	authenticate(t, conn)
	client := &slowClient{conn, make(chan struct{}), make(chan struct{})}
	if err := s.Bind(client); err != nil {
		t.Fatal(err)
	}
	attempt := w.beginLock(newMutex(s, w.path))
	receive(t, client.begun, "the create")
	marker := w.path + "-marker"
	if _, err := conn.Create(marker, nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll)); err != nil {
		t.Fatal(err)
	}
	network.partition()
	if err := attempt.failed(t); !errors.Is(err, zklock.ErrSessionLost) {
		t.Fatalf("Lock = %v, want ErrSessionLost", err)
	}
	eventually(t, "the server has ended the session", func() bool {
		found, _, err := w.conn.Exists(marker)
		return err == nil && !found
	})
	network.heal()
	if err := s.WaitConnected(w.within()); err != nil {
		t.Fatal(err)
	}
	_, _, created, err := w.conn.ChildrenW(w.path)
	if err != nil {
		t.Fatal(err)
	}
	close(client.proceed)
	receive(t, created, "the late create")
	attempt.await(t, "orphan-done failed=false", 1)
	w.empties()
	closeSession(t, s)
}
