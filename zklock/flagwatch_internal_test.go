package zklock

import (
	"context"
	"testing"

	"github.com/go-zookeeper/zk"
)

// A lateClient answers reads when the caller has given up, or is about to.
type lateClient struct {
	*zk.Conn
	giveUp func()
}

func (c lateClient) GetW(string) ([]byte, *zk.Stat, <-chan zk.Event, error) {
	c.giveUp()
	return nil, new(zk.Stat), make(chan zk.Event, 1), nil
}

// A watch whose waiter goes before it is there, or at that moment, is left to
// the next.
func TestFlagWatchThatComesLate(t *testing.T) {
	t.Parallel()
	s := NewSession()
	defer s.Close(context.Background())
	f := NewFlagLock(s, "/flag")
	connection := make(chan struct{})
	client := &lateClient{Conn: new(zk.Conn)}
	s.Bind(client)
	s.EventCallback(zk.Event{Type: zk.EventSession, State: zk.StateHasSession})
	for _, late := range []bool{false, true} {
		for range 100 {
			ctx, cancel := context.WithCancel(t.Context())
			gone := make(chan struct{})
			client.giveUp = func() {
				cancel()
				if late {
					<-gone
				}
			}
			view, err := f.readWatching(ctx, connection)
			close(gone)
			s.work.Wait()
			if left := s.spares.take("/flag", connection); (left == nil) != (err == nil) || (view.event == nil) != (err != nil) {
				t.Fatalf("late %v: error %v, left %v, taken %v", late, err, left, view.event)
			}
		}
	}
}
