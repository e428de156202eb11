package locks_test

import (
	"net"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// bring returns a session whose requests pass through what wrap makes of its
// connection: a test can meddle at a moment that no network shows.
func (w *world) bring(wrap func(*zk.Conn) zklock.Client) *zklock.Session {
	w.Helper()
	s := zklock.NewSession()
	conn, _, err := zk.Connect([]string{w.server.Address()}, session,
		zk.WithEventCallback(s.EventCallback), zk.WithDialer(s.Dialer(net.DialTimeout)),
		zk.WithHostProvider(s.HostProvider()), zk.WithLogger(quiet{}), zk.WithLogInfo(false))
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(conn.Close)
	if err := s.Bind(wrap(conn)); err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { closeSession(w, s) })
	return s
}
